//! The folder of an index: which files in it are ours, and how the text index
//! reads its own.

use crate::error::{IndexError, Result};
use crate::files::FileTable;
use crate::layout::{self, MANAGED, MANIFEST, is_store, store_number};
use crate::schema;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tantivy::Index;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::index::{IndexMeta, SegmentComponent, SegmentMeta};

/// Opens the text index in a folder.
pub(crate) fn open_text_index(folder: &Path) -> Result<Index> {
    let index = Index::open(Files::of(folder)?)?;
    schema::register(&index);
    Ok(index)
}

/// Makes a text index in a folder that holds none.
pub(crate) fn create_text_index(folder: &Path) -> Result<Index> {
    let index = Index::create(Files::of(folder)?, schema::schema(), schema::settings())?;
    schema::register(&index);
    Ok(index)
}

/// The files of a folder without locks: one writer at a time has ours, and a
/// snapshot notices that a commit came between the files that it opened, and
/// opens them again. So reading needs nothing to be written, and an index in a
/// read-only folder is read as well.
#[derive(Clone, Debug)]
struct Files(MmapDirectory);

impl Files {
    fn of(folder: &Path) -> Result<Files> {
        Ok(Files(
            MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?,
        ))
    }
}

impl Directory for Files {
    fn get_file_handle(
        &self,
        path: &Path,
    ) -> std::result::Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn exists(&self, path: &Path) -> std::result::Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> std::result::Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn delete(&self, path: &Path) -> std::result::Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn open_write(&self, path: &Path) -> std::result::Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.0.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn acquire_lock(&self, _: &Lock) -> std::result::Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }
}

/// The files of the text index that a generation refers to.
pub(crate) fn text_files(metas: &IndexMeta) -> Vec<String> {
    metas.segments.iter().flat_map(files_of_segment).collect()
}

fn files_of_segment(segment: &SegmentMeta) -> Vec<String> {
    use SegmentComponent as Part;
    let parts = [
        Part::Postings,
        Part::Positions,
        Part::FastFields,
        Part::FieldNorms,
        Part::Terms,
        Part::Store,
    ];
    let deletions = segment.delete_opstamp().map(|_| Part::Delete);
    let name = |part: Part| segment.relative_path(part).to_string_lossy().into_owned();
    parts.into_iter().chain(deletions).map(name).collect()
}

/// The highest number of a generation that there are files of in a folder; 0
/// where there are none.
pub fn last_generation(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let tables = names.filter(|name| name.starts_with("files-"));
    // One more than there can be is no number that anybody wrote.
    tables
        .filter_map(|name| store_number(&name))
        .filter(|n| *n < u64::MAX / 2)
        .max()
        .unwrap_or(0)
}

/// Removes what a writer left behind that was killed or that found the disk
/// full, before the next one makes files of the same names. The caller has the
/// lock.
pub(crate) fn sweep_leftovers(folder: &Path, metas: &IndexMeta, generation: u64) {
    let text: HashSet<String> = text_files(metas).into_iter().collect();
    let is_known = |name: &str| match store_number(name) {
        Some(number) => number <= generation,
        None => text.contains(name),
    };
    remove_stores(folder, is_known);
}

/// Removes what no generation refers to any more. The caller has the lock. The
/// stores of the generation before are kept, since a reader may just be opening
/// them.
pub(crate) fn sweep(folder: &Path, metas: &IndexMeta, table: &FileTable) {
    let before = table.generation.checked_sub(1);
    let before = before.and_then(|number| FileTable::read(folder, number).ok());
    let mut keep: HashSet<String> = before.iter().chain([table]).flat_map(names_of).collect();
    keep.extend(text_files(metas));
    remove_stores(folder, |name| keep.contains(name));
}

/// Removes files of an index that are not to be kept. One that cannot be removed
/// is tried again the next time.
fn remove_stores(folder: &Path, keep: impl Fn(&str) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_store(&name) && !keep(&name) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes every file of an index but for the locks: were those removed, one
/// who waits for a lock and one who makes it again could both have it. The
/// metadata goes first, so that a reader sees a whole index or none. What is
/// not ours stays.
pub(crate) fn remove_index(folder: &Path) -> Result<()> {
    remove(&folder.join(MANIFEST))?;
    for entry in fs::read_dir(folder)
        .map_err(IndexError::io(folder))?
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_store(&name) || name == MANAGED {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file. A folder in the place of one is nothing of ours: it is moved
/// out of the way where there is something in it.
fn remove(path: &Path) -> Result<()> {
    let Ok(data) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let removed = match data.is_dir() {
        true => fs::remove_dir(path).or_else(|_| set_aside(path)),
        false => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(IndexError::io(path)(error)),
        _ => Ok(()),
    }
}

pub(crate) fn set_aside(path: &Path) -> io::Result<()> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut free = (0..100).map(|nth| path.with_file_name(format!("set-aside-{nth}-{name}")));
    let free = free
        .find(|aside| !aside.exists())
        .ok_or(io::ErrorKind::DirectoryNotEmpty)?;
    fs::rename(path, free)
}

/// The names of a generation's files, but for those of the text index.
fn names_of(table: &FileTable) -> Vec<String> {
    let mut names = table.store_names();
    names.push(layout::table(table.generation));
    names.push(layout::stamp(table.generation));
    names
}

/// The number of the generation that the text index is of.
pub(crate) fn generation(metas: &IndexMeta) -> Result<u64> {
    let payload = metas.payload.as_ref();
    let number = payload.and_then(|payload| payload.parse().ok());
    number.ok_or(IndexError::Missing)
}
