//! Brings an index up to date: walk, compare, parse, write, commit.

use crate::change::{Changes, Dirty, changes};
use crate::error::EngineError;
use crate::index_file::Job;
use crate::order::precedence;
use crate::progress::{Progress, Stage};
use crate::project::Project;
use crate::slices::{Limits, Pace, Sliced, Slices};
use crate::walk::Entry;
use crate::{guard, importance};
use scent_index::{Backlog, FileRecord, FileTable, IndexError, Lock, Snapshot, Writer};
use scent_types::Note;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Fewer bytes than this are written by one thread: the second would take
/// longer to start and to finish than it saves.
const SMALL_CHANGE: u64 = 1_500_000;

/// Among so many files one more or less makes no difference to the threads.
const MANY: usize = 500;

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

/// Brings the index of a root up to date, as far as the limits allow.
pub(crate) fn update(
    project: &Project,
    reuse: Reuse,
    limits: Limits,
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    progress.stage(Stage::Walking);
    let from_scratch = reuse == Reuse::Nothing;
    let run = Run::new(project, limits, progress);
    let mut base = Base::open(project, from_scratch)?;
    let mut entries = project.tree().list();
    if let Some(idle) = base.if_idle(&run.job, &entries) {
        progress.stage(Stage::Done);
        return Ok(idle);
    }
    let lock = project.lock(limits.wait, progress)?;
    // Another writer may have been faster. What it did need not be done again,
    // and its entries may be newer than these.
    let now = Base::open(project, from_scratch)?;
    let moved = now.table().generation != base.table().generation;
    base = now;
    if moved {
        entries = project.tree().list();
        if let Some(idle) = base.if_idle(&run.job, &entries) {
            progress.stage(Stage::Done);
            return Ok(idle);
        }
    }
    run.finished(run.written(lock, &base, &entries))
}

/// Makes the index of a root from nothing, in a folder that is emptied first.
pub(crate) fn from_scratch(
    project: &Project,
    note: Option<Note>,
    progress: &dyn Progress,
) -> Result<Update, EngineError> {
    progress.stage(Stage::Walking);
    let limits = Limits::waiting(project.patience());
    let run = Run::new(project, limits, progress);
    let entries = project.tree().list();
    let lock = project.lock(limits.wait, progress)?;
    let base = Base {
        note,
        ..Base::nothing(project)
    };
    run.finished(run.written(lock, &base, &entries))
}

/// One update of a project.
struct Run<'a> {
    project: &'a Project,
    job: Job<'a>,
    pace: Pace<'a>,
}

impl<'a> Run<'a> {
    fn new(project: &'a Project, limits: Limits, progress: &'a dyn Progress) -> Run<'a> {
        let pace = Pace {
            limits,
            every: project.settings().commit_every,
            progress,
        };
        Run {
            project,
            job: Job::new(project),
            pace,
        }
    }

    /// An error where the user did not want to wait until all was done.
    fn finished(&self, update: Result<Update, EngineError>) -> Result<Update, EngineError> {
        let update = update?;
        if update.snapshot.table().is_partial() && self.pace.progress.is_interrupted() {
            return Err(EngineError::interrupted(&update.snapshot));
        }
        Ok(update)
    }

    /// Indexes what changed and commits it. Where that fails, as on a full disk,
    /// what was written in vain is removed.
    fn written(&self, lock: Lock, base: &Base, entries: &[Entry]) -> Result<Update, EngineError> {
        let update = self.write(lock, base, entries);
        let mut update = update.map_err(EngineError::of_writer);
        self.pace.progress.stage(Stage::Done);
        if let Ok(update) = &mut update {
            update.notes.extend(self.project.keep_within_limit());
        }
        if update.is_err()
            && let Ok(lock) = self.project.lock(Duration::ZERO, self.pace.progress)
        {
            // Whatever stays is removed by the next writer. What was committed
            // before something failed is an index, though.
            let is_index = guard::open(self.project.storage()).is_ok();
            let _ = if is_index {
                lock.sweep()
            } else {
                lock.remove_index()
            };
        }
        update
    }

    /// Indexes what changed and commits it.
    fn write(&self, lock: Lock, base: &Base, entries: &[Entry]) -> Result<Update, EngineError> {
        let Changes {
            kept,
            mut dirty,
            removed,
        } = base.changes(entries);
        arrange(&mut dirty, self.project.scope());
        let bytes = dirty
            .iter()
            .map(|dirty| self.job.bytes_to_read(dirty.entry));
        let bytes = bytes.sum();
        self.pace.progress.stage(Stage::Indexing {
            files: dirty.len() as u64,
            bytes,
        });
        let writer = self.writer(lock, base, bytes)?;
        for id in removed.iter().filter_map(|file| file.id()) {
            writer.remove(id);
        }
        let table = self.first_table(base, entries, &kept, &dirty);
        let slices = Slices::new(&self.job, writer, table, dirty);
        let done = slices.all(&self.pace)?;
        let mut notes: Vec<Note> = base.note.iter().cloned().collect();
        notes.extend(
            done.crashed
                .clone()
                .map(|files| Note::ParserCrashed { files }),
        );
        let changed = done.changed;
        self.commit(done)?;
        Ok(Update {
            snapshot: self.project.latest()?,
            changed,
            removed: removed_count(base, &removed),
            committed: true,
            notes,
        })
    }

    fn writer(&self, lock: Lock, base: &Base, bytes: u64) -> Result<Writer, EngineError> {
        let most = if bytes < SMALL_CHANGE { 1 } else { 4 };
        let threads = self.project.engine().threads().min(most);
        let generation = base.table().generation;
        self.project
            .engine()
            .remove_other_formats(self.project.root());
        Ok(match &base.snapshot {
            Some(_) => Writer::begin(lock, generation, threads)?,
            None => Writer::create(lock, generation, threads)?,
        })
    }

    /// The table that the slices begin with. What is dirty is as it was until a
    /// slice has come to it.
    fn first_table(
        &self,
        base: &Base,
        entries: &[Entry],
        kept: &[&FileRecord],
        dirty: &[Dirty],
    ) -> FileTable {
        let before = base.table();
        let stays = |dirty: &&Dirty| dirty.is_current || dirty.known.is_some_and(is_indexed);
        let known = dirty.iter().filter(stays).filter_map(|dirty| dirty.known);
        let mut files: Vec<FileRecord> = kept.iter().copied().chain(known).cloned().collect();
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let is_file = |entry: &&Entry| entry.skip.is_none();
        let bytes = entries.iter().map(|entry| self.job.bytes_to_read(entry));
        FileTable {
            generation: before.generation,
            fingerprint: self.project.fingerprint(),
            root: self.project.root().display().to_string(),
            written: (self.job.now / 1_000_000_000) as u64,
            next_id: before.next_id,
            first_current_id: if base.from_scratch {
                before.next_id
            } else {
                before.first_current_id
            },
            backlog: Backlog {
                all_files: entries.iter().filter(is_file).count() as u64,
                all_bytes: bytes.sum(),
                ..Backlog::default()
            },
            files,
            vectors: self.project.engine().wanted_vectors(&before.vectors),
            ranks: before.ranks,
            sums: before.sums.clone(),
        }
    }

    /// Makes the last generation. One that lacks files is published already.
    fn commit(&self, done: Sliced) -> Result<(), EngineError> {
        if done.table.is_partial() {
            return Ok(());
        }
        self.pace.progress.stage(Stage::Committing);
        let staged = done.writer.stage(done.table)?;
        let ranks = importance::of_staged(&staged)?;
        staged.commit(ranks)?;
        Ok(())
    }
}

fn is_indexed(file: &FileRecord) -> bool {
    file.id().is_some()
}

/// The order in which files are indexed: where there are few, the largest first,
/// so that no thread is left alone with one at the end. Among many files that
/// hardly happens; there the code comes first that people look for, in what
/// somebody searches right now before elsewhere, and neighbours stay together,
/// since they compress better.
fn arrange(dirty: &mut [Dirty], scope: &[String]) {
    if dirty.len() < MANY {
        dirty.sort_by_key(|dirty| std::cmp::Reverse(dirty.entry.size));
    } else {
        dirty.sort_by_cached_key(|dirty| {
            let path = Path::new(&dirty.entry.path);
            let is_inside = scope.iter().any(|folder| path.starts_with(folder));
            (!is_inside, precedence(&dirty.entry.path))
        });
    }
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
        changes(self.table(), entries, self.from_scratch)
    }

    /// The index as it is, where at most the times of a few files changed.
    fn if_idle(&self, job: &Job, entries: &[Entry]) -> Option<Update> {
        let snapshot = self.snapshot.as_ref().filter(|_| !self.from_scratch)?;
        if snapshot.table().is_partial() {
            return None;
        }
        job.is_idle(&self.changes(entries)).then(|| Update {
            snapshot: Arc::clone(snapshot),
            changed: 0,
            removed: 0,
            committed: false,
            notes: Vec::new(),
        })
    }
}

/// How many indexed files are gone; none of an index that is built from scratch.
fn removed_count(base: &Base, removed: &[&FileRecord]) -> usize {
    if base.from_scratch {
        return 0;
    }
    removed.iter().filter(|file| file.id().is_some()).count()
}
