//! A project that is open: what every interface holds.

use crate::embed::{self, Embedded, OnBusy};
use crate::error::EngineError;
use crate::lookup::{self, Changed, DependencyOptions, ImpactOptions, ReferenceFilter, Since};
use crate::models::OpenModel;
use crate::status;
use crate::tree::{Tree, WorkTree};
use crate::update::{self, Progress, Reuse, Silent, Stage, Update};
use crate::{Engine, PATIENCE, Refresh, Settings, folders, heal, refresh};
use scent_index::{IndexError, Lock, LockError, SharedStorage, Snapshot};
use scent_types::{
    CallPath, Definitions, Dependencies, Freshness, Impact, Note, References, Status,
};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A wait longer than this is reported, with the name of the holder.
const REPORT_WAIT_AFTER: Duration = Duration::from_secs(2);

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
}

struct Open {
    engine: Engine,
    root: PathBuf,
    storage: SharedStorage,
    settings: Settings,
    tree: WorkTree,
    held: Mutex<Option<Held>>,
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
        };
        Project {
            open: Arc::new(open),
            scope: Vec::new(),
        }
    }

    /// The same project, narrowed to some paths relative to its root.
    pub fn within(self, scope: Vec<String>) -> Project {
        Project { scope, ..self }
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

    /// Brings the index up to date, as far as `refresh` says. Returns notes for
    /// the user.
    pub fn refresh(
        &self,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Vec<Note>, EngineError> {
        match refresh {
            // Nothing may be written: damage is reported and not repaired.
            Refresh::Never => {
                heal::healing(&[], progress, || refresh::refresh(self, refresh, progress))
            }
            _ => heal::healing(&[self], progress, || {
                refresh::refresh(self, refresh, progress)
            }),
        }
    }

    /// Brings the index up to date. Waits for another writer.
    pub fn update(&self, progress: &dyn Progress) -> Result<Update, EngineError> {
        heal::healing(&[self], progress, || {
            update::update(self, Reuse::Unchanged, self.patience(), progress)
        })
    }

    /// Removes the index and makes it from scratch.
    pub fn rebuild(&self, progress: &dyn Progress) -> Result<Update, EngineError> {
        update::from_scratch(self, None, progress)
    }

    /// Verifies every checksum of the index; returns how many files were
    /// verified.
    pub fn verify(&self) -> Result<usize, EngineError> {
        heal::verify(self.storage()).map_err(|e| self.error(e))
    }

    /// Removes the index; false where there was none.
    pub fn clear(&self) -> Result<bool, EngineError> {
        let existed = self.is_indexed();
        self.forget();
        if self.index_folder().exists() {
            let lock = self.lock(PATIENCE, &Silent)?;
            lock.remove_index().map_err(|e| self.error(e))?;
        }
        Ok(existed)
    }

    /// What is in the index, and whether it is up to date.
    pub fn status(&self) -> Result<Status, EngineError> {
        let snapshot = self.latest()?;
        let freshness = status::freshness(self, snapshot.table());
        Ok(status::status_of(self.root(), &snapshot, freshness))
    }

    /// What is in the generation that the project holds, taken to be up to
    /// date.
    pub fn contents(&self) -> Result<Status, EngineError> {
        let snapshot = self.snapshot()?;
        Ok(status::status_of(self.root(), &snapshot, Freshness::Fresh))
    }

    /// Makes the vectors that the index lacks: those of the primary model, and
    /// then those of the refined one. Then catches up with importance.
    pub fn embed(&self, on_busy: OnBusy, progress: &dyn Progress) -> Result<Embedded, EngineError> {
        self.embed_with(&self.engine().embedders()?, on_busy, progress)
    }

    /// The same with the primary model alone.
    pub fn embed_primary(
        &self,
        on_busy: OnBusy,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        let embedders = self.engine().embedders()?;
        self.embed_with(&embedders[..1], on_busy, progress)
    }

    fn embed_with(
        &self,
        embedders: &[OpenModel],
        on_busy: OnBusy,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        heal::healing(&[self], progress, || {
            let mut done = Embedded::default();
            for last in 1..=embedders.len() {
                done += embed::fill(self, &embedders[..last], on_busy, progress)?;
            }
            embed::rank(self, on_busy)?;
            Ok(done)
        })
    }

    /// Whether a process makes vectors right now.
    pub fn is_embedding(&self) -> bool {
        embed::is_embedding(self)
    }

    /// Whether importance is out of date since files changed, and
    /// [`Project::embed`] is left to catch up with it.
    pub fn is_importance_stale(&self) -> bool {
        self.snapshot()
            .is_ok_and(|snapshot| snapshot.table().ranks.stale)
    }

    /// Where a name is defined.
    pub fn definitions(&self, name: &str, limit: usize) -> Result<Definitions, EngineError> {
        self.read(|snapshot| lookup::definitions(self.tree(), snapshot, name, limit))
    }

    /// Who uses a name.
    pub fn references(
        &self,
        name: &str,
        filter: &ReferenceFilter,
        limit: usize,
    ) -> Result<References, EngineError> {
        self.read(|snapshot| lookup::references(self.tree(), snapshot, name, filter, limit))
    }

    /// Who uses what is defined or used at a line of a file, given relative to
    /// the root.
    pub fn references_at(
        &self,
        place: (&str, u32),
        filter: &ReferenceFilter,
        limit: usize,
    ) -> Result<References, EngineError> {
        self.read(|snapshot| lookup::references_at(self.tree(), snapshot, place, filter, limit))
    }

    /// What the files at a path depend on, or what depends on them.
    pub fn dependencies(
        &self,
        path: &str,
        options: &DependencyOptions,
    ) -> Result<Dependencies, EngineError> {
        self.read(|snapshot| lookup::dependencies(self.tree(), snapshot, path, options))
    }

    /// What changes may break.
    pub fn impact(
        &self,
        changed: &[Changed],
        options: ImpactOptions,
    ) -> Result<Impact, EngineError> {
        self.read(|snapshot| lookup::impact(self.tree(), snapshot, changed, options))
    }

    /// What changed since a commit, the working tree included.
    pub fn changed_since(&self, commit: &str) -> Result<Since, EngineError> {
        self.read(|snapshot| lookup::changed_since(self.tree(), self.root(), snapshot, commit))
    }

    /// How one symbol comes to use another, directly or through others.
    pub fn callpath(&self, from: &str, to: &str) -> Result<CallPath, EngineError> {
        self.read(|snapshot| lookup::callpath(self.tree(), snapshot, from, to))
    }

    /// Answers from the generation that the project holds. A damaged index is
    /// made from scratch first, and the question asked again.
    fn read<T>(
        &self,
        question: impl Fn(&Snapshot) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.snapshot()?;
        heal::healing(&[self], &Silent, || question(&*self.snapshot()?))
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
        // Read before the index is opened: a commit in between only means that
        // it is opened once more.
        let manifest = self.storage().manifest().unwrap_or_default();
        let mut held = self.held();
        if let (Some(held), Some(manifest)) = (held.as_ref(), &manifest)
            && held.manifest == *manifest
        {
            return Ok(Arc::clone(&held.snapshot));
        }
        let snapshot = Arc::new(heal::open(self.storage())?);
        *held = manifest.map(|manifest| Held {
            manifest,
            snapshot: Arc::clone(&snapshot),
        });
        Ok(snapshot)
    }

    /// Lets go of the generation that the project holds.
    pub(crate) fn forget(&self) {
        *self.held() = None;
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
            let gives_up = started.elapsed() >= patience || progress.is_cancelled();
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

    fn error(&self, error: IndexError) -> EngineError {
        EngineError::index(self.root(), error)
    }
}
