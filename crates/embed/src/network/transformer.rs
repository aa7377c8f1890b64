//! The large network: a transformer with norms after each half of a layer, in
//! the shape of BERT.

use super::{norm, packed};
use crate::encode::{Work, room, spans};
use crate::file::File;
use crate::kernel::{HALF, Heads, Norm, PANEL, Packed, Target};
use crate::model::{Config, checked, is_length};
use crate::{Model, ModelError, Side};
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

pub(crate) struct Transformer {
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
        let layer = |i| Layer::read(file, &format!("layers.{i}"), shape, config.width);
        let layers = (0..shape.layers).map(layer).collect::<Result<_, _>>()?;
        Ok(Transformer { positions, layers })
    }
}

impl Layer {
    fn read(file: &File, name: &str, shape: &Shape, width: usize) -> Result<Layer, ModelError> {
        let inner = shape.inner;
        let floats = |part: &str, count| file.floats(&format!("{name}.{part}"), &[count]);
        let norm = |part: &str| norm(file, &format!("{name}.{part}"), width, shape.eps);
        let plain = |part: &str, inputs| packed(file, &format!("{name}.{part}"), width, inputs);
        let matrix = |part: &str, outputs| {
            let bias = floats(&format!("{part}.bias"), outputs)?;
            let matrix = packed(file, &format!("{name}.{part}"), outputs, width)?;
            Ok::<_, ModelError>(matrix.with_bias(&bias))
        };
        let before = |factors, bias| {
            let (factors, bias) = (floats(factors, width)?, floats(bias, width)?);
            Ok::<_, ModelError>(Before { factors, bias })
        };
        Ok(Layer {
            before: before("factors", "out.bias")?,
            query: matrix("query", width)?,
            key: matrix("key", width)?,
            value: matrix("value", width)?,
            out: plain("out", width)?,
            attention_norm: norm("attention_norm")?,
            before_up: before("up.factors", "down.bias")?,
            up: matrix("up", inner)?,
            down_factors: floats("down.factors", inner)?,
            down: plain("down", inner)?,
            norm: norm("norm")?,
        })
    }
}

impl Model {
    /// The states of all tokens.
    pub(crate) fn transform(&self, network: &Transformer, work: &mut Work, side: Side) {
        if work.ids.is_empty() {
            return;
        }
        let starts = spans(&work.ends)
            .filter(|text| !text.is_empty())
            .map(|text| text.start);
        work.rounded.begin(starts);
        self.place(network, work);
        let mut norm = &self.network.norm;
        for layer in &network.layers {
            self.settle(norm, &layer.before, work);
            self.attend(layer, work);
            self.settle(&layer.attention_norm, &layer.before_up, work);
            self.feed(layer, work);
            norm = &layer.norm;
        }
        let added = &self.network.sides[side as usize];
        for state in work.states.chunks_mut(self.stride()) {
            self.kernel.norm(&state[..added.len()], norm, &mut work.row);
            state[..added.len()].copy_from_slice(&work.row[..added.len()]);
            self.kernel.add(1.0, added, state);
        }
    }

    /// The tokens with their places.
    fn place(&self, network: &Transformer, work: &mut Work) {
        let (width, stride) = (self.config.width, self.stride());
        let places = spans(&work.ends).flat_map(|text| 0..text.len());
        let rows = work
            .ids
            .iter()
            .zip(places)
            .zip(work.states.chunks_mut(stride));
        for ((&id, place), state) in rows {
            let (bytes, scale) = self.table.row(id);
            let position = &network.positions[place * width..][..width];
            self.kernel.spread(bytes, scale, position, state);
        }
    }

    /// Normalises the states, and makes bytes of them for what comes next.
    fn settle(&self, norm: &Norm, next: &Before, work: &mut Work) {
        let width = self.config.width;
        work.rounded.resize(work.ids.len(), work.row.len());
        for (at, state) in work.states.chunks_mut(self.stride()).enumerate() {
            self.kernel.norm(&state[..width], norm, &mut work.row);
            state[..width].copy_from_slice(&work.row[..width]);
            self.kernel.add(1.0, &next.bias, state);
            self.kernel.scale(&mut work.row, &next.factors);
            work.rounded.put(self.kernel, at, &work.row);
        }
    }

    /// Adds out(attention) to all rows.
    fn attend(&self, layer: &Layer, work: &mut Work) {
        let (rows, stride) = (work.ids.len(), self.stride());
        let Work {
            rounded,
            tiles,
            space,
            wide,
            ends,
            states,
            ..
        } = work;
        tiles
            .iter_mut()
            .for_each(|tile| tile.resize(rows, [[0.0; HALF]; 2]));
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
                rounded.product(self.kernel, matrix, at, target);
            }
            for text in spans(ends).filter(|text| !text.is_empty()) {
                let out = &mut wide[text.start * stride + at * PANEL..];
                let [query, key, value] = tiles.each_ref().map(|tile| &tile[text.clone()]);
                self.kernel
                    .attend(Heads { query, key, value }, space, out, stride);
            }
        }
        let inputs = layer.out.inputs();
        rounded.resize(rows, inputs);
        for (at, row) in wide.chunks(stride).enumerate() {
            rounded.put(self.kernel, at, &row[..inputs]);
        }
        rounded.times(self.kernel, &layer.out, states, stride, true);
    }

    /// Adds down(gelu(up)) to all rows.
    fn feed(&self, layer: &Layer, work: &mut Work) {
        let (rows, stride, inputs) = (work.ids.len(), layer.up.outputs(), layer.down.inputs());
        let Work {
            rounded,
            wide,
            states,
            ..
        } = work;
        let wide = room(wide, rows * stride);
        rounded.times(self.kernel, &layer.up, wide, stride, false);
        rounded.resize(rows, inputs);
        for (at, row) in wide.chunks_mut(stride).enumerate() {
            self.kernel.bend(&mut row[..inputs], &layer.down_factors);
            rounded.put(self.kernel, at, &row[..inputs]);
        }
        rounded.times(self.kernel, &layer.down, states, self.stride(), true);
    }
}
