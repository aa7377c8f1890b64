//! Whether the files of an index are as they were when they were last checked.
//!
//! Reading every byte at every start would be slow, so the names, lengths and
//! times of the files are hashed into a small file after each check. Where
//! they differ, all checksums are verified once more.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

const NAME: &str = "seal";

/// Whether nothing was touched since [`write`].
pub(crate) fn holds(folder: &Path) -> bool {
    let kept = fs::read(folder.join(NAME)).ok();
    kept.is_some_and(|kept| kept == digest(folder).to_le_bytes())
}

/// Notes the present state as checked. Failing to is no harm: the next reader
/// checks again.
pub(crate) fn write(folder: &Path) {
    let _ = fs::write(folder.join(NAME), digest(folder).to_le_bytes());
}

fn digest(folder: &Path) -> u64 {
    let mut entries: Vec<String> =
        fs::read_dir(folder).into_iter().flatten().flatten().filter_map(describe).collect();
    entries.sort();
    xxh3_64(entries.join("\n").as_bytes())
}

fn describe(entry: fs::DirEntry) -> Option<String> {
    let name = entry.file_name().to_string_lossy().into_owned();
    let not_data = [NAME, "lock", "holder"].contains(&name.as_str()) || name.starts_with('.');
    let data = entry.metadata().ok().filter(|_| !not_data)?;
    let modified = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    Some(format!("{name} {} {modified}", data.len()))
}
