//! The indexes that there are, and which of them to remove.

use crate::error::EngineError;
use crate::{Engine, PATIENCE, os};
use scent_index::{Local, Lock, LockError, SharedStorage, Usage};
use scent_types::IndexInfo;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// An index in the data folder.
struct Found {
    storage: SharedStorage,
    /// The folder that it is of, where that is known.
    root: Option<PathBuf>,
    last_used: SystemTime,
    bytes: u64,
}

impl Engine {
    /// Every index in the data folder, of this format or another.
    pub fn indexes(&self) -> Vec<IndexInfo> {
        self.found().iter().map(Found::info).collect()
    }

    /// Removes indexes that nobody used for a while. Returns those that are
    /// removed; with `dry_run`, those that would be. What is in use stays.
    pub fn clear_unused(
        &self,
        age: Duration,
        dry_run: bool,
    ) -> Result<Vec<IndexInfo>, EngineError> {
        let mut removed = Vec::new();
        for index in self.found() {
            let is_unused = index.last_used.elapsed().is_ok_and(|unused| unused >= age);
            if is_unused && index.is_removed(dry_run, PATIENCE)? {
                removed.push(index.info());
            }
        }
        Ok(removed)
    }

    /// Removes the indexes that were not used for the longest time, until all
    /// together have no more than so many bytes. That in a folder stays, and so
    /// does what is in use. Failing to remove one is no harm.
    pub(crate) fn keep_within(&self, most: u64, own: &Path) -> Vec<IndexInfo> {
        let mut found = self.found();
        let mut bytes: u64 = found.iter().map(|index| index.bytes).sum();
        found.sort_by_key(|index| index.last_used);
        let mut removed = Vec::new();
        for index in found {
            if bytes <= most {
                break;
            }
            let is_own = index.storage.directory() == own;
            if !is_own && index.is_removed(false, Duration::ZERO).unwrap_or(false) {
                bytes -= index.bytes;
                removed.push(index.info());
            }
        }
        removed
    }

    /// All indexes, in order of their folders.
    fn found(&self) -> Vec<Found> {
        let mut folders = self.index_folders(|_| true);
        folders.sort();
        folders.iter().filter_map(|folder| found(folder)).collect()
    }
}

impl Found {
    /// Removes the index, unless somebody uses or writes it. With `dry_run`,
    /// only says whether it would be removed.
    fn is_removed(&self, dry_run: bool, patience: Duration) -> Result<bool, EngineError> {
        let Some(_unused) = self.storage.lock_use() else {
            return Ok(false);
        };
        if dry_run {
            return Ok(true);
        }
        let folder = self.storage.directory();
        match Lock::acquire(&self.storage, patience) {
            Ok(lock) => {
                let removed = lock.remove_index();
                removed.map_err(|error| EngineError::index(folder, error))?;
                Ok(true)
            }
            Err(LockError::Held { .. }) => Ok(false),
            Err(error) => Err(EngineError::lock(folder, folder, error)),
        }
    }

    fn info(&self) -> IndexInfo {
        let since_1970 = self.last_used.duration_since(SystemTime::UNIX_EPOCH);
        IndexInfo {
            folder: os::display_path(self.storage.directory()),
            root: self.root.as_deref().map(os::display_path),
            bytes: self.bytes,
            last_used: since_1970.unwrap_or_default().as_secs(),
            project_exists: self.root.as_deref().map(Path::is_dir),
        }
    }
}

/// The index in a folder; none where only its locks are left.
fn found(folder: &Path) -> Option<Found> {
    let storage = Local::shared(folder);
    if matches!(storage.manifest(), Ok(None)) {
        return None;
    }
    let (bytes, written) = size_and_time(folder);
    let (root, last_used) = match storage.usage() {
        Some(Usage { root, last }) => {
            let path = os::native(&String::from_utf8_lossy(&root), Some(&root));
            (Some(path), last)
        }
        // It was made before uses were noted.
        None => (scent_index::root_of(&storage).map(PathBuf::from), written),
    };
    Some(Found {
        storage,
        root,
        last_used,
        bytes,
    })
}

/// How many bytes the files of a folder have, and when one was written last.
fn size_and_time(folder: &Path) -> (u64, SystemTime) {
    let (mut bytes, mut newest) = (0, SystemTime::UNIX_EPOCH);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Ok(data) = entry.metadata() {
            bytes += data.len();
            newest = newest.max(data.modified().unwrap_or(newest));
        }
    }
    (bytes, newest)
}
