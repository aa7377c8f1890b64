//! How a generation becomes the current one, whatever is new in it.
//!
//! The order is what makes it safe to be killed at any moment: new stores and
//! the new table of files are complete on disk before the metadata of tantivy,
//! which names their generation, is replaced. What a killed writer leaves
//! behind is not referred to, and the next one removes it.

use crate::error::Result;
use crate::files::FileTable;
use crate::seal::{self, Noted};
use crate::snapshot::{self, table_path};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use tantivy::{Index, IndexWriter};

/// How the names of our own files begin.
const OWN: [&str; 6] = ["files-", "seal-", "sketch-", "facts-", "pending-", "vectors-"];

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
