//! Reading that may panic: what opens a text index takes its metadata on trust.

use crate::error::EngineError;
use scent_index::{IndexError, SharedStorage, Snapshot};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many calls are under way whose panics are caught.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

/// Whether a panic is caught here and need not be shown: who asked gets an
/// answer or an error.
pub fn is_guarded() -> bool {
    GUARDED.load(Ordering::Relaxed) > 0
}

/// What something gives; a panic is an error.
pub(crate) fn guarded<T>(read: impl Fn() -> Result<T, EngineError>) -> Result<T, EngineError> {
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
