//! Files of our own that are written once: trigram filters, texts that wait for
//! vectors, vectors.
//!
//! Each ends with 8 bytes of xxh3 over all that is before them. It is complete
//! and synced before anything refers to it, and from then on it is only read
//! and, when nothing refers to it any more, removed.

use crate::error::{IndexError, Result};
use crate::storage::SharedStorage;
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Writes one file. It is created with the first byte, so that a commit
/// without any leaves none.
pub(crate) struct StoreWriter {
    storage: SharedStorage,
    name: String,
    file: Option<BufWriter<File>>,
    length: u64,
    checksum: Xxh3,
}

impl StoreWriter {
    pub fn new(storage: &SharedStorage, name: String) -> StoreWriter {
        StoreWriter {
            storage: storage.clone(),
            name,
            file: None,
            length: 0,
            checksum: Xxh3::new(),
        }
    }

    /// How many bytes there are so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.checksum.update(bytes);
        self.length += bytes.len() as u64;
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.file.is_none() {
            let created = self.storage.create(&self.name);
            let file = created.map_err(|error| self.failed(error))?;
            self.file = Some(BufWriter::with_capacity(1 << 18, file));
        }
        let file = self.file.as_mut().expect("opened above");
        let written = file.write_all(bytes);
        written.map_err(|error| self.failed(error))
    }

    /// Puts what was appended where a reader can map it.
    pub fn flush(&mut self) -> Result<()> {
        let flushed = self.file.as_mut().map_or(Ok(()), |file| file.flush());
        flushed.map_err(|error| self.failed(error))
    }

    /// Ends the file with its checksum and waits until it is on disk.
    pub fn finish(&mut self) -> Result<()> {
        if self.length == 0 {
            return Ok(());
        }
        self.write(&self.checksum.digest().to_le_bytes())?;
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let file = file.into_inner().map_err(|e| self.failed(e.into_error()))?;
        file.sync_all().map_err(|error| self.failed(error))
    }

    fn failed(&self, error: std::io::Error) -> IndexError {
        IndexError::io(self.storage.path(&self.name))(error)
    }
}

/// What a file that is not as it was written is called.
pub(crate) fn damaged(path: &Path, why: impl std::fmt::Display) -> IndexError {
    IndexError::Damaged(format!("{}: {why}", path.display()))
}

/// The length of a store, and its checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreSum {
    length: u64,
    checksum: u64,
}

/// What stands at the end of a store.
pub(crate) fn sum_of(storage: &SharedStorage, name: &str) -> Result<StoreSum> {
    let read = || {
        let mut file = storage.open(name)?;
        let length = file.seek(SeekFrom::End(-8))? + 8;
        let mut sum = [0; 8];
        file.read_exact(&mut sum)?;
        Ok(StoreSum {
            length,
            checksum: u64::from_le_bytes(sum),
        })
    };
    read().map_err(IndexError::io(storage.path(name)))
}

/// Verifies the checksum of a file, and that it is the expected one.
pub(crate) fn verify(
    storage: &SharedStorage,
    name: &str,
    expected: Option<&StoreSum>,
) -> Result<()> {
    let found = verified(storage, name)?;
    match expected {
        Some(expected) if *expected != found => {
            Err(damaged(&storage.path(name), "another file is in its place"))
        }
        _ => Ok(()),
    }
}

fn verified(storage: &SharedStorage, name: &str) -> Result<StoreSum> {
    let path = &storage.path(name);
    let gone = |error: std::io::Error| IndexError::unread(path, error);
    let mut file = storage.open(name).map_err(gone)?;
    let length = file.metadata().map_err(gone)?.len();
    let wrong = || damaged(path, "the checksum does not fit");
    let mut left = length.checked_sub(8).ok_or_else(wrong)?;
    let mut digest = Xxh3::new();
    let mut buffer = vec![0; 1 << 20];
    while left > 0 {
        let step = left.min(buffer.len() as u64) as usize;
        file.read_exact(&mut buffer[..step]).map_err(gone)?;
        digest.update(&buffer[..step]);
        left -= step as u64;
    }
    let mut sum = [0; 8];
    file.read_exact(&mut sum).map_err(gone)?;
    let checksum = u64::from_le_bytes(sum);
    if digest.digest() == checksum {
        Ok(StoreSum { length, checksum })
    } else {
        Err(wrong())
    }
}

/// Maps a file into memory. One that is not there is damage.
pub(crate) fn map(storage: &SharedStorage, name: &str) -> Result<Mmap> {
    let mapped = storage.open(name).and_then(|file| map_file(&file));
    mapped.map_err(|error| IndexError::unread(&storage.path(name), error))
}

/// Reads a file that is small.
pub(crate) fn read(storage: &SharedStorage, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = storage.open(name);
    let read = opened.and_then(|mut file| file.read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(IndexError::unread(&storage.path(name), error)),
    }
}

// The one mapping of our own; tantivy makes the others.
#[allow(unsafe_code)]
fn map_file(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: these files are written once, before anything refers to them,
    // and are never changed afterwards, only unlinked.
    unsafe { Mmap::map(file) }
}

/// A number of 4 bytes out of many.
pub(crate) fn u32_at(bytes: &[u8], nth: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, nth))
}

/// A number of 8 bytes out of many.
pub(crate) fn u64_at(bytes: &[u8], nth: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, nth))
}

/// The `nth` piece of `N` bytes.
pub(crate) fn array_at<const N: usize>(bytes: &[u8], nth: usize) -> [u8; N] {
    bytes.as_chunks::<N>().0[nth]
}

/// Which of these stores, given by their sizes, to copy into a new one: none
/// while there are fewer than `many`, then all but the `few` largest. So what
/// is large is seldom copied.
pub(crate) fn to_join(sizes: &[u64], many: usize, few: usize) -> Vec<usize> {
    if sizes.len() < many {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&nth| sizes[nth]);
    order.truncate(sizes.len() - few);
    order.sort_unstable();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::Local;

    #[test]
    fn a_file_that_was_touched_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let storage = Local::shared(folder.path());
        let mut writer = StoreWriter::new(&storage, "store".into());
        writer.append(b"one ").unwrap();
        writer.append(b"two").unwrap();
        assert_eq!(writer.length(), 7);
        writer.finish().unwrap();
        verify(&storage, "store", None).unwrap();
        let sum = sum_of(&storage, "store").unwrap();
        verify(&storage, "store", Some(&sum)).unwrap();
        let other = StoreSum {
            length: sum.length,
            checksum: sum.checksum ^ 1,
        };
        assert!(
            verify(&storage, "store", Some(&other))
                .unwrap_err()
                .wants_rebuild(),
            "another file"
        );
        let whole = std::fs::read(&path).unwrap();
        for nth in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[nth] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            assert!(
                verify(&storage, "store", None).unwrap_err().wants_rebuild(),
                "byte {nth}"
            );
            std::fs::write(&path, &whole[..nth]).unwrap();
            assert!(
                verify(&storage, "store", None).unwrap_err().wants_rebuild(),
                "{nth} bytes"
            );
        }
        std::fs::remove_file(&path).unwrap();
        assert!(verify(&storage, "store", None).unwrap_err().wants_rebuild());
        assert!(map(&storage, "store").unwrap_err().wants_rebuild());
    }

    #[test]
    fn nothing_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Local::shared(folder.path());
        StoreWriter::new(&storage, "store".into()).finish().unwrap();
        assert!(storage.names().is_empty());
    }

    #[test]
    fn the_smallest_are_joined_when_there_are_many() {
        assert_eq!(to_join(&[5, 1, 9], 4, 2), [0; 0]);
        assert_eq!(to_join(&[5, 1, 9, 2], 4, 2), [1, 3]);
        assert_eq!(to_join(&[5, 5, 5, 5, 5], 4, 1), [0, 1, 2, 3]);
    }
}
