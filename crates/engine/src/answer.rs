//! Answers to searches: embed the query, rank, read the lines.

use crate::cache::{Cache, Key};
use crate::embed::{self, Effort, OnBusy};
use crate::error::EngineError;
use crate::hits::Asked;
use crate::models::OpenModel;
use crate::progress::Progress;
use crate::project::Project;
use crate::refresh::{OwnedRefresh, Patience, partly_indexed};
use crate::searched::Searched;
use crate::{Engine, Keep, Refresh, counts, detached, embeddings, heal, hits, refresh, scan};
use scent_index::Snapshot;
use scent_search::SearchError;
use scent_types::{Lane, Note, Request, Response, Stage};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a search embeds units with the models before it answers.
const INLINE_TIME: Duration = Duration::from_millis(1500);

/// Where another process embeds, a few units are about to be done.
const FEW_UNITS: u64 = 2_000;

/// A search that may outlive who asked.
struct Work {
    engine: Engine,
    projects: Vec<Project>,
    request: Request,
    refresh: OwnedRefresh,
}

/// What is asked, and since when.
#[derive(Clone, Copy)]
struct Question<'r> {
    request: &'r Request,
    patience: Patience,
    started: Instant,
}

impl Engine {
    /// Answers a request from all projects as one corpus.
    pub fn search(
        &self,
        projects: &[Project],
        request: &Request,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        request.deadline.check().map_err(SearchError::from)?;
        if refresh == Refresh::Never {
            // Nothing is begun that would have to go on.
            return self.search_now(projects, request, refresh, progress);
        }
        let work = Work {
            engine: self.clone(),
            projects: projects.to_vec(),
            request: request.clone(),
            refresh: OwnedRefresh::from(refresh),
        };
        detached::until_deadline(&request.deadline, progress, move |progress| {
            let Work {
                engine,
                projects,
                request,
                refresh,
            } = &work;
            engine.search_now(projects, request, refresh.borrow(), progress)
        })
    }

    fn search_now(
        &self,
        projects: &[Project],
        request: &Request,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        let patience = Patience::of(refresh);
        let may_repair = refresh != Refresh::Never;
        let repaired: Vec<&Project> = projects.iter().filter(|_| may_repair).collect();
        // What may be damaged is repaired first, and left out only if that fails.
        let strict = Cell::new(may_repair);
        let answered = heal::healing(&repaired, progress, || {
            let started = Instant::now();
            let strict = strict.replace(false);
            let (searched, mut notes) = reach(projects, (refresh, patience), strict, progress)?;
            // Who asked may have gone meanwhile; what was indexed is kept.
            request.deadline.check().map_err(SearchError::from)?;
            notes.extend(partly_indexed(&searched.snapshots, refresh));
            let mut response = if refresh == Refresh::Never {
                let refreshed = started.elapsed();
                let mut response = self.answer(&searched, request)?;
                response.timing.refresh = refreshed.as_micros() as u64;
                response
            } else {
                let question = Question {
                    request,
                    patience,
                    started,
                };
                self.complete_and_answer(searched, question, &mut notes, progress)?
            };
            let total = started.elapsed().as_micros() as u64;
            response.timing.search = total - response.timing.refresh;
            notes.dedup();
            response.notes.splice(0..0, notes);
            Ok(response)
        });
        // Whatever went wrong, and whatever was found, it is too late now.
        request.deadline.check().map_err(SearchError::from)?;
        answered
    }

    /// Embeds what is missing where that is quick, and answers.
    fn complete_and_answer(
        &self,
        mut searched: Searched,
        question: Question,
        notes: &mut Vec<Note>,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        let Question {
            request,
            patience,
            started,
        } = question;
        let mut model_failed = false;
        if self.uses_embeddings(request) {
            for nth in 0..searched.projects.len() {
                let needed = needs_embeddings(request);
                let done = complete(searched.projects[nth], needed, patience, progress);
                model_failed |= matches!(done, Err(EngineError::Model(_)));
                notes.extend(note_or_error(done, request)?);
                searched.snapshots[nth] = searched.projects[nth].snapshot()?;
            }
            request.deadline.check().map_err(SearchError::from)?;
        }
        let refreshed = started.elapsed();
        // A model that just failed is not called once more.
        let mut response = if model_failed {
            self.answer(&searched, &without_embeddings(request))?
        } else {
            self.answer(&searched, request)?
        };
        response.timing.refresh = refreshed.as_micros() as u64;
        Ok(response)
    }

    /// Answers a request from generations that are open.
    fn answer(&self, searched: &Searched, request: &Request) -> Result<Response, EngineError> {
        let mut response = match request.scan {
            Some(scan) => scan::respond(searched, request, scan)?,
            None if request.count => counts::respond(searched, request, &self.weights)?,
            None => self.answer_from_cache(searched, request)?,
        };
        if let Some(typed) = &request.typed {
            response.query.clone_from(typed);
        }
        response.notes.splice(0..0, request.notes.iter().cloned());
        Ok(response)
    }

    /// The same for the words of a request, however they were typed.
    fn answer_from_cache(
        &self,
        searched: &Searched,
        request: &Request,
    ) -> Result<Response, EngineError> {
        let Some((cache, keep)) = self.cache_for(request) else {
            return Ok(self.embed_and_rank(searched, request, None)?.response);
        };
        let key = Key::new(searched, request);
        if let Some(known) = cache.get(&key) {
            return Ok(Response::clone(&known));
        }
        let near = match keep {
            Keep::Near(floor) if request.report.is_none() && is_question(&request.query) => {
                Some((cache, &key, floor))
            }
            _ => None,
        };
        let answer = self.embed_and_rank(searched, request, near)?;
        if answer.is_worth_keeping {
            cache.keep(key, answer.query_vector, &answer.response);
        }
        Ok(answer.response)
    }

    fn cache_for(&self, request: &Request) -> Option<(&Cache, Keep)> {
        let (cache, keep) = self.cache.as_ref()?;
        let wanted = !request.no_cache && !request.explain;
        wanted.then_some((cache.as_ref(), *keep))
    }

    /// Embeds the query and ranks; where another question is near enough, gives
    /// its answer instead.
    fn embed_and_rank(
        &self,
        searched: &Searched,
        request: &Request,
        near: Option<(&Cache, &Key, f32)>,
    ) -> Result<Answer, EngineError> {
        let mut failure = None;
        let query = match self.embed_query(&searched.snapshots, request) {
            Ok(query) => query,
            // Without the model, words answer alone.
            Err(error) => {
                failure = note_or_error(Err(error), request)?;
                Query::default()
            }
        };
        let query_vector = query.vector();
        if let Some((cache, key, floor)) = near
            && let Some(known) = cache.nearly(key, &query_vector, floor)
        {
            return Ok(Answer::as_before(&known));
        }
        let asked = Asked {
            questions: &query.vectors,
            body: &query.body,
            encoder: query.embedders.first().map(|embedder| embedder.encoder),
        };
        let mut response = hits::respond(searched, request, &asked, &self.weights)?;
        let is_worth_keeping = failure.is_none();
        response.notes.extend(failure);
        if !query.embedders.is_empty() {
            let coverage =
                embeddings::coverage(&query.embedders, query.answering, &searched.snapshots);
            response.notes.extend(embeddings::notes(&coverage));
            response.embeddings = Some(coverage);
        }
        Ok(Answer {
            response,
            query_vector,
            is_worth_keeping,
        })
    }

    /// The query as vectors of each model that answers.
    fn embed_query(
        &self,
        snapshots: &[Arc<Snapshot>],
        request: &Request,
    ) -> Result<Query<'_>, EngineError> {
        if !self.uses_embeddings(request) {
            return Ok(Query::default());
        }
        let embedders = self.embedders()?;
        let answering = embeddings::answering(&embedders, snapshots);
        let embed = |text: &str| embeddings::embed_query(&embedders[..answering], snapshots, text);
        let vectors = embed(&request.query)?;
        let body = match &request.report {
            Some(report) if !report.prose.trim().is_empty() => embed(&report.prose)?,
            _ => Vec::new(),
        };
        Ok(Query {
            embedders,
            answering,
            vectors,
            body,
        })
    }

    /// What every stage of a search had in hand for a request, from the
    /// generations that the projects hold.
    pub fn trace(
        &self,
        projects: &[Project],
        request: &Request,
    ) -> Result<Vec<Stage>, EngineError> {
        let mut searched = Searched::nothing();
        for project in projects {
            searched.add(project, project.snapshot()?);
        }
        let query = self.embed_query(&searched.snapshots, request)?;
        let asked = Asked {
            questions: &query.vectors,
            body: &query.body,
            encoder: None,
        };
        hits::trace(&searched, request, &asked, &self.weights)
    }

    /// Whether a model has a part in the answer. A pattern alone has no meaning.
    fn uses_embeddings(&self, request: &Request) -> bool {
        !request.count && !request.query.trim().is_empty() && self.weights.needs_embeddings(request)
    }
}

/// An answer, and what the cache needs of it.
struct Answer {
    response: Response,
    query_vector: Vec<f32>,
    is_worth_keeping: bool,
}

impl Answer {
    fn as_before(known: &Response) -> Answer {
        let mut response = known.clone();
        let query = known.query.clone();
        response.notes.push(Note::AnsweredBefore { query });
        Answer {
            response,
            query_vector: Vec::new(),
            is_worth_keeping: false,
        }
    }
}

/// A query as vectors.
#[derive(Default)]
struct Query<'e> {
    embedders: Vec<OpenModel<'e>>,
    /// How many of them answer.
    answering: usize,
    vectors: Vec<scent_search::Question>,
    /// All of a report as vectors.
    body: Vec<scent_search::Question>,
}

impl Query<'_> {
    fn vector(&self) -> Vec<f32> {
        let first = self.vectors.first();
        first.map_or_else(Vec::new, |question| question.embedding.vector.clone())
    }
}

impl Project {
    /// The units whose vectors are nearest to that of the unit at a line of a
    /// file, given relative to the root.
    pub fn similar(
        &self,
        place: (&str, u32),
        request: &Request,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        heal::healing(&[self], progress, || {
            self.similar_once(place, request, refresh, progress)
        })
    }

    fn similar_once(
        &self,
        place: (&str, u32),
        request: &Request,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        let patience = Patience::of(refresh);
        let mut notes = refresh::refresh(self, refresh, patience, progress)?;
        let embedders = self.engine().embedders()?;
        let effort = Effort {
            until: patience.end(),
            known_until: patience.end(),
            ..OnBusy::Wait.into()
        };
        let filled = embed::fill(self, &embedders[..1], effort, progress);
        let completed = filled.and_then(|_| complete(self, false, patience, progress));
        // Vectors that were made before may do.
        if let Err(error) = completed {
            if error.is_interrupted() {
                return Err(error);
            }
            let why = error.to_string();
            notes.push(Note::EmbeddingFailed { why });
        }
        let snapshot = self.snapshot()?;
        let snapshots = [Arc::clone(&snapshot)];
        notes.extend(partly_indexed(&snapshots, refresh));
        let answering = embeddings::answering(&embedders, &snapshots);
        let of_place = embeddings::of_place(&snapshot, &embedders[..answering], place);
        // Somebody may have removed the index and made it again meanwhile.
        let was_replaced = snapshot.waiting_for(&embedders[0].model) > 0 && notes.is_empty();
        if of_place.is_err() && was_replaced {
            return Err(EngineError::NotIndexed(self.root().to_owned()));
        }
        let (vectors, whole_unit) = of_place?;
        let whole = self.clone().within(Vec::new());
        let mut searched = Searched::nothing();
        searched.add(&whole, snapshot);
        // One more to see whether there are more, and one since nothing is as
        // near to a unit as it is itself.
        let end = request.offset.saturating_add(request.limit);
        let wanted = Request {
            limit: end.saturating_add(2),
            offset: 0,
            ..request.clone()
        };
        let weights = &self.engine().weights;
        let asked = Asked {
            questions: &vectors,
            body: &[],
            encoder: None,
        };
        let mut response = hits::respond(&searched, &wanted, &asked, weights)?;
        let is_other = |hit: &scent_types::Hit| hit.path != place.0 || hit.lines != whole_unit;
        response.hits.retain(is_other);
        response.next_offset = (response.hits.len() > end).then_some(end);
        response.offset = request.offset;
        response
            .hits
            .drain(..request.offset.min(response.hits.len()));
        response.hits.truncate(request.limit);
        let coverage = embeddings::coverage(&embedders, answering, &snapshots);
        response.notes.splice(0..0, notes);
        response.notes.extend(embeddings::notes(&coverage));
        response.embeddings = Some(coverage);
        Ok(response)
    }
}

/// The projects that can be searched, and notes on the others: one of several
/// that fails is named, and the others still answer.
fn reach<'p>(
    projects: &'p [Project],
    (refresh, patience): (Refresh, Patience),
    strict: bool,
    progress: &dyn Progress,
) -> Result<(Searched<'p>, Vec<Note>), EngineError> {
    let (mut notes, mut failures) = (Vec::new(), Vec::new());
    let mut searched = Searched::nothing();
    for project in projects {
        let opened = refresh::refresh(project, refresh, patience, progress)
            .and_then(|notes| Ok((notes, project.snapshot()?)));
        match opened {
            Ok((more, snapshot)) => {
                notes.extend(more);
                searched.add(project, snapshot);
            }
            Err(error) if strict && error.may_be_damage() => return Err(error),
            Err(error) if error.is_interrupted() => return Err(error),
            Err(error) if projects.len() > 1 => {
                let why = error.to_string();
                failures.push(format!("not searched: {why}"));
                notes.push(Note::NotSearched { why });
            }
            Err(error) => return Err(error),
        }
    }
    if searched.projects.is_empty() {
        return Err(EngineError::NothingToSearch(failures.join("; ")));
    }
    Ok((searched, notes))
}

/// Makes the vectors that are missing, as far as there is time: little, unless
/// nothing else could answer.
fn complete(
    project: &Project,
    needed: bool,
    patience: Patience,
    progress: &dyn Progress,
) -> Result<(), EngineError> {
    let embedders = project.engine().embedders()?;
    let inline_end = Instant::now() + INLINE_TIME;
    for (nth, embedder) in embedders.iter().enumerate() {
        if patience.is_over() {
            break;
        }
        let snapshot = project.snapshot()?;
        let waiting = snapshot.waiting_for(&embedder.model);
        if waiting == 0 && embeddings::wants(&snapshot, &embedder.model) {
            continue;
        }
        // Whoever indexes a large folder leaves nobody time to commit vectors.
        if snapshot.table().is_partial() && project.lock(Duration::ZERO, progress).is_err() {
            break;
        }
        // A refined model answers only when it has read everything.
        if nth > 0 && waiting > embedder.inline_least {
            break;
        }
        let until = if needed && nth == 0 {
            patience.end()
        } else {
            Some(patience.end().map_or(inline_end, |end| end.min(inline_end)))
        };
        let effort = Effort {
            on_busy: if needed || waiting <= FEW_UNITS {
                OnBusy::WaitBriefly
            } else {
                OnBusy::Skip
            },
            least: embedder.inline_least,
            until,
            known_until: patience.end(),
        };
        match embed::fill(project, &embedders[..=nth], effort, progress) {
            Ok(_) => {}
            // Whoever writes the index now may see to it as well.
            Err(EngineError::Locked { .. }) => break,
            Err(error) => return Err(error),
        }
        if project.latest()?.waiting_for(&embedder.model) > 0 {
            break;
        }
    }
    Ok(())
}

/// Whether only embeddings can answer a request.
fn needs_embeddings(request: &Request) -> bool {
    !request.lanes.is_empty() && request.lanes.iter().all(|lane| lane.is_semantic())
}

/// The same request for words alone.
fn without_embeddings(request: &Request) -> Request {
    let mut lanes = if request.lanes.is_empty() {
        Lane::RETRIEVING.to_vec()
    } else {
        request.lanes.clone()
    };
    lanes.retain(|lane| !lane.is_semantic());
    Request {
        lanes,
        ..request.clone()
    }
}

/// A note where a model or its vectors fail and words can answer alone; else
/// the error.
fn note_or_error(
    done: Result<(), EngineError>,
    request: &Request,
) -> Result<Option<Note>, EngineError> {
    let Err(error) = done else {
        return Ok(None);
    };
    if error.may_be_damage() || error.is_interrupted() {
        return Err(error);
    }
    let is_of_model = matches!(
        error,
        EngineError::Model(_) | EngineError::OtherModel { .. }
    );
    if !is_of_model {
        // Vectors that were made before may do.
        let why = error.to_string();
        return Ok(Some(Note::EmbeddingFailed { why }));
    }
    if needs_embeddings(request) {
        return Err(error);
    }
    let why = error.to_string();
    Ok(Some(Note::WordsOnly { why }))
}

/// Words enough that others can ask the same in other words.
fn is_question(query: &str) -> bool {
    query.split_whitespace().count() > 2
}
