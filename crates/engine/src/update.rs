//! Brings an index up to date: walk, compare, parse, write, commit.

use crate::change::{Changes, changes};
use crate::error::EngineError;
use crate::progress::{Progress, Stage};
use crate::project::Project;
use crate::walk::Entry;
use crate::{Settings, classify, crash, guard, importance};
use rayon::prelude::*;
use scent_embed::{path_text, unit_text};
use scent_index::{
    Facts, FilePlaces, FileRecord, FileTable, IndexError, Lock, Reason, Snapshot, State, UnitTexts,
    Writer,
};
use scent_types::{FileClass, Files, Health, Note, Source, Unit};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::xxh3_128;

/// Places in a text are kept in 32 bits; larger files cannot be indexed.
const LARGEST: u64 = u32::MAX as u64 / 4;

/// Fewer files than this whose time alone changed are not worth a commit.
const FEW: usize = 50;

/// Fewer bytes than this are written by one thread: the second would take
/// longer to start and to finish than it saves.
const SMALL_CHANGE: u64 = 1_500_000;

/// Among so many files one more or less makes no difference to the threads.
const MANY: usize = 500;

/// A file that changed this shortly before it was read may change again
/// without its time showing it, in nanoseconds.
const FINE_CLOCK: i64 = 50_000_000;

/// The same for file systems that keep whole seconds.
const COARSE_CLOCK: i64 = 2_000_000_000;

/// What an update did.
pub struct Update {
    /// The index as it is now.
    pub snapshot: Arc<Snapshot>,
    /// Files that are new or have other contents.
    pub changed: usize,
    /// Removed files.
    pub removed: usize,
    /// Whether a new generation was made.
    pub committed: bool,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// How much of an index is kept by an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// What did not change.
    Unchanged,
    /// Nothing is taken over, but readers keep what there is until all is done.
    Nothing,
}

/// Brings the index of a root up to date. Another writer is waited for so long.
pub(crate) fn update(
    project: &Project,
    reuse: Reuse,
    patience: Duration,
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    progress.stage(Stage::Walking);
    let from_scratch = reuse == Reuse::Nothing;
    let job = Job::new(project);
    let mut base = Base::open(project, from_scratch)?;
    let mut entries = project.tree().list();
    if let Some(idle) = base.if_idle(&job, &entries) {
        progress.stage(Stage::Done);
        return Ok(idle);
    }
    let lock = project.lock(patience, progress)?;
    // Another writer may have been faster. What it did need not be done again,
    // and its entries may be newer than these.
    let now = Base::open(project, from_scratch)?;
    let moved = now.table().generation != base.table().generation;
    base = now;
    if moved {
        entries = project.tree().list();
        if let Some(idle) = base.if_idle(&job, &entries) {
            progress.stage(Stage::Done);
            return Ok(idle);
        }
    }
    written(project, &job, lock, &base, &entries, progress)
}

/// Makes the index of a root from nothing, in a folder that is emptied first.
pub(crate) fn from_scratch(
    project: &Project,
    note: Option<Note>,
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    progress.stage(Stage::Walking);
    let job = Job::new(project);
    let entries = project.tree().list();
    let lock = project.lock(project.patience(), progress)?;
    let base = Base {
        note,
        ..Base::nothing(project)
    };
    written(project, &job, lock, &base, &entries, progress)
}

/// Indexes what changed and commits it. Where that fails, as on a full disk,
/// what was written in vain is removed.
fn written(
    project: &Project,
    job: &Job,
    lock: Lock,
    base: &Base,
    entries: &[Entry],
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    let update = write(project, job, lock, base, entries, progress).map_err(EngineError::of_writer);
    progress.stage(Stage::Done);
    if update.is_err()
        && let Ok(lock) = project.lock(Duration::ZERO, progress)
    {
        // Whatever stays is removed by the next writer. What was committed before
        // something failed is an index, though.
        let is_index = guard::open(project.storage()).is_ok();
        let _ = if is_index {
            lock.sweep()
        } else {
            lock.remove_index()
        };
    }
    update
}

/// What an update starts from.
struct Base {
    snapshot: Option<Arc<Snapshot>>,
    /// What is known of the files where there is no snapshot: nothing.
    empty: FileTable,
    /// Nothing of it is to be kept.
    from_scratch: bool,
    note: Option<Note>,
}

impl Base {
    /// Numbers of generations go on, so that no two of them are the same.
    fn nothing(project: &Project) -> Base {
        let generation = scent_index::last_generation(project.storage());
        let empty = FileTable {
            generation,
            ..FileTable::default()
        };
        Base {
            snapshot: None,
            empty,
            from_scratch: true,
            note: None,
        }
    }

    fn open(project: &Project, from_scratch: bool) -> Result<Base, EngineError> {
        let nothing = |note| Base {
            note,
            ..Base::nothing(project)
        };
        let snapshot = match project.try_latest() {
            Ok(snapshot) => snapshot,
            Err(IndexError::Missing) => return Ok(nothing(None)),
            Err(error) if error.wants_rebuild() => {
                let why = error.to_string();
                return Ok(nothing(Some(Note::IndexRebuilt { why })));
            }
            Err(error) => return Err(error.into()),
        };
        let outdated = snapshot.table().fingerprint != project.fingerprint();
        let note = outdated.then_some(Note::IndexOutdated);
        let from_scratch = from_scratch || outdated;
        Ok(Base {
            snapshot: Some(snapshot),
            from_scratch,
            ..nothing(note)
        })
    }

    fn table(&self) -> &FileTable {
        self.snapshot
            .as_ref()
            .map_or(&self.empty, |snapshot| snapshot.table())
    }

    fn changes<'t>(&'t self, entries: &'t [Entry]) -> Changes<'t> {
        if self.from_scratch {
            Changes::all(self.table(), entries)
        } else {
            changes(self.table(), entries)
        }
    }

    /// The index as it is, where at most the times of a few files changed.
    fn if_idle(&self, job: &Job, entries: &[Entry]) -> Option<Update> {
        let snapshot = self.snapshot.as_ref().filter(|_| !self.from_scratch)?;
        job.is_idle(&self.changes(entries)).then(|| Update {
            snapshot: Arc::clone(snapshot),
            changed: 0,
            removed: 0,
            committed: false,
            notes: Vec::new(),
        })
    }
}

/// Indexes what changed and commits it.
fn write(
    project: &Project,
    job: &Job,
    lock: Lock,
    base: &Base,
    entries: &[Entry],
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    let Changes {
        kept,
        mut dirty,
        removed,
    } = base.changes(entries);
    // The largest first, so that no thread is left alone with one at the end.
    // Among many files that hardly happens, and neighbours compress better.
    if dirty.len() < MANY {
        dirty.sort_by_key(|(entry, _)| std::cmp::Reverse(entry.size));
    }
    let bytes = dirty.iter().map(|(entry, _)| entry.size).sum();
    progress.stage(Stage::Indexing {
        files: dirty.len() as u64,
        bytes,
    });

    let first_id = base.table().next_id;
    let next_id = first_id + dirty.len() as u32;
    let most = if bytes < SMALL_CHANGE { 1 } else { 4 };
    let threads = project.engine().threads().min(most);
    let generation = base.table().generation;
    project.engine().remove_other_formats(project.root());
    let writer = match &base.snapshot {
        Some(_) => Writer::begin(lock, generation, threads)?,
        None => Writer::create(lock, generation, threads)?,
    };
    for id in removed.iter().filter_map(|file| file.id()) {
        writer.remove(id);
    }
    let indexed: Vec<(FileRecord, bool)> = dirty
        .into_par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(nth, (entry, before))| {
            let done = job.index_file(&writer, first_id + nth as u32, entry, before);
            progress.file(entry.size);
            done
        })
        .collect::<Result<_, EngineError>>()?;

    progress.stage(Stage::Committing);
    let notes = notes(base, &indexed);
    let changed = indexed
        .iter()
        .filter(|(file, changed)| *changed && file.id().is_some())
        .count();
    let removed = removed_count(base, &removed);
    let mut files: Vec<FileRecord> = kept.into_iter().cloned().collect();
    files.extend(indexed.into_iter().map(|(record, _)| record));
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let staged = writer.stage(FileTable {
        generation,
        fingerprint: project.fingerprint(),
        root: project.root().display().to_string(),
        written: (job.now / 1_000_000_000) as u64,
        next_id,
        files,
        vectors: project.engine().wanted_vectors(&base.table().vectors),
        ranks: base.table().ranks,
        sums: base.table().sums.clone(),
    })?;
    let ranks = importance::of_staged(&staged)?;
    staged.commit(ranks)?;
    let snapshot = project.latest()?;
    Ok(Update {
        snapshot,
        changed,
        removed,
        committed: true,
        notes,
    })
}

/// How many indexed files are gone; none of an index that is built from scratch.
fn removed_count(base: &Base, removed: &[&FileRecord]) -> usize {
    if base.from_scratch {
        return 0;
    }
    removed.iter().filter(|file| file.id().is_some()).count()
}

fn notes(base: &Base, indexed: &[(FileRecord, bool)]) -> Vec<Note> {
    let crashed = crashed_files(indexed).map(|files| Note::ParserCrashed { files });
    base.note.iter().cloned().chain(crashed).collect()
}

/// The files that the parser crashed on.
fn crashed_files(indexed: &[(FileRecord, bool)]) -> Option<Files> {
    let mut paths = Vec::new();
    for (file, changed) in indexed {
        let State::Indexed { health, .. } = &file.state else {
            continue;
        };
        if *changed && *health == Health::Crashed {
            paths.push(file.path.as_str());
        }
    }
    Files::new(paths)
}

fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos() as i64)
}

/// What looking into one file needs to know.
pub(crate) struct Job<'a> {
    project: &'a Project,
    settings: &'a Settings,
    now: i64,
}

impl<'a> Job<'a> {
    pub fn new(project: &'a Project) -> Job<'a> {
        Job {
            project,
            settings: project.settings(),
            now: now(),
        }
    }

    /// Whether at most the times of a few files changed.
    pub fn is_idle(&self, changes: &Changes) -> bool {
        let few = changes.dirty.len() < FEW && changes.removed.is_empty();
        few && changes
            .dirty
            .iter()
            .all(|(entry, before)| self.is_same_content(entry, *before))
    }

    /// Indexes a file unless its contents are what they were. The flag says
    /// whether they are not.
    fn index_file(
        &self,
        writer: &Writer,
        id: u32,
        entry: &Entry,
        before: Option<&FileRecord>,
    ) -> Result<(FileRecord, bool), EngineError> {
        let mut record = self.record(entry);
        let old_id = before.and_then(FileRecord::id);
        let bytes = match self.read(entry) {
            Ok(bytes) => bytes,
            Err(reason) => {
                old_id.into_iter().for_each(|id| writer.remove(id));
                let changed = before.is_none_or(|b| b.state != State::Skipped(reason.clone()));
                record.state = State::Skipped(reason);
                return Ok((record, changed));
            }
        };
        record.hash = xxh3_128(&bytes);
        if let Some(before) =
            before.filter(|b| b.hash == record.hash && b.included == entry.included)
        {
            record.state = before.state.clone();
            return Ok((record, false));
        }
        old_id.into_iter().for_each(|id| writer.remove(id));
        record.state = self.index(writer, id, entry, &bytes, record.hash)?;
        Ok((record, true))
    }

    pub fn is_same_content(&self, entry: &Entry, before: Option<&FileRecord>) -> bool {
        let Some(before) = before else { return false };
        match self.read(entry) {
            Ok(bytes) => before.included == entry.included && before.hash == xxh3_128(&bytes),
            Err(reason) => before.state == State::Skipped(reason),
        }
    }

    fn record(&self, entry: &Entry) -> FileRecord {
        let resolution = if entry.modified % 1_000_000_000 == 0 {
            COARSE_CLOCK
        } else {
            FINE_CLOCK
        };
        FileRecord {
            path: entry.path.clone(),
            raw_path: entry.raw_path.clone(),
            size: entry.size,
            modified: entry.modified,
            racy: entry.skip.is_none() && entry.modified > self.now - resolution,
            included: entry.included,
            hash: 0,
            state: State::Skipped(Reason::Binary),
        }
    }

    fn read(&self, entry: &Entry) -> Result<Vec<u8>, Reason> {
        if let Some(reason) = &entry.skip {
            return Err(reason.clone());
        }
        let too_large = entry.size > self.settings.max_file_size && !entry.included;
        if too_large || entry.size > LARGEST {
            return Err(Reason::TooLarge);
        }
        let read = self.project.tree().read(entry.into(), LARGEST);
        read.map_err(|error| Reason::Unreadable(error.to_string()))
    }

    fn index(
        &self,
        writer: &Writer,
        id: u32,
        entry: &Entry,
        bytes: &[u8],
        hash: u128,
    ) -> Result<State, EngineError> {
        if classify::is_binary(bytes) {
            return Ok(State::Skipped(Reason::Binary));
        }
        let source = Source::new(scent_syntax::text_of(&entry.path, bytes.to_vec()));
        let text = source.text();
        let language = scent_syntax::detect(&entry.path, text.as_bytes());
        let reason = classify::reason(&entry.path, text, language.map(|l| l.class), self.settings);
        if let Some(reason) = reason.filter(|_| !entry.included) {
            return Ok(State::Skipped(reason));
        }
        let outline = crash::outline(&entry.path, hash, language, text);
        let body = |unit: &Unit| source.slice(unit.cover);
        let words: Vec<String> = outline
            .units
            .iter()
            .map(|u| unit_text(u, body(u)))
            .collect();
        let with_words = outline.units.iter().zip(&words);
        let units: Vec<UnitTexts> = with_words
            .map(|(unit, words)| UnitTexts {
                unit,
                body: body(unit),
                words,
            })
            .collect();
        let facts = Facts {
            symbols: &outline.symbols,
            references: &outline.references,
            imports: &outline.imports,
            roots: &scent_syntax::roots(&entry.path, text),
        };
        let words = path_text(&entry.path);
        let FilePlaces { trigrams, facts } =
            writer.add(id, &entry.path, &words, text, &units, facts)?;
        Ok(State::Indexed {
            id,
            language: language.map_or(String::new(), |l| l.id.to_owned()),
            class: language.map_or(FileClass::Docs, |l| l.class),
            health: outline.health,
            lines: if text.is_empty() { 0 } else { source.count() },
            units: units.len() as u32,
            trigrams,
            facts,
        })
    }
}
