//! Rows as bytes for a transformer.
//!
//! The first token of a text stands for nothing in it, and transformers use it
//! as they like: all other tokens look at it, and its state has numbers that
//! are far larger than all others. So what rounding leaves over of this row is
//! rounded in turn, and makes a second row.

use super::Quantized;
use crate::kernel::{ColumnPair, HALF, Kernel, PANEL, Packed, Panel, Target};

#[derive(Default)]
pub(crate) struct ResidualQuantized {
    rows: Quantized,
    /// What is left over of the first row of each text.
    rest: Quantized,
    /// The first row of each text.
    firsts: Vec<usize>,
    /// What a panel gives for what is left over.
    tile: Vec<ColumnPair>,
    /// A row that is left over.
    left: Vec<f32>,
}

impl ResidualQuantized {
    /// Takes other texts, of which these are the first rows.
    pub fn begin(&mut self, firsts: impl Iterator<Item = usize>) {
        self.firsts.clear();
        self.firsts.extend(firsts);
    }

    /// Makes room for rows of this length.
    pub fn resize(&mut self, rows: usize, inputs: usize) {
        self.rows.resize(rows, inputs);
        self.rest.resize(self.firsts.len(), inputs);
    }

    /// Makes a row bytes.
    pub fn put(&mut self, kernel: Kernel, at: usize, row: &[f32]) {
        let bytes = &mut self.rows.bytes[at * row.len()..][..row.len()];
        let scale = kernel.quantize(row, bytes);
        self.rows.scales[at] = scale;
        if let Ok(text) = self.firsts.binary_search(&at) {
            self.left.clear();
            for (number, byte) in row.iter().zip(bytes) {
                let quantized = (f32::from(*byte) - 128.0) * scale;
                self.left.push(number - quantized);
            }
            let bytes = &mut self.rest.bytes[text * row.len()..][..row.len()];
            self.rest.scales[text] = kernel.quantize(&self.left, bytes);
        }
    }

    /// The products of one panel with all rows.
    pub fn product(&mut self, kernel: Kernel, matrix: &Packed, at: usize, target: Target) {
        let Target { out, stride, add } = target;
        let panel = matrix.panel(at);
        let whole = Target {
            out: &mut *out,
            stride,
            add,
        };
        kernel.product(panel, self.rows.rows(matrix), whole);
        self.rest_product(kernel, panel, matrix);
        for (&first, [a, b]) in self.firsts.iter().zip(&self.tile) {
            let row = &mut out[first * stride..];
            for (out, rest) in row.iter_mut().zip(a.iter().chain(b)) {
                *out += rest;
            }
        }
    }

    fn rest_product(&mut self, kernel: Kernel, panel: Panel, matrix: &Packed) {
        self.tile.clear();
        self.tile.resize(self.firsts.len(), [[0.0; HALF]; 2]);
        let out = self.tile.as_flattened_mut().as_flattened_mut();
        // To zeros, so that the bias does not come twice.
        let target = Target {
            out,
            stride: PANEL,
            add: true,
        };
        kernel.product(panel, self.rest.rows(matrix), target);
    }

    /// The products of all rows with a matrix.
    pub fn times(&mut self, kernel: Kernel, matrix: &Packed, target: Target) {
        let Target { out, stride, add } = target;
        for at in 0..matrix.outputs() / PANEL {
            let out = &mut out[at * PANEL..];
            self.product(kernel, matrix, at, Target { out, stride, add });
        }
    }
}
