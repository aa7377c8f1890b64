//! The folders of indexes: which ones are ours, and which nobody uses any more.

use crate::error::EngineError;
use crate::{Engine, PATIENCE};
use scent_index::{Local, Lock};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An index of another format is removed when nobody has written to it for this
/// long.
const UNUSED_AFTER: Duration = Duration::from_secs(14 * 24 * 3600);

impl Engine {
    /// Removes every index; returns how many there were.
    pub fn clear_all(&self) -> Result<usize, EngineError> {
        let mut removed = 0;
        for folder in self.index_folders(|_| true) {
            let storage = Local::shared(&folder);
            let lock = Lock::acquire(&storage, PATIENCE);
            let lock = lock.map_err(|e| EngineError::lock(&folder, &folder, e))?;
            let there = !matches!(storage.manifest(), Ok(None));
            lock.remove_index()
                .map_err(|e| EngineError::index(&folder, e))?;
            removed += usize::from(there);
        }
        Ok(removed)
    }

    /// The folders of all indexes that were made here. Others may keep things
    /// in the same folder.
    pub(crate) fn index_folders(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.data())
            .into_iter()
            .flatten()
            .flatten();
        let is_named = |name: &str| is_index_name(name) && is_wanted(name);
        let named = entries.filter(|entry| is_named(&entry.file_name().to_string_lossy()));
        let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let mut folders: Vec<PathBuf> = named.filter(is_folder).map(|entry| entry.path()).collect();
        folders.retain(|folder| folder.join("lock").is_file());
        folders
    }

    /// Removes indexes of a root that have another format, and that nobody has
    /// used for a while. Failing to is no harm.
    pub(crate) fn remove_other_formats(&self, root: &Path) {
        let (name, own) = (self.index_name(root), self.index_folder(root));
        let is_other_format = |file_name: &str| {
            let format = file_name.strip_prefix(&name);
            format.is_some_and(|rest| rest.is_empty() || rest.starts_with("-v"))
        };
        for folder in self.index_folders(is_other_format) {
            if folder != own
                && is_unused(&folder)
                && let Ok(lock) = Lock::acquire(&Local::shared(&folder), Duration::ZERO)
            {
                let _ = lock.remove_index();
            }
        }
    }
}

/// Whether a folder is called as those of indexes are: `name-0123456789abcdef`,
/// and the format after it.
pub(crate) fn is_index_name(name: &str) -> bool {
    let is_format = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let base = match name.rsplit_once("-v") {
        Some((base, format)) if is_format(format) => base,
        _ => name,
    };
    let hash = base.rsplit_once('-').map_or("", |(_, hash)| hash);
    hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether nothing in a folder was written for a while.
fn is_unused(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let times = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    let newest = times.max().and_then(|time| time.elapsed().ok());
    newest.is_some_and(|age| age > UNUSED_AFTER)
}

/// Tells backups, and scent itself where the folder lies inside a project,
/// that what is here can be made again. Failing to is no harm.
pub(crate) fn mark_as_cache(folder: &Path) {
    let tag = folder.join("CACHEDIR.TAG");
    if !tag.exists() {
        let _ = std::fs::write(
            tag,
            "Signature: 8a477f597d28d172789f06886806bc55\n# Indexes of scent; safe to remove.\n",
        );
    }
}
