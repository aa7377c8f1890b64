//! What changed between the table of files and the folder.

use crate::os;
use crate::walk::{Seen, modified};
use scent_index::{FileRecord, FileTable, State};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// The difference between a table and what was seen.
#[derive(Debug, Default)]
pub(crate) struct Changes<'t> {
    /// Records that hold as they are.
    pub kept: Vec<&'t FileRecord>,
    /// Files to look into, with what was known of them.
    pub look: Vec<(&'t Seen, Option<&'t FileRecord>)>,
    /// Records of what is gone.
    pub gone: Vec<&'t FileRecord>,
}

impl<'t> Changes<'t> {
    /// Everything is new, and whatever was known is gone.
    pub fn all(table: &'t FileTable, seen: &'t [Seen]) -> Changes<'t> {
        let look = seen.iter().map(|seen| (seen, None)).collect();
        Changes {
            kept: Vec::new(),
            look,
            gone: table.files.iter().collect(),
        }
    }
}

/// Compares by path, size and time. Both lists are in order of the paths.
pub(crate) fn changes<'t>(table: &'t FileTable, seen: &'t [Seen]) -> Changes<'t> {
    let mut changes = Changes::default();
    let mut known = table.files.iter().peekable();
    for seen in seen {
        while known
            .peek()
            .is_some_and(|k| k.path.as_str().cmp(&seen.path) == Ordering::Less)
        {
            changes.gone.extend(known.next());
        }
        match known.next_if(|k| k.path == seen.path) {
            Some(record) if is_same(record, seen) => changes.kept.push(record),
            before => changes.look.push((seen, before)),
        }
    }
    changes.gone.extend(known);
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
                !is_same || record.unsettled
            }
            _ => true,
        }
    })
}

fn is_same(record: &FileRecord, seen: &Seen) -> bool {
    let same_skip = match (&record.state, &seen.skip) {
        (State::Skipped(before), Some(now)) => before == now,
        (State::Indexed { .. }, Some(_)) => false,
        (_, None) => record.forced == seen.forced,
    };
    same_skip && record.size == seen.size && record.modified == seen.modified && !record.unsettled
}
