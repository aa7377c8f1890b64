//! How the text index reads and writes its files, and which files of a storage
//! a generation refers to.

use crate::error::{IndexError, Result};
use crate::files::FileTable;
use crate::layout::{self, MANIFEST, store_number};
use crate::schema;
use crate::storage::SharedStorage;
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tantivy::Index;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::index::{IndexMeta, SegmentComponent, SegmentMeta};

/// Opens the text index of a storage.
pub(crate) fn open_text_index(storage: &SharedStorage) -> Result<Index> {
    let index = Index::open(Files::of(storage)?)?;
    schema::register(&index);
    Ok(index)
}

/// Makes a text index in a storage that holds none.
pub(crate) fn create_text_index(storage: &SharedStorage) -> Result<Index> {
    let index = Index::create(Files::of(storage)?, schema::schema(), schema::settings())?;
    schema::register(&index);
    Ok(index)
}

/// The files of a storage without locks: one writer at a time has ours, and a
/// snapshot notices that a commit came between the files that it opened, and
/// opens them again. So reading needs nothing to be written, and an index in a
/// read-only folder is read as well.
///
/// The metadata of the text index is the manifest: replacing it publishes a
/// generation.
#[derive(Clone, Debug)]
struct Files {
    storage: SharedStorage,
    files: MmapDirectory,
    /// The manifest that was read or published last.
    base: Arc<Mutex<Option<Vec<u8>>>>,
}

impl Files {
    fn of(storage: &SharedStorage) -> Result<Files> {
        let files = MmapDirectory::open(storage.directory());
        Ok(Files {
            storage: storage.clone(),
            files: files.map_err(tantivy::TantivyError::from)?,
            base: Arc::default(),
        })
    }

    fn remember(&self, manifest: &[u8]) {
        let mut base = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        *base = Some(manifest.to_vec());
    }
}

impl Directory for Files {
    fn get_file_handle(
        &self,
        path: &Path,
    ) -> std::result::Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn exists(&self, path: &Path) -> std::result::Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> std::result::Result<Vec<u8>, OpenReadError> {
        let bytes = self.files.atomic_read(path)?;
        if path == Path::new(MANIFEST) {
            self.remember(&bytes);
        }
        Ok(bytes)
    }

    fn delete(&self, path: &Path) -> std::result::Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn open_write(&self, path: &Path) -> std::result::Result<WritePtr, OpenWriteError> {
        self.files.open_write(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        if path != Path::new(MANIFEST) {
            return self.files.atomic_write(path, data);
        }
        let mut base = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        self.storage.publish(base.as_deref(), data)?;
        *base = Some(data.to_vec());
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, _: &Lock) -> std::result::Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
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

/// The highest number of a generation that there are files of; 0 where there
/// are none.
pub fn last_generation(storage: &SharedStorage) -> u64 {
    let mut last = 0;
    for name in storage.names() {
        match store_number(&name) {
            // One more than there can be is no number that anybody wrote.
            Some(number) if number < u64::MAX / 2 && name == layout::table(number) => {
                last = last.max(number);
            }
            _ => {}
        }
    }
    last
}

/// The folder that an index is of; none where it cannot be read.
pub fn root_of(storage: &SharedStorage) -> Option<String> {
    let generation = last_generation(storage);
    let table = FileTable::read(storage, generation);
    table.ok().map(|table| table.root)
}

/// Removes what a writer left behind that was killed or that found the disk
/// full, before the next one makes files of the same names. The caller has the
/// lock.
pub(crate) fn sweep_leftovers(storage: &SharedStorage, metas: &IndexMeta, generation: u64) {
    let text: HashSet<String> = text_files(metas).into_iter().collect();
    storage.sweep(&|name| match store_number(name) {
        Some(number) => number <= generation,
        None => text.contains(name),
    });
}

/// Removes what no generation refers to any more. The caller has the lock. The
/// stores of the generation before are kept, since a reader may just be opening
/// them.
pub(crate) fn sweep(storage: &SharedStorage, metas: &IndexMeta, table: &FileTable) {
    let mut keep: HashSet<String> = text_files(metas).into_iter().collect();
    keep.extend(names_of(table));
    if let Some(before) = table.generation.checked_sub(1)
        && let Ok(before) = FileTable::read(storage, before)
    {
        keep.extend(names_of(&before));
    }
    storage.sweep(&|name| keep.contains(name));
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
