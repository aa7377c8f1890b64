//! Rows as bytes.

use super::room;
use crate::kernel::{Kernel, PANEL, Packed, Rows, Target};

/// Rows as bytes, ready for a product.
#[derive(Default)]
pub(crate) struct Quantized {
    pub bytes: Vec<u8>,
    pub scales: Vec<f32>,
}

impl Quantized {
    /// Makes room for rows of this length.
    pub fn resize(&mut self, rows: usize, inputs: usize) {
        room(&mut self.bytes, rows * inputs);
        self.scales.resize(rows, 0.0);
    }

    /// Takes rows, of which the first `inputs` numbers count.
    pub fn fill(&mut self, kernel: Kernel, rows: &[f32], stride: usize, inputs: usize) {
        self.resize(rows.len() / stride, inputs);
        let bytes = self.bytes.chunks_mut(inputs).zip(&mut self.scales);
        for (row, (bytes, scale)) in rows.chunks(stride).zip(bytes) {
            *scale = kernel.quantize(&row[..inputs], bytes);
        }
    }

    /// The products of all rows with a matrix.
    pub fn times(&self, matrix: &Packed, kernel: Kernel, target: Target) {
        let Target { out, stride, add } = target;
        let rows = self.rows(matrix);
        if rows.scales.is_empty() {
            return;
        }
        for (at, panel) in matrix.panels().enumerate() {
            let out = &mut out[at * PANEL..];
            kernel.product(panel, rows, Target { out, stride, add });
        }
    }

    pub fn rows(&self, matrix: &Packed) -> Rows<'_> {
        Rows {
            bytes: &self.bytes,
            scales: &self.scales,
            inputs: matrix.inputs(),
        }
    }
}
