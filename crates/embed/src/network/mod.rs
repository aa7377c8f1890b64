//! The weights of a model, in the form in which they are computed with.
//!
//! There are two kinds of networks, which make states of tokens. What makes
//! vectors of the states is the same for both.

mod convolution;
mod residual;
mod transformer;

use crate::ModelError;
use crate::file::File;
use crate::kernel::{Norm, Packed};
use crate::model::Config;
use convolution::Convolution;
pub(crate) use residual::ResidualQuantized;
use serde::Deserialize;
use transformer::Transformer;

/// What makes states of tokens.
pub(crate) enum Layers {
    Convolution(Convolution),
    Transformer(Transformer),
}

/// Which of them a model has.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    #[default]
    Convolution,
    Transformer,
}

/// A matrix that makes vectors of pooled states.
pub(crate) enum Projection {
    Bytes(Packed),
    /// Where most of a row is in one number, bytes would keep nothing else.
    Floats(Vec<f32>),
}

/// Everything but the table of tokens. What there are three of is for queries,
/// bodies and paths, in this order.
pub(crate) struct Network {
    /// Is added to every token, before the layers of a convolution or after
    /// those of a transformer.
    pub roles: [Vec<f32>; 3],
    pub layers: Layers,
    /// Comes after the layers of a convolution, and before those of a
    /// transformer.
    pub norm: Norm,
    /// Decide the share of a token in the vector of its text.
    pub pools: [Vec<f32>; 3],
    pub vectors: [Projection; 3],
    pub token: Packed,
    /// Decides the weight of a token in a query, with what is added to it.
    pub weight: (Vec<f32>, f32),
}

impl Network {
    /// From a file and its config, of which the text has the shape of the layers.
    pub fn read(file: &File, config: &Config, text: &str) -> Result<Network, ModelError> {
        let width = config.width;
        let roles = thirds(&file.floats("side", &[3, width])?);
        let (layers, epsilon) = match config.network {
            Kind::Convolution => {
                let shape: convolution::Shape = serde_json::from_str(text)?;
                let layers = Convolution::read(file, &shape, width)?;
                (Layers::Convolution(layers), convolution::EPSILON)
            }
            Kind::Transformer => {
                let shape: transformer::Shape = serde_json::from_str(text)?;
                let layers = Transformer::read(file, &shape, config)?;
                (Layers::Transformer(layers), shape.eps)
            }
        };
        Ok(Network {
            roles,
            layers,
            norm: norm(file, "norm", width, epsilon)?,
            pools: thirds(&file.floats("pool", &[3, width])?),
            vectors: vectors(file, config)?,
            token: packed(file, "token", config.tokens, width)?,
            weight: (
                file.floats("weight.weight", &[width])?,
                file.floats("weight.bias", &[1])?[0],
            ),
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

fn vectors(file: &File, config: &Config) -> Result<[Projection; 3], ModelError> {
    let (vector, width) = (config.vector, config.width);
    if config.network == Kind::Transformer {
        let rows = file.floats("vector", &[3, vector, width])?;
        return Ok(thirds(&rows).map(Projection::Floats));
    }
    let weights = file.weights("vector.q", &[3 * vector, width])?;
    let scales = file.floats("vector.scale", &[3 * vector])?;
    Ok([0, 1, 2].map(|side| {
        let weights = &weights[side * vector * width..][..vector * width];
        Projection::Bytes(Packed::new(
            weights,
            &scales[side * vector..][..vector],
            width,
        ))
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
