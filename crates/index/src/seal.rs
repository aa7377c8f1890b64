//! Whether the files of a generation are as they were when they were last
//! checked.
//!
//! Reading every byte at every start would be slow, so the names, lengths and
//! times of the files that a generation refers to are hashed into a small file
//! (`seal-N`) after each check. Where they differ, all checksums are verified
//! once more.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// The seal of one generation.
pub(crate) struct Seal {
    path: PathBuf,
    digest: [u8; 8],
}

impl Seal {
    /// What the seal of a generation should be, given the files it refers to.
    pub fn of(folder: &Path, generation: u64, mut files: Vec<String>) -> Seal {
        files.sort();
        let described: Vec<String> = files.iter().map(|name| describe(folder, name)).collect();
        Seal {
            path: folder.join(file_name(generation)),
            digest: xxh3_64(described.join("\n").as_bytes()).to_le_bytes(),
        }
    }

    /// Whether nothing was touched since it was written.
    pub fn holds(&self) -> bool {
        fs::read(&self.path).is_ok_and(|kept| kept == self.digest)
    }

    /// Notes the present state as checked. Failing to is no harm: the next
    /// reader checks again.
    pub fn write(&self) {
        let _ = fs::write(&self.path, self.digest);
    }
}

pub(crate) fn file_name(generation: u64) -> String {
    format!("seal-{generation}")
}

fn describe(folder: &Path, name: &str) -> String {
    let Ok(data) = fs::metadata(folder.join(name)) else { return format!("{name} is absent") };
    let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{name} {} {}", data.len(), modified.map_or(0, |time| time.as_nanos()))
}
