//! Attention within a text, for the two heads of a panel. Each kernel compiles
//! this again, as it does `float.rs`.

use super::float::{LANES, exp, folded, greater};
use super::{ColumnPair, Columns, HALF};

/// The queries, keys and values of the tokens of one text. What attention
/// divides by is in the queries already.
#[derive(Clone, Copy)]
pub(crate) struct Heads<'t> {
    pub query: &'t [ColumnPair],
    pub key: &'t [ColumnPair],
    pub value: &'t [ColumnPair],
}

/// The room that attention needs.
#[derive(Default)]
pub(crate) struct Space {
    /// The keys of a head, `HALF` at a time: the first number of each, the
    /// second number of each, and so on.
    keys: Vec<[Columns; HALF]>,
    /// The values of a head.
    values: Vec<Columns>,
    /// What some queries score with all keys, row by row.
    scores: Vec<f32>,
}

/// For each token the values of all tokens, by the softmax of what its query
/// scores with their keys. `out` gets `PANEL` numbers every `stride`.
///
/// `mixed` gives the sum of rows, each times its factor, for `TALL` lists of
/// factors.
#[inline(always)]
pub(super) fn attend<const FMA: bool, const TALL: usize>(
    mixed: impl Fn([&[f32]; TALL], &[Columns]) -> [Columns; TALL],
    text: Heads,
    space: &mut Space,
    out: &mut [f32],
    stride: usize,
) {
    let count = text.query.len();
    let padded = count.next_multiple_of(HALF);
    space.scores.resize(TALL * padded, 0.0);
    for head in 0..2 {
        transpose(text.key, head, &mut space.keys);
        space.values.clear();
        space
            .values
            .extend(text.value.iter().map(|value| value[head]));
        for first in (0..count).step_by(TALL) {
            // What is missing at the end is the last row once more.
            let row = |r: usize| &text.query[(first + r).min(count - 1)][head][..];
            score(
                &mixed,
                std::array::from_fn(row),
                &space.keys,
                &mut space.scores,
                padded,
            );
            let mut factors = [0.0; TALL];
            for (factor, scores) in factors.iter_mut().zip(space.scores.chunks_mut(padded)) {
                *factor = 1.0 / powers::<FMA>(scores, count);
            }
            let shares = std::array::from_fn(|r| &space.scores[r * padded..][..count]);
            let sums = mixed(shares, &space.values);
            let rows = out[first * stride + head * HALF..].chunks_mut(stride);
            for ((sums, factor), out) in sums.iter().zip(factors).zip(rows).take(count - first) {
                put(sums, factor, out);
            }
        }
    }
}

/// Puts the keys of a head side by side.
#[inline(always)]
fn transpose(keys: &[ColumnPair], head: usize, out: &mut Vec<[Columns; HALF]>) {
    out.resize(keys.len().div_ceil(HALF), [[0.0; HALF]; HALF]);
    for (keys, out) in keys.chunks(HALF).zip(out) {
        for (at, key) in keys.iter().enumerate() {
            for i in 0..HALF {
                out[i][at] = key[head][i];
            }
        }
    }
}

/// The scores of some queries with all keys.
#[inline(always)]
fn score<const TALL: usize>(
    mixed: impl Fn([&[f32]; TALL], &[Columns]) -> [Columns; TALL],
    queries: [&[f32]; TALL],
    keys: &[[Columns; HALF]],
    scores: &mut [f32],
    stride: usize,
) {
    for (at, keys) in keys.iter().enumerate() {
        let sums = mixed(queries, keys);
        for (sums, scores) in sums.iter().zip(scores.chunks_mut(stride)) {
            scores[at * HALF..][..HALF].copy_from_slice(sums);
        }
    }
}

#[inline(always)]
fn put(sums: &Columns, factor: f32, out: &mut [f32]) {
    for (out, sum) in out.iter_mut().zip(sums) {
        *out = sum * factor;
    }
}

/// Makes the first `count` scores powers of e, of which the greatest is one,
/// and gives their sum.
#[inline(always)]
fn powers<const FMA: bool>(scores: &mut [f32], count: usize) -> f32 {
    scores[count..].fill(f32::NEG_INFINITY);
    let (scores, _) = scores[..count.next_multiple_of(LANES)].as_chunks_mut::<LANES>();
    let mut most = [f32::NEG_INFINITY; LANES];
    for lanes in scores.iter() {
        for i in 0..LANES {
            most[i] = greater(lanes[i], most[i]);
        }
    }
    let most = folded(most, greater);
    let mut sums = [0.0; LANES];
    for lanes in scores {
        for i in 0..LANES {
            lanes[i] = exp::<FMA>(lanes[i] - most);
            sums[i] += lanes[i];
        }
    }
    folded(sums, |a, b| a + b)
}
