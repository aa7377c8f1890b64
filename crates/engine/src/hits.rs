//! Ranked units become hits: with their paths, and their text from disk.

use crate::error::EngineError;
use crate::excerpt::{Marker, Passage};
use crate::nothing;
use crate::os;
use crate::query::literal;
use crate::searched::Searched;
use crate::sources::{Sources, file_of, read_indexed};
use scent_index::{FileRecord, State, StoredUnit};
use scent_search::{
    Corpus, Matcher, Missing, Query, Question, RankedUnit, Ranking, Trace, UnitRef, Weights,
    best_lines, search,
};
use scent_types::{Hit, Lines, Note, Request, Response, Source, Stage, StagedUnit};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many units of a stage are told.
const TRACED: usize = 20;
/// How many lines of a hit are marked as the ones that matter.
const MARKED: usize = 4;

pub(crate) fn respond(
    searched: &Searched,
    request: &Request,
    asked: &[Question],
    weights: &Weights,
) -> Result<Response, EngineError> {
    let corpus = &searched.corpus();
    let roots = &searched.roots();
    let unread = AtomicUsize::new(0);
    let read = |nth: usize, file: &FileRecord| {
        let text = read_indexed(searched.projects[nth].tree(), file);
        unread.fetch_add(usize::from(text.is_none()), Ordering::Relaxed);
        text
    };
    let mut trace = if request.explain {
        Trace::on()
    } else {
        Trace::off()
    };
    let matcher = matcher(request)?;
    let quoted = quoted(request)?;
    let query = Query {
        request,
        matcher: matcher.as_ref(),
        quoted: &quoted,
        questions: asked,
    };
    let ranking = search(corpus, query, weights, &read, &mut trace)?;
    let common = common_root(roots);
    let files = Sources::read(corpus, searched, &ranking.hits, request.files_only);
    let reader = HitReader {
        corpus,
        request,
        roots,
        common: &common,
        files: &files,
        marker: &Marker {
            matcher: matcher.as_ref(),
            terms: &ranking.terms,
        },
    };
    let hits = reader.all(&ranking.hits)?;
    let mut notes = notes(request, corpus, &ranking, weights);
    if hits.is_empty() && request.offset == 0 && !notes.contains(&Note::NothingIndexed) {
        notes.push(nothing::found(searched, query, weights, &read)?);
    }
    let stale = files.stale + unread.into_inner();
    if stale > 0 {
        notes.push(Note::FilesChanged { count: stale });
    }
    Ok(Response {
        query: request.query.clone(),
        root: os::display_path(&common),
        generation: corpus
            .snapshots()
            .iter()
            .map(|s| s.table().generation)
            .max()
            .unwrap_or(0),
        total: ranking.total,
        hits,
        offset: request.offset,
        counts: Vec::new(),
        next_offset: ranking.next_offset,
        terms: ranking.terms,
        embeddings: None,
        certainty: ranking.certainty,
        notes,
        stages: staged(corpus, trace, TRACED)?,
        timing: Default::default(),
    })
}

/// What the reader should know of the index, the query and the answer.
fn notes(request: &Request, corpus: &Corpus, ranking: &Ranking, weights: &Weights) -> Vec<Note> {
    if corpus.snapshots().iter().all(|s| s.text().count() == 0) {
        return vec![Note::NothingIndexed];
    }
    let mut notes = Vec::new();
    for (text, is_nowhere) in request.quoted.iter().zip(&ranking.unquoted) {
        if *is_nowhere {
            let text = text.clone();
            notes.push(Note::QuoteNotFound { text });
        }
    }
    if ranking.hits.is_empty() {
        return notes;
    }
    if let Some(certainty) = ranking.certainty
        && weights.are_unsure(certainty)
    {
        let percent = (certainty * 100.0).round() as u8;
        notes.push(Note::Unsure { percent });
    }
    let Missing {
        words,
        nearest,
        all,
        ..
    } = ranking.missing.clone();
    if !words.is_empty() {
        notes.push(Note::MissingWords {
            words,
            nearest,
            all,
        });
    }
    notes
}

/// What every stage of the search had in hand.
pub(crate) fn trace(
    searched: &Searched,
    request: &Request,
    asked: &[Question],
    weights: &Weights,
) -> Result<Vec<Stage>, EngineError> {
    let corpus = &searched.corpus();
    let read = |nth: usize, file: &FileRecord| read_indexed(searched.projects[nth].tree(), file);
    let mut trace = Trace::on();
    let matcher = matcher(request)?;
    let quoted = quoted(request)?;
    let query = Query {
        request,
        matcher: matcher.as_ref(),
        quoted: &quoted,
        questions: asked,
    };
    search(corpus, query, weights, &read, &mut trace)?;
    staged(corpus, trace, usize::MAX)
}

/// The pattern of a request, compiled.
pub(crate) fn matcher(request: &Request) -> Result<Option<Matcher>, EngineError> {
    Ok(request.pattern.as_ref().map(Matcher::new).transpose()?)
}

/// The texts that a request has in quotes, compiled.
fn quoted(request: &Request) -> Result<Vec<Matcher>, EngineError> {
    let mut matchers = Vec::with_capacity(request.quoted.len());
    for text in &request.quoted {
        matchers.push(Matcher::new(&literal(text))?);
    }
    Ok(matchers)
}

/// The stages with the first of their units.
fn staged(corpus: &Corpus, trace: Trace, most: usize) -> Result<Vec<Stage>, EngineError> {
    let mut stages = Vec::new();
    for stage in trace.stages(corpus) {
        let first = &stage.units[..stage.units.len().min(most)];
        stages.push(Stage {
            name: stage.name,
            lane: stage.lane,
            micros: stage.micros,
            count: stage.units.len(),
            units: staged_units(corpus, first)?,
        });
    }
    Ok(stages)
}

fn staged_units(corpus: &Corpus, units: &[(UnitRef, f32)]) -> Result<Vec<StagedUnit>, EngineError> {
    let numbers: Vec<UnitRef> = units.iter().map(|(unit, _)| *unit).collect();
    let mut staged = Vec::with_capacity(units.len());
    for (&(unit, score), stored) in units.iter().zip(corpus.read(&numbers)?) {
        let record = corpus.record(unit);
        staged.push(StagedUnit {
            id: stored.id,
            path: record.map_or_else(String::new, |record| record.path.clone()),
            lines: stored.lines,
            score,
        });
    }
    Ok(staged)
}

/// The deepest folder that holds all roots.
pub(crate) fn common_root(roots: &[&Path]) -> PathBuf {
    let mut roots = roots.iter().copied();
    let Some(first) = roots.next() else {
        return PathBuf::new();
    };
    let shared = |a: PathBuf, b: &Path| {
        a.ancestors()
            .find(|a| b.starts_with(a))
            .map_or_else(PathBuf::new, Path::to_owned)
    };
    roots.fold(first.to_owned(), shared)
}

struct HitReader<'a> {
    corpus: &'a Corpus,
    request: &'a Request,
    roots: &'a [&'a Path],
    common: &'a Path,
    files: &'a Sources,
    marker: &'a Marker<'a>,
}

impl HitReader<'_> {
    /// The hits of ranked units, whose passages are read in one batch.
    fn all(&self, ranked: &[RankedUnit]) -> Result<Vec<Hit>, EngineError> {
        let mut numbers = Vec::new();
        for one in ranked {
            numbers.push(one.unit);
            numbers.extend(one.further.iter().map(|passage| passage.unit));
        }
        let mut units = self.corpus.read(&numbers)?.into_iter();
        let mut hits = Vec::with_capacity(ranked.len());
        for one in ranked {
            let passages = units.by_ref().take(1 + one.further.len()).collect();
            hits.push(self.hit(one, passages));
        }
        Ok(hits)
    }

    /// The hit of a unit, given its passages, the best first.
    fn hit(&self, ranked: &RankedUnit, passages: Vec<StoredUnit>) -> Hit {
        let record = self.corpus.record(ranked.unit);
        let file = file_of(self.roots[ranked.unit.snapshot], record);
        let path = os::portable(file.strip_prefix(self.common).unwrap_or(&file)).0;
        let source = self.files.get(&file);
        let matched = self.matched(ranked, &passages, &source);
        let lines = widened(passages[0].whole, &matched);
        let excerpt = if self.request.files_only {
            Vec::new()
        } else {
            let best = Passage {
                unit: &passages[0],
                lines,
                matched: &matched,
                source: &source,
            };
            best.excerpt(&self.request.excerpt, self.marker)
        };
        let split = split(ranked, &passages);
        let unit = passages.into_iter().next().expect("the best one");
        Hit {
            path,
            lines,
            kind: unit.kind,
            name: unit.name,
            qualified: unit.qualified,
            signature: unit.signature,
            language: language_of(record).to_owned(),
            score: ranked.score,
            lanes: ranked.lanes.clone(),
            parts: ranked.parts.clone(),
            passages: split,
            excerpt,
        }
    }

    /// The lines that match best, in order: those of the pattern, or of the
    /// best passage.
    fn matched(&self, ranked: &RankedUnit, passages: &[StoredUnit], source: &Source) -> Vec<u32> {
        let best = &passages[0];
        let lines = (best.lines.start..=best.lines.end).map_while(|number| source.line(number));
        let mut matched = match ranked.matched.as_slice() {
            [] => best_lines(best.lines.start, lines, self.marker.terms, MARKED),
            lines => lines.to_vec(),
        };
        matched.retain(|&line| passages.iter().any(|passage| passage.cover.contains(line)));
        matched
    }
}

/// The passages that were found of a unit, best first; none where it has but
/// one.
fn split(ranked: &RankedUnit, passages: &[StoredUnit]) -> Vec<scent_types::Passage> {
    let mut split = Vec::new();
    if passages[0].lines == passages[0].whole {
        return split;
    }
    let further = ranked.further.iter().map(|passage| passage.score);
    for (score, unit) in std::iter::once(ranked.score).chain(further).zip(passages) {
        split.push(scent_types::Passage {
            lines: unit.lines,
            score,
        });
    }
    split
}

/// A pattern may match on a closing line that is otherwise not shown.
fn widened(lines: Lines, matched: &[u32]) -> Lines {
    match (matched.first(), matched.last()) {
        (Some(&first), Some(&last)) => Lines::new(lines.start.min(first), lines.end.max(last)),
        _ => lines,
    }
}

fn language_of(record: Option<&FileRecord>) -> &str {
    match record.map(|record| &record.state) {
        Some(State::Indexed { language, .. }) if !language.is_empty() => language,
        _ => "text",
    }
}
