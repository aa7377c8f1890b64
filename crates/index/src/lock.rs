//! One writer at a time.

use crate::directory;
use crate::error::{LockError, Result};
use crate::files::VectorModel;
use crate::layout::{self, WRITER_LOCK};
use crate::storage::{Guard, SharedStorage};
use std::time::{Duration, Instant};

/// How long to wait between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// The right to write an index. The system takes it back when the process
/// ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    storage: SharedStorage,
    _guard: Guard,
}

/// The right to make vectors of a model for an index, or to compute how important
/// its files are. One process has it at a time, and holds it while it works;
/// texts may be written meanwhile, and other work may be done.
#[derive(Debug)]
pub struct WorkLock {
    _guard: Guard,
}

impl WorkLock {
    /// Takes the lock of a model, unless another process has it.
    pub fn take(storage: &SharedStorage, model: &VectorModel) -> Result<Option<WorkLock>> {
        let work = format!("{:016x}", model.fingerprint);
        WorkLock::named(storage, &layout::work_lock(&work))
    }

    /// Takes the lock to compute ranks, unless another process has it.
    pub fn to_rank(storage: &SharedStorage) -> Result<Option<WorkLock>> {
        WorkLock::named(storage, &layout::work_lock("ranks"))
    }

    fn named(storage: &SharedStorage, name: &str) -> Result<Option<WorkLock>> {
        match storage.lock(name) {
            Ok(_guard) => Ok(Some(WorkLock { _guard })),
            Err(LockError::Held { .. }) => Ok(None),
            Err(LockError::Index(error)) => Err(error),
        }
    }
}

impl Lock {
    /// Waits up to `patience` for the lock of an index.
    pub fn acquire(
        storage: &SharedStorage,
        patience: Duration,
    ) -> std::result::Result<Lock, LockError> {
        let started = Instant::now();
        loop {
            match storage.lock(WRITER_LOCK) {
                // Who held it may have removed the folder; then this is the
                // lock of nothing.
                Ok(_guard) if storage.metadata(WRITER_LOCK).is_ok() => {
                    let storage = storage.clone();
                    return Ok(Lock { storage, _guard });
                }
                Ok(_) => {}
                Err(LockError::Held { .. }) if started.elapsed() <= patience => {
                    std::thread::sleep(PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn storage(&self) -> &SharedStorage {
        &self.storage
    }

    /// Removes every file of the index, but not what else is in the folder.
    pub fn remove_index(&self) -> Result<()> {
        self.storage.clear()
    }

    /// Removes what a writer left behind that did not come to its end.
    pub fn sweep(&self) -> Result<()> {
        let metas = directory::open_text_index(&self.storage)?.load_metas()?;
        let generation = directory::generation(&metas)?;
        directory::sweep_leftovers(&self.storage, &metas, generation);
        Ok(())
    }
}
