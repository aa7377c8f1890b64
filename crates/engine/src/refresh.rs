//! Moves an open project to a generation that is good enough to answer from.

use crate::PATIENCE;
use crate::change::is_dirty;
use crate::error::EngineError;
use crate::progress::Progress;
use crate::project::Project;
use crate::slices::Limits;
use crate::update::{self, Reuse};
use scent_index::{Backlog, Snapshot};
use scent_types::Note;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much of the patience is left for the answer itself: a part, and not more
/// than this.
const ANSWERING: (u32, Duration) = (5, Duration::from_secs(2));

/// Whether the index is brought up to date before a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh<'a> {
    /// Walk the folder and index what changed.
    Always,
    /// The same, but only for so long: then what is indexed answers, with a note.
    /// Without any time, the index answers as it is, if there is one.
    Within(Duration),
    /// The same as always, but only if one of these paths is not what was indexed.
    /// For who watches the folder. Without an index, it is made.
    IfDirty(&'a [PathBuf]),
    /// Answer from the index as it is.
    Never,
}

/// The same with paths of its own.
pub(crate) enum OwnedRefresh {
    IfDirty(Vec<PathBuf>),
    Other(Refresh<'static>),
}

impl From<Refresh<'_>> for OwnedRefresh {
    fn from(refresh: Refresh) -> OwnedRefresh {
        OwnedRefresh::Other(match refresh {
            Refresh::IfDirty(paths) => return OwnedRefresh::IfDirty(paths.to_vec()),
            Refresh::Always => Refresh::Always,
            Refresh::Within(length) => Refresh::Within(length),
            Refresh::Never => Refresh::Never,
        })
    }
}

impl OwnedRefresh {
    pub fn borrow(&self) -> Refresh<'_> {
        match self {
            OwnedRefresh::IfDirty(paths) => Refresh::IfDirty(paths),
            OwnedRefresh::Other(refresh) => *refresh,
        }
    }
}

/// How long an answer may be prepared, counted from the question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    began: Instant,
    length: Option<Duration>,
}

impl Patience {
    /// Counts from now.
    pub fn of(refresh: Refresh) -> Patience {
        let length = match refresh {
            Refresh::Within(length) => Some(length),
            Refresh::Always | Refresh::IfDirty(_) | Refresh::Never => None,
        };
        Patience {
            began: Instant::now(),
            length,
        }
    }

    /// When whoever asked wants to have the answer.
    pub fn end(&self) -> Option<Instant> {
        self.length
            .and_then(|length| self.began.checked_add(length))
    }

    /// When indexing has to stop, so that there is time left to answer.
    fn end_of_indexing(&self) -> Option<Instant> {
        let length = self.length?;
        let (part, most) = ANSWERING;
        self.began.checked_add(length - (length / part).min(most))
    }

    /// Whether it is time to answer.
    pub fn is_over(&self) -> bool {
        self.end().is_some_and(|end| Instant::now() >= end)
    }

    fn is_none(&self) -> bool {
        self.length == Some(Duration::ZERO)
    }
}

/// Moves a project to the generation to answer from. Returns notes for the
/// user.
pub(crate) fn refresh(
    project: &Project,
    refresh: Refresh,
    patience: Patience,
    progress: &dyn Progress,
) -> Result<Vec<Note>, EngineError> {
    let is_needed = match refresh {
        Refresh::Always => true,
        Refresh::Within(_) => !patience.is_none() || project.latest().is_err(),
        Refresh::IfDirty(paths) => match project.latest() {
            Ok(snapshot) => {
                let table = snapshot.table();
                table.is_partial() || is_dirty(project.root(), table, paths)
            }
            Err(_) => true,
        },
        Refresh::Never => false,
    };
    if is_needed {
        return update_or_older(project, patience, progress);
    }
    project.latest().map(|_| Vec::new())
}

/// Brings the index up to date. Where that fails, the generation before stays,
/// with a note. Where there is no index yet, waits for whoever makes it.
fn update_or_older(
    project: &Project,
    patience: Patience,
    progress: &dyn Progress,
) -> Result<Vec<Note>, EngineError> {
    let until = patience.end_of_indexing();
    let is_partial = || {
        let latest = project.latest();
        latest.is_ok_and(|snapshot| snapshot.table().is_partial())
    };
    // Who indexes a large folder is not done in a moment.
    let wait = if until.is_some() && is_partial() {
        Duration::ZERO
    } else {
        PATIENCE
    };
    let update = |wait: Duration| {
        let limits = Limits { wait, until };
        update::update(project, Reuse::Unchanged, limits, progress)
    };
    let updated = match update(wait) {
        Err(error @ EngineError::Locked { .. }) => match (project.latest(), until) {
            // There is nothing to answer from before the writer is done.
            (Err(_), None) => update(project.patience()),
            (Ok(_), None) if is_partial() => update(project.patience()),
            (Err(_), Some(_)) => match wait_for_generation(project, progress) {
                true => return Ok(Vec::new()),
                false => update(project.patience()),
            },
            (Ok(_), _) => Err(error),
        },
        updated => updated,
    };
    let error = match updated {
        Ok(update) => return Ok(update.notes),
        Err(error) if error.may_be_damage() || error.is_interrupted() => return Err(error),
        Err(error) => error,
    };
    let Ok(older) = project.latest() else {
        return Err(error);
    };
    let generation = older.table().generation;
    Ok(match error {
        // There is a note on that already.
        EngineError::Locked { .. } if older.table().is_partial() => Vec::new(),
        EngineError::Locked { holder, .. } => vec![Note::IndexBusy { holder, generation }],
        error => vec![Note::IndexNotUpdated {
            why: error.to_string(),
            generation,
        }],
    })
}

/// Waits until another process has published something; false where it ended
/// without.
fn wait_for_generation(project: &Project, progress: &dyn Progress) -> bool {
    let is_there = || project.latest().is_ok();
    // The lock goes back at once: it says that nobody writes any more.
    let lock = project.lock_unless(&is_there, project.patience(), progress);
    lock.is_err() && is_there()
}

/// What the user should know where updates had not come to all files of some
/// generations.
pub(crate) fn partly_indexed(snapshots: &[Arc<Snapshot>], refresh: Refresh) -> Option<Note> {
    let mut all = Backlog::default();
    for snapshot in snapshots {
        let backlog = snapshot.table().backlog;
        all.files += backlog.files;
        all.bytes += backlog.bytes;
        all.all_files += backlog.all_files;
        all.all_bytes += backlog.all_bytes;
    }
    (all.files > 0).then_some(Note::PartlyIndexed {
        files: all.all_files.saturating_sub(all.files),
        all_files: all.all_files,
        bytes: all.all_bytes.saturating_sub(all.bytes),
        all_bytes: all.all_bytes,
        goes_on: refresh != Refresh::Never,
    })
}
