//! How a call goes on: what the engine tells of its work, as messages for who
//! waits.

use scent_engine::{Progress, Stage};
use scent_print::count;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What one call does, seen by two threads: the one that works and the one that
/// tells.
#[derive(Debug, Default)]
pub(super) struct Follow {
    stage: Mutex<Option<Stage>>,
    done: AtomicU64,
    /// Set where nobody waits for the answer any more.
    pub cancelled: Arc<AtomicBool>,
}

impl Follow {
    /// What goes on, in words.
    pub fn message(&self) -> String {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let done = self.done.load(Ordering::Relaxed);
        match stage.as_ref() {
            None | Some(Stage::Done) => "searching".to_owned(),
            Some(Stage::Walking) => "looking for changed files".to_owned(),
            Some(Stage::Indexing { files, .. }) => {
                format!("indexing: {done} of {}", count(*files as usize, "file"))
            }
            Some(Stage::Embedding { units, .. }) => {
                format!("embedding: {done} of {}", count(*units as usize, "unit"))
            }
            Some(Stage::Committing) => "writing the index".to_owned(),
            Some(Stage::Waiting { holder }) => format!("waiting for {holder} to write the index"),
        }
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Progress for Follow {
    fn stage(&self, stage: Stage) {
        self.done.store(0, Ordering::Relaxed);
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage);
    }

    fn file(&self, _: u64) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn units(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_how_far_the_work_is() {
        let follow = Follow::default();
        assert_eq!(follow.message(), "searching");
        let (files, bytes) = (2, 9);
        follow.stage(Stage::Indexing { files, bytes });
        follow.file(9);
        assert_eq!(follow.message(), "indexing: 1 of 2 files");
        follow.stage(Stage::Committing);
        assert_eq!(follow.message(), "writing the index");
    }
}
