//! Moves an open project to a generation that is good enough to answer from.

use crate::PATIENCE;
use crate::change::is_dirty;
use crate::error::EngineError;
use crate::progress::Progress;
use crate::project::Project;
use crate::update::{self, Reuse};
use scent_types::Note;
use std::path::PathBuf;
use std::time::Duration;

/// Whether the index is brought up to date before a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh<'a> {
    /// Walk the folder and index what changed.
    Always,
    /// The same, but only if one of these paths is not what was indexed. For
    /// who watches the folder. Without an index, it is made.
    IfDirty(&'a [PathBuf]),
    /// Answer from the index as it is.
    Never,
}

/// Moves a project to the generation to answer from. Returns notes for the
/// user.
pub(crate) fn refresh(
    project: &Project,
    refresh: Refresh,
    progress: &dyn Progress,
) -> Result<Vec<Note>, EngineError> {
    match refresh {
        Refresh::Always => update_or_older(project, progress),
        Refresh::IfDirty(paths) => match project.latest() {
            Ok(snapshot) if !is_dirty(project.root(), snapshot.table(), paths) => Ok(Vec::new()),
            _ => update_or_older(project, progress),
        },
        Refresh::Never => project.latest().map(|_| Vec::new()),
    }
}

/// Brings the index up to date. Where that fails, the generation before stays,
/// with a note. Where there is no index yet, waits for whoever makes it.
fn update_or_older(project: &Project, progress: &dyn Progress) -> Result<Vec<Note>, EngineError> {
    let update = |patience: Duration| update::update(project, Reuse::Unchanged, patience, progress);
    let updated = match update(PATIENCE) {
        // There is nothing to answer from before the writer is done.
        Err(EngineError::Locked { .. }) if project.latest().is_err() => update(project.patience()),
        updated => updated,
    };
    let error = match updated {
        Ok(update) => return Ok(update.notes),
        Err(error) if error.may_be_damage() => return Err(error),
        Err(error) => error,
    };
    let Ok(older) = project.latest() else {
        return Err(error);
    };
    let generation = older.table().generation;
    Ok(vec![match error {
        EngineError::Locked { holder, .. } => Note::IndexBusy { holder, generation },
        error => Note::IndexNotUpdated {
            why: error.to_string(),
            generation,
        },
    }])
}
