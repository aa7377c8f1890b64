//! Brings an index up to date: walk, compare, parse, write, commit.

use crate::change::{Changes, changes};
use crate::error::EngineError;
use crate::walk::{Seen, walk};
use crate::{Engine, Settings, classify, os};
use rayon::prelude::*;
use scent_index::{
    FileRecord, FileTable, IndexError, Lock, Reason, Snapshot, State, UnitTexts, Writer,
};
use scent_types::FileClass;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::xxh3_128;

/// Fewer files than this whose time alone changed are not worth a commit.
const FEW: usize = 50;

/// Fewer changed files than this are indexed by one thread.
const SMALL_CHANGE: usize = 32;

/// A file that changed this shortly before it was read may change again
/// without its time showing it, in nanoseconds.
const FINE_CLOCK: i64 = 50_000_000;

/// The same for file systems that keep whole seconds.
const COARSE_CLOCK: i64 = 2_000_000_000;

/// What an update is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking for files.
    Walking,
    /// Reading and parsing this many files.
    Indexing {
        /// Files to read.
        files: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// Making it permanent.
    Committing,
    /// All is done.
    Done,
}

/// Is told how an update goes on.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, stage: Stage);
    /// A file of this many bytes is done.
    fn file(&self, bytes: u64);
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _: Stage) {}
    fn file(&self, _: u64) {}
}

/// What an update did.
pub struct Update {
    /// The index as it is now.
    pub snapshot: Arc<Snapshot>,
    /// Files that are new or have other contents.
    pub changed: usize,
    /// Files that are gone.
    pub removed: usize,
    /// Whether a new generation was made.
    pub committed: bool,
    /// A word to the user, where something unusual happened.
    pub note: Option<String>,
}

pub(crate) fn update(
    engine: &Engine,
    root: &Path,
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    progress.stage(Stage::Walking);
    let (snapshot, note) = open_current(engine, root)?;
    let seen = walk(root, engine.threads());
    if let Some(snapshot) = &snapshot {
        let found = changes(snapshot.table().clone(), seen.clone());
        if found.is_empty() {
            progress.stage(Stage::Done);
            return Ok(unchanged(Arc::clone(snapshot)));
        }
    }
    let lock = engine.lock(root)?;
    // Another writer may have been faster; what it did need not be done again.
    let (snapshot, _) = open_current(engine, root)?;
    commit(engine, root, lock, snapshot, seen, note, progress)
}

pub(crate) fn rebuild(
    engine: &Engine,
    root: &Path,
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    progress.stage(Stage::Walking);
    let seen = walk(root, engine.threads());
    let lock = engine.lock(root)?;
    commit(engine, root, lock, None, seen, None, progress)
}

fn unchanged(snapshot: Arc<Snapshot>) -> Update {
    Update { snapshot, changed: 0, removed: 0, committed: false, note: None }
}

/// The current generation; none, with a reason, where it has to be rebuilt.
fn open_current(
    engine: &Engine,
    root: &Path,
) -> Result<(Option<Arc<Snapshot>>, Option<String>), EngineError> {
    match Snapshot::open(&engine.index_folder(root)) {
        Ok(snapshot) if snapshot.table().fingerprint == engine.fingerprint() => {
            Ok((Some(Arc::new(snapshot)), None))
        }
        Ok(_) => Ok((
            None,
            Some("the index was made with other settings or another version; rebuilt it".into()),
        )),
        Err(IndexError::Missing) => Ok((None, None)),
        Err(error) if error.wants_rebuild() => Ok((None, Some(format!("{error}; rebuilt it")))),
        Err(error) => Err(error.into()),
    }
}

fn commit(
    engine: &Engine,
    root: &Path,
    lock: Lock,
    snapshot: Option<Arc<Snapshot>>,
    seen: Vec<Seen>,
    note: Option<String>,
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    let old = snapshot.as_ref().map(|s| s.table().clone()).unwrap_or_default();
    let (generation, first_id) = (old.generation, old.next_id);
    let Changes { kept, look, gone } = changes(old, seen);

    let bytes = look.iter().map(|(seen, _)| seen.size).sum();
    progress.stage(Stage::Indexing { files: look.len() as u64, bytes });
    let folder = engine.index_folder(root);
    let job = Job { root, settings: engine.settings(), now: now() };
    let next_id = first_id + look.len() as u32;

    // Where only times changed there is nothing to write.
    if let Some(snapshot) = snapshot.filter(|_| gone.is_empty() && look.len() < FEW) {
        let same = |(seen, before): &(Seen, Option<FileRecord>)| {
            job.is_same_content(seen, before.as_ref())
        };
        if look.iter().all(same) {
            progress.stage(Stage::Done);
            return Ok(unchanged(snapshot));
        }
    }

    let threads = if look.len() < SMALL_CHANGE { 1 } else { engine.threads().min(4) };
    let writer = Writer::begin(&folder, lock, generation, threads)?;
    gone.iter().filter_map(FileRecord::id).for_each(|id| writer.remove(id));
    let looked: Vec<(FileRecord, bool)> = look
        .into_par_iter()
        .with_max_len(4)
        .enumerate()
        .map(|(nth, (seen, before))| {
            let size = seen.size;
            let done = job.look(&writer, first_id + nth as u32, seen, before);
            progress.file(size);
            done
        })
        .collect::<Result<_, EngineError>>()?;

    progress.stage(Stage::Committing);
    let changed = looked.iter().filter(|(_, changed)| *changed).count();
    let mut files = kept;
    files.extend(looked.into_iter().map(|(record, _)| record));
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    writer.commit(FileTable {
        generation,
        fingerprint: engine.fingerprint(),
        root: root.display().to_string(),
        written: (job.now / 1_000_000_000) as u64,
        next_id,
        files,
    })?;
    let snapshot = engine.open(root)?;
    progress.stage(Stage::Done);
    Ok(Update { snapshot, changed, removed: gone.len(), committed: true, note })
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i64)
}

/// What looking into one file needs to know.
struct Job<'a> {
    root: &'a Path,
    settings: &'a Settings,
    now: i64,
}

impl Job<'_> {
    /// Indexes a file unless its contents are what they were. The flag says
    /// whether they are not.
    fn look(
        &self,
        writer: &Writer,
        id: u32,
        seen: Seen,
        before: Option<FileRecord>,
    ) -> Result<(FileRecord, bool), EngineError> {
        let mut record = self.record(&seen);
        let old_id = before.as_ref().and_then(FileRecord::id);
        let bytes = match self.read(&seen) {
            Ok(bytes) => bytes,
            Err(reason) => {
                old_id.into_iter().for_each(|id| writer.remove(id));
                let changed = before.is_none_or(|b| b.state != State::Skipped(reason.clone()));
                record.state = State::Skipped(reason);
                return Ok((record, changed));
            }
        };
        record.hash = xxh3_128(&bytes);
        if let Some(before) = before.filter(|b| b.hash == record.hash && !seen.forced) {
            record.state = before.state;
            return Ok((record, false));
        }
        old_id.into_iter().for_each(|id| writer.remove(id));
        record.state = self.index(writer, id, &seen, &bytes)?;
        Ok((record, true))
    }

    fn is_same_content(&self, seen: &Seen, before: Option<&FileRecord>) -> bool {
        let Some(before) = before else { return false };
        match self.read(seen) {
            Ok(bytes) => before.hash != 0 && before.hash == xxh3_128(&bytes),
            Err(reason) => before.state == State::Skipped(reason),
        }
    }

    fn record(&self, seen: &Seen) -> FileRecord {
        let resolution = if seen.modified % 1_000_000_000 == 0 { COARSE_CLOCK } else { FINE_CLOCK };
        FileRecord {
            path: seen.path.clone(),
            raw_path: seen.raw_path.clone(),
            size: seen.size,
            modified: seen.modified,
            unsettled: seen.skip.is_none() && seen.modified > self.now - resolution,
            hash: 0,
            state: State::Skipped(Reason::Binary),
        }
    }

    fn read(&self, seen: &Seen) -> Result<Vec<u8>, Reason> {
        if let Some(reason) = &seen.skip {
            return Err(reason.clone());
        }
        if seen.size > self.settings.max_file_size && !seen.forced {
            return Err(Reason::TooLarge);
        }
        let path = self.root.join(os::native(&seen.path, seen.raw_path.as_deref()));
        fs::read(path).map_err(|e| Reason::Unreadable(e.to_string()))
    }

    fn index(
        &self,
        writer: &Writer,
        id: u32,
        seen: &Seen,
        bytes: &[u8],
    ) -> Result<State, EngineError> {
        if classify::is_binary(bytes) {
            return Ok(State::Skipped(Reason::Binary));
        }
        let text = scent_syntax::decode(bytes);
        let language = scent_syntax::detect(&seen.path, text.as_bytes());
        let reason = classify::reason(&seen.path, &text, language.map(|l| l.class), self.settings);
        if let Some(reason) = reason.filter(|_| !seen.forced) {
            return Ok(State::Skipped(reason));
        }
        let outline = scent_syntax::outline(language, &text);
        let lines = line_starts(&text);
        let body = |unit: &scent_types::Unit| {
            let (first, after) = (unit.cover.start as usize - 1, unit.cover.end as usize);
            &text[lines[first]..lines[after]]
        };
        let units: Vec<UnitTexts> =
            outline.units.iter().map(|unit| UnitTexts { unit, body: body(unit) }).collect();
        let sketch = writer.add(id, &seen.path, &text, &units)?;
        Ok(State::Indexed {
            id,
            language: language.map_or(String::new(), |l| l.id.to_owned()),
            class: language.map_or(FileClass::Docs, |l| l.class),
            health: outline.health,
            lines: lines.len() as u32 - 1,
            units: units.len() as u32,
            sketch,
        })
    }
}

/// Where each line begins, and where the text ends.
fn line_starts(text: &str) -> Vec<usize> {
    let after = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let mut starts: Vec<usize> = std::iter::once(0).chain(after).collect();
    if starts.last() != Some(&text.len()) {
        starts.push(text.len());
    }
    starts
}
