//! Ranked units become hits: with their paths, and their text from disk.

use crate::error::EngineError;
use crate::excerpt::{Marker, Passage};
use crate::os;
use crate::searched::Searched;
use crate::tree::{Tree, read_record};
use rayon::prelude::*;
use scent_index::{FileRecord, State, StoredUnit};
use scent_search::{
    Corpus, Matcher, Query, Question, RankedUnit, Trace, UnitRef, Weights, best_lines, search,
};
use scent_types::{Hit, Lines, Note, Request, Response, Source, Stage, StagedUnit};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use xxhash_rust::xxh3::xxh3_128;

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
    let query = Query {
        request,
        matcher: matcher.as_ref(),
        questions: asked,
    };
    let ranking = search(corpus, query, weights, &read, &mut trace)?;
    let common = common_root(roots);
    let files = Sources::read(corpus, searched, &ranking.hits, request.files_only);
    let reader = HitReader {
        corpus,
        roots,
        common: &common,
        files: &files,
        terms: &ranking.terms,
    };
    let mut found = reader.all(&ranking.hits)?;
    if request.merge {
        found = merged(found);
    }
    let marker = Marker {
        matcher: matcher.as_ref(),
        terms: &ranking.terms,
    };
    let mut hits = Vec::new();
    for found in found {
        hits.push(found.into_hit(request, &marker));
    }
    let stale = files.stale + unread.into_inner();
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
        terms: ranking.terms,
        embeddings: None,
        certainty: ranking.certainty,
        notes: notes(corpus, stale),
        stages: staged(corpus, trace, TRACED)?,
        timing: Default::default(),
    })
}

/// What the reader should know of the index.
fn notes(corpus: &Corpus, stale: usize) -> Vec<Note> {
    let mut notes = Vec::new();
    if stale > 0 {
        notes.push(Note::FilesChanged { count: stale });
    }
    if corpus.snapshots().iter().all(|s| s.text().count() == 0) {
        notes.push(Note::NothingIndexed);
    }
    notes
}

/// A hit before its lines are chosen.
struct Found {
    hit: Hit,
    file: PathBuf,
    source: Arc<Source>,
    /// The lines that match best, in order.
    matched: Vec<u32>,
}

impl Found {
    fn into_hit(self, request: &Request, marker: &Marker) -> Hit {
        let mut hit = self.hit;
        if request.files_only {
            return hit;
        }
        let passage = Passage {
            lines: hit.lines,
            kind: hit.kind,
            name: &hit.name,
            matched: &self.matched,
            source: &self.source,
        };
        hit.excerpt = passage.excerpt(&request.excerpt, marker);
        hit
    }

    /// Whether the other is the passage before or after it, of the same
    /// definition.
    fn continues(&self, other: &Found) -> bool {
        let (a, b) = (self.hit.lines, other.hit.lines);
        let touch = a.end + 1 == b.start || b.end + 1 == a.start;
        let is_same = self.hit.qualified == other.hit.qualified && self.file == other.file;
        touch && is_same && !self.hit.name.is_empty()
    }

    fn absorb(&mut self, other: Found) {
        let (a, b) = (self.hit.lines, other.hit.lines);
        self.hit.lines = Lines::new(a.start.min(b.start), a.end.max(b.end));
        self.matched.extend(other.matched);
        self.matched.sort_unstable();
    }
}

/// Passages of one definition that follow each other, as one hit at the place
/// of the best.
fn merged(all: Vec<Found>) -> Vec<Found> {
    let mut merged: Vec<Found> = Vec::new();
    for found in all {
        match merged.iter_mut().find(|other| found.continues(other)) {
            Some(other) => other.absorb(found),
            None => merged.push(found),
        }
    }
    merged
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
    let query = Query {
        request,
        matcher: matcher.as_ref(),
        questions: asked,
    };
    search(corpus, query, weights, &read, &mut trace)?;
    staged(corpus, trace, usize::MAX)
}

/// The pattern of a request, compiled.
fn matcher(request: &Request) -> Result<Option<Matcher>, EngineError> {
    Ok(request.pattern.as_ref().map(Matcher::new).transpose()?)
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

/// The text of a file, if it still is what was indexed.
fn read_indexed(tree: &dyn Tree, file: &FileRecord) -> Option<String> {
    let bytes = read_record(tree, file).ok()?;
    (xxh3_128(&bytes) == file.hash).then(|| scent_syntax::text_of(&file.path, bytes))
}

/// The deepest folder that holds all roots.
fn common_root(roots: &[&Path]) -> PathBuf {
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

/// The files of the answers as they are on disk now.
struct Sources {
    texts: HashMap<PathBuf, Arc<Source>>,
    /// How many are no longer what was indexed.
    stale: usize,
}

impl Sources {
    /// None where only the names of files are asked for.
    fn read(corpus: &Corpus, searched: &Searched, hits: &[RankedUnit], names: bool) -> Sources {
        let hits = if names { &[] } else { hits };
        let mut files: HashMap<PathBuf, (&dyn Tree, Option<&FileRecord>)> = HashMap::new();
        for hit in hits {
            let project = searched.projects[hit.unit.snapshot];
            let record = corpus.record(hit.unit);
            files.insert(file_of(project.root(), record), (project.tree(), record));
        }
        let read: Vec<(PathBuf, Text)> = files
            .into_par_iter()
            .map(|(file, (tree, record))| (file, Text::read(tree, record)))
            .collect();
        let mut sources = Sources {
            texts: HashMap::new(),
            stale: 0,
        };
        for (file, text) in read {
            sources.stale += usize::from(text.is_stale);
            sources.texts.insert(file, Arc::new(text.source));
        }
        sources
    }
}

/// A file as it is on disk now.
struct Text {
    source: Source,
    /// Whether it is no longer what was indexed.
    is_stale: bool,
}

impl Text {
    fn read(tree: &dyn Tree, record: Option<&FileRecord>) -> Text {
        let Some(record) = record else {
            return Text {
                source: Source::default(),
                is_stale: true,
            };
        };
        let bytes = read_record(tree, record).unwrap_or_default();
        let is_stale = record.hash != xxh3_128(&bytes);
        let source = Source::new(scent_syntax::text_of(&record.path, bytes));
        Text { source, is_stale }
    }
}

fn file_of(root: &Path, record: Option<&FileRecord>) -> PathBuf {
    root.join(
        record
            .map(|r| os::native(&r.path, r.raw_path.as_deref()))
            .unwrap_or_default(),
    )
}

struct HitReader<'a> {
    corpus: &'a Corpus,
    roots: &'a [&'a Path],
    common: &'a Path,
    files: &'a Sources,
    terms: &'a [(String, f32)],
}

impl HitReader<'_> {
    fn all(&self, ranked: &[RankedUnit]) -> Result<Vec<Found>, EngineError> {
        let units: Vec<UnitRef> = ranked.iter().map(|ranked| ranked.unit).collect();
        let mut all = Vec::with_capacity(units.len());
        for (ranked, unit) in ranked.iter().zip(self.corpus.read(&units)?) {
            all.push(self.found(ranked, unit));
        }
        Ok(all)
    }

    fn found(&self, ranked: &RankedUnit, unit: StoredUnit) -> Found {
        let record = self.corpus.record(ranked.unit);
        let file = file_of(self.roots[ranked.unit.snapshot], record);
        let path = os::portable(file.strip_prefix(self.common).unwrap_or(&file)).0;
        let source = self.files.texts.get(&file).cloned().unwrap_or_default();
        let lines = (unit.lines.start..=unit.lines.end).map_while(|number| source.line(number));
        let mut matched = match ranked.matched.as_slice() {
            [] => best_lines(unit.lines.start, lines, self.terms, MARKED),
            lines => lines.to_vec(),
        };
        matched.retain(|&line| unit.cover.contains(line));
        // A pattern may match on a closing line that is otherwise not shown.
        let Lines { mut start, mut end } = unit.lines;
        if let (Some(&first), Some(&last)) = (matched.first(), matched.last()) {
            (start, end) = (start.min(first), end.max(last));
        }
        let hit = Hit {
            path,
            lines: Lines::new(start, end),
            kind: unit.kind,
            name: unit.name,
            qualified: unit.qualified,
            signature: unit.signature,
            language: language_of(record).to_owned(),
            score: ranked.score,
            lanes: ranked.lanes.clone(),
            parts: ranked.parts.clone(),
            excerpt: Vec::new(),
        };
        Found {
            hit,
            file,
            source,
            matched,
        }
    }
}

fn language_of(record: Option<&FileRecord>) -> &str {
    match record.map(|record| &record.state) {
        Some(State::Indexed { language, .. }) if !language.is_empty() => language,
        _ => "text",
    }
}
