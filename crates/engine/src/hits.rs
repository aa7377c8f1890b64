//! Ranked units become hits: with their paths, and their text from disk.

use crate::error::EngineError;
use crate::excerpt::{Marker, Passage};
use crate::os;
use crate::searched::Searched;
use crate::tree::bytes_of;
use rayon::prelude::*;
use scent_index::{FileRecord, State};
use scent_search::{
    Corpus, Matcher, Query, Question, RankedUnit, Ranking, Trace, UnitRef, Weights, best_lines,
    search,
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
        let text = read_indexed(roots[nth], file);
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
    let files = Sources::read(corpus, roots, &ranking.hits, request.files_only);
    let reader = HitReader {
        corpus,
        roots,
        common: &common,
        files: &files,
    };
    let mut found = Vec::new();
    for ranked in &ranking.hits {
        found.push(reader.found(ranked, &ranking)?);
    }
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
    let roots = searched.roots();
    let read = |nth: usize, file: &FileRecord| read_indexed(roots[nth], file);
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
    let staged = |(unit, score): (UnitRef, f32)| -> Result<StagedUnit, EngineError> {
        let path = corpus
            .record(unit)
            .map(|record| record.path.clone())
            .unwrap_or_default();
        let stored = corpus.unit(unit)?;
        Ok(StagedUnit {
            id: stored.id,
            path,
            lines: stored.lines,
            score,
        })
    };
    let stage = |stage: scent_search::Stage| {
        let scent_search::Stage {
            name,
            lane,
            micros,
            units,
        } = stage;
        let count = units.len();
        let units = units
            .into_iter()
            .take(most)
            .map(staged)
            .collect::<Result<_, _>>()?;
        Ok(Stage {
            name,
            lane,
            micros,
            count,
            units,
        })
    };
    trace.stages(corpus).into_iter().map(stage).collect()
}

/// The text of a file, if it still is what was indexed.
fn read_indexed(root: &Path, file: &FileRecord) -> Option<String> {
    let bytes = bytes_of(root, file).ok()?;
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
    fn read(corpus: &Corpus, roots: &[&Path], hits: &[RankedUnit], names: bool) -> Sources {
        let of_hit = |hit: &RankedUnit| {
            let record = corpus.record(hit.unit);
            let root = roots[hit.unit.snapshot];
            (file_of(root, record), (root, record))
        };
        let hits = if names { &[] } else { hits };
        let files: HashMap<PathBuf, (&Path, Option<&FileRecord>)> =
            hits.iter().map(of_hit).collect();
        let read = |(file, (root, record)): (PathBuf, (&Path, Option<&FileRecord>))| {
            let bytes = record
                .and_then(|record| bytes_of(root, record).ok())
                .unwrap_or_default();
            let stale = record.is_none_or(|r| r.hash != xxh3_128(&bytes));
            let path = record.map_or("", |record| &record.path);
            let source = Arc::new(Source::new(scent_syntax::text_of(path, bytes)));
            ((file, source), usize::from(stale))
        };
        let (texts, stale): (HashMap<_, _>, Vec<usize>) = files.into_par_iter().map(read).unzip();
        Sources {
            texts,
            stale: stale.iter().sum(),
        }
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
}

impl HitReader<'_> {
    fn found(&self, ranked: &RankedUnit, ranking: &Ranking) -> Result<Found, EngineError> {
        let unit = self.corpus.unit(ranked.unit)?;
        let record = self.corpus.record(ranked.unit);
        let file = file_of(self.roots[ranked.unit.snapshot], record);
        let path = os::portable(file.strip_prefix(self.common).unwrap_or(&file)).0;
        let source = self.files.texts.get(&file).cloned().unwrap_or_default();
        let lines = (unit.lines.start..=unit.lines.end).map_while(|number| source.line(number));
        let mut matched = match ranked.matched.as_slice() {
            [] => best_lines(unit.lines.start, lines, &ranking.terms, MARKED),
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
        Ok(Found {
            hit,
            file,
            source,
            matched,
        })
    }
}

fn language_of(record: Option<&FileRecord>) -> &str {
    match record.map(|record| &record.state) {
        Some(State::Indexed { language, .. }) if !language.is_empty() => language,
        _ => "text",
    }
}
