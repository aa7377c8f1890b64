//! Many small pieces of bytes, each belonging to one file, one after the other
//! in a store: trigram filters in `sketch-N`, facts in `facts-N`.

use crate::error::{IndexError, Result};
use crate::storage::SharedStorage;
use crate::store::{self, StoreWriter};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// From this many stores on, they are joined.
const MANY: usize = 16;

/// Which sort of blobs a store holds: how its name begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sort(&'static str);

/// The trigram filter of a file.
pub(crate) const TRIGRAMS: Sort = Sort("sketch");

/// What a file defines, uses and imports.
pub(crate) const FACTS: Sort = Sort("facts");

impl Sort {
    pub fn file_name(self, number: u64) -> String {
        format!("{}-{number}", self.0)
    }
}

/// Where a blob lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlobPlace {
    /// The number of the store.
    pub file: u64,
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub bytes: u32,
}

/// Writes one store of blobs.
pub(crate) struct BlobWriter {
    sort: Sort,
    number: u64,
    store: StoreWriter,
}

impl BlobWriter {
    pub fn new(storage: &SharedStorage, sort: Sort, number: u64) -> BlobWriter {
        BlobWriter {
            sort,
            number,
            store: StoreWriter::new(storage, sort.file_name(number)),
        }
    }

    pub fn append(&mut self, blob: &[u8]) -> Result<BlobPlace> {
        let offset = self.store.length();
        self.store.append(blob)?;
        Ok(BlobPlace {
            file: self.number,
            offset,
            bytes: blob.len() as u32,
        })
    }

    /// How many bytes there are so far.
    pub fn length(&self) -> u64 {
        self.store.length()
    }

    /// Copies all blobs to here when they lie in too many stores.
    pub fn join(&mut self, storage: &SharedStorage, mut places: Vec<&mut BlobPlace>) -> Result<()> {
        let stores: HashSet<u64> = places.iter().map(|place| place.file).collect();
        if stores.len() < MANY {
            return Ok(());
        }
        self.store.flush()?;
        let reader = BlobReader::open(storage, self.sort, places.iter().map(|place| **place))?;
        let Sort(sort) = self.sort;
        let cut_off = || IndexError::Damaged(format!("a blob of {sort} is cut off"));
        places.retain(|place| place.file != self.number);
        for place in places {
            *place = self.append(reader.get(*place).ok_or_else(cut_off)?)?;
        }
        Ok(())
    }

    pub fn finish(&mut self) -> Result<()> {
        self.store.finish()
    }
}

/// The stores of blobs of a snapshot, mapped.
#[derive(Debug, Default)]
pub(crate) struct BlobReader {
    files: HashMap<u64, Mmap>,
}

impl BlobReader {
    pub fn open(
        storage: &SharedStorage,
        sort: Sort,
        places: impl Iterator<Item = BlobPlace>,
    ) -> Result<BlobReader> {
        let mut files = HashMap::new();
        for place in places {
            if let Entry::Vacant(entry) = files.entry(place.file) {
                entry.insert(store::map(storage, &sort.file_name(place.file))?);
            }
        }
        Ok(BlobReader { files })
    }

    /// The bytes of a blob; none where the store is too short.
    pub fn get(&self, place: BlobPlace) -> Option<&[u8]> {
        let start = place.offset as usize;
        let end = start.checked_add(place.bytes as usize)?;
        self.files.get(&place.file)?.get(start..end)
    }
}
