//! A commit of importance alone: numbers in, a new generation out.

use crate::commit::Next;
use crate::error::Result;
use crate::files::FileRecord;
use crate::lock::Lock;
use crate::ranks::{FileRank, store_ranks};
use crate::snapshot::Snapshot;

/// How important the files of a snapshot are, before that is committed. No lock
/// is needed until then.
pub struct RankCommit {
    files: Vec<u32>,
    ranks: Vec<FileRank>,
}

impl RankCommit {
    /// The ranks of the files of a snapshot.
    pub fn new(snapshot: &Snapshot, ranks: Vec<FileRank>) -> RankCommit {
        let files = ids(snapshot);
        RankCommit { files, ranks }
    }

    /// Makes a generation with them after that of a snapshot, which must be the
    /// current one; none where the files have changed meanwhile.
    pub fn commit(self, lock: Lock, now: &Snapshot) -> Result<Option<u64>> {
        if self.files != ids(now) {
            return Ok(None);
        }
        let mut next = Next::begin(lock, now)?;
        store_ranks(&next.storage, &mut next.table, self.ranks)?;
        next.commit().map(Some)
    }
}

/// The files of a snapshot. An id is never used twice.
fn ids(snapshot: &Snapshot) -> Vec<u32> {
    snapshot
        .table()
        .files
        .iter()
        .filter_map(FileRecord::id)
        .collect()
}
