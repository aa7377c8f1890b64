//! The vectors of one generation: rows of all segments, and which of them are
//! alive.

use super::build;
use super::segment::{Block, Segment};
use crate::files::VectorModel;
use std::ops::Range;
use std::sync::Arc;

/// The number of a row in the vectors of a snapshot.
pub type Row = u32;

/// The vectors of one generation.
pub struct Vectors {
    model: VectorModel,
    segments: Vec<Arc<Segment>>,
    /// The blocks of all segments.
    pub(crate) blocks: Vec<BlockAt>,
    /// The files that are alive, by their ids.
    files: Vec<FileAt>,
    live_rows: u64,
}

pub(crate) struct BlockAt {
    pub segment: u32,
    /// The position in the segment.
    nth: u32,
    pub first: Row,
    /// The files that are alive, in order.
    pub live: Vec<LiveFile>,
}

/// A file of a block.
#[derive(Clone, Copy)]
pub(crate) struct LiveFile {
    pub id: u32,
    /// The position in the block.
    pub nth: u32,
    /// Its rows, counted from the beginning of the block.
    pub start: u32,
    pub end: u32,
}

impl LiveFile {
    pub fn rows(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy)]
struct FileAt {
    id: u32,
    block: u32,
    /// The position in the block.
    nth: u32,
}

impl Vectors {
    pub(crate) fn new(
        model: VectorModel,
        segments: Vec<Arc<Segment>>,
        is_live: impl Fn(u32) -> bool,
    ) -> Vectors {
        let blocks = blocks_of(&segments);
        let mut vectors = Vectors {
            model,
            segments,
            blocks,
            files: Vec::new(),
            live_rows: 0,
        };
        vectors.files = vectors.live_files(is_live);
        for at in &vectors.files {
            let FileAt { id, block, nth } = *at;
            let rows = vectors.block(block as usize).rows_of(nth as usize);
            vectors.live_rows += rows.len() as u64;
            let live = LiveFile {
                id,
                nth,
                start: rows.start as u32,
                end: rows.end as u32,
            };
            vectors.blocks[block as usize].live.push(live);
        }
        vectors
            .blocks
            .iter_mut()
            .for_each(|block| block.live.sort_by_key(|file| file.nth));
        vectors
    }

    /// The files that are alive, by their ids. Were a file there twice, the
    /// newer would be right.
    fn live_files(&self, is_live: impl Fn(u32) -> bool) -> Vec<FileAt> {
        let mut files = Vec::new();
        for nth in (0..self.blocks.len()).rev() {
            let block = self.block(nth);
            let sound = if block.is_sound() {
                0..block.files()
            } else {
                0..0
            };
            let live = sound
                .map(|file| (block.id(file), file))
                .filter(|(id, _)| is_live(*id));
            files.extend(live.map(|(id, file)| FileAt {
                id,
                block: nth as u32,
                nth: file as u32,
            }));
        }
        files.sort_by_key(|at| at.id);
        files.dedup_by_key(|at| at.id);
        files
    }

    /// The model that made them.
    pub fn model(&self) -> &VectorModel {
        &self.model
    }

    /// How many rows belong to files that are alive.
    pub fn live_rows(&self) -> u64 {
        self.live_rows
    }

    /// Whether a file that is alive has vectors.
    pub fn has_file(&self, id: u32) -> bool {
        self.file(id).is_some()
    }

    /// The row of the unit that begins at a line of a file.
    pub fn row_of(&self, file: u32, line: u32) -> Option<Row> {
        let at = self.file(file)?;
        let block = self.block(at.block as usize);
        let row = block
            .rows_of(at.nth as usize)
            .find(|&row| block.line(row) == line)?;
        Some(self.blocks[at.block as usize].first + row as Row)
    }

    /// The id of a row's file, and the first line of its unit.
    pub fn place(&self, row: Row) -> (u32, u32) {
        let (block, row) = self.locate(row);
        (block.id(block.file_of(row)), block.line(row))
    }

    /// The codes of a row's tokens: those of the unit, and those of the path.
    pub fn tokens(&self, row: Row) -> (&[u8], &[u8]) {
        let (block, row) = self.locate(row);
        (block.tokens(row), block.path_tokens(block.file_of(row)))
    }

    /// The vector of a row, of unit length.
    pub fn vector(&self, row: Row) -> Vec<f32> {
        let (block, row) = self.locate(row);
        let file = block.file_of(row);
        let mut vector = build::sum(
            block.body(row),
            block.scale(row),
            block.path(file),
            block.path_scale(file),
        );
        vector.truncate(self.model.dims as usize);
        vector.iter_mut().for_each(|v| *v *= block.inverse(row));
        vector
    }

    fn file(&self, id: u32) -> Option<FileAt> {
        let at = self.files.binary_search_by_key(&id, |at| at.id).ok()?;
        Some(self.files[at])
    }

    pub(crate) fn block(&self, nth: usize) -> Block<'_> {
        let at = &self.blocks[nth];
        self.segments[at.segment as usize].block(at.nth as usize)
    }

    /// The block of a row, and its position in it.
    pub(super) fn locate(&self, row: Row) -> (Block<'_>, usize) {
        let nth = self.blocks.partition_point(|block| block.first <= row) - 1;
        (self.block(nth), (row - self.blocks[nth].first) as usize)
    }
}

fn blocks_of(segments: &[Arc<Segment>]) -> Vec<BlockAt> {
    let mut first = 0;
    let mut blocks = Vec::new();
    for (nth, segment) in segments.iter().enumerate() {
        for block in 0..segment.blocks() {
            blocks.push(BlockAt {
                segment: nth as u32,
                nth: block as u32,
                first,
                live: Vec::new(),
            });
            first += segment.block(block).rows() as Row;
        }
    }
    blocks
}
