//! How a generation becomes the current one, whatever is new in it.
//!
//! The order is what makes it safe to be killed at any moment: new stores and
//! the new table of files are complete on disk before the metadata of tantivy,
//! which names their generation, is replaced. What a killed writer leaves
//! behind is not referred to, and the next one removes it.

use crate::error::{IndexError, Result};
use crate::files::FileTable;
use crate::lock::Lock;
use crate::schema;
use crate::seal::{self, Noted};
use crate::snapshot::{self, Snapshot, table_path};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter};

/// The text index has nothing to gather where its texts stay as they are; this
/// is the least it takes.
const MEMORY: usize = 15_000_000;

/// How the names of our own files begin.
const OWN: [&str; 7] = ["files-", "seal-", "sketch-", "facts-", "pending-", "vectors-", "ranks-"];

/// Makes the generation of a table, whose stores are on disk, the current one.
pub(crate) fn publish(
    index: &Index,
    writer: &mut IndexWriter,
    folder: &Path,
    table: &FileTable,
) -> Result<()> {
    table.write(&table_path(folder, table.generation))?;
    let mut prepared = writer.prepare_commit()?;
    prepared.set_payload(&table.generation.to_string());
    prepared.commit()?;
    snapshot::seal(index, folder, table, Noted::default())
}

/// The next generation of an index in which no text changes, while it is being
/// made.
pub(crate) struct Next {
    pub folder: PathBuf,
    pub table: FileTable,
    index: Index,
    text: IndexWriter,
    /// What holds for the text index still does.
    noted: Noted,
    _lock: Lock,
}

impl Next {
    /// Begins the generation after that of a snapshot, which must be the
    /// current one.
    pub fn begin(lock: Lock, base: &Snapshot) -> Result<Next> {
        let index = Index::open_in_dir(base.folder())?;
        schema::register(&index);
        let mut table = base.table().clone();
        if snapshot::generation(&index.load_metas()?)? != table.generation {
            return Err(IndexError::Busy);
        }
        table.generation += 1;
        let text = index.writer_with_num_threads(1, MEMORY)?;
        text.set_merge_policy(Box::new(NoMergePolicy));
        let (folder, noted) = (base.folder().to_owned(), base.noted());
        Ok(Next { folder, table, index, text, noted, _lock: lock })
    }

    /// Makes it the current one.
    pub fn commit(mut self) -> Result<u64> {
        publish(&self.index, &mut self.text, &self.folder, &self.table)?;
        self.text.wait_merging_threads()?;
        remove_old_stores(&self.folder, &self.table);
        snapshot::seal(&self.index, &self.folder, &self.table, self.noted)?;
        Ok(self.table.generation)
    }
}

/// Removes tables and stores that neither this generation nor the one before
/// it uses: a reader may just be opening the latter.
pub(crate) fn remove_old_stores(folder: &Path, table: &FileTable) {
    let before = FileTable::read(&table_path(folder, table.generation - 1)).ok();
    let keep: HashSet<String> = before.iter().chain([table]).flat_map(names_of).collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ours = OWN.iter().any(|own| name.starts_with(own));
        if ours && !keep.contains(&name) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The names of a generation's files, but for those of the text index.
fn names_of(table: &FileTable) -> Vec<String> {
    let mut names = table.store_names();
    names.push(format!("files-{}", table.generation));
    names.push(seal::file_name(table.generation));
    names
}
