//! The weights of a model, in the form in which they are computed with.
//!
//! There are two kinds of networks, which make states of tokens. What makes
//! vectors of the states is the same for both.

mod convolution;
mod table;
mod transformer;
mod vectors;

pub use vectors::TextVectors;

use crate::config::{Config, NetworkKind, Role};
use crate::error::ModelError;
use crate::file::File;
use crate::kernel::{INPUTS, Kernel, Norm, PANEL, Packed};
use crate::work::Work;
use convolution::Convolution;
use table::Table;
use transformer::Transformer;

/// What makes states of tokens.
enum Layers {
    Convolution(Convolution),
    Transformer(Transformer),
}

/// A matrix that makes vectors of pooled states.
enum Projection {
    Bytes(Packed),
    /// Where most of a row is in one number, bytes would keep nothing else.
    Floats(Vec<f32>),
}

/// All that is computed with. What there are three of is for queries, bodies
/// and paths, in this order.
pub(crate) struct Network {
    pub kernel: Kernel,
    /// The length of a state.
    width: usize,
    vector_length: usize,
    token_length: usize,
    table: Table,
    /// Is added to every token, before the layers of a convolution or after
    /// those of a transformer.
    roles: [Vec<f32>; 3],
    layers: Layers,
    /// Comes after the layers of a convolution, and before those of a
    /// transformer.
    norm: Norm,
    /// Decide the share of a token in the vector of its text.
    pools: [Vec<f32>; 3],
    projections: [Projection; 3],
    token: Packed,
    /// Decides the weight of a token in a query, with what is added to it.
    weight: (Vec<f32>, f32),
}

impl Network {
    pub fn read(file: File, config: &Config, kernel: Kernel) -> Result<Network, ModelError> {
        let width = config.width;
        let roles = thirds(&file.floats("side", &[3, width])?);
        let (layers, epsilon) = Layers::read(&file, config)?;
        let weight = file.floats("weight.weight", &[width])?;
        let bias = file.floats("weight.bias", &[1])?[0];
        Ok(Network {
            kernel,
            width,
            vector_length: config.vector,
            token_length: config.tokens,
            roles,
            layers,
            norm: norm(&file, "norm", width, epsilon)?,
            pools: thirds(&file.floats("pool", &[3, width])?),
            projections: projections(&file, config)?,
            token: packed(&file, "token", config.tokens, width)?,
            weight: (weight, bias),
            table: Table::read(file, config)?,
        })
    }

    /// The length of a row of states.
    fn stride(&self) -> usize {
        self.width.next_multiple_of(PANEL)
    }

    /// Computes the states of all tokens.
    pub fn states(&self, work: &mut Work, role: Role) {
        work.states.resize(work.ids.len() * self.stride(), 0.0);
        work.row.resize(self.width.next_multiple_of(INPUTS), 0.0);
        match &self.layers {
            Layers::Convolution(layers) => self.convolve(layers, work, role),
            Layers::Transformer(layers) => self.transform(layers, work, role),
        }
    }
}

impl Layers {
    /// The layers, and what their norms add to a variance. The config has their
    /// shape.
    fn read(file: &File, config: &Config) -> Result<(Layers, f32), ModelError> {
        let text = file.config()?;
        Ok(match config.network {
            NetworkKind::Convolution => {
                let shape: convolution::Shape = serde_json::from_str(text)?;
                let layers = Convolution::read(file, &shape, config.width)?;
                (Layers::Convolution(layers), convolution::EPSILON)
            }
            NetworkKind::Transformer => {
                let shape: transformer::Shape = serde_json::from_str(text)?;
                let layers = Transformer::read(file, &shape, config)?;
                (Layers::Transformer(layers), shape.eps)
            }
        })
    }
}

fn norm(file: &File, name: &str, width: usize, epsilon: f32) -> Result<Norm, ModelError> {
    let weight = file.floats(&format!("{name}.weight"), &[width])?;
    let bias = file.floats(&format!("{name}.bias"), &[width])?;
    Ok(Norm {
        weight,
        bias,
        epsilon,
    })
}

fn projections(file: &File, config: &Config) -> Result<[Projection; 3], ModelError> {
    let (vector, width) = (config.vector, config.width);
    if config.network == NetworkKind::Transformer {
        let rows = file.floats("vector", &[3, vector, width])?;
        return Ok(thirds(&rows).map(Projection::Floats));
    }
    let weights = file.weights("vector.q", &[3 * vector, width])?;
    let scales = file.floats("vector.scale", &[3 * vector])?;
    Ok([0, 1, 2].map(|role| {
        let weights = &weights[role * vector * width..][..vector * width];
        let scales = &scales[role * vector..][..vector];
        Projection::Bytes(Packed::new(weights, scales, width))
    }))
}

fn packed(file: &File, name: &str, outputs: usize, inputs: usize) -> Result<Packed, ModelError> {
    let weights = file.weights(&format!("{name}.q"), &[outputs, inputs])?;
    let scales = file.floats(&format!("{name}.scale"), &[outputs])?;
    Ok(Packed::new(weights, &scales, inputs))
}

fn thirds(rows: &[f32]) -> [Vec<f32>; 3] {
    let width = rows.len() / 3;
    [0, 1, 2].map(|role| rows[role * width..][..width].to_vec())
}
