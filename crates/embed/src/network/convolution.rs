//! The small network: gated convolutions, each after a norm.

use super::{Network, norm, packed};
use crate::config::{Role, checked, is_length};
use crate::error::ModelError;
use crate::file::File;
use crate::kernel::{Columns, HALF, Norm, PANEL, Packed, Target};
use crate::work::{Work, room, spans};
use serde::Deserialize;

/// What norms add to a variance, as in `training/model.py`.
pub(super) const EPSILON: f32 = 1e-5;

/// What a config says of the blocks.
#[derive(Deserialize)]
pub(super) struct Shape {
    /// The columns in the middle of a block.
    hidden: usize,
    blocks: usize,
    /// The rows that a convolution sees.
    kernel: usize,
    /// The number of blocks for queries alone; 0 where they take the others.
    query_blocks: usize,
    /// The columns in the middle of such a block.
    query_hidden: usize,
}

pub(super) struct Convolution {
    blocks: Vec<Block>,
    query_blocks: Vec<Block>,
}

/// x + out(silu(a) · conv(b)), where a and b are two projections of the
/// normalized x.
struct Block {
    norm: Norm,
    /// Each panel holds `HALF` columns of a, then the same ones of b.
    inner: Packed,
    /// For each panel of `inner` the bias and the weights of the convolution.
    taps: Vec<Vec<Columns>>,
    out: Packed,
}

impl Shape {
    fn check(&self) -> Result<(), ModelError> {
        checked(&[
            ("hidden", self.hidden, is_length(self.hidden)),
            (
                "query_hidden",
                self.query_hidden,
                is_length(self.query_hidden),
            ),
            ("blocks", self.blocks, self.blocks <= 64),
            ("query_blocks", self.query_blocks, self.query_blocks <= 64),
            (
                "kernel",
                self.kernel,
                self.kernel % 2 == 1 && self.kernel < 64,
            ),
        ])
    }
}

impl Convolution {
    pub(super) fn read(
        file: &File,
        shape: &Shape,
        width: usize,
    ) -> Result<Convolution, ModelError> {
        shape.check()?;
        let mut blocks = Vec::with_capacity(shape.blocks);
        for i in 0..shape.blocks {
            let sizes = [width, shape.hidden, shape.kernel];
            blocks.push(Block::read(file, &format!("blocks.{i}"), sizes)?);
        }
        let mut query_blocks = Vec::with_capacity(shape.query_blocks);
        for i in 0..shape.query_blocks {
            let sizes = [width, shape.query_hidden, shape.kernel];
            query_blocks.push(Block::read(file, &format!("query_blocks.{i}"), sizes)?);
        }
        Ok(Convolution {
            blocks,
            query_blocks,
        })
    }

    fn blocks(&self, role: Role) -> &[Block] {
        let own = &self.query_blocks;
        if role == Role::Query && !own.is_empty() {
            own
        } else {
            &self.blocks
        }
    }
}

impl Block {
    fn read(
        file: &File,
        name: &str,
        [width, hidden, kernel]: [usize; 3],
    ) -> Result<Block, ModelError> {
        let inner = file.weights(&format!("{name}.inner.q"), &[2 * hidden, width])?;
        let scales = file.floats(&format!("{name}.inner.scale"), &[2 * hidden])?;
        let weight = file.floats(&format!("{name}.conv.weight"), &[kernel, hidden])?;
        let bias = file.floats(&format!("{name}.conv.bias"), &[hidden])?;
        Ok(Block {
            norm: norm(file, &format!("{name}.norm"), width, EPSILON)?,
            inner: Packed::ordered(inner, &scales, width, &by_panels(hidden)),
            taps: taps(&bias, &weight),
            out: packed(file, &format!("{name}.out"), width, hidden)?,
        })
    }
}

/// The outputs of an inner product in the order of its panels. The columns
/// that fill up the last panel have no output.
fn by_panels(hidden: usize) -> Vec<Option<usize>> {
    let mut outputs = Vec::with_capacity(2 * hidden.next_multiple_of(HALF));
    for first in (0..hidden).step_by(HALF) {
        for offset in [0, hidden] {
            for column in first..first + HALF {
                outputs.push((column < hidden).then_some(offset + column));
            }
        }
    }
    outputs
}

/// The bias and the weights of a convolution, cut into `HALF` columns.
fn taps(bias: &[f32], weight: &[f32]) -> Vec<Vec<Columns>> {
    let hidden = bias.len();
    let mut panels = Vec::new();
    for first in (0..hidden).step_by(HALF) {
        let mut panel = vec![columns(bias, first)];
        for row in weight.chunks(hidden) {
            panel.push(columns(row, first));
        }
        panels.push(panel);
    }
    panels
}

/// The columns of a row from `first` on, with zeros after its end.
fn columns(row: &[f32], first: usize) -> Columns {
    std::array::from_fn(|i| row.get(first + i).copied().unwrap_or(0.0))
}

impl Network {
    /// The states of all tokens, after the last norm.
    pub(super) fn convolve(&self, layers: &Convolution, work: &mut Work, role: Role) {
        let (width, stride) = (self.width, self.stride());
        let added = &self.roles[role as usize];
        for (&id, state) in work.ids.iter().zip(work.states.chunks_mut(stride)) {
            let (bytes, scale) = self.table.row(id);
            self.kernel.dequantize(bytes, scale, added, state);
        }
        for block in layers.blocks(role) {
            self.block(block, work);
        }
        for state in work.states.chunks_mut(stride) {
            self.kernel.norm(&state[..width], &self.norm, &mut work.row);
            state[..width].copy_from_slice(&work.row[..width]);
        }
    }

    /// x + out(silu(a) · conv(b)) for all rows.
    fn block(&self, block: &Block, work: &mut Work) {
        self.normed(&block.norm, work);
        let (rows, inputs) = (work.ids.len(), block.out.inputs());
        work.tiles[0].resize(rows, [[0.0; HALF]; 2]);
        let wide = room(&mut work.wide, rows * inputs);
        // A panel at a time, so that what it gives is used while it is near.
        for (at, (panel, taps)) in block.inner.panels().zip(&block.taps).enumerate() {
            let out = work.tiles[0].as_flattened_mut().as_flattened_mut();
            let target = Target {
                out,
                stride: PANEL,
                add: false,
            };
            self.kernel
                .product(panel, work.quantized.rows(&block.inner), target);
            for text in spans(&work.ends).filter(|text| !text.is_empty()) {
                let out = &mut wide[text.start * inputs..text.end * inputs];
                self.kernel
                    .gate(&work.tiles[0][text], taps, &mut out[at * HALF..], inputs);
            }
        }
        work.quantized.fill(self.kernel, wide, inputs, inputs);
        let sum = Target {
            out: &mut work.states,
            stride: self.stride(),
            add: true,
        };
        work.quantized.times(&block.out, self.kernel, sum);
    }

    /// The states normalized, as bytes.
    fn normed(&self, norm: &Norm, work: &mut Work) {
        let (width, inputs) = (self.width, work.row.len());
        work.quantized.resize(work.ids.len(), inputs);
        let bytes = work.quantized.bytes.chunks_mut(inputs);
        let rows = bytes.zip(&mut work.quantized.scales);
        for (state, (bytes, scale)) in work.states.chunks(self.stride()).zip(rows) {
            self.kernel.norm(&state[..width], norm, &mut work.row);
            *scale = self.kernel.quantize(&work.row, bytes);
        }
    }
}
