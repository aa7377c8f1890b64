//! Vectors for the units that wait for theirs.
//!
//! The work is cut into slices. Each is read without the writer's lock, since
//! that takes long, and then committed, which takes a moment. What is done is
//! found by the next search, and not lost when the process is killed.

use crate::error::EngineError;
use crate::models::OpenModel;
use crate::order::precedence;
use crate::progress::{Progress, Silent, Stage};
use crate::project::Project;
use crate::reading::{Embedded, Reading, Slice, Time, is_past};
use crate::slices::Limits;
use crate::update::{self, Reuse};
use crate::{PATIENCE, importance, worktrees};
use scent_index::{
    FileParts, FileRecord, IndexError, Local, PendingFile, RankCommit, SharedStorage, Snapshot,
    VectorCache, VectorCommit, VectorModel, WorkLock,
};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The most units of a slice.
const SLICE: usize = 20_000;

/// What to do where another process makes the vectors already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBusy {
    /// Leave it to them.
    Skip,
    /// Wait as long as an answer may wait, and then leave it to them.
    WaitBriefly,
    /// Wait, and see to what is left.
    Wait,
}

/// How much of the work is done now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub on_busy: OnBusy,
    /// So many units are embedded in any case: that takes a moment.
    pub least: u64,
    /// From then on no further unit is begun; never if none.
    pub until: Option<Instant>,
    /// The same for units whose words were read before, which cost little.
    pub known_until: Option<Instant>,
}

impl From<OnBusy> for Effort {
    fn from(on_busy: OnBusy) -> Effort {
        Effort {
            on_busy,
            least: 0,
            until: None,
            known_until: None,
        }
    }
}

/// Makes the vectors of a model that are missing from the index of a root.
/// `embedders` are those that come before it, and the model itself at last.
pub(crate) fn fill(
    project: &Project,
    embedders: &[OpenModel],
    effort: Effort,
    progress: &dyn Progress,
) -> Result<Embedded, EngineError> {
    let Some((embedder, before)) = embedders.split_last() else {
        return Ok(Embedded::default());
    };
    bring_texts_back(project, &embedder.model, progress)?;
    let waiting = || Ok::<_, EngineError>(project.latest()?.waiting_for(&embedder.model));
    if waiting()? == 0 {
        return Ok(Embedded::default());
    }
    let storage = project.storage();
    let Some(_turn) = turn(|| WorkLock::take(storage, &embedder.model), effort.on_busy)? else {
        return Ok(Embedded::default());
    };
    let units = waiting()?;
    if units == 0 {
        return Ok(Embedded::default()); // Another process did all of it meanwhile.
    }
    progress.stage(Stage::Embedding {
        model: embedder.model.name.clone(),
        units,
    });
    let filling = Filling {
        project,
        embedder,
        before,
        effort,
        progress,
    };
    let done = filling.all_slices();
    progress.stage(Stage::Done);
    done
}

/// Indexes everything once more where the texts are gone that a model has to
/// read: another model had its name when they were indexed.
fn bring_texts_back(
    project: &Project,
    model: &VectorModel,
    progress: &dyn Progress,
) -> Result<(), EngineError> {
    let snapshot = project.latest()?;
    let is_wanted = snapshot.models().any(|wanted| wanted.is_same(model));
    if is_wanted || snapshot.pending_of(model).units_without_text() == 0 {
        return Ok(());
    }
    let limits = Limits::waiting(project.patience());
    update::update(project, Reuse::Nothing, limits, progress).map(drop)
}

/// Works out how important files are where a commit of texts left that for
/// later. Texts that are committed meanwhile ask for it once more.
pub(crate) fn rank(project: &Project, on_busy: OnBusy) -> Result<(), EngineError> {
    let stale = || Ok::<_, EngineError>(Some(project.latest()?).filter(|s| s.table().ranks.stale));
    if stale()?.is_none() {
        return Ok(());
    }
    let storage = project.storage();
    let Some(_turn) = turn(|| WorkLock::to_rank(storage), on_busy)? else {
        return Ok(());
    };
    // Others may have done it meanwhile.
    while let Some(base) = stale()? {
        let ranks = RankCommit::new(&base, importance::of_snapshot(&base)?);
        let lock = project.lock(project.patience(), &Silent)?;
        let now = project.latest()?;
        let commit = ranks.commit(lock, &now).map_err(EngineError::from);
        commit.map_err(EngineError::of_writer)?;
    }
    Ok(())
}

/// A turn, if it is to be had.
fn turn(
    take: impl Fn() -> Result<Option<WorkLock>, IndexError>,
    on_busy: OnBusy,
) -> Result<Option<WorkLock>, IndexError> {
    let started = Instant::now();
    loop {
        let goes_on = match on_busy {
            OnBusy::Skip => false,
            OnBusy::WaitBriefly => started.elapsed() < PATIENCE,
            OnBusy::Wait => true,
        };
        match take()? {
            None if goes_on => std::thread::sleep(Duration::from_millis(50)),
            turn => return Ok(turn),
        }
    }
}

/// Whether another process makes vectors for a root right now.
pub(crate) fn is_embedding(project: &Project) -> bool {
    let Ok(snapshot) = project.latest() else {
        return false;
    };
    // Of a model that was just opened, the index may know nothing yet.
    let open_models = project.engine().open_models();
    open_models
        .iter()
        .chain(snapshot.models())
        .any(|model| is_reading(snapshot.storage(), model))
}

/// Whether another process makes the vectors of a model right now.
pub(crate) fn is_reading(storage: &SharedStorage, model: &VectorModel) -> bool {
    matches!(WorkLock::take(storage, model), Ok(None))
}

/// What filling the set of one model needs to know.
struct Filling<'a> {
    project: &'a Project,
    embedder: &'a OpenModel<'a>,
    /// The models that come before it.
    before: &'a [OpenModel<'a>],
    effort: Effort,
    progress: &'a dyn Progress,
}

impl Filling<'_> {
    fn all_slices(&self) -> Result<Embedded, EngineError> {
        let mut done = self.take_known()?;
        loop {
            done += self.catch_up()?;
            let base = self.project.latest()?;
            let files = next_slice(&base, &self.embedder.model)?;
            let least = self.effort.least.saturating_sub(done.units());
            if files.is_empty() || (least == 0 && is_past(self.effort.until)) {
                return Ok(done);
            }
            // Opened again each time, since it also holds what was just read.
            let cache = VectorCache::open(&indexes(self.project), &self.embedder.model);
            let slice = self.reading(&cache, least, self.effort.until).slice(&files);
            done += self.commit_slice(&base, slice)?;
        }
    }

    /// Embeds the files all of whose words were read before, as after a change
    /// of branches: that takes little, wherever they wait in the order.
    fn take_known(&self) -> Result<Embedded, EngineError> {
        let (mut done, model) = (Embedded::default(), &self.embedder.model);
        let base = self.project.latest()?;
        if base.waiting_for(model) <= self.effort.least {
            return Ok(done); // All of it is about to be looked up.
        }
        let cache = VectorCache::open(&indexes(self.project), model);
        let alive = base
            .vectors_of(model)
            .map_or(0, |vectors| vectors.live_rows());
        if cache.rows() <= alive {
            return Ok(done);
        }
        let reading = self.reading(&cache, 0, self.effort.known_until);
        let (mut files, mut units) = (Vec::new(), 0);
        for file in base.pending_of(model).files() {
            let file = file?;
            if reading.knows(&file) {
                units += file.units.len();
                files.push(file);
            }
            if units >= SLICE && !is_past(self.effort.known_until) {
                done += self.commit_slice(&base, reading.slice(&files))?;
                (files, units) = (Vec::new(), 0);
            }
        }
        done += self.commit_slice(&base, reading.slice(&files))?;
        Ok(done)
    }

    fn reading<'r>(
        &'r self,
        cache: &'r VectorCache,
        least: u64,
        until: Option<Instant>,
    ) -> Reading<'r> {
        Reading::new(self.embedder, cache, self.progress, Time { least, until })
    }

    /// Commits what was read, and says why no more was.
    fn commit_slice(&self, base: &Snapshot, slice: Slice) -> Result<Embedded, EngineError> {
        self.commit(base, &slice.parts)
            .map_err(EngineError::of_writer)?;
        if let Some(error) = slice.error {
            return Err(error);
        }
        if self.progress.is_interrupted() {
            return Err(EngineError::interrupted(&*self.project.latest()?));
        }
        Ok(slice.done)
    }

    /// Sees to texts that came meanwhile: what is fast comes first.
    fn catch_up(&self) -> Result<Embedded, EngineError> {
        match fill(self.project, self.before, OnBusy::Skip.into(), &Silent) {
            // There is another time after the next slice.
            Err(EngineError::Locked { .. }) => Ok(Embedded::default()),
            done => done,
        }
    }

    fn commit(&self, base: &Snapshot, parts: &[FileParts]) -> Result<(), EngineError> {
        if parts.is_empty() {
            return Ok(());
        }
        // Where nobody waits for an answer, what was read would be lost otherwise.
        let patience = match self.effort.on_busy {
            OnBusy::Skip | OnBusy::WaitBriefly => PATIENCE,
            OnBusy::Wait => self.project.patience(),
        };
        let lock = self.project.lock(patience, &Silent)?;
        // Texts may have been committed meanwhile.
        let now = self.project.latest()?;
        let mut commit = VectorCommit::begin(lock, &now, self.embedder.model.clone())?;
        for parts in parts
            .iter()
            .filter(|parts| is_same_file(base, &now, parts.id))
        {
            commit.add(parts)?;
        }
        commit.commit()?;
        Ok(())
    }
}

/// Whether an id stands for the same file as before, or for one that is gone.
/// In an index that was removed and rebuilt meanwhile it may be another's.
fn is_same_file(before: &Snapshot, now: &Snapshot, id: u32) -> bool {
    let content =
        |snapshot: &Snapshot| snapshot.file(id).map(|file| (file.path.clone(), file.hash));
    let is_gone = id < now.table().next_id && now.file(id).is_none();
    is_gone || content(before) == content(now)
}

/// The indexes that may hold vectors of the same texts: those of all worktrees,
/// with the same models and with the primary one alone.
fn indexes(project: &Project) -> Vec<SharedStorage> {
    let engine = project.engine();
    let primary = engine.primary_alone();
    let mut folders = Vec::new();
    for root in worktrees::of(project.root()) {
        folders.extend([engine.index_folder(&root), primary.index_folder(&root)]);
    }
    folders.dedup();
    folders.iter().map(|folder| Local::shared(folder)).collect()
}

/// The files to embed next: source code before tests, documentation and data.
fn next_slice(snapshot: &Snapshot, model: &VectorModel) -> Result<Vec<PendingFile>, IndexError> {
    let pending = snapshot.pending_of(model);
    let mut waiting = Vec::new();
    for id in pending.ids() {
        let file = snapshot.file(id);
        waiting.push((file.map(|file| precedence(&file.path)), id));
    }
    waiting.sort_unstable();
    let (mut wanted, mut units) = (HashSet::new(), 0);
    for (_, id) in &waiting {
        wanted.insert(*id);
        units += snapshot.file(*id).map_or(0, FileRecord::units);
        if units >= SLICE {
            break;
        }
    }
    let mut files = pending.files_of(&wanted).collect::<Result<Vec<_>, _>>()?;
    files.sort_by_cached_key(|file| {
        let record = snapshot.file(file.id);
        (record.map(|record| precedence(&record.path)), file.id)
    });
    Ok(files)
}
