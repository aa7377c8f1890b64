//! The vectors of the vocabulary, by far the largest part of a model.

use crate::config::Config;
use crate::error::ModelError;
use crate::file::{Bytes, File};
use safetensors::Dtype;
use std::ops::Range;

/// The rows of all tokens. They stay where they are.
pub(super) struct Table {
    bytes: Bytes,
    rows: Range<usize>,
    scales: Range<usize>,
    width: usize,
}

impl Table {
    pub fn read(file: File, config: &Config) -> Result<Table, ModelError> {
        let (vocab, width) = (config.vocab, config.width);
        let rows = file.place("embed.q", Dtype::I8, &[vocab, width])?;
        let scales = file.place("embed.scale", Dtype::F32, &[vocab])?;
        let bytes = file.into_bytes();
        Ok(Table {
            bytes,
            rows,
            scales,
            width,
        })
    }

    /// The row of a token as bytes, and what a step of one is worth.
    pub fn row(&self, id: u32) -> (&[u8], f32) {
        let bytes = (*self.bytes).as_ref();
        let id = id as usize;
        let row = &bytes[self.rows.start + id * self.width..][..self.width];
        let scale = &bytes[self.scales.clone()].as_chunks().0[id];
        (row, f32::from_le_bytes(*scale))
    }
}
