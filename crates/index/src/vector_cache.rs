//! Parts that were computed before, found by the key of their words.
//!
//! A row stays in its segment when its file changes or goes, and other
//! worktrees of the same repository have indexes of their own. Whatever holds
//! the part of a text need not ask the model again: most units of an edited
//! file, all of a file that moved, and all of a branch that was left and is
//! come back to.

use crate::files::VectorModel;
use crate::snapshot::Snapshot;
use crate::vectors::{Block, Part, Quantised, Segment};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// No row.
const NONE: u32 = u32::MAX;

/// The parts of some indexes, all of the same model.
pub struct VectorCache {
    dims: usize,
    segments: Vec<Arc<Segment>>,
    /// The blocks of all segments: segment, position in it, first row.
    blocks: Vec<(usize, usize, usize)>,
    rows: usize,
    /// Rows by their keys, as a table with open addressing.
    slots: OnceLock<Vec<u32>>,
}

impl VectorCache {
    /// What the indexes in these folders hold of a model. A folder without an
    /// index, or with one that is damaged or of another model, adds nothing.
    pub fn open(folders: &[PathBuf], model: &VectorModel) -> VectorCache {
        let snapshots = folders
            .iter()
            .filter_map(|folder| Snapshot::open_once(folder).ok()?);
        let segments = snapshots
            .flat_map(|s| s.segments_of(model).to_vec())
            .collect();
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
            slots: OnceLock::new(),
        }
    }

    /// The part that was computed for the words with this key.
    pub fn get(&self, key: u128) -> Option<Part> {
        let slots = self.slots.get_or_init(|| self.fill());
        let row = slots[self.slot(slots, key)];
        let (block, row) = self.locate((row != NONE).then_some(row as usize)?);
        let bytes = block.body(row)[..self.dims].to_vec();
        let vector = Quantised {
            bytes,
            scale: block.scale(row),
        };
        Some(Part {
            vector,
            tokens: block.tokens(row).to_vec(),
        })
    }

    fn fill(&self) -> Vec<u32> {
        let mut slots = vec![NONE; (2 * self.rows).next_power_of_two()];
        for &(segment, nth, first) in &self.blocks {
            let block = self.segments[segment].block(nth);
            for row in 0..block.rows() {
                let slot = self.slot(&slots, block.key(row));
                slots[slot] = (first + row) as u32;
            }
        }
        slots
    }

    /// The slot of a key, or the free one where it would be.
    fn slot(&self, slots: &[u32], key: u128) -> usize {
        let mask = slots.len() - 1;
        let mut at = key as usize & mask;
        while slots[at] != NONE && self.key(slots[at]) != key {
            at = (at + 1) & mask;
        }
        at
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
