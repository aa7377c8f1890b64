//! The table of files: what the index knows of each file it has seen.
//!
//! Format of `files-N`: 8 bytes magic, 8 bytes xxh3 of what follows, then the
//! table in postcard. A table is written once and never changed.

use crate::blobs::{self, BlobPlace};
use crate::error::{IndexError, Result};
use crate::layout;
use crate::storage::SharedStorage;
use crate::store::{self, StoreSum};
use scent_types::{FileClass, Health};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// The number of the format of everything that is written. It changes with
/// every change of that, and is part of the name of an index's folder: programs
/// that write different formats do not get in each other's way.
pub const FORMAT: u8 = 12;

const MAGIC: [u8; 8] = [b's', b'c', b'e', b'n', b't', 0, 0, FORMAT];

/// What is known of all files at one generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileTable {
    /// Counts the commits of this index.
    pub generation: u64,
    /// What the parser and the settings were; another value asks for a rebuild.
    pub fingerprint: u64,
    /// The folder that was indexed, for people.
    pub root: String,
    /// When it was written, in seconds since 1970.
    pub written: u64,
    /// The id that the next file gets. Ids are never used twice.
    pub next_id: u32,
    /// Files with a lower id were indexed by other rules, and are to be indexed
    /// once more.
    pub first_current_id: u32,
    /// What an update that goes on had not come to yet.
    pub backlog: Backlog,
    /// The files, in order of their paths.
    pub files: Vec<FileRecord>,
    /// What belongs to the vectors. A new table takes over that of the one
    /// before it; the writer sees to the rest.
    pub vectors: VectorStores,
    /// How important files and symbols are. It is taken over in the same way.
    pub ranks: RankStore,
    /// The length and the checksum of each store. The writer sees to them.
    pub sums: BTreeMap<String, StoreSum>,
}

/// The files that an update had not come to when its generation was published.
/// Those that are not new are there as they were before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backlog {
    /// How many files are new or changed and were not read yet.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How many files there are.
    pub all_files: u64,
    /// Their bytes.
    pub all_bytes: u64,
}

/// The stores that belong to vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorStores {
    /// The numbers of the stores `pending-N`, whose texts wait for vectors of
    /// some model.
    pub pending: Vec<u64>,
    /// One set of vectors for each model that is wanted, the first that are to
    /// be made first.
    pub sets: Vec<VectorSet>,
    /// How many models are wanted. There are fewer sets where texts were
    /// committed before a model was opened; all texts wait for that.
    pub models: u32,
}

/// Which store of ranks a generation has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankStore {
    /// The number of the store `ranks-N`; none while there is none.
    pub number: Option<u64>,
    /// Whether files changed since. What is known of the others still serves.
    pub stale: bool,
}

/// The vectors of one model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorSet {
    /// The model that makes them.
    pub model: VectorModel,
    /// The numbers of the segments `vectors-N`, the oldest first; none while
    /// there are no vectors yet.
    pub segments: Vec<u64>,
}

impl VectorStores {
    /// The same stores where these models are wanted: sets of others are
    /// dropped, and new ones begun. Texts of which all vectors were made are
    /// gone, so a new model needs files to be indexed again.
    pub fn wanting(&self, models: &[VectorModel]) -> VectorStores {
        let new = |model: &VectorModel| VectorSet {
            model: model.clone(),
            segments: Vec::new(),
        };
        let set = |model: &VectorModel| self.set_of(model).cloned().unwrap_or_else(|| new(model));
        let (pending, sets) = (self.pending.clone(), models.iter().map(set).collect());
        VectorStores {
            pending,
            sets,
            models: models.len() as u32,
        }
    }

    /// The same stores where so many models are wanted, of which some are not
    /// known yet.
    pub fn wanting_unknown(&self, models: usize) -> VectorStores {
        VectorStores {
            models: models as u32,
            ..self.clone()
        }
    }

    /// Whether a model is wanted that nothing is known of yet.
    pub(crate) fn wants_unknown(&self) -> bool {
        (self.sets.len() as u32) < self.models
    }

    /// The set of a model, where it is wanted.
    pub fn set_of(&self, model: &VectorModel) -> Option<&VectorSet> {
        self.sets.iter().find(|set| set.model.is_same(model))
    }

    /// The same to add to. A model that was not wanted is from now on.
    pub(crate) fn set_to_fill(&mut self, model: &VectorModel) -> &mut VectorSet {
        let at = self
            .sets
            .iter()
            .position(|set| set.model.is_same(model))
            .unwrap_or_else(|| {
                self.sets.push(VectorSet {
                    model: model.clone(),
                    segments: Vec::new(),
                });
                self.sets.len() - 1
            });
        &mut self.sets[at]
    }
}

/// A model, as far as an index has to know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorModel {
    /// Another value means other vectors, which do not compare with these.
    pub fingerprint: u64,
    /// What people call it.
    pub name: String,
    /// How many numbers a vector has.
    pub dims: u32,
    /// How many bytes the code of a token has; 0 where there are none.
    pub token_bytes: u32,
}

impl VectorModel {
    /// Whether the vectors of both compare.
    pub fn is_same(&self, other: &VectorModel) -> bool {
        let key = |m: &VectorModel| (m.fingerprint, m.dims, m.token_bytes);
        key(self) == key(other)
    }
}

/// One file or folder that was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The path relative to the root, with `/`.
    pub path: String,
    /// The path as the system has it, where it is not UTF-8.
    pub raw_path: Option<Vec<u8>>,
    /// Length in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub modified: i64,
    /// Whether it changed so shortly before it was read that it might change
    /// again within the clock's resolution.
    pub racy: bool,
    /// Whether `.scentignore` includes it.
    pub included: bool,
    /// Hash of the contents; 0 where they were not read.
    pub hash: u128,
    /// What became of it.
    pub state: State,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum State {
    /// It is in the index.
    Indexed {
        /// Its units carry this id.
        id: u32,
        /// The language's id; empty for plain text.
        language: String,
        /// Code, documentation or configuration.
        class: FileClass,
        /// How well it was parsed.
        health: Health,
        /// How many lines it has.
        lines: u32,
        /// How many units it has.
        units: u32,
        /// Where its trigrams are.
        trigrams: BlobPlace,
        /// Where what it defines, uses and imports is.
        facts: BlobPlace,
    },
    /// It is not in the index.
    Skipped(Reason),
}

/// Why a file is not in the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Reason {
    Binary,
    TooLarge,
    Minified,
    Generated,
    Symlink,
    SpecialFile,
    DependencyFolder,
    NestedWorktree,
    NestedRepository,
    Unreadable(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Binary => "binary",
            Reason::TooLarge => "larger than index.max_file_size",
            Reason::Minified => "minified",
            Reason::Generated => "generated",
            Reason::Symlink => "symbolic link",
            Reason::SpecialFile => "not a regular file",
            Reason::DependencyFolder => "folder of dependencies or caches",
            Reason::NestedWorktree => "another worktree of a repository",
            Reason::NestedRepository => "a repository of its own",
            Reason::Unreadable(why) => return write!(f, "unreadable: {why}"),
        })
    }
}

impl FileTable {
    /// The record of a path.
    pub fn find(&self, path: &str) -> Option<&FileRecord> {
        let at = self
            .files
            .binary_search_by(|f| f.path.as_str().cmp(path))
            .ok()?;
        Some(&self.files[at])
    }

    /// Whether an update stopped before it came to all files.
    pub fn is_partial(&self) -> bool {
        self.backlog.files > 0
    }

    /// Whether a file was indexed by the rules that hold now.
    pub fn is_current(&self, file: &FileRecord) -> bool {
        file.id().is_none_or(|id| id >= self.first_current_id)
    }

    /// How many bytes the facts of all files have.
    pub fn fact_bytes(&self) -> u64 {
        let places = self.files.iter().filter_map(FileRecord::facts);
        places.map(|place| u64::from(place.bytes)).sum()
    }

    /// How many units the files have.
    pub(crate) fn units(&self) -> u64 {
        self.files.iter().map(|file| file.units() as u64).sum()
    }

    /// The names of the stores of blobs that are used. Many files share a few of
    /// them, so the numbers are gathered before they are written out.
    fn blob_names(&self) -> Vec<String> {
        let mut trigrams = BTreeSet::new();
        let mut facts = BTreeSet::new();
        for file in &self.files {
            trigrams.extend(file.trigrams().map(|place| place.file));
            facts.extend(file.facts().map(|place| place.file));
        }
        let mut names = Vec::new();
        for (sort, numbers) in [(blobs::TRIGRAMS, trigrams), (blobs::FACTS, facts)] {
            names.extend(numbers.into_iter().map(|number| sort.file_name(number)));
        }
        names
    }

    /// The names of all stores that are used.
    pub(crate) fn store_names(&self) -> Vec<String> {
        let segments = self.vectors.sets.iter().flat_map(|set| &set.segments);
        let segments = segments.map(|&number| layout::vectors(number));
        let pending = self
            .vectors
            .pending
            .iter()
            .map(|&number| layout::pending(number));
        let ranks = self.ranks.number.map(layout::ranks);
        self.blob_names()
            .into_iter()
            .chain(segments)
            .chain(pending)
            .chain(ranks)
            .collect()
    }

    /// The table of a generation.
    pub(crate) fn read(storage: &SharedStorage, generation: u64) -> Result<FileTable> {
        let name = layout::table(generation);
        FileTable::parse(&store::read(storage, &name)?, &storage.path(&name))
    }

    fn parse(bytes: &[u8], path: &Path) -> Result<FileTable> {
        let damaged = || IndexError::Damaged(path.display().to_string());
        let (magic, rest) = bytes.split_at_checked(8).ok_or_else(damaged)?;
        if magic != MAGIC {
            let ours = magic.starts_with(b"scent\0");
            return Err(if ours {
                IndexError::OtherVersion
            } else {
                damaged()
            });
        }
        let (checksum, body) = rest.split_at_checked(8).ok_or_else(damaged)?;
        if checksum != xxh3_64(body).to_le_bytes() {
            return Err(damaged());
        }
        postcard::from_bytes(body).map_err(|_| damaged())
    }

    /// Notes the length and the checksum of each store that is used, of which
    /// the new ones were just written.
    pub(crate) fn note_sums(&mut self, storage: &SharedStorage) -> Result<()> {
        let before = std::mem::take(&mut self.sums);
        for name in self.store_names() {
            let sum = match before.get(&name) {
                Some(sum) => *sum,
                None => store::sum_of(storage, &name)?,
            };
            self.sums.insert(name, sum);
        }
        Ok(())
    }

    /// Verifies that every store is the one that was written.
    pub(crate) fn verify_stores(&self, storage: &SharedStorage) -> Result<()> {
        for name in self.store_names() {
            store::verify(storage, &name, self.sums.get(&name))?;
        }
        Ok(())
    }

    pub(crate) fn write(&self, storage: &SharedStorage) -> Result<()> {
        let name = layout::table(self.generation);
        let path = storage.path(&name);
        let body = postcard::to_stdvec(self).expect("a table of plain values can be written");
        let checksum = xxh3_64(&body).to_le_bytes();
        let mut file = storage.create(&name).map_err(IndexError::io(&path))?;
        for part in [&MAGIC[..], &checksum, &body] {
            file.write_all(part).map_err(IndexError::io(&path))?;
        }
        file.sync_all().map_err(IndexError::io(&path))
    }
}

/// The table of one generation, and its files by their ids.
#[derive(Debug)]
pub(crate) struct FileReader {
    table: FileTable,
    /// The position of each file in the table, by its id.
    by_id: OnceLock<Vec<u32>>,
}

/// The position of no file.
const NOWHERE: u32 = u32::MAX;

impl FileReader {
    pub fn new(table: FileTable) -> FileReader {
        let by_id = OnceLock::new();
        FileReader { table, by_id }
    }

    pub fn table(&self) -> &FileTable {
        &self.table
    }

    /// The record of the file with this id.
    pub fn file(&self, id: u32) -> Option<&FileRecord> {
        self.table.files.get(self.number(id)? as usize)
    }

    /// The position in the table of the file with this id.
    pub fn number(&self, id: u32) -> Option<u32> {
        let by_id = self.by_id.get_or_init(|| positions(&self.table));
        let at = by_id.get(id as usize).copied();
        at.filter(|at| *at != NOWHERE)
    }
}

fn positions(table: &FileTable) -> Vec<u32> {
    let mut by_id = vec![NOWHERE; table.next_id as usize];
    for (at, file) in table.files.iter().enumerate() {
        if let Some(slot) = file.id().and_then(|id| by_id.get_mut(id as usize)) {
            *slot = at as u32;
        }
    }
    by_id
}

impl FileRecord {
    /// The id that the file's units carry, if it is indexed.
    pub fn id(&self) -> Option<u32> {
        match self.state {
            State::Indexed { id, .. } => Some(id),
            State::Skipped(_) => None,
        }
    }

    /// How many units it has.
    pub fn units(&self) -> usize {
        match self.state {
            State::Indexed { units, .. } => units as usize,
            State::Skipped(_) => 0,
        }
    }

    /// Whether there is something in it that the parser could not read.
    pub fn has_errors(&self) -> bool {
        matches!(self.state, State::Indexed { health, .. } if health.has_errors())
    }

    /// Where its trigrams are, if it is indexed.
    pub(crate) fn trigrams(&self) -> Option<BlobPlace> {
        match self.state {
            State::Indexed { trigrams, .. } => Some(trigrams),
            State::Skipped(_) => None,
        }
    }

    /// Where what it defines, uses and imports is, if it is indexed.
    pub(crate) fn facts(&self) -> Option<BlobPlace> {
        match self.state {
            State::Indexed { facts, .. } => Some(facts),
            State::Skipped(_) => None,
        }
    }
}
