//! The buffers that texts are computed in.

mod quantized;
mod residual;

pub(crate) use quantized::Quantized;
pub(crate) use residual::ResidualQuantized;

use crate::kernel::{ColumnPair, Space};
use std::ops::Range;

/// The tokens of some texts, and the buffers to compute with them.
#[derive(Default)]
pub(crate) struct Work {
    pub ids: Vec<u32>,
    /// Where each text ends.
    pub ends: Vec<usize>,
    /// The states of the tokens, in rows padded to whole panels.
    pub states: Vec<f32>,
    /// A state after it was normalized, with zeros up to the inputs of a product.
    pub row: Vec<f32>,
    pub quantized: Quantized,
    pub residual: ResidualQuantized,
    /// The outputs of one panel of a convolution, or of the queries, the keys
    /// and the values of attention.
    pub tiles: [Vec<ColumnPair>; 3],
    pub space: Space,
    /// The middle of a block, and what the last products give.
    pub wide: Vec<f32>,
}

impl Work {
    pub fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }
}

/// The beginning of a buffer, which grows where it is too short. It is never
/// cut: filling it up again would take time.
pub(crate) fn room<T: Copy + Default>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    buffer.resize(buffer.len().max(length), T::default());
    &mut buffer[..length]
}

/// The rows of each text.
pub(crate) fn spans(ends: &[usize]) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| start..end)
}
