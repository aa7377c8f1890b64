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
    /// Files to look into.
    pub dirty: Vec<Dirty<'t>>,
    /// Records of removed files.
    pub removed: Vec<&'t FileRecord>,
}

/// A file that is new, changed, or was indexed by other rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dirty<'t> {
    pub entry: &'t Entry,
    /// What was known of it.
    pub known: Option<&'t FileRecord>,
    /// Whether it was indexed by the rules that hold now.
    pub is_current: bool,
}

impl<'t> Dirty<'t> {
    /// What was known of it, if that holds for the same contents.
    pub fn reusable(&self) -> Option<&'t FileRecord> {
        self.known.filter(|_| self.is_current)
    }
}

/// Compares by path, size and time. Both lists are in order of the paths. From
/// scratch, no record holds.
pub(crate) fn changes<'t>(
    table: &'t FileTable,
    entries: &'t [Entry],
    from_scratch: bool,
) -> Changes<'t> {
    let mut changes = Changes::default();
    let mut records = table.files.iter().peekable();
    for entry in entries {
        while records
            .peek()
            .is_some_and(|k| k.path.as_str().cmp(&entry.path) == Ordering::Less)
        {
            changes.removed.extend(records.next());
        }
        let known = records.next_if(|record| record.path == entry.path);
        let is_current = !from_scratch && known.is_none_or(|record| table.is_current(record));
        match known {
            Some(record) if is_current && is_same(record, entry) => changes.kept.push(record),
            _ => changes.dirty.push(Dirty {
                entry,
                known,
                is_current,
            }),
        }
    }
    changes.removed.extend(records);
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
