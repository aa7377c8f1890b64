//! Writes a segment, block by block.

use super::coarse::{Coarse, Rotation, word_at, words_of};
use super::kernel::{GROUP, Kernel, WIDTH};
use super::part::{FileParts, UnitPart};
use super::segment::{Block, Counts, Layout, SECTIONS, Section, header, width_of};
use crate::error::Result;
use crate::files::VectorModel;
use crate::layout;
use crate::storage::SharedStorage;
use crate::store::StoreWriter;
use rayon::prelude::*;

/// Rows from which on a block is complete.
const ROWS: usize = 4096;

/// Bytes of tokens from which on a block is complete.
const TOKENS: usize = 16 << 20;

/// Writes one segment. What is in memory is one block.
pub(crate) struct SegmentWriter {
    store: StoreWriter,
    model: VectorModel,
    rotation: Rotation,
    block: Open,
    entries: Vec<u8>,
    blocks: u64,
}

impl SegmentWriter {
    pub fn new(storage: &SharedStorage, number: u64, model: VectorModel) -> SegmentWriter {
        let width = width_of(model.dims as usize);
        SegmentWriter {
            store: StoreWriter::new(storage, layout::vectors(number)),
            rotation: Rotation::new(width),
            block: Open::new(width),
            model,
            entries: Vec::new(),
            blocks: 0,
        }
    }

    /// Adds a file as a model gave it.
    ///
    /// # Panics
    ///
    /// Where vectors or tokens are not of the model's size.
    pub fn add(&mut self, file: &FileParts) -> Result<()> {
        for part in file.units.iter().map(|unit| &unit.body).chain([&file.path]) {
            let whole_tokens = part.tokens.len() % self.model.token_bytes.max(1) as usize == 0;
            let fits = part.vector.dims() == self.model.dims as usize && whole_tokens;
            assert!(fits, "parts of another model than {:?}", self.model);
        }
        file.units.iter().for_each(|unit| self.block.add_unit(unit));
        let path = &file.path;
        self.block
            .end_file(file.id, &path.vector.bytes, path.vector.scale, &path.tokens);
        self.write_if_full()
    }

    /// Copies a file with some of its rows.
    pub fn copy(
        &mut self,
        from: Block,
        file: usize,
        rows: impl Iterator<Item = usize>,
    ) -> Result<()> {
        for row in rows {
            let (line, key) = (from.line(row), from.key(row));
            self.block
                .add_row(line, key, from.body(row), from.scale(row), from.tokens(row));
        }
        let (path, scale) = (from.path(file), from.path_scale(file));
        self.block
            .end_file(from.id(file), path, scale, from.path_tokens(file));
        self.write_if_full()
    }

    fn write_if_full(&mut self) -> Result<()> {
        let full = self.block.lines.len() >= ROWS || self.block.tokens.len() >= TOKENS;
        if full { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> Result<()> {
        if self.store.length() == 0 {
            self.store.append(&header(&self.model))?;
        }
        let width = self.block.width;
        let block = std::mem::replace(&mut self.block, Open::new(width));
        let layout = Layout::new(block.counts(), width);
        self.note(&layout);
        let sections = block.sections(&self.rotation);
        let ends = layout
            .sections
            .iter()
            .skip(1)
            .map(|next| next.start)
            .chain([layout.length]);
        for ((bytes, place), end) in sections.iter().zip(&layout.sections).zip(ends) {
            debug_assert_eq!(bytes.len(), place.len());
            self.store.append(bytes)?;
            self.store.append(&[0; WIDTH][..end - place.end])?;
        }
        Ok(())
    }

    /// Notes where the block that comes next lies.
    fn note(&mut self, layout: &Layout) {
        let Counts {
            files,
            rows,
            path_tokens,
            tokens,
        } = layout.counts;
        self.entries.extend(self.store.length().to_le_bytes());
        let counts = [files, rows, path_tokens, tokens];
        self.entries
            .extend(counts.iter().flat_map(|&n| (n as u32).to_le_bytes()));
        self.blocks += 1;
    }

    /// Completes the file; false where nothing was added.
    pub fn finish(mut self) -> Result<bool> {
        if !self.block.ids.is_empty() {
            self.write_block()?;
        }
        if self.blocks == 0 {
            return Ok(false);
        }
        self.store.append(&self.entries)?;
        self.store.append(&self.blocks.to_le_bytes())?;
        self.store.finish()?;
        Ok(true)
    }
}

/// The block that is being filled.
#[derive(Default)]
struct Open {
    width: usize,
    ids: Vec<u32>,
    row_ends: Vec<u32>,
    path_scales: Vec<f32>,
    path_token_ends: Vec<u32>,
    paths: Vec<u8>,
    path_tokens: Vec<u8>,
    lines: Vec<u32>,
    scales: Vec<f32>,
    token_ends: Vec<u32>,
    keys: Vec<u128>,
    bodies: Vec<u8>,
    tokens: Vec<u8>,
    /// The file of each row.
    files: Vec<u32>,
}

/// What follows from the parts of eight rows.
struct Derived {
    inverses: [f32; GROUP],
    coarse_inverses: [f32; GROUP],
    coarse: Vec<u8>,
}

impl Open {
    fn new(width: usize) -> Open {
        Open {
            width,
            ..Open::default()
        }
    }

    fn add_unit(&mut self, unit: &UnitPart) {
        let vector = &unit.body.vector;
        self.add_row(
            unit.line,
            unit.key,
            &vector.bytes,
            vector.scale,
            &unit.body.tokens,
        );
    }

    fn add_row(&mut self, line: u32, key: u128, body: &[u8], scale: f32, tokens: &[u8]) {
        self.lines.push(line);
        self.keys.push(key);
        self.scales.push(scale);
        self.bodies.extend(body);
        self.bodies.resize(self.lines.len() * self.width, 0);
        self.tokens.extend(tokens);
        self.token_ends.push(self.tokens.len() as u32);
        self.files.push(self.ids.len() as u32);
    }

    /// Ends the file whose rows were added.
    fn end_file(&mut self, id: u32, path: &[u8], scale: f32, tokens: &[u8]) {
        self.ids.push(id);
        self.row_ends.push(self.lines.len() as u32);
        self.path_scales.push(scale);
        self.paths.extend(path);
        self.paths.resize(self.ids.len() * self.width, 0);
        self.path_tokens.extend(tokens);
        self.path_token_ends.push(self.path_tokens.len() as u32);
    }

    fn counts(&self) -> Counts {
        Counts {
            files: self.ids.len(),
            rows: self.lines.len(),
            path_tokens: self.path_tokens.len(),
            tokens: self.tokens.len(),
        }
    }

    /// The bytes of every section, in order.
    fn sections(self, rotation: &Rotation) -> [Vec<u8>; SECTIONS] {
        let rows = self.lines.len();
        let derived: Vec<Derived> = (0..rows.div_ceil(GROUP))
            .into_par_iter()
            .map(|g| self.derive(g, rotation))
            .collect();
        let inverses = derived.iter().flat_map(|d| d.inverses).take(rows);
        let coarse_inverses = derived.iter().flat_map(|d| d.coarse_inverses).take(rows);
        let mut sections: [Vec<u8>; SECTIONS] = Default::default();
        let mut set = |section: Section, bytes: Vec<u8>| sections[section as usize] = bytes;
        set(Section::Inverses, f32s(inverses));
        set(Section::CoarseInverses, f32s(coarse_inverses));
        set(
            Section::Coarse,
            derived.iter().flat_map(|d| &d.coarse).copied().collect(),
        );
        set(Section::Ids, u32s(&self.ids));
        set(Section::RowEnds, u32s(&self.row_ends));
        set(Section::PathScales, f32s(self.path_scales.into_iter()));
        set(Section::PathTokenEnds, u32s(&self.path_token_ends));
        set(Section::Paths, self.paths);
        set(Section::PathTokens, self.path_tokens);
        set(Section::Lines, u32s(&self.lines));
        set(Section::Scales, f32s(self.scales.into_iter()));
        set(Section::TokenEnds, u32s(&self.token_ends));
        set(
            Section::Keys,
            self.keys.iter().flat_map(|key| key.to_le_bytes()).collect(),
        );
        set(Section::Bodies, self.bodies);
        set(Section::Tokens, self.tokens);
        sections
    }

    fn derive(&self, group: usize, rotation: &Rotation) -> Derived {
        let words = words_of(self.width);
        let mut derived = Derived {
            inverses: [0.0; GROUP],
            coarse_inverses: [0.0; GROUP],
            coarse: vec![0; words * GROUP * 8],
        };
        let rows = group * GROUP..self.lines.len().min((group + 1) * GROUP);
        for (lane, row) in rows.enumerate() {
            let (mut vector, inverse) = self.vector(row);
            rotation.turn(&mut vector);
            let coarse = Coarse::new(&vector, inverse);
            let product = coarse.product * inverse;
            derived.inverses[lane] = inverse;
            derived.coarse_inverses[lane] = if product > 0.0 { 1.0 / product } else { 0.0 };
            for (nth, word) in coarse.words.iter().enumerate() {
                let at = 8 * word_at(lane, nth, words);
                derived.coarse[at..at + 8].copy_from_slice(&word.to_le_bytes());
            }
        }
        derived
    }

    /// The sum of a row's parts, and the inverse of its length. All that is
    /// kept of a row follows from the bytes of its parts, so one that comes
    /// from the cache is as if it were new.
    fn vector(&self, row: usize) -> (Vec<f32>, f32) {
        let file = self.files[row] as usize;
        let body = &self.bodies[row * self.width..][..self.width];
        let path = &self.paths[file * self.width..][..self.width];
        let (a, b) = (self.scales[row], self.path_scales[file]);
        let kernel = Kernel::best();
        let dot = |x, y| f64::from(kernel.dot(x, y));
        let (wide_a, wide_b) = (f64::from(a), f64::from(b));
        let square = wide_a * wide_a * dot(body, body)
            + 2.0 * wide_a * wide_b * dot(body, path)
            + wide_b * wide_b * dot(path, path);
        let inverse = if square > 0.0 {
            (1.0 / square.sqrt()) as f32
        } else {
            0.0
        };
        (sum(body, a, path, b), inverse)
    }
}

/// The sum of two parts.
pub(crate) fn sum(body: &[u8], scale: f32, path: &[u8], path_scale: f32) -> Vec<f32> {
    let number = |byte: u8| f32::from(byte as i8);
    body.iter()
        .zip(path)
        .map(|(&b, &p)| number(b) * scale + number(p) * path_scale)
        .collect()
}

fn u32s(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn f32s(numbers: impl Iterator<Item = f32>) -> Vec<u8> {
    numbers.flat_map(f32::to_le_bytes).collect()
}
