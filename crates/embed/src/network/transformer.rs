//! The large network: a transformer with norms after each half of a layer, in
//! the shape of BERT.

use super::{Network, norm, packed};
use crate::config::{Config, Role, checked, is_length};
use crate::error::ModelError;
use crate::file::File;
use crate::kernel::{HALF, Heads, Norm, PANEL, Packed, Target};
use crate::work::{Work, room, spans};
use serde::Deserialize;

/// What a config says of the layers.
#[derive(Deserialize)]
pub(super) struct Shape {
    layers: usize,
    heads: usize,
    /// The columns in the middle of the second half of a layer.
    inner: usize,
    /// What norms add to a variance.
    pub eps: f32,
}

pub(super) struct Transformer {
    /// What is added to a token for its place in a text.
    positions: Vec<f32>,
    layers: Vec<Layer>,
}

/// x = norm(x + out(attention(query(x), key(x), value(x)))), then
/// x = norm(x + down(gelu(up(x)))).
struct Layer {
    before: Before,
    query: Packed,
    key: Packed,
    value: Packed,
    out: Packed,
    attention_norm: Norm,
    before_up: Before,
    up: Packed,
    down_factors: Vec<f32>,
    down: Packed,
    norm: Norm,
}

/// What is done to states before half of a layer.
struct Before {
    /// What the columns are multiplied with before they become bytes: columns
    /// whose numbers are large would leave no steps for the others.
    factors: Vec<f32>,
    /// The bias of what will be added to the states.
    bias: Vec<f32>,
}

impl Shape {
    fn check(&self, width: usize) -> Result<(), ModelError> {
        checked(&[
            ("layers", self.layers, self.layers <= 64),
            ("inner", self.inner, is_length(self.inner)),
            // The heads of a panel are its halves.
            (
                "heads",
                self.heads,
                self.heads.checked_mul(HALF) == Some(width),
            ),
        ])
    }
}

impl Transformer {
    pub(super) fn read(
        file: &File,
        shape: &Shape,
        config: &Config,
    ) -> Result<Transformer, ModelError> {
        shape.check(config.width)?;
        let positions = file.floats("position", &[config.most_ids(), config.width])?;
        let mut layers = Vec::with_capacity(shape.layers);
        for i in 0..shape.layers {
            let name = format!("layers.{i}");
            layers.push(Layer::read(file, &name, shape, config.width)?);
        }
        Ok(Transformer { positions, layers })
    }
}

impl Layer {
    fn read(file: &File, name: &str, shape: &Shape, width: usize) -> Result<Layer, ModelError> {
        let inner = shape.inner;
        let part = |part: &str| format!("{name}.{part}");
        let with_bias = |part: &str, outputs| packed_with_bias(file, part, outputs, width);
        let norm = |part: &str| norm(file, part, width, shape.eps);
        Ok(Layer {
            before: Before::read(file, &part("factors"), &part("out.bias"), width)?,
            query: with_bias(&part("query"), width)?,
            key: with_bias(&part("key"), width)?,
            value: with_bias(&part("value"), width)?,
            out: packed(file, &part("out"), width, width)?,
            attention_norm: norm(&part("attention_norm"))?,
            before_up: Before::read(file, &part("up.factors"), &part("down.bias"), width)?,
            up: with_bias(&part("up"), inner)?,
            down_factors: file.floats(&part("down.factors"), &[inner])?,
            down: packed(file, &part("down"), width, inner)?,
            norm: norm(&part("norm"))?,
        })
    }
}

impl Before {
    fn read(file: &File, factors: &str, bias: &str, width: usize) -> Result<Before, ModelError> {
        let factors = file.floats(factors, &[width])?;
        let bias = file.floats(bias, &[width])?;
        Ok(Before { factors, bias })
    }
}

fn packed_with_bias(
    file: &File,
    name: &str,
    outputs: usize,
    inputs: usize,
) -> Result<Packed, ModelError> {
    let bias = file.floats(&format!("{name}.bias"), &[outputs])?;
    let matrix = packed(file, name, outputs, inputs)?;
    Ok(matrix.with_bias(&bias))
}

impl Network {
    /// The states of all tokens.
    pub(super) fn transform(&self, transformer: &Transformer, work: &mut Work, role: Role) {
        if work.ids.is_empty() {
            return;
        }
        let texts = spans(&work.ends).filter(|text| !text.is_empty());
        work.residual.begin(texts.map(|text| text.start));
        self.place(&transformer.positions, work);
        let mut norm = &self.norm;
        for layer in &transformer.layers {
            self.settle(norm, &layer.before, work);
            self.attend(layer, work);
            self.settle(&layer.attention_norm, &layer.before_up, work);
            self.feed(layer, work);
            norm = &layer.norm;
        }
        let added = &self.roles[role as usize];
        for state in work.states.chunks_mut(self.stride()) {
            self.kernel.norm(&state[..added.len()], norm, &mut work.row);
            state[..added.len()].copy_from_slice(&work.row[..added.len()]);
            self.kernel.add(1.0, added, state);
        }
    }

    /// The tokens with their places.
    fn place(&self, positions: &[f32], work: &mut Work) {
        let (width, stride) = (self.width, self.stride());
        let places = spans(&work.ends).flat_map(|text| 0..text.len());
        let rows = work
            .ids
            .iter()
            .zip(places)
            .zip(work.states.chunks_mut(stride));
        for ((&id, place), state) in rows {
            let (bytes, scale) = self.table.row(id);
            let position = &positions[place * width..][..width];
            self.kernel.dequantize(bytes, scale, position, state);
        }
    }

    /// Normalises the states, and makes bytes of them for what comes next.
    fn settle(&self, norm: &Norm, next: &Before, work: &mut Work) {
        let width = self.width;
        work.residual.resize(work.ids.len(), work.row.len());
        for (at, state) in work.states.chunks_mut(self.stride()).enumerate() {
            self.kernel.norm(&state[..width], norm, &mut work.row);
            state[..width].copy_from_slice(&work.row[..width]);
            self.kernel.add(1.0, &next.bias, state);
            self.kernel.scale(&mut work.row, &next.factors);
            work.residual.put(self.kernel, at, &work.row);
        }
    }

    /// Adds out(attention) to all rows.
    fn attend(&self, layer: &Layer, work: &mut Work) {
        let (rows, stride) = (work.ids.len(), self.stride());
        let Work {
            residual,
            tiles,
            space,
            wide,
            ends,
            states,
            ..
        } = work;
        for tile in &mut *tiles {
            tile.resize(rows, [[0.0; HALF]; 2]);
        }
        let wide = room(wide, rows * stride);
        let matrices = [&layer.query, &layer.key, &layer.value];
        // A panel at a time, so that what it gives is used while it is near.
        for at in 0..stride / PANEL {
            for (tile, matrix) in tiles.iter_mut().zip(matrices) {
                let out = tile.as_flattened_mut().as_flattened_mut();
                let target = Target {
                    out,
                    stride: PANEL,
                    add: false,
                };
                residual.product(self.kernel, matrix, at, target);
            }
            for text in spans(ends).filter(|text| !text.is_empty()) {
                let out = &mut wide[text.start * stride + at * PANEL..];
                let [query, key, value] = tiles.each_ref().map(|tile| &tile[text.clone()]);
                self.kernel
                    .attend(Heads { query, key, value }, space, out, stride);
            }
        }
        let inputs = layer.out.inputs();
        residual.resize(rows, inputs);
        for (at, row) in wide.chunks(stride).enumerate() {
            residual.put(self.kernel, at, &row[..inputs]);
        }
        let sum = Target {
            out: states,
            stride,
            add: true,
        };
        residual.times(self.kernel, &layer.out, sum);
    }

    /// Adds down(gelu(up)) to all rows.
    fn feed(&self, layer: &Layer, work: &mut Work) {
        let (rows, stride, inputs) = (work.ids.len(), layer.up.outputs(), layer.down.inputs());
        let Work {
            residual,
            wide,
            states,
            ..
        } = work;
        let wide = room(wide, rows * stride);
        let up = Target {
            out: &mut *wide,
            stride,
            add: false,
        };
        residual.times(self.kernel, &layer.up, up);
        residual.resize(rows, inputs);
        for (at, row) in wide.chunks_mut(stride).enumerate() {
            self.kernel
                .gelu_mul(&mut row[..inputs], &layer.down_factors);
            residual.put(self.kernel, at, &row[..inputs]);
        }
        let sum = Target {
            out: states,
            stride: self.stride(),
            add: true,
        };
        residual.times(self.kernel, &layer.down, sum);
    }
}
