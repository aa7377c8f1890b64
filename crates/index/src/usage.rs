//! When an index was used last, and by whom it is used now.
//!
//! The file `used` beside an index holds the folder that is indexed. Its time
//! of modification is that of the last use, to the hour, and whoever has the
//! index open has a shared lock on it. Where it cannot be written, nothing is
//! noted, and nothing else is missing.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A use is noted this long after the one before it, so that a search does not
/// write each time.
const NOTED_EVERY: Duration = Duration::from_secs(3600);

/// The path of a folder is no longer than this, in bytes.
const LONGEST: u64 = 64 << 10;

/// Notes that an index is used, until the guard is dropped.
pub(crate) fn note(path: &Path, root: &[u8]) -> Option<File> {
    if !is_noted(path) {
        create(path, root);
    }
    if !is_noted(path) {
        return None;
    }
    let file = File::open(path).ok()?;
    let modified = file.metadata().ok()?.modified().ok()?;
    let age = modified.elapsed().unwrap_or_default();
    if age > NOTED_EVERY
        && let Ok(file) = OpenOptions::new().write(true).open(path)
    {
        let _ = file.set_modified(SystemTime::now());
    }
    file.try_lock_shared().ok()?;
    Some(file)
}

/// The folder that was noted, and when it was used last; none where nothing was
/// noted.
pub(crate) fn read(path: &Path) -> Option<(Vec<u8>, SystemTime)> {
    if !is_noted(path) {
        return None;
    }
    let file = File::open(path).ok()?;
    let last = file.metadata().ok()?.modified().ok()?;
    let mut root = Vec::new();
    file.take(LONGEST).read_to_end(&mut root).ok()?;
    Some((root, last))
}

/// Keeps others from noting a use; none where somebody has the index open.
pub(crate) fn lock(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Whether a use was noted: there is a file, and not a link to one elsewhere.
pub(crate) fn is_noted(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_file())
}

/// Another process may create it at the same time, with the same contents.
fn create(path: &Path, root: &[u8]) {
    let created = OpenOptions::new().write(true).create_new(true).open(path);
    if let Ok(mut file) = created {
        let _ = file.write_all(root);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_noted_once_an_hour_and_locks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("used");
        assert_eq!(read(&path), None);
        assert!(!is_noted(&path), "nobody used it");
        let first = note(&path, b"/home/you/ferry").unwrap();
        assert_eq!(read(&path).unwrap().0, b"/home/you/ferry");
        assert!(lock(&path).is_none(), "it is used");
        drop(first);
        for (hours, is_noted) in [(0, false), (2, true)] {
            let before = SystemTime::now() - Duration::from_secs(hours * 3600 + 60);
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(before).unwrap();
            drop(file);
            drop(note(&path, b"other"));
            let (root, last) = read(&path).unwrap();
            assert_eq!(
                (root.as_slice(), last > before),
                (&b"/home/you/ferry"[..], is_noted)
            );
        }
        assert!(lock(&path).is_some());
    }
}
