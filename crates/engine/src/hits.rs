//! Ranked units become hits: with their paths, and their text from disk.

use crate::error::EngineError;
use crate::excerpt::{Marker, Passage, declared_at};
use crate::nothing;
use crate::os;
use crate::query::literal;
use crate::searched::Searched;
use crate::sources::{Sources, file_of, read_indexed};
use rayon::prelude::*;
use scent_embed::{Embedder, unit_head};
use scent_index::{FileRecord, State, StoredUnit};
use scent_search::{
    Corpus, Evidence, Matcher, Missing, Query, Question, RankedUnit, Ranking, TermWeights, Trace,
    UnitRef, Weights, best_lines, search, token_matches,
};
use scent_types::{
    Context, Duplicate, Hit, Lines, Neighbour, Note, Request, Response, Source, Stage, StagedUnit,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many units of a stage are told.
const TRACED: usize = 20;
/// How many lines of a hit are marked as the ones that matter.
const MARKED: usize = 4;
/// How many lines stand for a passage in which no line stands out.
const LINES_WITHOUT_MATCH: u32 = 5;
/// How many members of a type are shown.
const MEMBERS: usize = 6;
/// So many hits are worth a thread of their own.
const HANDFUL: usize = 4;

/// What is asked beside the words.
pub(crate) struct Asked<'a> {
    /// The question as vectors of each model that answers.
    pub questions: &'a [Question],
    /// All of a report as vectors.
    pub body: &'a [Question],
    /// The model of the first.
    pub encoder: Option<&'a dyn Embedder>,
}

pub(crate) fn respond(
    searched: &Searched,
    request: &Request,
    asked: &Asked,
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
        questions: asked.questions,
        body: asked.body,
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
        asked,
        terms: TermWeights::new(&ranking.terms),
    };
    let hits = reader.all(&ranking.hits)?;
    let mut notes = notes(request, corpus, &ranking, weights);
    if hits.is_empty() && request.offset == 0 && !notes.contains(&Note::NothingIndexed) {
        let missing = ranking.missing.clone();
        notes.push(nothing::found(searched, query, missing, (weights, &read))?);
    }
    let stale = files.stale + unread.into_inner();
    if stale > 0 {
        notes.push(Note::FilesChanged { count: stale });
    }
    Ok(Response {
        query: request.query.clone(),
        root: os::display_path(&common),
        generation: newest(corpus),
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
    asked: &Asked,
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
        questions: asked.questions,
        body: asked.body,
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
    asked: &'a Asked<'a>,
    terms: TermWeights,
}

impl HitReader<'_> {
    /// The hits of ranked units, whose passages are read in one batch.
    fn all(&self, ranked: &[RankedUnit]) -> Result<Vec<Hit>, EngineError> {
        let mut numbers = Vec::new();
        for one in ranked {
            numbers.push(one.unit);
            numbers.extend(one.further.iter().map(|passage| passage.unit));
            numbers.extend(&one.neighbours);
            numbers.extend(&one.copies);
        }
        let mut units = self.corpus.read(&numbers)?.into_iter();
        let mut found: Vec<(&RankedUnit, UnitsOf)> = Vec::with_capacity(ranked.len());
        for one in ranked {
            let mut take = |count| units.by_ref().take(count).collect();
            let of_one = UnitsOf {
                passages: take(1 + one.further.len()),
                neighbours: take(one.neighbours.len()),
                copies: take(one.copies.len()),
            };
            found.push((one, of_one));
        }
        let hits = found.into_par_iter().with_min_len(HANDFUL);
        hits.map(|(ranked, units)| self.hit(ranked, units))
            .collect()
    }

    fn hit(&self, ranked: &RankedUnit, units: UnitsOf) -> Result<Hit, EngineError> {
        let UnitsOf {
            passages,
            neighbours,
            copies,
        } = units;
        let record = self.corpus.record(ranked.unit);
        let file = file_of(self.roots[ranked.unit.snapshot], record);
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
                windows: &self.windows(ranked.unit, &passages[0], &source),
                members: &self.members(ranked.unit, &passages[0], &source)?,
                source: &source,
            };
            best.excerpt(&self.request.excerpt, self.marker)
        };
        let split = split(ranked, &passages);
        let unit = passages.into_iter().next().expect("the best one");
        Ok(Hit {
            path: self.path_of(ranked.unit),
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
            also_here: neighbours.into_iter().map(neighbour).collect(),
            also_in: self.duplicates(&ranked.copies, &copies),
            excerpt,
        })
    }

    /// The path of a unit's file, relative to the root of the response.
    fn path_of(&self, unit: UnitRef) -> String {
        let file = file_of(self.roots[unit.snapshot], self.corpus.record(unit));
        os::portable(file.strip_prefix(self.common).unwrap_or(&file)).0
    }

    fn duplicates(&self, places: &[UnitRef], units: &[StoredUnit]) -> Vec<Duplicate> {
        let mut duplicates = Vec::with_capacity(units.len());
        for (place, unit) in places.iter().zip(units) {
            duplicates.push(Duplicate {
                path: self.path_of(*place),
                lines: unit.whole,
            });
        }
        duplicates
    }

    fn shows_windows(&self) -> bool {
        self.request.excerpt.context == Context::Windows && self.request.pattern.is_none()
    }

    /// The rows of a passage that answer best; the first ones where nothing says
    /// which.
    fn windows(&self, at: UnitRef, unit: &StoredUnit, source: &Source) -> Vec<Lines> {
        if !self.shows_windows() {
            return Vec::new();
        }
        let (start, end) = (first_of_code(unit, source), unit.lines.end);
        let lines: Vec<&str> = (start..=end)
            .map_while(|number| source.line(number))
            .collect();
        let mut evidence = Evidence::of_terms(&lines, &self.terms);
        if let [question, ..] = self.asked.questions
            && let Some(encoder) = self.asked.encoder
            && let Some(matches) = token_matches(self.corpus, question, at)
        {
            let before = text_before(start, unit, source);
            let mut texts = vec![before.as_str()];
            texts.extend(&lines);
            evidence.add_tokens(&matches, &encoder.token_counts(&texts));
        }
        let mut windows = Vec::new();
        for rows in evidence.windows() {
            let said = lines[rows.clone()]
                .iter()
                .position(|line| !line.trim().is_empty());
            let blank = lines[rows.clone()]
                .iter()
                .rev()
                .take_while(|line| line.trim().is_empty());
            let (first, last) = (rows.start + said.unwrap_or(0), rows.end - blank.count());
            if first < last {
                windows.push(Lines::new(start + first as u32, start + last as u32 - 1));
            }
        }
        if windows.is_empty() {
            windows.push(Lines::new(start, end.min(start + LINES_WITHOUT_MATCH - 1)));
        }
        windows
    }

    /// The lines that declare the first members of a type.
    fn members(
        &self,
        at: UnitRef,
        unit: &StoredUnit,
        source: &Source,
    ) -> Result<Vec<u32>, EngineError> {
        if !self.shows_windows() || !unit.kind.is_type() {
            return Ok(Vec::new());
        }
        let units = self.corpus.units_beside(at)?;
        let header = units
            .iter()
            .position(|other| other.lines.start == unit.whole.start);
        let mut members = Vec::new();
        for member in &units {
            let is_member = header.is_some() && member.parent == header.map(|at| at as u32);
            if is_member && member.passage == 0 && members.len() < MEMBERS {
                members.extend(declared_at(source, member.lines, member.kind, &member.name));
            }
        }
        Ok(members)
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

/// The highest generation of a corpus.
fn newest(corpus: &Corpus) -> u64 {
    let generations = corpus.snapshots().iter().map(|s| s.table().generation);
    generations.max().unwrap_or(0)
}

/// The units that a hit is made of.
struct UnitsOf {
    /// Its passages, the best first.
    passages: Vec<StoredUnit>,
    neighbours: Vec<StoredUnit>,
    copies: Vec<StoredUnit>,
}

fn neighbour(unit: StoredUnit) -> Neighbour {
    Neighbour {
        kind: unit.kind,
        name: unit.name,
        lines: unit.whole,
    }
}

/// The line that declares a unit: the comments above it say what the question
/// says, but they are not the code.
fn first_of_code(unit: &StoredUnit, source: &Source) -> u32 {
    let declared = declared_at(source, unit.whole, unit.kind, &unit.name);
    let here = declared.filter(|line| unit.lines.contains(*line));
    here.unwrap_or(unit.lines.start)
}

/// What a model reads of a unit before a line: what encloses it, and the lines
/// above.
fn text_before(line: u32, unit: &StoredUnit, source: &Source) -> String {
    let head = unit_head(unit.passage, &unit.name, &unit.qualified, &unit.signature);
    let mut before = head.join("\n");
    for number in unit.cover.start..line {
        before.push('\n');
        before.push_str(source.line(number).unwrap_or(""));
    }
    before
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
