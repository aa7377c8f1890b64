//! Vectors of texts and of tokens from the states of tokens.

use super::{Network, Projection};
use crate::config::Role;
use crate::kernel::{PANEL, Packed, Target};
use crate::work::{Work, room, spans};

/// What a body or a path contributes to a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextVectors {
    /// The vector. Its length is not one: it says how much this part counts.
    pub vector: Vec<f32>,
    /// The vectors of the tokens one after the other, each of length one.
    pub tokens: Vec<f32>,
}

impl Network {
    /// Adds the vectors of all texts and of their tokens, whose states are
    /// known.
    pub fn add_vectors(&self, work: &mut Work, role: Role, parts: &mut Vec<TextVectors>) {
        let before = parts.len();
        self.add_tokens(work, parts);
        let parts = &mut parts[before..];
        let means = self.pooled(work, role, parts.len());
        match &self.projections[role as usize] {
            Projection::Bytes(matrix) => self.project(&means, matrix, work, parts),
            Projection::Floats(matrix) => {
                let rows = matrix.chunks(self.width);
                for (part, mean) in parts.iter_mut().zip(means.chunks(self.stride())) {
                    part.vector = rows.clone().map(|row| self.kernel.dot(mean, row)).collect();
                }
            }
        }
    }

    /// Adds a part with the vectors of its tokens for every text.
    fn add_tokens(&self, work: &mut Work, parts: &mut Vec<TextVectors>) {
        let length = self.token_length;
        let stride = length.next_multiple_of(PANEL);
        let inputs = work.row.len();
        work.quantized
            .fill(self.kernel, &work.states, self.stride(), inputs);
        let out = room(&mut work.wide, work.ids.len() * stride);
        let target = Target {
            out: &mut *out,
            stride,
            add: false,
        };
        work.quantized.times(&self.token, self.kernel, target);
        for text in spans(&work.ends) {
            let mut tokens = Vec::with_capacity(text.len() * length);
            for row in out[text.start * stride..text.end * stride].chunks_mut(stride) {
                self.kernel.normalize(&mut row[..length]);
                tokens.extend_from_slice(&row[..length]);
            }
            parts.push(TextVectors {
                vector: Vec::new(),
                tokens,
            });
        }
    }

    /// The weighed means of the states of each text.
    fn pooled(&self, work: &Work, role: Role, texts: usize) -> Vec<f32> {
        let stride = self.stride();
        let pool = &self.pools[role as usize];
        let mut means = vec![0.0; texts * stride];
        for (text, mean) in spans(&work.ends).zip(means.chunks_mut(stride)) {
            let states = &work.states[text.start * stride..text.end * stride];
            let rows = states.chunks(stride);
            let scores = rows.clone().map(|state| self.kernel.dot(state, pool));
            for (weight, state) in softmax(scores.collect()).into_iter().zip(rows) {
                self.kernel.add(weight, state, mean);
            }
        }
        means
    }

    /// The products of pooled states with a matrix of bytes.
    fn project(&self, means: &[f32], matrix: &Packed, work: &mut Work, parts: &mut [TextVectors]) {
        let inputs = work.row.len();
        work.quantized
            .fill(self.kernel, means, self.stride(), inputs);
        let length = self.vector_length;
        let stride = length.next_multiple_of(PANEL);
        let out = room(&mut work.wide, parts.len() * stride);
        let target = Target {
            out: &mut *out,
            stride,
            add: false,
        };
        work.quantized.times(matrix, self.kernel, target);
        for (part, vector) in parts.iter_mut().zip(out.chunks(stride)) {
            part.vector = vector[..length].to_vec();
        }
    }

    /// How much each token of a query counts.
    pub fn weights(&self, work: &Work) -> Vec<f32> {
        let (weight, bias) = &self.weight;
        let mut weights = Vec::with_capacity(work.ids.len());
        for state in work.states.chunks(self.stride()) {
            weights.push(softplus(self.kernel.dot(state, weight) + bias));
        }
        let sum = weights.iter().sum::<f32>().max(1e-6);
        for weight in &mut weights {
            *weight /= sum;
        }
        weights
    }
}

fn softmax(mut scores: Vec<f32>) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in &mut scores {
        *score = (*score - most).exp();
    }
    let sum: f32 = scores.iter().sum();
    for score in &mut scores {
        *score /= sum;
    }
    scores
}

/// ln(1 + e^x), without overflow.
fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { x.exp().ln_1p() }
}
