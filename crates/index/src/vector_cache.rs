//! Parts that were computed before, found by the key of their words.
//!
//! A row stays in its segment when its file changes or goes, and other
//! worktrees of the same repository have indexes of their own. Whatever holds
//! the part of a text need not ask the model again: most units of an edited
//! file, all of a file that moved, and all of a branch that was left and is
//! come back to.

use crate::files::VectorModel;
use crate::snapshot::Snapshot;
use crate::storage::SharedStorage;
use crate::vectors::{Block, Part, Quantised, Segment};
use hashbrown::HashTable;
use std::sync::{Arc, OnceLock};

/// The parts of some indexes, all of the same model.
pub struct VectorCache {
    dims: usize,
    segments: Vec<Arc<Segment>>,
    /// The blocks of all segments: segment, position in it, first row.
    blocks: Vec<(usize, usize, usize)>,
    rows: usize,
    /// Rows by their keys, which stand in the segments.
    by_key: OnceLock<HashTable<u32>>,
}

impl VectorCache {
    /// What some indexes hold of a model. One that is not there, is damaged or of
    /// another model adds nothing.
    pub fn open(indexes: &[SharedStorage], model: &VectorModel) -> VectorCache {
        let mut segments = Vec::new();
        for storage in indexes {
            if let Ok(Some(snapshot)) = Snapshot::open_once(storage) {
                segments.extend_from_slice(snapshot.segments_of(model));
            }
        }
        VectorCache::new(segments, model)
    }

    fn new(segments: Vec<Arc<Segment>>, model: &VectorModel) -> VectorCache {
        let mut rows = 0;
        let mut blocks = Vec::new();
        for (nth, segment) in segments.iter().enumerate() {
            for block in 0..segment.blocks() {
                blocks.push((nth, block, rows));
                rows += segment.block(block).rows();
            }
        }
        let dims = model.dims as usize;
        VectorCache {
            dims,
            segments,
            blocks,
            rows,
            by_key: OnceLock::new(),
        }
    }

    /// How many parts there are.
    pub fn rows(&self) -> u64 {
        self.rows as u64
    }

    /// Whether there is a part for the words with this key.
    pub fn has(&self, key: u128) -> bool {
        let rows = self.by_key.get_or_init(|| self.rows_by_key());
        rows.find(hash(key), |&row| self.key(row) == key).is_some()
    }

    /// The part that was computed for the words with this key.
    pub fn get(&self, key: u128) -> Option<Part> {
        let rows = self.by_key.get_or_init(|| self.rows_by_key());
        let row = *rows.find(hash(key), |&row| self.key(row) == key)?;
        let (block, row) = self.locate(row as usize);
        let vector = Quantised {
            bytes: block.body(row)[..self.dims].to_vec(),
            scale: block.scale(row),
        };
        Some(Part {
            vector,
            tokens: block.tokens(row).to_vec(),
        })
    }

    /// Of several rows with a key, the last.
    fn rows_by_key(&self) -> HashTable<u32> {
        let mut rows = HashTable::with_capacity(self.rows);
        for &(segment, nth, first) in &self.blocks {
            let block = self.segments[segment].block(nth);
            for row in 0..block.rows() {
                let key = block.key(row);
                let is_same = |&other: &u32| self.key(other) == key;
                let entry = rows.entry(hash(key), is_same, |&row| hash(self.key(row)));
                entry.insert((first + row) as u32);
            }
        }
        rows
    }

    fn key(&self, row: u32) -> u128 {
        let (block, row) = self.locate(row as usize);
        block.key(row)
    }

    fn locate(&self, row: usize) -> (Block<'_>, usize) {
        let at = self.blocks.partition_point(|(_, _, first)| *first <= row) - 1;
        let (segment, nth, first) = self.blocks[at];
        (self.segments[segment].block(nth), row - first)
    }
}

/// A key is a hash already.
fn hash(key: u128) -> u64 {
    key as u64
}
