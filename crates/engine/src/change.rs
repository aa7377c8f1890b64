//! What changed between the table of files and the folder.

use crate::os;
use crate::walk::{Entry, modified};
use scent_index::{FileRecord, FileTable, State};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// The difference between a table and the entries of the folder.
#[derive(Debug, Default)]
pub(crate) struct Changes<'t> {
    /// Records that hold as they are.
    pub kept: Vec<&'t FileRecord>,
    /// New or changed files, with the record that was known.
    pub dirty: Vec<(&'t Entry, Option<&'t FileRecord>)>,
    /// Records of removed files.
    pub removed: Vec<&'t FileRecord>,
}

impl<'t> Changes<'t> {
    /// Everything is new, and every known record is removed.
    pub fn all(table: &'t FileTable, entries: &'t [Entry]) -> Changes<'t> {
        let dirty = entries.iter().map(|entry| (entry, None)).collect();
        Changes {
            kept: Vec::new(),
            dirty,
            removed: table.files.iter().collect(),
        }
    }
}

/// Compares by path, size and time. Both lists are in order of the paths.
pub(crate) fn changes<'t>(table: &'t FileTable, entries: &'t [Entry]) -> Changes<'t> {
    let mut changes = Changes::default();
    let mut known = table.files.iter().peekable();
    for entry in entries {
        while known
            .peek()
            .is_some_and(|k| k.path.as_str().cmp(&entry.path) == Ordering::Less)
        {
            changes.removed.extend(known.next());
        }
        match known.next_if(|k| k.path == entry.path) {
            Some(record) if is_same(record, entry) => changes.kept.push(record),
            before => changes.dirty.push((entry, before)),
        }
    }
    changes.removed.extend(known);
    changes
}

/// Whether one of some paths is not what a table has of it: another size or
/// time, new, or removed. A folder may hold anything new.
pub(crate) fn is_dirty(root: &Path, table: &FileTable, paths: &[PathBuf]) -> bool {
    paths.iter().any(|path| {
        let full = root.join(path);
        let relative = full.strip_prefix(root).unwrap_or(path);
        let record = table.find(&os::portable(relative).0);
        match (record, full.symlink_metadata()) {
            (None, Err(_)) => false,
            (Some(record), Ok(now)) => {
                let is_same = record.size == now.len() && record.modified == modified(&now);
                !is_same || record.racy
            }
            _ => true,
        }
    })
}

fn is_same(record: &FileRecord, entry: &Entry) -> bool {
    let same_skip = match (&record.state, &entry.skip) {
        (State::Skipped(before), Some(now)) => before == now,
        (State::Indexed { .. }, Some(_)) => false,
        (_, None) => record.included == entry.included,
    };
    same_skip && record.size == entry.size && record.modified == entry.modified && !record.racy
}
