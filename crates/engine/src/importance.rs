//! How important files and symbols are: when that is worked out, and from what.

use scent_graph::importance;
use scent_index::{FileRank, Result, Snapshot, Staged};
use scent_syntax::import_rules;

/// So many bytes of facts are gone through in a few tens of milliseconds.
const QUICK: u64 = 1 << 20;

/// To resolve what a file uses takes less time than to parse it and to write
/// it: for what is new, so many times as much is no burden.
const TIMES: u64 = 2;

/// The importance of the files of a generation that is about to be committed;
/// none where that costs much beside the commit, and is left for later.
pub(crate) fn of_staged(staged: &Staged) -> Result<Option<Vec<FileRank>>> {
    let table = staged.table();
    if table.fact_bytes() > QUICK + TIMES * staged.new_facts() {
        return Ok(None);
    }
    importance(table, &staged.facts()?, import_rules).map(Some)
}

/// The importance of the files of a snapshot.
pub(crate) fn of_snapshot(snapshot: &Snapshot) -> Result<Vec<FileRank>> {
    importance(snapshot.table(), snapshot.facts(), import_rules)
}
