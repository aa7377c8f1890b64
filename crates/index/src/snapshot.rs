//! Reading: one generation, which never changes while it is being read.

use crate::derived::Derived;
use crate::directory::{self, generation};
use crate::error::{IndexError, Result};
use crate::facts::FactsReader;
use crate::files::{FileReader, FileRecord, FileTable, VectorModel};
use crate::names::Names;
use crate::pending::Pending;
use crate::ranks::RankReader;
use crate::schema;
use crate::storage::SharedStorage;
use crate::text::TextReader;
use crate::trigram_filter::TrigramFilters;
use crate::vector_sets::VectorSets;
use crate::vectors::{Segment, Vectors};
use crate::verified::{CachedStats, VerifiedStamp};
use std::any::Any;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tantivy::{Index, ReloadPolicy, Searcher};

/// How often to try when something is not as it should be.
const TRIES: usize = 5;

/// How often to try when a writer was faster each time.
const TRIES_WHEN_BUSY: usize = 100;

/// How long to wait between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// One generation of an index: a reader for each of its stores.
pub struct Snapshot {
    storage: SharedStorage,
    files: FileReader,
    text: TextReader,
    trigram_filters: TrigramFilters,
    facts: FactsReader,
    names: OnceLock<Names>,
    vectors: VectorSets,
    ranks: RankReader,
    derived: Derived,
}

impl Snapshot {
    /// The current generation of an index.
    pub fn open(storage: &SharedStorage) -> Result<Snapshot> {
        if storage.manifest()?.is_none() {
            return Err(IndexError::Missing);
        }
        let mut tries = 1;
        loop {
            match Snapshot::open_once(storage) {
                Ok(Some(snapshot)) => return Ok(snapshot),
                Err(IndexError::OtherVersion) => return Err(IndexError::OtherVersion),
                Err(error) if tries >= TRIES => return Err(error),
                Ok(None) if tries >= TRIES_WHEN_BUSY => return Err(IndexError::Busy),
                // A writer may have replaced what was about to be opened.
                _ => std::thread::sleep(PAUSE),
            }
            tries += 1;
        }
    }

    /// Tries once. None where a commit came between the parts.
    pub(crate) fn open_once(storage: &SharedStorage) -> Result<Option<Snapshot>> {
        let index = directory::open_text_index(storage)?;
        if index.schema() != schema::schema() || *index.settings() != schema::settings() {
            return Err(IndexError::OtherVersion);
        }
        let metas = index.load_metas()?;
        let table = read_table(storage, generation(&metas)?)?;
        let stamp = VerifiedStamp::of(storage, &metas, &table);
        let stats = stamp.check(&index, &table)?;
        let searcher = searcher(&index)?;
        if table.generation != generation(&index.load_metas()?)? {
            return Ok(None);
        }
        if searcher.num_docs() != table.units() {
            return Err(IndexError::Damaged("its parts do not fit together".into()));
        }
        let text = TextReader::new(
            storage.directory(),
            &index.schema(),
            searcher,
            table.next_id,
            stats.totals,
        )?;
        let snapshot = Snapshot {
            storage: storage.clone(),
            text,
            trigram_filters: TrigramFilters::open(storage, &table)?,
            facts: FactsReader::open(storage, &table)?,
            names: OnceLock::new(),
            vectors: VectorSets::open(storage, &table)?,
            ranks: RankReader::open(storage, &table)?,
            files: FileReader::new(table),
            derived: Derived::default(),
        };
        if stats.totals.is_none() {
            stamp.write(snapshot.stats());
        }
        Ok(Some(snapshot))
    }

    /// Verifies every checksum of the current generation, whatever the stamp
    /// says; returns how many files that were.
    pub fn verify(storage: &SharedStorage) -> Result<usize> {
        if storage.manifest()?.is_none() {
            return Err(IndexError::Missing);
        }
        let index = directory::open_text_index(storage)?;
        let metas = index.load_metas()?;
        let table = FileTable::read(storage, generation(&metas)?)?;
        VerifiedStamp::of(storage, &metas, &table).verify(&index, &table)
    }

    /// Where the index is kept.
    pub fn storage(&self) -> &SharedStorage {
        &self.storage
    }

    /// What is known of the files.
    pub fn table(&self) -> &FileTable {
        self.files.table()
    }

    /// The record of the file with this id.
    pub fn file(&self, id: u32) -> Option<&FileRecord> {
        self.files.file(id)
    }

    /// The position in the table of the file with this id.
    pub fn file_no(&self, id: u32) -> Option<u32> {
        self.files.number(id)
    }

    /// The units, and the words in them.
    pub fn text(&self) -> &TextReader {
        &self.text
    }

    /// The trigrams that files may hold.
    pub fn trigram_filters(&self) -> &TrigramFilters {
        &self.trigram_filters
    }

    /// What the files define, use and import.
    pub fn facts(&self) -> &FactsReader {
        &self.facts
    }

    /// How important files and symbols are.
    pub fn ranks(&self) -> &RankReader {
        &self.ranks
    }

    /// The names of all symbols.
    pub fn names(&self) -> Result<&Names> {
        if let Some(known) = self.names.get() {
            return Ok(known);
        }
        let gathered = Names::gather(self.table(), &self.facts)?;
        Ok(self.names.get_or_init(|| gathered))
    }

    /// The models whose vectors are wanted, in order.
    pub fn models(&self) -> impl Iterator<Item = &VectorModel> {
        self.vectors.models()
    }

    /// The vectors of a model, where there are any.
    pub fn vectors_of(&self, model: &VectorModel) -> Option<&Vectors> {
        self.vectors.of(&self.files, model)
    }

    /// The segments of a model's vectors.
    pub(crate) fn segments_of(&self, model: &VectorModel) -> &[Arc<Segment>] {
        self.vectors.segments_of(model)
    }

    /// What waits for vectors of a model.
    pub fn pending_of(&self, model: &VectorModel) -> Pending<'_> {
        self.vectors.pending_of(&self.files, model)
    }

    /// How many units wait for vectors of a model; counted once.
    pub fn waiting_for(&self, model: &VectorModel) -> u64 {
        self.vectors.waiting_for(&self.files, model)
    }

    /// What a reader works out of this generation, of each type one, made once
    /// and kept with it.
    pub fn derived<T: Any + Send + Sync>(
        &self,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        self.derived.get(make)
    }

    /// What holds for every generation with the same text index.
    pub(crate) fn stats(&self) -> CachedStats {
        CachedStats {
            totals: Some(self.text.totals()),
        }
    }
}

fn read_table(storage: &SharedStorage, generation: u64) -> Result<FileTable> {
    let table = FileTable::read(storage, generation)?;
    if table.generation != generation {
        let what = "its table is that of another generation";
        return Err(IndexError::Damaged(what.into()));
    }
    Ok(table)
}

fn searcher(index: &Index) -> Result<Searcher> {
    let builder = index.reader_builder().reload_policy(ReloadPolicy::Manual);
    let reader: tantivy::IndexReader = builder.try_into()?;
    Ok(reader.searcher())
}
