//! What happens when an index cannot be read as it should: every checksum is
//! verified, what is damaged is made from scratch, and the question is asked
//! once more. Nobody has to do anything by hand.

use crate::PATIENCE;
use crate::error::EngineError;
use crate::project::Project;
use crate::update::{self, Progress, Reuse};
use scent_index::{IndexError, Lock, LockError, SharedStorage, Snapshot};
use scent_types::Note;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often to repair an index before the error is returned.
const TRIES: usize = 3;

/// How many calls are under way whose panics are caught.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

/// Whether a panic is caught here and need not be shown: who asked gets an
/// answer or an error.
pub fn is_guarded() -> bool {
    GUARDED.load(Ordering::Relaxed) > 0
}

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

/// The same where a panic is an error.
fn guarded<T>(read: impl Fn() -> Result<T, EngineError>) -> Result<T, EngineError> {
    caught(read).unwrap_or_else(|panic| Err(EngineError::Internal(panic)))
}

/// The index in a storage. Where opening it panics, it is damaged: what opens the
/// text index takes its metadata on trust.
pub(crate) fn open(storage: &SharedStorage) -> Result<Snapshot, IndexError> {
    caught(|| Snapshot::open(storage)).unwrap_or_else(|panic| Err(IndexError::Damaged(panic)))
}

/// Verifies the index in a storage; returns how many files that were.
pub(crate) fn verify(storage: &SharedStorage) -> Result<usize, IndexError> {
    caught(|| Snapshot::verify(storage)).unwrap_or_else(|panic| Err(IndexError::Damaged(panic)))
}

/// What something gives, or the message of its panic.
fn caught<T>(run: impl Fn() -> T) -> Result<T, String> {
    GUARDED.fetch_add(1, Ordering::Relaxed);
    // What is broken by a panic is dropped with it.
    let done = catch_unwind(AssertUnwindSafe(&run));
    GUARDED.fetch_sub(1, Ordering::Relaxed);
    done.map_err(|panic| message(panic.as_ref()))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    text.or(owned)
        .unwrap_or("a panic without a message")
        .to_owned()
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
        update::update(project, Reuse::Unchanged, project.patience(), progress)?;
        return Ok(true);
    }
    let note = damage.map(|damage| Note::IndexRebuilt {
        why: damage.to_string(),
    });
    update::from_scratch(project, note, progress)?;
    Ok(true)
}
