//! Where the programs of a project begin.

use super::files::{RankedFile, Tier};
use crate::signals::entry_names;
use scent_index::{Result, Snapshot};
use scent_types::{Entry, Kind};
use std::collections::HashMap;

/// At most so many are listed.
const MOST: usize = 6;

/// The functions of the product that run first, those near the top before.
pub fn entries(snapshot: &Snapshot, files: &[RankedFile]) -> Result<Vec<Entry>> {
    let mut paths = HashMap::new();
    for file in files.iter().filter(|file| file.tier == Tier::Product) {
        paths.extend(file.record.id().map(|id| (id, file.record.path.as_str())));
    }
    let text = snapshot.text();
    let mut found = Vec::new();
    for name in entry_names() {
        text.named(name, |unit| {
            let (file, line) = text.place(unit);
            if let Some(path) = paths.get(&file)
                && text.kind(unit) == Kind::Function
            {
                found.push((path.matches('/').count(), *path, line, name));
            }
        })?;
    }
    found.sort_unstable();
    found.dedup_by_key(|(_, path, ..)| *path);
    found.truncate(MOST);
    let mut entries = Vec::new();
    for (_, path, line, name) in found {
        entries.push(Entry {
            path: path.to_owned(),
            line,
            name: name.clone(),
        });
    }
    Ok(entries)
}
