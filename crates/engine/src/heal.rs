//! What happens when an index cannot be read as it should: every checksum is
//! verified, what is damaged is made from scratch, and the question is asked
//! once more. Nobody has to do anything by hand.

use crate::PATIENCE;
use crate::error::EngineError;
use crate::guard::{guarded, verify};
use crate::progress::Progress;
use crate::project::Project;
use crate::slices::Limits;
use crate::update::{self, Reuse};
use scent_index::{Lock, LockError};
use scent_types::Note;

/// How often to repair an index before the error is returned.
const TRIES: usize = 3;

/// What the indexes of some roots answer. Where reading them fails in a way
/// that damage would explain, they are verified, and made from scratch where
/// they are damaged.
pub(crate) fn healing<T>(
    projects: &[&Project],
    progress: &dyn Progress,
    read: impl Fn() -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let mut done = guarded(&read);
    // Somebody may remove an index as often as it is made, but not for ever.
    for _ in 0..TRIES {
        let error = match done {
            Err(error) if error.may_be_damage() => error,
            done => return done,
        };
        let mut repaired = false;
        for project in projects {
            repaired |= repair(project, &error, progress)?;
        }
        if !repaired {
            return Err(error);
        }
        done = guarded(&read);
    }
    done
}

/// Makes an index from scratch if it is damaged. True where it is worth asking
/// again.
fn repair(
    project: &Project,
    error: &EngineError,
    progress: &dyn Progress,
) -> Result<bool, EngineError> {
    // Whatever it holds may be what is damaged.
    project.forget();
    let storage = project.storage();
    // Nobody is to write while it is verified. Whoever does may have mended it.
    let lock = match Lock::acquire(storage, PATIENCE) {
        Ok(lock) => lock,
        Err(LockError::Held { .. }) => return Ok(true),
        Err(LockError::Index(_)) => return Ok(false),
    };
    let damage = match verify(storage) {
        // Somebody else may have mended it already.
        Ok(_) if !error.is_of_leftovers() => return Ok(true),
        Ok(_) => None,
        Err(damage) => Some(damage),
    };
    drop(lock);
    if !project.is_indexed() {
        // Somebody removed it meanwhile.
        let limits = Limits::waiting(project.patience());
        update::update(project, Reuse::Unchanged, limits, progress)?;
        return Ok(true);
    }
    let note = damage.map(|damage| Note::IndexRebuilt {
        why: damage.to_string(),
    });
    update::from_scratch(project, note, progress)?;
    Ok(true)
}
