//! Vectors in two bits for each number, and what a query makes of them.
//!
//! A vector is turned by a fixed rotation, so that its weight is spread evenly
//! over all numbers, and each number is cut to the nearest of -3, -1, 1 and 3
//! times half of what they are in the mean of squares (as RaBitQ does with one
//! bit, arXiv 2405.12497).
//! For a unit vector x with coarse numbers c, q·c / x·c estimates q·x without
//! bias for every query q; the inverse of x·c is kept beside the bits. Over
//! 256 numbers the error is about 0.024, with one bit it would be 0.047.
//!
//! The query is turned too, and its numbers are cut to four bits, as odd steps
//! from -15 to 15. An odd step is a sum of ±1, ±2, ±4 and ±8, and a coarse
//! number one of ±1 and ±2, so q·c is a sum over pairs of a bit of q and a bit
//! of c, and for each pair only the number of places is needed where they
//! differ.
//!
//! The rotation depends on the length alone and the bits on the vector alone,
//! so what is found does not depend on how the index came about.

use super::kernel::{GROUP, QUERY_BITS, ROW_BITS, WIDTH};

/// How often signs are flipped and numbers mixed.
const ROUNDS: usize = 4;

/// The largest step of a query's number.
const LARGEST: f32 = 15.0;

/// A fixed rotation for vectors of one length, a multiple of [`WIDTH`].
///
/// A round flips the signs of numbers chosen by chance and mixes them by a
/// Hadamard transform. That needs a power of two; where the length is none, it
/// is done in turn for the first and the last numbers.
pub(crate) struct Rotation {
    flips: Vec<u64>,
    words: usize,
    mixed: usize,
}

impl Rotation {
    pub fn new(length: usize) -> Rotation {
        debug_assert!(length.is_multiple_of(WIDTH) && length > 0);
        let words = length / WIDTH;
        let flips = (0..(ROUNDS * words) as u64).map(mix).collect();
        Rotation {
            flips,
            words,
            mixed: 1 << length.ilog2(),
        }
    }

    /// Turns a vector. Its length stays the same.
    pub fn turn(&self, vector: &mut [f32]) {
        let scale = 1.0 / (self.mixed as f32).sqrt();
        for (round, flips) in self.flips.chunks_exact(self.words).enumerate() {
            flip(vector, flips);
            let last = vector.len() - self.mixed;
            let from = if round % 2 == 0 { 0 } else { last };
            let mixed = &mut vector[from..from + self.mixed];
            hadamard(mixed);
            mixed.iter_mut().for_each(|v| *v *= scale);
        }
    }
}

/// Numbers that look as if by chance (splitmix64).
pub(crate) fn mix(nth: u64) -> u64 {
    let mut z = nth.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn flip(vector: &mut [f32], flips: &[u64]) {
    for (numbers, bits) in vector.chunks_exact_mut(WIDTH).zip(flips) {
        for (nth, number) in numbers.iter_mut().enumerate() {
            *number = f32::from_bits(number.to_bits() ^ ((bits >> nth & 1) as u32) << 31);
        }
    }
}

fn hadamard(numbers: &mut [f32]) {
    let mut half = 1;
    while half < numbers.len() {
        for pair in numbers.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

/// The words of a coarse row: the high bits of all numbers, then the low ones.
pub(crate) fn words_of(width: usize) -> usize {
    ROW_BITS * width / WIDTH
}

/// A turned vector, cut to two bits a number.
pub(crate) struct Coarse {
    /// The bits, as many words as [`words_of`] says.
    pub words: Vec<u64>,
    /// The product of the vector with its coarse numbers.
    pub product: f32,
}

impl Coarse {
    /// `inverse` is that of the vector's length.
    pub fn new(turned: &[f32], inverse: f32) -> Coarse {
        let half = turned.len() / WIDTH;
        let per_step = inverse * (turned.len() as f32).sqrt();
        let mut coarse = Coarse {
            words: vec![0; words_of(turned.len())],
            product: 0.0,
        };
        for (nth, number) in turned.iter().enumerate() {
            let level = (number * per_step + 2.0).floor().clamp(0.0, 3.0);
            coarse.product += number * (2.0 * level - 3.0);
            let (bits, at) = (level as u64, nth % WIDTH);
            coarse.words[nth / WIDTH] |= (bits >> 1) << at;
            coarse.words[half + nth / WIDTH] |= (bits & 1) << at;
        }
        coarse
    }
}

/// Where a word of a row lies among the words of all rows.
pub(crate) fn word_at(row: usize, word: usize, words: usize) -> usize {
    (row / GROUP * words + word) * GROUP + row % GROUP
}

/// A query, cut to four bits a number.
#[derive(Clone, Debug)]
pub(crate) struct CoarseQuery {
    pub planes: Vec<[u64; QUERY_BITS]>,
    /// What a step is worth.
    step: f32,
}

impl CoarseQuery {
    pub fn new(turned: &[f32]) -> CoarseQuery {
        let largest = turned.iter().fold(0f32, |largest, v| largest.max(v.abs()));
        let step = largest / LARGEST;
        let plane = |numbers: &[f32]| {
            let mut plane = [0; QUERY_BITS];
            for (nth, number) in numbers.iter().enumerate() {
                let level = ((number / step + LARGEST) / 2.0)
                    .round()
                    .clamp(0.0, LARGEST) as u64;
                for (bit, word) in plane.iter_mut().enumerate() {
                    *word |= (level >> bit & 1) << nth;
                }
            }
            plane
        };
        CoarseQuery {
            planes: turned.chunks_exact(WIDTH).map(plane).collect(),
            step,
        }
    }

    /// The score of a row, from the sum of its differences and the inverse of
    /// its product with its coarse numbers.
    pub fn estimate(&self, differences: i32, inverse: f32) -> f32 {
        let most = LARGEST as i32 * ((1 << ROW_BITS) - 1);
        let all = most * (self.planes.len() * WIDTH) as i32;
        self.step * (all - 2 * differences) as f32 * inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::kernel::Kernel;

    /// A unit vector by chance.
    fn random(length: usize, seed: u64) -> Vec<f32> {
        let uniform = |nth: u64| mix(seed << 20 | nth) as f32 / u64::MAX as f32 - 0.5;
        let mut vector: Vec<f32> = (0..length as u64)
            .map(|n| (0..4).map(|k| uniform(4 * n + k)).sum())
            .collect();
        let length = dot(&vector, &vector).sqrt();
        vector.iter_mut().for_each(|v| *v /= length);
        vector
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn a_rotation_keeps_lengths_and_angles() {
        for length in [64, 128, 192, 256, 384, 768] {
            let rotation = Rotation::new(length);
            let (mut a, mut b) = (random(length, 1), random(length, 2));
            let before = dot(&a, &b);
            rotation.turn(&mut a);
            rotation.turn(&mut b);
            assert!((dot(&a, &a) - 1.0).abs() < 1e-4, "{length}");
            assert!((dot(&a, &b) - before).abs() < 1e-4, "{length}");
        }
    }

    #[test]
    fn a_rotation_spreads_a_vector_over_all_numbers() {
        for length in [256, 384] {
            let mut vector = vec![0.0; length];
            vector[3] = 1.0;
            Rotation::new(length).turn(&mut vector);
            let largest = vector.iter().fold(0f32, |largest, v| largest.max(v.abs()));
            assert!(
                largest < 6.0 / (length as f32).sqrt(),
                "{length}: {largest}"
            );
        }
    }

    #[test]
    fn estimates_are_near_the_truth() {
        for length in [256, 384] {
            let rotation = Rotation::new(length);
            let mut errors = Vec::new();
            for seed in 0..400 {
                let near = seed as f32 / 400.0;
                let (query, other) = (random(length, 2 * seed), random(length, 2 * seed + 1));
                let mut row: Vec<f32> = query
                    .iter()
                    .zip(&other)
                    .map(|(q, o)| near * q + (1.0 - near) * o)
                    .collect();
                let norm = dot(&row, &row).sqrt();
                row.iter_mut().for_each(|v| *v /= norm);
                let truth = dot(&query, &row);
                errors.push(estimate(&rotation, query, row) - truth);
            }
            let mean = errors.iter().sum::<f32>() / errors.len() as f32;
            let spread = (dot(&errors, &errors) / errors.len() as f32).sqrt();
            assert!(
                mean.abs() < 0.005 && spread < 0.026,
                "{length}: {mean} ± {spread}"
            );
        }
    }

    fn estimate(rotation: &Rotation, mut query: Vec<f32>, mut row: Vec<f32>) -> f32 {
        rotation.turn(&mut query);
        rotation.turn(&mut row);
        let coarse = Coarse::new(&row, 1.0);
        let words = words_of(row.len());
        let mut groups = vec![0; words * GROUP * 8];
        for (nth, word) in coarse.words.iter().enumerate() {
            groups[word_at(0, nth, words) * 8..][..8].copy_from_slice(&word.to_le_bytes());
        }
        let query = CoarseQuery::new(&query);
        let mut sums = [0; GROUP];
        Kernel::best().differences(&groups, &query.planes, &mut sums);
        query.estimate(sums[0], 1.0 / coarse.product)
    }
}
