//! Texts that wait for vectors.
//!
//! A text index answers long before a model has read its units, so a commit of
//! texts leaves what is to be read in `pending-N`, and the vectors come with
//! later commits. A file waits for a model while the table of files has it and
//! no segment of that model does: nothing else says how far the work has come,
//! so it can be cut into slices of any size, done in any order and killed at
//! any moment. Texts are kept once for all models, until none waits for them.
//!
//! Format of `pending-N`: 8 bytes magic; blocks of files, each file in
//! postcard (id, words of the path, and for every unit its first line and its
//! words), packed with lz4; the ids of the files in order, 4 bytes each; for
//! every block its offset, the xxh3 of its packed bytes (8 bytes each), its
//! length packed and unpacked, the number of its files and a zero (4 bytes
//! each); the numbers of files and of blocks (4 bytes each); and the checksum
//! of `store`. A block is checked again when it is read, because unpacking
//! damaged bytes is not safe.

use crate::error::Result;
use crate::files::{FileRecord, FileTable, State};
use crate::layout;
use crate::storage::SharedStorage;
use crate::store::{self, StoreWriter, damaged, u32_at, u64_at};
use crate::vectors::Segment;
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"scentpt\x01";

/// Bytes of texts that are packed together.
const BLOCK: usize = 1 << 18;

/// Nothing is packed into less than a part of this many.
const MOST_TIMES: usize = 255;

/// The length of a block's entry at the end of the file.
const ENTRY: usize = 32;

/// From this many stores on, the smaller ones are joined.
const MANY: usize = 8;

/// So many of the largest are left as they are.
const FEW: usize = 3;

/// A file whose units wait for vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingFile {
    /// Its id.
    pub id: u32,
    /// The words of its path.
    pub path_words: String,
    /// Its units, in the order in which they were added.
    pub units: Vec<PendingUnit>,
}

/// A unit that waits for its vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingUnit {
    /// Its first line.
    pub line: u32,
    /// What a model reads of it.
    pub words: String,
}

/// What of a snapshot waits for vectors of one model.
pub struct Pending<'s> {
    stores: &'s [PendingStore],
    lacking: HashSet<u32>,
    units: u64,
    without_text: u64,
}

impl<'s> Pending<'s> {
    /// What waits of a table of files, where some have vectors.
    pub(crate) fn of(
        table: &FileTable,
        stores: &'s [PendingStore],
        has: impl Fn(u32) -> bool,
    ) -> Pending<'s> {
        let records = || {
            table
                .files
                .iter()
                .filter_map(units_of)
                .filter(|(id, _)| !has(*id))
        };
        let lacking: HashSet<u32> = records().map(|(id, _)| id).collect();
        let with_text = stores
            .iter()
            .flat_map(PendingStore::ids)
            .filter(|id| lacking.contains(id));
        let with_text: HashSet<u32> = with_text.collect();
        let all: u64 = records().map(|(_, units)| units).sum();
        let units = records()
            .filter(|(id, _)| with_text.contains(id))
            .map(|(_, n)| n)
            .sum();
        Pending {
            stores,
            lacking,
            units,
            without_text: all - units,
        }
    }

    /// How many units wait for their vectors.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// How many units have no vectors though their texts are gone: the model
    /// was not wanted when they were indexed, or they were added without
    /// words. Only indexing them again brings their texts back.
    pub fn units_without_text(&self) -> u64 {
        self.without_text
    }

    /// The ids of the files that wait. Those that changed or went since are left
    /// out.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        let ids = self.stores.iter().flat_map(PendingStore::ids);
        ids.filter(|id| self.lacking.contains(id))
    }

    /// The files that wait.
    pub fn files(&self) -> impl Iterator<Item = Result<PendingFile>> {
        self.files_of(&self.lacking)
    }

    /// Those with these ids, of the ids of files that wait.
    pub fn files_of(&self, ids: &HashSet<u32>) -> impl Iterator<Item = Result<PendingFile>> {
        self.stores.iter().flat_map(|store| store.files(ids))
    }
}

/// The id of an indexed file, and how many units it has.
fn units_of(file: &FileRecord) -> Option<(u32, u64)> {
    match file.state {
        State::Indexed { id, units, .. } => Some((id, u64::from(units))),
        State::Skipped(_) => None,
    }
}

/// Writes one store, from several threads.
pub(crate) struct PendingWriter {
    number: u64,
    open: Mutex<OpenBlock>,
    out: Mutex<Out>,
}

/// Files that are not packed yet.
#[derive(Default)]
struct OpenBlock {
    bytes: Vec<u8>,
    ids: Vec<u32>,
}

struct Out {
    store: StoreWriter,
    ids: Vec<u32>,
    entries: Vec<u8>,
}

impl PendingWriter {
    pub fn new(storage: &SharedStorage, number: u64) -> PendingWriter {
        let store = StoreWriter::new(storage, layout::pending(number));
        let out = Out {
            store,
            ids: Vec::new(),
            entries: Vec::new(),
        };
        PendingWriter {
            number,
            open: Mutex::default(),
            out: Mutex::new(out),
        }
    }

    /// Adds a file, unless there is nothing to read in it.
    pub fn append(&self, id: u32, path_words: &str, units: &[(u32, &str)]) -> Result<()> {
        let without_words = path_words.is_empty() && units.iter().all(|(_, w)| w.is_empty());
        if units.is_empty() || without_words {
            return Ok(());
        }
        let file = (id, path_words, units);
        self.push(
            id,
            &postcard::to_stdvec(&file).expect("plain values can be written"),
        )
    }

    /// Packing is done outside the locks, so that nobody waits for it.
    fn push(&self, id: u32, bytes: &[u8]) -> Result<()> {
        let full = {
            let mut open = self.open.lock().expect("no writer panics");
            open.bytes.extend(bytes);
            open.ids.push(id);
            (open.bytes.len() >= BLOCK).then(|| std::mem::take(&mut *open))
        };
        full.map_or(Ok(()), |block| self.write(&block))
    }

    fn write(&self, block: &OpenBlock) -> Result<()> {
        let packed = lz4_flex::block::compress(&block.bytes);
        self.out
            .lock()
            .expect("no writer panics")
            .append(block, &packed)
    }

    /// Completes the file; its number, unless nothing was added.
    pub fn finish(self) -> Result<Option<u64>> {
        let open = std::mem::take(&mut *self.open.lock().expect("no writer panics"));
        if !open.ids.is_empty() {
            self.write(&open)?;
        }
        let mut out = self.out.into_inner().expect("no writer panics");
        if out.ids.is_empty() {
            return Ok(None);
        }
        out.finish()?;
        Ok(Some(self.number))
    }
}

impl Out {
    fn append(&mut self, block: &OpenBlock, packed: &[u8]) -> Result<()> {
        if self.store.length() == 0 {
            self.store.append(&MAGIC)?;
        }
        self.entries.extend(self.store.length().to_le_bytes());
        self.entries.extend(xxh3_64(packed).to_le_bytes());
        let numbers = [packed.len(), block.bytes.len(), block.ids.len(), 0];
        self.entries
            .extend(numbers.iter().flat_map(|&n| (n as u32).to_le_bytes()));
        self.ids.extend(&block.ids);
        self.store.append(packed)
    }

    fn finish(&mut self) -> Result<()> {
        let ids: Vec<u8> = self.ids.iter().flat_map(|id| id.to_le_bytes()).collect();
        let counts = [self.ids.len(), self.entries.len() / ENTRY];
        let counts: Vec<u8> = counts
            .iter()
            .flat_map(|&n| (n as u32).to_le_bytes())
            .collect();
        [ids, std::mem::take(&mut self.entries), counts]
            .iter()
            .try_for_each(|part| self.store.append(part))?;
        self.store.finish()
    }
}

/// One store, mapped.
#[derive(Debug)]
pub(crate) struct PendingStore {
    path: PathBuf,
    map: Mmap,
    /// Where the ids begin.
    ids: usize,
    files: usize,
    blocks: Vec<Block>,
}

/// Where a block lies, and which files are in it.
#[derive(Clone, Copy, Debug)]
struct Block {
    offset: usize,
    checksum: u64,
    packed: usize,
    unpacked: usize,
    first: usize,
    files: usize,
}

impl PendingStore {
    pub fn open(storage: &SharedStorage, number: u64) -> Result<PendingStore> {
        let name = layout::pending(number);
        let path = storage.path(&name);
        let map = store::map(storage, &name)?;
        match read_tail(&map) {
            Some((ids, files, blocks)) => Ok(PendingStore {
                path,
                map,
                ids,
                files,
                blocks,
            }),
            None => Err(damaged(&path, "it has no end")),
        }
    }

    pub fn open_all(storage: &SharedStorage, numbers: &[u64]) -> Result<Vec<PendingStore>> {
        numbers
            .iter()
            .map(|&number| PendingStore::open(storage, number))
            .collect()
    }

    /// The ids of its files, in order.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.ids_of(0, self.files)
    }

    fn ids_of(&self, first: usize, count: usize) -> impl Iterator<Item = u32> {
        let bytes = &self.map[self.ids + 4 * first..][..4 * count];
        bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|id| u32::from_le_bytes(*id))
    }

    /// The files with these ids. Blocks without any are not unpacked.
    pub fn files(&self, wanted: &HashSet<u32>) -> impl Iterator<Item = Result<PendingFile>> {
        self.blocks
            .iter()
            .filter(|block| {
                self.ids_of(block.first, block.files)
                    .any(|id| wanted.contains(&id))
            })
            .flat_map(|block| match self.unpack(block) {
                Ok(files) => files.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            })
            .filter(|file| file.as_ref().map_or(true, |file| wanted.contains(&file.id)))
    }

    fn unpack(&self, block: &Block) -> Result<Vec<PendingFile>> {
        let wrong = || damaged(&self.path, "a block cannot be read");
        let end = block.offset.saturating_add(block.packed);
        let packed = self.map.get(block.offset..end).ok_or_else(wrong)?;
        // Memory is allocated before anything is unpacked.
        let too_long = block.unpacked > packed.len().saturating_mul(MOST_TIMES);
        if too_long || xxh3_64(packed) != block.checksum {
            return Err(wrong());
        }
        let bytes = lz4_flex::block::decompress(packed, block.unpacked).map_err(|_| wrong())?;
        let mut rest = bytes.as_slice();
        let mut files = Vec::with_capacity(block.files);
        while !rest.is_empty() {
            let (file, after) = postcard::take_from_bytes(rest).map_err(|_| wrong())?;
            files.push(file);
            rest = after;
        }
        Ok(files)
    }
}

/// Where the ids begin, how many files there are, and the blocks.
fn read_tail(bytes: &[u8]) -> Option<(usize, usize, Vec<Block>)> {
    let body = bytes.strip_prefix(&MAGIC)?.len().checked_sub(16)?;
    let counts = &bytes[MAGIC.len() + body..];
    let (files, count) = (u32_at(counts, 0) as usize, u32_at(counts, 1) as usize);
    let entries = (MAGIC.len() + body).checked_sub(count.checked_mul(ENTRY)?)?;
    let ids = entries.checked_sub(files.checked_mul(4)?)?;
    let mut first = 0;
    let mut blocks = Vec::with_capacity(count);
    for entry in bytes[entries..].chunks_exact(ENTRY).take(count) {
        let block = read_entry(entry, first);
        first += block.files;
        blocks.push(block);
    }
    (first == files).then_some((ids, files, blocks))
}

fn read_entry(entry: &[u8], first: usize) -> Block {
    let number = |nth| u32_at(entry, nth) as usize;
    Block {
        offset: u64_at(entry, 0) as usize,
        checksum: u64_at(entry, 1),
        packed: number(4),
        unpacked: number(5),
        first,
        files: number(6),
    }
}

/// The ids of the indexed files that some model that is wanted has not read.
pub(crate) fn lacking(storage: &SharedStorage, table: &FileTable) -> Result<HashSet<u32>> {
    let ids = || table.files.iter().filter_map(FileRecord::id);
    if table.vectors.wants_unknown() {
        return Ok(ids().collect());
    }
    let mut lacking = HashSet::new();
    for set in &table.vectors.sets {
        let segments = Segment::open_all(storage, set)?;
        let read: HashSet<u32> = segments.iter().flat_map(|segment| segment.ids()).collect();
        lacking.extend(ids().filter(|id| !read.contains(id)));
    }
    Ok(lacking)
}

/// Strikes the stores off the list in which nothing waits any more.
pub(crate) fn strike_done(
    storage: &SharedStorage,
    pending: &mut Vec<u64>,
    lacking: &HashSet<u32>,
) -> Result<()> {
    let mut waiting = Vec::new();
    for &number in &*pending {
        let store = PendingStore::open(storage, number)?;
        if store.ids().any(|id| lacking.contains(&id)) {
            waiting.push(number);
        }
    }
    *pending = waiting;
    Ok(())
}

/// Copies what still waits in the smaller stores into the new one when there
/// are too many.
pub(crate) fn join(
    storage: &SharedStorage,
    pending: &mut Vec<u64>,
    lacking: &HashSet<u32>,
    new: &PendingWriter,
) -> Result<()> {
    let stores = PendingStore::open_all(storage, pending)?;
    let sizes: Vec<u64> = stores.iter().map(|store| store.map.len() as u64).collect();
    let joined = store::to_join(&sizes, MANY, FEW);
    for &nth in &joined {
        for file in stores[nth].files(lacking) {
            let file = file?;
            let units: Vec<_> = file
                .units
                .iter()
                .map(|u| (u.line, u.words.as_str()))
                .collect();
            new.append(file.id, &file.path_words, &units)?;
        }
    }
    let mut nth = 0..;
    pending.retain(|_| !joined.contains(&nth.next().expect("there is always a next number")));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::Local;

    fn file(id: u32, units: u32) -> PendingFile {
        let unit = |nth| PendingUnit {
            line: nth * 7 + 1,
            words: format!("unit {nth} of {id} ").repeat(40),
        };
        PendingFile {
            id,
            path_words: format!("src {id}"),
            units: (0..units).map(unit).collect(),
        }
    }

    fn append(writer: &PendingWriter, file: &PendingFile) {
        let units: Vec<_> = file
            .units
            .iter()
            .map(|u| (u.line, u.words.as_str()))
            .collect();
        writer.append(file.id, &file.path_words, &units).unwrap();
    }

    fn read(store: &PendingStore, wanted: &[u32]) -> Vec<PendingFile> {
        let mut files: Vec<PendingFile> = store
            .files(&wanted.iter().copied().collect())
            .collect::<Result<_>>()
            .unwrap();
        files.sort_by_key(|file| file.id);
        files
    }

    #[test]
    fn files_come_back_as_they_were_written_by_several_threads() {
        let folder = tempfile::tempdir().unwrap();
        let writer = PendingWriter::new(&Local::shared(folder.path()), 3);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let writer = &writer;
                scope.spawn(move || {
                    (0..200).for_each(|nth| append(writer, &file(nth * 3 + thread, nth % 5 + 1)));
                });
            }
        });
        assert_eq!(writer.finish().unwrap(), Some(3));
        store::verify(&Local::shared(folder.path()), "pending-3", None).unwrap();
        let store = PendingStore::open(&Local::shared(folder.path()), 3).unwrap();
        assert!(store.blocks.len() > 1);
        assert_eq!(store.ids().collect::<HashSet<_>>(), (0..600).collect());
        let want: Vec<PendingFile> = (0..600).map(|id| file(id, id / 3 % 5 + 1)).collect();
        assert_eq!(read(&store, &(0..600).collect::<Vec<_>>()), want);
        assert_eq!(
            read(&store, &[7, 599, 600]),
            [want[7].clone(), want[599].clone()]
        );
        assert!((store.map.len() as u64) < 100_000, "texts are packed");
    }

    #[test]
    fn a_file_without_words_does_not_wait() {
        let folder = tempfile::tempdir().unwrap();
        let writer = PendingWriter::new(&Local::shared(folder.path()), 1);
        writer.append(1, "", &[(1, ""), (5, "")]).unwrap();
        writer.append(2, "no units", &[]).unwrap();
        assert_eq!(writer.finish().unwrap(), None);
        assert!(!folder.path().join("pending-1").exists());
    }

    #[test]
    fn a_cut_off_store_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let writer = PendingWriter::new(&Local::shared(folder.path()), 1);
        append(&writer, &file(1, 3));
        writer.finish().unwrap();
        let path = folder.path().join("pending-1");
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let opened = PendingStore::open(&Local::shared(folder.path()), 1);
            let wanted = HashSet::from([1]);
            let read = opened.and_then(|store| store.files(&wanted).collect::<Result<Vec<_>>>());
            assert!(read.is_err_and(|e| e.wants_rebuild()), "{length}");
        }
    }

    #[test]
    fn stores_in_which_something_waits_are_kept_and_joined() {
        let folder = tempfile::tempdir().unwrap();
        for number in 1..=10 {
            let writer = PendingWriter::new(&Local::shared(folder.path()), number);
            append(&writer, &file(number as u32, number as u32));
            append(&writer, &file(number as u32 + 100, 1));
            writer.finish().unwrap();
        }
        let mut pending: Vec<u64> = (1..=10).collect();
        let lacking: HashSet<u32> = (2..=10).collect();
        strike_done(&Local::shared(folder.path()), &mut pending, &lacking).unwrap();
        assert_eq!(pending, (2..=10).collect::<Vec<_>>());
        let writer = PendingWriter::new(&Local::shared(folder.path()), 11);
        join(
            &Local::shared(folder.path()),
            &mut pending,
            &lacking,
            &writer,
        )
        .unwrap();
        assert_eq!(pending, [8, 9, 10]);
        assert_eq!(writer.finish().unwrap(), Some(11));
        let joined = PendingStore::open(&Local::shared(folder.path()), 11).unwrap();
        assert_eq!(
            joined.ids().collect::<Vec<_>>(),
            (2..=7).collect::<Vec<_>>()
        );
    }
}
