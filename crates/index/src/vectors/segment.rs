//! A segment of vectors: the file `vectors-N`.
//!
//! It is a row of blocks, each with everything that belongs to its files, so
//! that a segment is written with the memory of one block, and a scan has
//! pieces to share out. A file is never cut.
//!
//! Format: a header of 64 bytes (8 magic, 8 the fingerprint of the model, 4
//! each the numbers of dimensions and of bytes a token, then zeros); the
//! blocks; for every block its offset (8 bytes), and the numbers of its files,
//! its rows, its bytes of tokens of paths and of units (4 bytes each); the
//! number of blocks (8 bytes); and the checksum of `store`.
//!
//! A block is the sections of [`Section`] in order, each beginning at a
//! multiple of 64 bytes. Vectors are filled up with zeros to a multiple of 64
//! numbers, so no loop over them has a rest. With F files and R rows:
//!
//! | section | bytes | for each |
//! | --- | --- | --- |
//! | ids, row ends, scales of paths, token ends of paths | 4 F | file |
//! | paths: `i8` numbers | width · F | file |
//! | tokens of paths | | |
//! | lines, scales, inverses, coarse inverses, token ends | 4 R | row |
//! | keys | 16 R | row |
//! | bodies: `i8` numbers | width · R | row |
//! | coarse bits, see [`super::coarse`] | width / 4 · R, rounded up to 8 rows | 8 rows |
//! | tokens | | |
//!
//! Ends count from the beginning of the block, so what belongs to a file or a
//! row begins where the one before it ends. The vector of a row is (scale ·
//! body + path scale · path) · inverse, where the inverse makes its length 1;
//! the coarse inverse makes an estimate of what the coarse bits give.

use super::coarse::{word_at, words_of};
use super::kernel::{GROUP, WIDTH};

use crate::error::Result;
use crate::files::{VectorModel, VectorSet};
use crate::layout;
use crate::storage::SharedStorage;
use crate::store::{self, array_at, damaged, u32_at, u64_at};
use memmap2::Mmap;
use std::ops::Range;
use std::sync::Arc;

pub(crate) const MAGIC: [u8; 8] = *b"scentve\x01";
pub(crate) const HEADER: usize = 64;

/// The length of a block's entry at the end of the file.
pub(crate) const ENTRY: usize = 24;

/// Where sections begin.
const ALIGNMENT: usize = 64;

/// The sections of a block, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Ids,
    RowEnds,
    PathScales,
    PathTokenEnds,
    Paths,
    PathTokens,
    Lines,
    Scales,
    Inverses,
    CoarseInverses,
    TokenEnds,
    Keys,
    Bodies,
    Coarse,
    Tokens,
}

pub(crate) const SECTIONS: usize = Section::Tokens as usize + 1;

/// How much is in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub files: usize,
    pub rows: usize,
    pub path_tokens: usize,
    pub tokens: usize,
}

/// Where the sections of a block lie in it, and how long it is.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub counts: Counts,
    pub sections: [Range<usize>; SECTIONS],
    pub length: usize,
}

impl Layout {
    pub fn new(counts: Counts, width: usize) -> Layout {
        let Counts {
            files,
            rows,
            path_tokens,
            tokens,
        } = counts;
        let coarse = rows.next_multiple_of(GROUP) * words_of(width) * 8;
        let (file, row) = (4 * files, 4 * rows);
        let sizes: [usize; SECTIONS] = [
            file,
            file,
            file,
            file,
            width * files,
            path_tokens,
            row,
            row,
            row,
            row,
            row,
            16 * rows,
            width * rows,
            coarse,
            tokens,
        ];
        let mut next = 0;
        let sections = sizes.map(|size| {
            let start = next;
            next = (start + size).next_multiple_of(ALIGNMENT);
            start..start + size
        });
        Layout {
            counts,
            sections,
            length: next,
        }
    }
}

/// Vectors of a model take up this many numbers.
pub(crate) fn width_of(dims: usize) -> usize {
    dims.max(1).next_multiple_of(WIDTH)
}

/// A segment, mapped.
#[derive(Debug)]
pub(crate) struct Segment {
    map: Mmap,
    width: usize,
    blocks: Vec<(usize, Layout)>,
}

impl Segment {
    pub fn open(storage: &SharedStorage, number: u64, model: &VectorModel) -> Result<Segment> {
        let name = layout::vectors(number);
        let path = storage.path(&name);
        let map = store::map(storage, &name)?;
        if !is_of(&map, model) {
            return Err(damaged(&path, "it is of another model"));
        }
        let width = width_of(model.dims as usize);
        match read_blocks(&map, width) {
            Some(blocks) => Ok(Segment { map, width, blocks }),
            None => Err(damaged(&path, "it has no end")),
        }
    }

    /// All segments of a set.
    pub fn open_all(storage: &SharedStorage, set: &VectorSet) -> Result<Vec<Arc<Segment>>> {
        let open = |&number| Segment::open(storage, number, &set.model).map(Arc::new);
        set.segments.iter().map(open).collect()
    }

    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    pub fn block(&self, nth: usize) -> Block<'_> {
        let (offset, layout) = &self.blocks[nth];
        Block {
            bytes: &self.map[*offset..*offset + layout.length],
            layout,
            width: self.width,
        }
    }

    pub fn rows(&self) -> u64 {
        self.blocks
            .iter()
            .map(|(_, layout)| layout.counts.rows as u64)
            .sum()
    }

    /// The ids of its files.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        let blocks = (0..self.blocks()).map(|nth| self.block(nth));
        blocks.flat_map(|block| (0..block.files()).map(move |file| block.id(file)))
    }
}

/// Whether a header says that a segment is of this model.
fn is_of(bytes: &[u8], model: &VectorModel) -> bool {
    bytes.len() >= HEADER && bytes.starts_with(&header(model)[..24])
}

pub(crate) fn header(model: &VectorModel) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..16].copy_from_slice(&model.fingerprint.to_le_bytes());
    header[16..20].copy_from_slice(&model.dims.to_le_bytes());
    header[20..24].copy_from_slice(&model.token_bytes.to_le_bytes());
    header
}

fn read_blocks(bytes: &[u8], width: usize) -> Option<Vec<(usize, Layout)>> {
    let end = bytes.len().checked_sub(16)?;
    let count = usize::try_from(u64_at(&bytes[end..], 0)).ok()?;
    let entries = end.checked_sub(count.checked_mul(ENTRY)?)?;
    let block = |entry: &[u8]| {
        let (offset, layout) = read_entry(entry, width);
        let fits = offset.checked_add(layout.length)? <= entries;
        fits.then_some((offset, layout))
    };
    bytes[entries..end].chunks_exact(ENTRY).map(block).collect()
}

fn read_entry(entry: &[u8], width: usize) -> (usize, Layout) {
    let number = |nth| u32_at(entry, nth) as usize;
    let counts = Counts {
        files: number(2),
        rows: number(3),
        path_tokens: number(4),
        tokens: number(5),
    };
    (u64_at(entry, 0) as usize, Layout::new(counts, width))
}

/// A block of a segment. Files and rows are counted from its beginning.
#[derive(Clone, Copy)]
pub(crate) struct Block<'s> {
    bytes: &'s [u8],
    layout: &'s Layout,
    width: usize,
}

impl<'s> Block<'s> {
    fn section(&self, section: Section) -> &'s [u8] {
        &self.bytes[self.layout.sections[section as usize].clone()]
    }

    fn number(&self, section: Section, nth: usize) -> f32 {
        f32::from_le_bytes(array_at(self.section(section), nth))
    }

    fn numbers(&self, section: Section, range: Range<usize>) -> impl Iterator<Item = f32> {
        let numbers = &self.section(section).as_chunks::<4>().0[range];
        numbers.iter().map(|bytes| f32::from_le_bytes(*bytes))
    }

    /// What belongs to the `nth` in a section, given by the ends of each.
    /// Ends that cannot be give nothing.
    fn piece(&self, section: Section, ends: Section, nth: usize) -> &'s [u8] {
        let range = range(self.section(ends), nth);
        self.section(section).get(range).unwrap_or_default()
    }

    fn vector(&self, section: Section, nth: usize) -> &'s [u8] {
        &self.section(section)[nth * self.width..][..self.width]
    }

    pub fn files(&self) -> usize {
        self.layout.counts.files
    }

    pub fn rows(&self) -> usize {
        self.layout.counts.rows
    }

    /// Whether no file claims rows that are not there.
    pub fn is_sound(&self) -> bool {
        let ends = self.section(Section::RowEnds).as_chunks::<4>().0;
        let ends = ends.iter().map(|end| u32::from_le_bytes(*end) as usize);
        ends.is_sorted_by(|a, b| a <= b && *b <= self.rows()) && self.last_end() <= self.rows()
    }

    fn last_end(&self) -> usize {
        self.files()
            .checked_sub(1)
            .map_or(0, |last| self.rows_of(last).end)
    }

    pub fn id(&self, file: usize) -> u32 {
        u32_at(self.section(Section::Ids), file)
    }

    pub fn rows_of(&self, file: usize) -> Range<usize> {
        range(self.section(Section::RowEnds), file)
    }

    /// The file that a row belongs to.
    pub fn file_of(&self, row: usize) -> usize {
        let ends = self.section(Section::RowEnds).as_chunks::<4>().0;
        ends.partition_point(|end| u32::from_le_bytes(*end) as usize <= row)
    }

    pub fn path(&self, file: usize) -> &'s [u8] {
        self.vector(Section::Paths, file)
    }

    pub fn path_scale(&self, file: usize) -> f32 {
        self.number(Section::PathScales, file)
    }

    pub fn path_tokens(&self, file: usize) -> &'s [u8] {
        self.piece(Section::PathTokens, Section::PathTokenEnds, file)
    }

    pub fn line(&self, row: usize) -> u32 {
        u32_at(self.section(Section::Lines), row)
    }

    pub fn key(&self, row: usize) -> u128 {
        u128::from_le_bytes(array_at(self.section(Section::Keys), row))
    }

    pub fn scale(&self, row: usize) -> f32 {
        self.number(Section::Scales, row)
    }

    pub fn inverse(&self, row: usize) -> f32 {
        self.number(Section::Inverses, row)
    }

    /// The scales and inverses of rows.
    pub fn factors(&self, rows: Range<usize>) -> impl Iterator<Item = (f32, f32)> {
        self.numbers(Section::Scales, rows.clone())
            .zip(self.numbers(Section::Inverses, rows))
    }

    pub fn coarse_inverses(&self, rows: Range<usize>) -> impl Iterator<Item = f32> {
        self.numbers(Section::CoarseInverses, rows)
    }

    pub fn body(&self, row: usize) -> &'s [u8] {
        self.vector(Section::Bodies, row)
    }

    pub fn bodies(&self, rows: Range<usize>) -> &'s [u8] {
        &self.section(Section::Bodies)[rows.start * self.width..rows.end * self.width]
    }

    pub fn tokens(&self, row: usize) -> &'s [u8] {
        self.piece(Section::Tokens, Section::TokenEnds, row)
    }

    /// The coarse bits of whole groups of rows.
    pub fn coarse(&self, groups: Range<usize>) -> &'s [u8] {
        let words = words_of(self.width);
        let byte = |group: usize| 8 * word_at(group * GROUP, 0, words);
        &self.section(Section::Coarse)[byte(groups.start)..byte(groups.end)]
    }
}

fn range(ends: &[u8], nth: usize) -> Range<usize> {
    let start = nth.checked_sub(1).map_or(0, |before| u32_at(ends, before));
    start as usize..u32_at(ends, nth) as usize
}
