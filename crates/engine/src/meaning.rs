//! Vectors for the units that wait for theirs, and for what is asked.

use crate::error::EngineError;
use crate::update::{Progress, Stage};
use crate::{Engine, worktrees};
use rayon::prelude::*;
use scent_embed::{Asked, Encoder, Kept, Side};
use scent_index::{
    FileParts, IndexError, Part, PendingFile, Quantised, Snapshot, Turn, UnitPart, VectorCache,
    VectorCommit, VectorModel,
};
use scent_search::Weights;
use scent_types::{Lines, Meaning, Request};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_128;

/// So many units are made permanent at a time: what is done is found by the
/// next search, and not lost when the process is killed.
const SLICE: usize = 20_000;

/// What to do where another process makes the vectors already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Leave it to them.
    LetThem,
    /// Wait, and see to what is left.
    WaitFor,
}

/// What making vectors did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Units that the model read.
    pub computed: u64,
    /// Units whose words had been read before.
    pub cached: u64,
}

/// What an index has to know of a model.
pub(crate) fn vector_model(encoder: &dyn Encoder) -> VectorModel {
    let about = encoder.about();
    VectorModel {
        fingerprint: about.fingerprint,
        name: about.name,
        dims: about.dims as u32,
        token_bytes: about.token_bytes as u32,
    }
}

/// Makes the vectors that are missing from the index of a root.
pub(crate) fn embed(
    engine: &Engine,
    root: &Path,
    others: Others,
    progress: &dyn Progress,
) -> Result<Embedded, EngineError> {
    let folder = engine.index_folder(root);
    let mut done = Embedded::default();
    if engine.open(root)?.pending().units() == 0 {
        return Ok(done);
    }
    let Some(_turn) = turn(&folder, others)? else { return Ok(done) };
    let mut snapshot = engine.open(root)?;
    let waiting = snapshot.pending().units();
    progress.stage(Stage::Embedding { units: waiting });
    let encoder = engine.encoder();
    let model = vector_model(encoder);
    let folders: Vec<_> =
        worktrees::of(root).iter().map(|root| engine.index_folder(root)).collect();
    let cache = VectorCache::open(&folders, &model);
    loop {
        let files = next_slice(&snapshot)?;
        if files.is_empty() {
            break;
        }
        let job = EmbedJob { encoder, cache: &cache, progress };
        let parts: Vec<(FileParts, Embedded)> = files
            .par_iter()
            .with_max_len(1)
            .map(|file| job.file(file))
            .collect::<Result<_, _>>()?;
        let lock = engine.lock(root)?;
        // Texts may have been committed meanwhile.
        snapshot = engine.open(root)?;
        let mut commit = VectorCommit::begin(lock, &snapshot, model.clone())?;
        for (parts, counts) in &parts {
            commit.add(parts)?;
            done.computed += counts.computed;
            done.cached += counts.cached;
        }
        commit.commit()?;
        snapshot = engine.open(root)?;
    }
    progress.stage(Stage::Done);
    Ok(done)
}

/// The turn to make vectors, if it is to be had.
fn turn(folder: &Path, others: Others) -> Result<Option<Turn>, IndexError> {
    loop {
        match (Turn::take(folder)?, others) {
            (Some(turn), _) => return Ok(Some(turn)),
            (None, Others::LetThem) => return Ok(None),
            (None, Others::WaitFor) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// Whether another process makes vectors for a root right now.
pub(crate) fn is_embedding(engine: &Engine, root: &Path) -> bool {
    matches!(Turn::take(&engine.index_folder(root)), Ok(None))
}

fn next_slice(snapshot: &Snapshot) -> Result<Vec<PendingFile>, IndexError> {
    let pending = snapshot.pending();
    let (mut files, mut units) = (Vec::new(), 0);
    for file in pending.files() {
        let file = file?;
        units += file.units.len();
        files.push(file);
        if units >= SLICE {
            break;
        }
    }
    Ok(files)
}

/// What making the vectors of one file needs to know.
struct EmbedJob<'a> {
    encoder: &'a dyn Encoder,
    cache: &'a VectorCache,
    progress: &'a dyn Progress,
}

impl EmbedJob<'_> {
    fn file(&self, file: &PendingFile) -> Result<(FileParts, Embedded), EngineError> {
        let apart = self.encoder.reads_paths_apart();
        let path = match apart {
            true => one(self.encoder.parts(&[&file.path_words], Side::Path)?),
            false => Kept { vector: vec![0.0; self.encoder.about().dims], codes: Vec::new() },
        };
        let texts: Vec<String> = file
            .units
            .iter()
            .map(|unit| match apart {
                true => unit.words.clone(),
                false => format!("{} {}", file.path_words, unit.words),
            })
            .collect();
        let keys: Vec<u128> = texts.iter().map(|text| xxh3_128(text.as_bytes())).collect();
        let mut bodies: Vec<Option<Part>> = keys.iter().map(|key| self.cache.get(*key)).collect();
        let missing: Vec<usize> = bodies
            .iter()
            .enumerate()
            .filter(|(_, body)| body.is_none())
            .map(|(at, _)| at)
            .collect();
        let unread: Vec<&str> = missing.iter().map(|&at| texts[at].as_str()).collect();
        for (&at, kept) in missing.iter().zip(self.encoder.parts(&unread, Side::Body)?) {
            bodies[at] = Some(part(kept));
        }
        let units =
            file.units.iter().zip(keys).zip(bodies).filter_map(|((unit, key), body)| {
                Some(UnitPart { line: unit.line, key, body: body? })
            });
        let parts = FileParts { id: file.id, path: part(path), units: units.collect() };
        let computed = missing.len() as u64;
        self.progress.units(file.units.len() as u64);
        Ok((parts, Embedded { computed, cached: file.units.len() as u64 - computed }))
    }
}

fn one(mut kept: Vec<Kept>) -> Kept {
    kept.pop().unwrap_or_default()
}

fn part(kept: Kept) -> Part {
    Part { vector: Quantised::of(&kept.vector), tokens: kept.codes }
}

/// The question as vectors, where a lane asks for them and an index has some.
pub(crate) fn ask(
    engine: &Engine,
    snapshots: &[Arc<Snapshot>],
    request: &Request,
    weights: &Weights,
) -> Result<Option<Asked>, EngineError> {
    let any = snapshots.iter().any(|snapshot| snapshot.vectors().is_some());
    if !any || request.query.trim().is_empty() || !weights.asks_for_meaning(request) {
        return Ok(None);
    }
    let model = vector_model(engine.encoder());
    for vectors in snapshots.iter().filter_map(|snapshot| snapshot.vectors()) {
        if !vectors.model().is_same(&model) {
            return Err(EngineError::OtherModel {
                has: vectors.model().name.clone(),
                wants: model.name,
            });
        }
    }
    Ok(Some(engine.encoder().ask(&request.query)?))
}

/// How far the snapshots know the meanings of their units.
pub(crate) fn coverage(engine: &Engine, snapshots: &[Arc<Snapshot>]) -> Meaning {
    let rows = |snapshot: &Arc<Snapshot>| snapshot.vectors().map_or(0, |v| v.live_rows());
    let units = snapshots.iter().map(rows).sum();
    let all: u64 = snapshots.iter().map(|snapshot| snapshot.count()).sum();
    Meaning { model: engine.encoder().about().name, units, waiting: all.saturating_sub(units) }
}

/// A word to the user where not all meanings are known.
pub(crate) fn note(known: &Meaning) -> Option<String> {
    let Meaning { units, waiting, .. } = known;
    let all = units + waiting;
    (*waiting > 0).then(|| {
        format!("the meaning of {waiting} of {all} units is not read yet; these are found by words alone")
    })
}

/// The vector of the unit at a line of a file, as a question, and its lines.
pub(crate) fn of_place(
    snapshot: &Snapshot,
    (path, line): (&str, u32),
) -> Result<(Asked, Lines), EngineError> {
    let nowhere = || EngineError::NoSuchPlace { path: path.to_owned(), line };
    let file = snapshot.table().find(path).and_then(|file| file.id()).ok_or_else(nowhere)?;
    let units = snapshot.units_of(file)?;
    let (_, unit) = units.iter().find(|(_, unit)| unit.cover.contains(line)).ok_or_else(nowhere)?;
    let vectors = snapshot.vectors().ok_or_else(nowhere)?;
    let row = vectors.row_of(file, unit.lines.start).ok_or_else(nowhere)?;
    Ok((Asked { vector: vectors.vector(row), late: None }, unit.lines))
}
