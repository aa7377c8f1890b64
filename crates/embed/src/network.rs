//! The weights of a model, in the form in which they are computed with.

use crate::ModelError;
use crate::file::File;
use crate::kernel::{Columns, HALF, Norm, Packed};
use crate::model::Config;

/// x + out(silu(a) · conv(b)), where a and b are two projections of the
/// normalised x.
pub(crate) struct Block {
    pub norm: Norm,
    /// Each panel holds `HALF` columns of a, then the same ones of b.
    pub inner: Packed,
    /// For each panel of `inner` the bias and the weights of the convolution.
    pub taps: Vec<Vec<Columns>>,
    pub out: Packed,
}

/// Everything but the table of tokens. What there are three of is for queries,
/// bodies and paths, in this order.
pub(crate) struct Network {
    /// Is added to every token.
    pub sides: [Vec<f32>; 3],
    pub blocks: Vec<Block>,
    pub query_blocks: Vec<Block>,
    pub norm: Norm,
    /// Decide the share of a token in the vector of its text.
    pub pools: [Vec<f32>; 3],
    pub vectors: [Packed; 3],
    pub token: Packed,
    /// Decides the weight of a token in a query, with what is added to it.
    pub weight: (Vec<f32>, f32),
}

impl Network {
    pub fn read(file: &File, config: &Config) -> Result<Network, ModelError> {
        let width = config.width;
        let block = |name: String, hidden| Block::read(file, config, &name, hidden);
        let blocks = (0..config.blocks).map(|i| block(format!("blocks.{i}"), config.hidden));
        let query_blocks = (0..config.query_blocks)
            .map(|i| block(format!("query_blocks.{i}"), config.query_hidden));
        Ok(Network {
            sides: thirds(&file.floats("side", &[3, width])?),
            blocks: blocks.collect::<Result<_, _>>()?,
            query_blocks: query_blocks.collect::<Result<_, _>>()?,
            norm: norm(file, "norm", width)?,
            pools: thirds(&file.floats("pool", &[3, width])?),
            vectors: vectors(file, config)?,
            token: packed(file, "token", config.tokens, width)?,
            weight: (file.floats("weight.weight", &[width])?, file.floats("weight.bias", &[1])?[0]),
        })
    }
}

impl Block {
    fn read(file: &File, config: &Config, name: &str, hidden: usize) -> Result<Block, ModelError> {
        let width = config.width;
        let inner = file.weights(&format!("{name}.inner.q"), &[2 * hidden, width])?;
        let scales = file.floats(&format!("{name}.inner.scale"), &[2 * hidden])?;
        let weight = file.floats(&format!("{name}.conv.weight"), &[config.kernel, hidden])?;
        let bias = file.floats(&format!("{name}.conv.bias"), &[hidden])?;
        Ok(Block {
            norm: norm(file, &format!("{name}.norm"), width)?,
            inner: Packed::ordered(inner, &scales, width, &by_panels(hidden)),
            taps: taps(&bias, &weight),
            out: packed(file, &format!("{name}.out"), width, hidden)?,
        })
    }
}

fn norm(file: &File, name: &str, width: usize) -> Result<Norm, ModelError> {
    let weight = file.floats(&format!("{name}.weight"), &[width])?;
    let bias = file.floats(&format!("{name}.bias"), &[width])?;
    Ok(Norm { weight, bias })
}

/// The outputs of an inner product in the order of its panels. The columns
/// that fill up the last panel have no output.
fn by_panels(hidden: usize) -> Vec<Option<usize>> {
    let columns = |first: usize| move |i: usize| (first + i < hidden).then_some(first + i);
    let panel = |first: usize| {
        let a = (0..HALF).map(columns(first));
        let b = a.clone().map(move |column| Some(hidden + column?));
        a.chain(b)
    };
    (0..hidden).step_by(HALF).flat_map(panel).collect()
}

/// The bias and the weights of a convolution, cut into `HALF` columns.
fn taps(bias: &[f32], weight: &[f32]) -> Vec<Vec<Columns>> {
    let hidden = bias.len();
    let rows = || std::iter::once(bias).chain(weight.chunks(hidden));
    let cut = |row: &[f32], first: usize| {
        std::array::from_fn(|i| row.get(first + i).copied().unwrap_or(0.0))
    };
    let panel = |first: usize| rows().map(|row| cut(row, first)).collect();
    (0..hidden).step_by(HALF).map(panel).collect()
}

/// The matrix of a side makes a vector of a pooled state.
fn vectors(file: &File, config: &Config) -> Result<[Packed; 3], ModelError> {
    let (vector, width) = (config.vector, config.width);
    let weights = file.weights("vector.q", &[3 * vector, width])?;
    let scales = file.floats("vector.scale", &[3 * vector])?;
    Ok([0, 1, 2].map(|side| {
        let weights = &weights[side * vector * width..][..vector * width];
        Packed::new(weights, &scales[side * vector..][..vector], width)
    }))
}

fn packed(file: &File, name: &str, outputs: usize, inputs: usize) -> Result<Packed, ModelError> {
    let weights = file.weights(&format!("{name}.q"), &[outputs, inputs])?;
    let scales = file.floats(&format!("{name}.scale"), &[outputs])?;
    Ok(Packed::new(weights, &scales, inputs))
}

fn thirds(rows: &[f32]) -> [Vec<f32>; 3] {
    let width = rows.len() / 3;
    [0, 1, 2].map(|side| rows[side * width..][..width].to_vec())
}
