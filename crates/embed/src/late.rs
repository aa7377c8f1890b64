//! Late interaction: how well the tokens of a unit answer those of a query.
//!
//! The vector of a token is kept as two bits a number. The numbers of a vector
//! of length one spread like those of a normal distribution, for which the four
//! best levels are known, so nothing need be kept beside the bits: 16 bytes
//! stand for 64 numbers.

use crate::kernel::{INPUTS, Kernel, PANEL, Packed, Panel, Rows, Target};
use crate::{Model, QueryVectors};

/// The border between the inner and the outer levels, in deviations.
const BORDER: f32 = 0.9816;

/// The inner and the outer level as bytes: 0.4528 and 1.510 deviations.
const INNER: u8 = 38;
const OUTER: u8 = 127;

/// Four numbers in a byte.
const NUMBERS: usize = 4;

/// The four numbers of every byte, around 128.
static LEVELS: [[u8; NUMBERS]; 256] = levels();

const fn levels() -> [[u8; NUMBERS]; 256] {
    let of = [128 - OUTER, 128 - INNER, 128 + INNER, 128 + OUTER];
    let mut table = [[0; NUMBERS]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut at = 0;
        while at < NUMBERS {
            table[byte][at] = of[byte >> (2 * at) & 3];
            at += 1;
        }
        byte += 1;
    }
    table
}

/// Vectors of tokens, each `length` numbers, as codes.
pub(crate) fn codes(tokens: &[f32], length: usize) -> Vec<u8> {
    let border = BORDER / (length as f32).sqrt();
    let mut codes = Vec::with_capacity(tokens.len().div_ceil(NUMBERS));
    for four in tokens.chunks(NUMBERS) {
        let mut byte = 0;
        for number in four.iter().rev() {
            byte = byte << 2 | level(*number, border);
        }
        codes.push(byte);
    }
    codes
}

/// Which of the four levels is nearest to a number.
fn level(number: f32, border: f32) -> u8 {
    if number < -border {
        0
    } else if number < 0.0 {
        1
    } else if number < border {
        2
    } else {
        3
    }
}

/// A query ready to be held against the tokens of units.
pub struct LateQuery {
    kernel: Kernel,
    packed: Packed,
    weights: Vec<f32>,
    length: usize,
}

/// How well the tokens of a unit answer those of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenMatches {
    /// For each token of the unit, one number for each of the query.
    pub values: Vec<f32>,
    /// How many tokens the query has.
    pub width: usize,
}

/// Buffers that are used again for every unit.
#[derive(Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    scales: Vec<f32>,
    products: Vec<f32>,
    best: Vec<f32>,
}

impl Model {
    /// The query for late interaction.
    pub fn late(&self, query: &QueryVectors) -> LateQuery {
        LateQuery::new(
            self.network.kernel,
            &query.tokens,
            query.weights.clone(),
            self.config.tokens,
        )
    }
}

impl LateQuery {
    /// From the vectors of the tokens, each of `length` numbers, and how much
    /// each counts.
    pub(crate) fn new(
        kernel: Kernel,
        tokens: &[f32],
        weights: Vec<f32>,
        length: usize,
    ) -> LateQuery {
        let mut bytes = Vec::with_capacity(tokens.len());
        let mut scales = Vec::with_capacity(weights.len());
        for token in tokens.chunks(length) {
            let largest = token
                .iter()
                .fold(1e-12f32, |largest, n| largest.max(n.abs()));
            let scale = largest / 127.0;
            bytes.extend(token.iter().map(|n| (n / scale).round() as i8 as u8));
            scales.push(scale);
        }
        let packed = Packed::new(&bytes, &scales, length);
        LateQuery {
            kernel,
            packed,
            weights,
            length,
        }
    }

    /// The sum over the tokens of the query of their weight times the best
    /// cosine with a token of the unit, given as the codes of its parts.
    pub fn score(&self, parts: [&[u8]; 2], scratch: &mut Scratch) -> f32 {
        let columns = self.weights.len().next_multiple_of(PANEL);
        scratch.best.clear();
        scratch.best.resize(columns, 0.0);
        for codes in parts {
            self.best_of(codes, scratch);
        }
        let pairs = self.weights.iter().zip(&scratch.best);
        pairs.map(|(weight, best)| weight * best).sum()
    }

    /// How well each token of a unit answers each token of the query, given the
    /// codes of the unit: weight times cosine.
    pub fn matches(&self, codes: &[u8]) -> TokenMatches {
        let mut scratch = Scratch::default();
        self.decode(codes, &mut scratch);
        let (rows, width) = (scratch.scales.len(), self.weights.len());
        let mut values = vec![0.0; rows * width];
        for (nth, panel) in self.packed.panels().enumerate() {
            self.product(panel, &mut scratch);
            let first = nth * PANEL;
            for (row, products) in scratch.products.chunks(PANEL).enumerate() {
                for (at, weight) in self.weights.iter().enumerate().skip(first).take(PANEL) {
                    values[row * width + at] = weight * products[at - first];
                }
            }
        }
        TokenMatches { values, width }
    }

    /// Raises the best products to those with some tokens.
    fn best_of(&self, codes: &[u8], scratch: &mut Scratch) {
        self.decode(codes, scratch);
        for (nth, panel) in self.packed.panels().enumerate() {
            self.product(panel, scratch);
            let Scratch { products, best, .. } = scratch;
            let best = &mut best[nth * PANEL..][..PANEL];
            for row in products.chunks(PANEL) {
                for (best, product) in best.iter_mut().zip(row) {
                    *best = best.max(*product);
                }
            }
        }
    }

    /// The products of a panel with all tokens that were decoded.
    fn product(&self, panel: Panel, scratch: &mut Scratch) {
        let Scratch {
            bytes,
            scales,
            products,
            ..
        } = scratch;
        products.resize(scales.len() * PANEL, 0.0);
        if scales.is_empty() {
            return;
        }
        let rows = Rows {
            bytes,
            scales,
            inputs: self.packed.inputs(),
        };
        let target = Target {
            out: products,
            stride: PANEL,
            add: false,
        };
        self.kernel.product(panel, rows, target);
    }

    /// The tokens as bytes around 128, and what makes each of length one.
    fn decode(&self, codes: &[u8], scratch: &mut Scratch) {
        let padding = self.length.next_multiple_of(INPUTS) - self.length;
        scratch.bytes.clear();
        scratch.scales.clear();
        for token in codes.chunks_exact(self.length / NUMBERS) {
            for byte in token {
                scratch.bytes.extend_from_slice(&LEVELS[usize::from(*byte)]);
            }
            scratch.bytes.resize(scratch.bytes.len() + padding, 128);
            scratch.scales.push(1.0 / length_of(token));
        }
    }
}

/// The length of a token's vector as it is decoded.
fn length_of(token: &[u8]) -> f32 {
    // A number is at an outer level where its two bits are the same.
    let outer = |byte: &u8| (!(byte ^ byte >> 1) & 0x55).count_ones();
    let outer: u32 = token.iter().map(outer).sum();
    let inner = (token.len() * NUMBERS) as u32 - outer;
    let square = |level: u8| u32::from(level).pow(2);
    ((outer * square(OUTER) + inner * square(INNER)) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_vector(random: &mut fastrand::Rng) -> Vec<f32> {
        let normal = |random: &mut fastrand::Rng| (0..12).map(|_| random.f32()).sum::<f32>() - 6.0;
        let vector: Vec<f32> = (0..64).map(|_| normal(random)).collect();
        let length = vector.iter().map(|n| n * n).sum::<f32>().sqrt();
        vector.into_iter().map(|n| n / length).collect()
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn scores_are_near_those_of_whole_vectors() {
        let random = &mut fastrand::Rng::with_seed(7);
        let query: Vec<Vec<f32>> = (0..5).map(|_| unit_vector(random)).collect();
        let mut texts: Vec<Vec<Vec<f32>>> = Vec::new();
        for _ in 0..20 {
            texts.push((0..30).map(|_| unit_vector(random)).collect());
        }
        // One text holds what is asked.
        texts[3][4] = query[2].clone();
        let weights = vec![0.2; 5];
        for kernel in Kernel::available() {
            let bytes: Vec<u8> = query
                .concat()
                .iter()
                .map(|n| (n * 250.0).round() as i8 as u8)
                .collect();
            let packed = Packed::new(&bytes, &[1.0 / 250.0; 5], 64);
            let late = LateQuery {
                kernel,
                packed,
                weights: weights.clone(),
                length: 64,
            };
            for text in &texts {
                let (body, path) = (
                    codes(&text[5..].concat(), 64),
                    codes(&text[..5].concat(), 64),
                );
                assert_eq!(body.len(), 25 * 16);
                let score = late.score([&body, &path], &mut Scratch::default());
                let best = |q: &Vec<f32>| text.iter().map(|t| dot(q, t)).fold(0.0, f32::max);
                let want: f32 = query.iter().map(best).sum::<f32>() / 5.0;
                assert!((score - want).abs() < 0.06, "{score} {want} {kernel:?}");
            }
        }
    }

    #[test]
    fn a_unit_without_tokens_scores_nothing() {
        let packed = Packed::new(&[1; 64], &[1.0], 64);
        let late = LateQuery {
            kernel: Kernel::best(),
            packed,
            weights: vec![1.0],
            length: 64,
        };
        assert_eq!(late.score([&[], &[]], &mut Scratch::default()), 0.0);
    }
}
