//! A project that is open: what every interface holds.

use crate::error::EngineError;
use crate::progress::{Progress, Stage};
use crate::tree::{Tree, WorkTree};
use crate::{Engine, Settings, folders, guard, os};
use scent_index::{Guard, IndexError, Lock, LockError, SharedStorage, Snapshot};
use scent_types::{Deadline, Note};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A wait longer than this is reported, with the name of the holder.
const REPORT_WAIT_AFTER: Duration = Duration::from_secs(2);

/// How long after a use of the index another one is noted.
const NOTE_USE_AGAIN_AFTER: Duration = Duration::from_secs(3600);

/// How long one attempt to take the lock may take.
const LOCK_ATTEMPT: Duration = Duration::from_millis(200);

/// A folder with its index. Keeps the generation that it read last, and opens
/// another one only when one was published. Clones share it, so an interface
/// opens a project once and hands out clones.
///
/// [`Project::refresh`] is what moves it to another generation; everything
/// else reads the one it holds.
#[derive(Clone)]
pub struct Project {
    open: Arc<Open>,
    scope: Vec<String>,
    as_is: bool,
    deadline: Deadline,
}

struct Open {
    engine: Engine,
    root: PathBuf,
    storage: SharedStorage,
    settings: Settings,
    tree: WorkTree,
    held: Mutex<Option<Held>>,
    /// The generation that it holds is the one that it keeps.
    is_pinned: bool,
    /// While it is there, others know that the index is used.
    used: Mutex<Option<Used>>,
}

/// A state of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    /// How many commits the index has seen.
    pub generation: u64,
    /// When it was written.
    pub written: u64,
}

struct Used {
    noted: Instant,
    _guard: Guard,
}

/// A generation, and the manifest that names it.
struct Held {
    manifest: Vec<u8>,
    snapshot: Arc<Snapshot>,
}

impl Project {
    pub(crate) fn new(engine: Engine, root: &Path, settings: Settings) -> Project {
        let storage = engine.storage(root);
        let tree = WorkTree::new(root, engine.threads());
        let open = Open {
            engine,
            root: root.to_owned(),
            storage,
            settings,
            tree,
            held: Mutex::default(),
            is_pinned: false,
            used: Mutex::default(),
        };
        Project {
            open: Arc::new(open),
            scope: Vec::new(),
            as_is: false,
            deadline: Deadline::default(),
        }
    }

    /// The same project as it is in the current generation: whatever is
    /// published later, it answers from that one. For lists that are read page
    /// by page.
    pub fn pinned(&self) -> Result<Project, EngineError> {
        let snapshot = self.latest()?;
        let held = Held {
            manifest: Vec::new(),
            snapshot,
        };
        let open = &self.open;
        let open = Open {
            engine: open.engine.clone(),
            root: open.root.clone(),
            storage: Arc::clone(&open.storage),
            settings: open.settings.clone(),
            tree: open.tree.clone(),
            held: Mutex::new(Some(held)),
            is_pinned: true,
            used: Mutex::default(),
        };
        Ok(Project {
            open: Arc::new(open),
            scope: self.scope.clone(),
            as_is: true,
            deadline: Deadline::default(),
        })
    }

    /// What tells one state of the index from all others: its generation, and
    /// when that was written, since an index that is made from scratch begins
    /// to count again.
    pub fn version(&self) -> Result<Version, EngineError> {
        let snapshot = self.latest()?;
        let table = snapshot.table();
        Ok(Version {
            generation: table.generation,
            written: table.written,
        })
    }

    /// The same project, narrowed to some paths relative to its root.
    pub fn within(self, scope: Vec<String>) -> Project {
        Project { scope, ..self }
    }

    /// The same project, read as it is: a damaged index is an error of whoever
    /// asks, who has no time to wait until it is made again.
    pub fn as_is(self) -> Project {
        Project {
            as_is: true,
            ..self
        }
    }

    /// The same project, whose look-ups fail once it is time.
    pub fn until(self, deadline: Deadline) -> Project {
        Project { deadline, ..self }
    }

    /// When its look-ups have to stop.
    pub(crate) fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    pub(crate) fn is_as_is(&self) -> bool {
        self.as_is
    }

    /// The folder that is indexed.
    pub fn root(&self) -> &Path {
        &self.open.root
    }

    /// Paths inside it that answers to a search must lie in; empty for all.
    pub fn scope(&self) -> &[String] {
        &self.scope
    }

    /// The folder that holds the index.
    pub fn index_folder(&self) -> &Path {
        self.storage().directory()
    }

    /// Where the index is kept.
    pub(crate) fn storage(&self) -> &SharedStorage {
        &self.open.storage
    }

    /// Whether there is an index. The format is part of the folder's name, so a
    /// manifest is one of ours.
    pub fn is_indexed(&self) -> bool {
        !matches!(self.storage().manifest(), Ok(None))
    }

    /// The generation that the project holds; the current one where it holds
    /// none yet.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, EngineError> {
        let held = self.held().as_ref().map(|held| Arc::clone(&held.snapshot));
        held.map_or_else(|| self.latest(), Ok)
    }

    /// The current generation.
    pub(crate) fn latest(&self) -> Result<Arc<Snapshot>, EngineError> {
        self.try_latest().map_err(|e| self.error(e))
    }

    /// The same with the error as the index gives it.
    pub(crate) fn try_latest(&self) -> Result<Arc<Snapshot>, IndexError> {
        if self.open.is_pinned
            && let Some(held) = self.held().as_ref()
        {
            return Ok(Arc::clone(&held.snapshot));
        }
        // Read before the index is opened: a commit in between only means that
        // it is opened once more.
        let manifest = self.storage().manifest().unwrap_or_default();
        if manifest.is_some() {
            self.note_use();
        }
        let mut held = self.held();
        if let (Some(held), Some(manifest)) = (held.as_ref(), &manifest)
            && held.manifest == *manifest
        {
            return Ok(Arc::clone(&held.snapshot));
        }
        let snapshot = Arc::new(guard::open(self.storage())?);
        *held = manifest.map(|manifest| Held {
            manifest,
            snapshot: Arc::clone(&snapshot),
        });
        Ok(snapshot)
    }

    /// Lets go of the generation that the project holds, with its files and all
    /// that was worked out of it. The next question opens it again.
    pub fn rest(&self) {
        *self.held() = None;
    }

    /// Lets go of the generation that the project holds.
    pub(crate) fn forget(&self) {
        *self.held() = None;
        *self.used() = None;
    }

    /// Notes that the index is used, and again after an hour.
    fn note_use(&self) {
        let mut used = self.used();
        let is_noted = used
            .as_ref()
            .is_some_and(|used| used.noted.elapsed() < NOTE_USE_AGAIN_AFTER);
        if is_noted {
            return;
        }
        let root = os::raw_bytes(self.root());
        let guard = self.storage().note_use(&root);
        *used = guard.map(|_guard| Used {
            noted: Instant::now(),
            _guard,
        });
    }

    fn used(&self) -> std::sync::MutexGuard<'_, Option<Used>> {
        self.open
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps all indexes together within what the user allows, after this one
    /// was written. Says what was removed.
    pub(crate) fn keep_within_limit(&self) -> Option<Note> {
        let most = self.engine().max_total_size?;
        let removed = self.engine().keep_within(most, self.index_folder());
        let bytes = removed.iter().map(|index| index.bytes).sum();
        let count = removed.len();
        (count > 0).then_some(Note::IndexesRemoved { count, bytes })
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Option<Held>> {
        self.open
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The right to write the index. Waits for another writer, up to
    /// `patience`.
    pub(crate) fn lock(
        &self,
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Lock, EngineError> {
        self.lock_unless(&|| false, patience, progress)
    }

    /// The same, but only as long as something does not hold.
    pub(crate) fn lock_unless(
        &self,
        is_needless: &dyn Fn() -> bool,
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Lock, EngineError> {
        let started = Instant::now();
        let mut reported = false;
        loop {
            let left = patience.saturating_sub(started.elapsed());
            let lock = Lock::acquire(self.storage(), left.min(LOCK_ATTEMPT));
            folders::mark_as_cache(self.engine().data());
            let error = match lock {
                Ok(lock) => return Ok(lock),
                Err(error) => error,
            };
            let is_unwanted = progress.is_cancelled() || progress.is_interrupted();
            let gives_up = started.elapsed() >= patience || is_unwanted || is_needless();
            match error {
                LockError::Held { holder } if !gives_up => {
                    if !reported && started.elapsed() > REPORT_WAIT_AFTER {
                        progress.stage(Stage::Waiting { holder });
                        reported = true;
                    }
                }
                error => return Err(EngineError::lock(self.root(), self.index_folder(), error)),
            }
        }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.open.engine
    }

    /// The files that are indexed.
    pub(crate) fn tree(&self) -> &dyn Tree {
        &self.open.tree
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.open.settings
    }

    pub(crate) fn patience(&self) -> Duration {
        self.engine().patience()
    }

    /// Changes with whatever changes the contents of the index.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.engine().fingerprint(self.settings())
    }

    pub(crate) fn error(&self, error: IndexError) -> EngineError {
        EngineError::index(self.root(), error)
    }
}
