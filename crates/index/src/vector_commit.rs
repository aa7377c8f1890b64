//! A commit of vectors: parts in, a new generation out.
//!
//! It changes nothing of the text index and of the table of files but which
//! segments of one model there are, and which texts wait. The lock need not be
//! held while a model reads: ids of files are never used twice, so parts for a
//! file that has changed since do no harm, and wait as a cache. So read first,
//! then take the lock, open the index, and hand in what was read.

use crate::commit::Next;
use crate::error::Result;
use crate::files::{FileRecord, VectorModel};
use crate::lock::Lock;
use crate::snapshot::Snapshot;
use crate::vectors::{Block, FileParts, Segment, SegmentWriter, Vectors};
use crate::{pending, store};
use std::collections::HashSet;
use std::sync::Arc;

/// From this many segments on, the smaller ones are joined.
const MANY: usize = 8;

/// So many of the largest are left as they are.
const FEW: usize = 3;

/// So many rows of files that changed or went are always kept as a cache.
const CACHED: u64 = 20_000;

/// The next generation of an index, with more vectors, while it is being made.
pub struct VectorCommit {
    next: Next,
    model: VectorModel,
    old: Vec<Arc<Segment>>,
    segment: SegmentWriter,
    /// The files that were added, and the keys of their units.
    ids: HashSet<u32>,
    keys: HashSet<u128>,
    rows: u64,
}

impl VectorCommit {
    /// Begins the generation after that of a snapshot, which must be the
    /// current one. Vectors of other models stay as they are.
    pub fn begin(lock: Lock, base: &Snapshot, model: VectorModel) -> Result<VectorCommit> {
        let next = Next::begin(lock, base)?;
        Ok(VectorCommit {
            segment: SegmentWriter::new(&next.storage, next.table.generation, model.clone()),
            old: base.segments_of(&model).to_vec(),
            next,
            model,
            ids: HashSet::new(),
            keys: HashSet::new(),
            rows: 0,
        })
    }

    /// Adds the parts of a file.
    ///
    /// # Panics
    ///
    /// Where the parts are not of the model's size.
    pub fn add(&mut self, file: &FileParts) -> Result<()> {
        self.ids.insert(file.id);
        self.keys.extend(file.units.iter().map(|unit| unit.key));
        self.rows += file.units.len() as u64;
        self.segment.add(file)
    }

    /// Makes the new generation the current one.
    pub fn commit(mut self) -> Result<u64> {
        self.join()?;
        let Next { storage, table, .. } = &mut self.next;
        let set = table.vectors.set_to_fill(&self.model);
        if self.segment.finish()? {
            set.segments.push(table.generation);
        }
        let lacking = pending::lacking(storage, table)?;
        pending::strike_done(storage, &mut table.vectors.pending, &lacking)?;
        self.next.commit()
    }

    /// Copies old segments into the new one where there are too many of them,
    /// or too many rows of files that are gone.
    fn join(&mut self) -> Result<()> {
        let indexed: HashSet<u32> = self
            .next
            .table
            .files
            .iter()
            .filter_map(FileRecord::id)
            .collect();
        let is_live = |id| indexed.contains(&id) && !self.ids.contains(&id);
        let old = Vectors::new(self.model.clone(), self.old.clone(), is_live);
        let sizes: Vec<u64> = self.old.iter().map(|segment| segment.rows()).collect();
        let plan = Plan::new(&sizes, old.live_rows(), self.rows);
        if plan.segments.is_empty() {
            return Ok(());
        }
        for (block, file) in plan.files(&old, true) {
            self.keys
                .extend(block.rows_of(file).map(|row| block.key(row)));
            self.segment.copy(block, file, block.rows_of(file))?;
        }
        self.copy_dead(&plan, &old)?;
        let mut nth = 0..;
        let mut is_joined = || {
            plan.segments
                .contains(&nth.next().expect("numbers do not end"))
        };
        self.next
            .table
            .vectors
            .set_to_fill(&self.model)
            .segments
            .retain(|_| !is_joined());
        Ok(())
    }

    /// Copies rows of files that changed or went, each text once, until there
    /// are enough.
    fn copy_dead(&mut self, plan: &Plan, old: &Vectors) -> Result<()> {
        let mut left = plan.dead_rows;
        for (block, file) in plan.files(old, false) {
            if self.ids.contains(&block.id(file)) {
                continue;
            }
            let mut rows: Vec<usize> = block.rows_of(file).collect();
            rows.retain(|&row| left > 0 && self.keys.insert(block.key(row)));
            left = left.saturating_sub(rows.len() as u64);
            if !rows.is_empty() {
                self.segment.copy(block, file, rows.into_iter())?;
            }
        }
        Ok(())
    }
}

/// What is to be copied.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// The positions of the segments.
    segments: Vec<usize>,
    /// How many rows of files that changed or went.
    dead_rows: u64,
}

impl Plan {
    /// `sizes` are the rows of each segment, of which some are alive; others
    /// come new. When more than half of all is dead, half of that is let go,
    /// the oldest: were only the surplus let go, the next edit would ask for it
    /// again.
    fn new(sizes: &[u64], live_rows: u64, new_rows: u64) -> Plan {
        let dead = sizes.iter().sum::<u64>() - live_rows;
        let enough = CACHED.max(live_rows + new_rows);
        if dead > enough {
            return Plan {
                segments: (0..sizes.len()).collect(),
                dead_rows: enough / 2,
            };
        }
        Plan {
            segments: store::to_join(sizes, MANY, FEW),
            dead_rows: u64::MAX,
        }
    }

    /// The files of these segments that are alive, or those that are not, the
    /// newest first.
    fn files<'v>(&self, old: &'v Vectors, live: bool) -> Vec<(Block<'v>, usize)> {
        let mut files = Vec::new();
        for (nth, at) in old.blocks.iter().enumerate() {
            let block = old.block(nth);
            if self.segments.contains(&(at.segment as usize)) && block.is_sound() {
                let is_live = |file: &usize| {
                    at.live
                        .binary_search_by_key(file, |l| l.nth as usize)
                        .is_ok()
                };
                let wanted = (0..block.files()).filter(|file| is_live(file) == live);
                files.extend(wanted.map(|file| (block, file)));
            }
        }
        files.sort_by_key(|(block, file)| std::cmp::Reverse(block.id(*file)));
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_joined_when_there_are_many_or_most_is_dead() {
        let all = u64::MAX;
        let check = |sizes: &[u64], live, new, segments: &[usize], dead_rows| {
            let want = Plan {
                segments: segments.to_vec(),
                dead_rows,
            };
            assert_eq!(Plan::new(sizes, live, new), want, "{sizes:?}");
        };
        check(&[100, 10, 10], 120, 5, &[], all);
        check(&[90, 9, 1, 2, 3, 4, 5, 80], 194, 5, &[2, 3, 4, 5, 6], all);
        check(&[19_000, 1_000], 0, 5, &[], all);
        check(&[19_000, 1_001], 0, 5, &[0, 1], 10_000);
        check(&[50_000, 50_000], 49_000, 1_000, &[0, 1], 25_000);
        check(&[50_000, 50_000], 49_000, 3_000, &[], all);
    }
}
