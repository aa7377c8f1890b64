//! How a generation becomes the current one, whatever is new in it.
//!
//! The order is what makes it safe to be killed at any moment: new stores and
//! the new table of files are complete on disk before the metadata of tantivy,
//! which names their generation, is replaced. What a killed writer leaves
//! behind is not referred to, and the next one removes it.

use crate::directory::{self, generation};
use crate::error::{IndexError, Result};
use crate::files::FileTable;
use crate::lock::Lock;
use crate::snapshot::Snapshot;
use crate::storage::SharedStorage;
use crate::verified::{CachedStats, VerifiedStamp};
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter};

/// The text index has nothing to gather where its texts stay as they are; this
/// is the least it takes.
const MEMORY: usize = 15_000_000;

/// Makes the generation of a table, whose stores are on disk, the current one.
pub(crate) fn publish(
    index: &Index,
    writer: &mut IndexWriter,
    storage: &SharedStorage,
    table: &mut FileTable,
) -> Result<()> {
    table.note_sums(storage)?;
    table.write(storage)?;
    let mut prepared = writer.prepare_commit()?;
    prepared.set_payload(&table.generation.to_string());
    prepared.commit()?;
    stamp(index, storage, table, CachedStats::default())
}

/// Notes that the files of the current generation are as they were written.
pub(crate) fn stamp(
    index: &Index,
    storage: &SharedStorage,
    table: &FileTable,
    stats: CachedStats,
) -> Result<()> {
    VerifiedStamp::of(storage, &index.load_metas()?, table).write(stats);
    Ok(())
}

/// The next generation of an index in which no text changes, while it is being
/// made.
pub(crate) struct Next {
    pub storage: SharedStorage,
    pub table: FileTable,
    index: Index,
    text: IndexWriter,
    /// What holds for the text index still does.
    stats: CachedStats,
    _lock: Lock,
}

impl Next {
    /// Begins the generation after that of a snapshot, which must be the
    /// current one.
    pub fn begin(lock: Lock, base: &Snapshot) -> Result<Next> {
        let index = directory::open_text_index(base.storage())?;
        let mut table = base.table().clone();
        let metas = index.load_metas()?;
        if generation(&metas)? != table.generation {
            return Err(IndexError::Busy);
        }
        directory::sweep_leftovers(base.storage(), &metas, table.generation);
        table.generation += 1;
        let text = index.writer_with_num_threads(1, MEMORY)?;
        text.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Next {
            storage: base.storage().clone(),
            table,
            index,
            text,
            stats: base.stats(),
            _lock: lock,
        })
    }

    /// Makes it the current one.
    pub fn commit(mut self) -> Result<u64> {
        publish(&self.index, &mut self.text, &self.storage, &mut self.table)?;
        self.text.wait_merging_threads()?;
        directory::sweep(&self.storage, &self.index.load_metas()?, &self.table);
        stamp(&self.index, &self.storage, &self.table, self.stats)?;
        Ok(self.table.generation)
    }
}
