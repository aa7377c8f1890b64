//! The vectors of the models that are wanted, and what waits for them.

use crate::error::Result;
use crate::files::{FileReader, FileTable, VectorModel, VectorSet};
use crate::pending::{Pending, PendingStore};
use crate::storage::SharedStorage;
use crate::vectors::{Segment, Vectors};
use std::sync::{Arc, OnceLock};

/// The sets of vectors of one generation, and the texts that wait.
pub(crate) struct VectorSets {
    sets: Vec<OpenSet>,
    pending: Vec<PendingStore>,
}

/// The vectors of one model.
struct OpenSet {
    model: VectorModel,
    segments: Vec<Arc<Segment>>,
    vectors: OnceLock<Vectors>,
    waiting: OnceLock<u64>,
}

impl OpenSet {
    fn open(storage: &SharedStorage, set: &VectorSet) -> Result<OpenSet> {
        Ok(OpenSet {
            model: set.model.clone(),
            segments: Segment::open_all(storage, set)?,
            vectors: OnceLock::new(),
            waiting: OnceLock::new(),
        })
    }
}

impl VectorSets {
    pub fn open(storage: &SharedStorage, table: &FileTable) -> Result<VectorSets> {
        let stores = &table.vectors;
        let mut sets = Vec::new();
        for set in &stores.sets {
            sets.push(OpenSet::open(storage, set)?);
        }
        let pending = PendingStore::open_all(storage, &stores.pending)?;
        Ok(VectorSets { sets, pending })
    }

    pub fn models(&self) -> impl Iterator<Item = &VectorModel> {
        self.sets.iter().map(|set| &set.model)
    }

    /// The vectors of a model, where there are any.
    pub fn of(&self, files: &FileReader, model: &VectorModel) -> Option<&Vectors> {
        let set = self.set_of(model).filter(|set| !set.segments.is_empty())?;
        let is_live = |id| files.file(id).is_some();
        let make = || Vectors::new(set.model.clone(), set.segments.clone(), is_live);
        Some(set.vectors.get_or_init(make))
    }

    pub fn segments_of(&self, model: &VectorModel) -> &[Arc<Segment>] {
        self.set_of(model).map_or(&[], |set| &set.segments)
    }

    /// What waits for vectors of a model.
    pub fn pending_of(&self, files: &FileReader, model: &VectorModel) -> Pending<'_> {
        let vectors = self.of(files, model);
        let has = |id| vectors.is_some_and(|vectors| vectors.has_file(id));
        Pending::of(files.table(), &self.pending, has)
    }

    /// How many units wait for vectors of a model; counted once.
    pub fn waiting_for(&self, files: &FileReader, model: &VectorModel) -> u64 {
        let count = || self.pending_of(files, model).units();
        match self.set_of(model) {
            Some(set) => *set.waiting.get_or_init(count),
            None => count(),
        }
    }

    fn set_of(&self, model: &VectorModel) -> Option<&OpenSet> {
        self.sets.iter().find(|set| set.model.is_same(model))
    }
}
