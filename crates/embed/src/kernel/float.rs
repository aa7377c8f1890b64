//! Everything but the products, in plain Rust over blocks of sixteen numbers,
//! which the compiler turns into vector instructions. Each kernel compiles
//! these functions again, with what its processor can do.

use super::pack::HALF;
use super::{ColumnPair, Columns, Norm};

/// Numbers at a time.
pub(super) const LANES: usize = 16;

/// Adding this to a number below 2^22 leaves it, rounded, in the lower bits.
const ROUND: f32 = 12_582_912.0;

/// a · b + c, rounded once where the processor can: asking for it elsewhere
/// would call a function for every number.
#[inline(always)]
pub(super) fn fused<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// The greater of two numbers in one instruction, whatever NaN does.
#[inline(always)]
pub(super) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn folded(lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let (mut lanes, mut width) = (lanes, LANES);
    while width > 1 {
        width /= 2;
        for i in 0..width {
            lanes[i] = join(lanes[i], lanes[i + width]);
        }
    }
    lanes[0]
}

/// A row of the table: `out` = bytes · scale + added.
#[inline(always)]
pub(super) fn dequantize<const FMA: bool>(
    bytes: &[u8],
    scale: f32,
    added: &[f32],
    out: &mut [f32],
) {
    for ((out, &byte), &added) in out.iter_mut().zip(bytes).zip(added) {
        *out = fused::<FMA>(f32::from(byte as i8), scale, added);
    }
}

/// The sum of products over a row, of which whole lanes count.
#[inline(always)]
fn sum_of<const FMA: bool>(row: &[f32], factors: impl Fn(f32) -> (f32, f32)) -> f32 {
    let mut sums = [[0.0; LANES]; 2];
    let (pairs, rest) = row.as_chunks::<{ 2 * LANES }>();
    let (rest, _) = rest.as_chunks::<LANES>();
    for lanes in pairs {
        for i in 0..LANES {
            let ((a, b), (c, d)) = (factors(lanes[i]), factors(lanes[i + LANES]));
            sums[0][i] = fused::<FMA>(a, b, sums[0][i]);
            sums[1][i] = fused::<FMA>(c, d, sums[1][i]);
        }
    }
    for lanes in rest {
        for i in 0..LANES {
            let (a, b) = factors(lanes[i]);
            sums[0][i] = fused::<FMA>(a, b, sums[0][i]);
        }
    }
    let [mut first, second] = sums;
    first.iter_mut().zip(second).for_each(|(a, b)| *a += b);
    folded(first, |a, b| a + b)
}

/// The sum of the products of two rows.
#[inline(always)]
pub(super) fn dot<const FMA: bool>(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            sums[i] = fused::<FMA>(a[i], b[i], sums[i]);
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>();
    folded(sums, |a, b| a + b) + rest
}

/// `out` += share · row.
#[inline(always)]
pub(super) fn add<const FMA: bool>(share: f32, row: &[f32], out: &mut [f32]) {
    for (out, &number) in out.iter_mut().zip(row) {
        *out = fused::<FMA>(share, number, *out);
    }
}

/// LayerNorm of one row.
#[inline(always)]
pub(super) fn norm<const FMA: bool>(row: &[f32], norm: &Norm, out: &mut [f32]) {
    let count = row.len() as f32;
    let mean = sum_of::<FMA>(row, |number| (number, 1.0)) / count;
    let variance = sum_of::<FMA>(row, |number| (number - mean, number - mean)) / count;
    let factor = 1.0 / (variance + norm.epsilon).sqrt();
    let rows = row.iter().zip(&norm.weight).zip(&norm.bias);
    for (out, ((number, weight), bias)) in out.iter_mut().zip(rows) {
        *out = fused::<FMA>((number - mean) * factor, *weight, *bias);
    }
}

/// One row as bytes around 128, and what a step of one is worth.
#[inline(always)]
pub(super) fn quantize<const FMA: bool>(row: &[f32], out: &mut [u8]) -> f32 {
    let (row, _) = row.as_chunks::<LANES>();
    let mut most = [0.0; LANES];
    for lanes in row {
        for i in 0..LANES {
            most[i] = greater(lanes[i].abs(), most[i]);
        }
    }
    let most = folded(most, greater);
    let factor = if most > 0.0 { 127.0 / most } else { 0.0 };
    for (out, number) in out.iter_mut().zip(row.as_flattened()) {
        let rounded = fused::<FMA>(*number, factor, ROUND);
        *out = (rounded.to_bits() as u8).wrapping_add(128);
    }
    most / 127.0
}

/// `row` = row · factors.
#[inline(always)]
pub(super) fn scale(row: &mut [f32], factors: &[f32]) {
    row.iter_mut()
        .zip(factors)
        .for_each(|(number, factor)| *number *= factor);
}

/// `row` = gelu(row) · factors.
#[inline(always)]
pub(super) fn gelu_mul<const FMA: bool>(row: &mut [f32], factors: &[f32]) {
    for (number, factor) in row.iter_mut().zip(factors) {
        *number = gelu::<FMA>(*number) * factor;
    }
}

/// x · Φ(x), where Φ is the share of a normal distribution below x; off by
/// 0.0002 at most up to a hundred. Φ - 1/2 is odd: x times a polynomial of x².
#[inline(always)]
fn gelu<const FMA: bool>(x: f32) -> f32 {
    const POLYNOMIAL: [f32; 7] = [
        2.278_128_4e-8,
        -1.598_593_7e-6,
        4.795_533_4e-5,
        -8.140_135e-4,
        8.772_378e-3,
        -0.064_573_08,
        0.397_883_33,
    ];
    let near = within(x, 4.0);
    let square = near * near;
    let mut sum = POLYNOMIAL[0];
    for coefficient in &POLYNOMIAL[1..] {
        sum = fused::<FMA>(sum, square, *coefficient);
    }
    fused::<FMA>(x, within(near * sum, 0.5), 0.5 * x)
}

/// x, or the end of -most..most that is nearest.
#[inline(always)]
fn within(x: f32, most: f32) -> f32 {
    let x = greater(x, -most);
    if x < most { x } else { most }
}

/// x / (1 + e^-x).
#[inline(always)]
fn silu<const FMA: bool>(x: f32) -> f32 {
    x / (1.0 + exp::<FMA>(-x))
}

/// e^x to six digits: 2^n · 2^f, the latter by a polynomial for |f| <= 1/2.
#[inline(always)]
pub(super) fn exp<const FMA: bool>(x: f32) -> f32 {
    const POLYNOMIAL: [f32; 5] = [
        0.009_570_1,
        0.055_917_86,
        0.240_247_45,
        0.693_121_8,
        0.999_999_3,
    ];
    let x = within(x, 87.0) * std::f32::consts::LOG2_E;
    let shifted = x + ROUND;
    let f = x - (shifted - ROUND);
    let mut power = POLYNOMIAL[0];
    for coefficient in &POLYNOMIAL[1..] {
        power = fused::<FMA>(power, f, *coefficient);
    }
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// silu(a) · conv(b) for the rows of one text and `HALF` columns, where each
/// row of `tile` holds first a, then b. `taps` are the bias, then the weights
/// from the row before to the row after.
#[inline(always)]
pub(super) fn gate<const FMA: bool>(
    tile: &[ColumnPair],
    taps: &[Columns],
    out: &mut [f32],
    stride: usize,
) {
    let (bias, taps) = taps.split_first().expect("a bias");
    let reach = taps.len() / 2;
    for (at, [a, _]) in tile.iter().enumerate() {
        let first = at.saturating_sub(reach);
        let taps = &taps[first + reach - at..];
        let mut sums = *bias;
        for (tap, [_, b]) in taps.iter().zip(&tile[first..]) {
            for i in 0..HALF {
                sums[i] = fused::<FMA>(tap[i], b[i], sums[i]);
            }
        }
        let out = &mut out[at * stride..][..HALF];
        for i in 0..HALF {
            out[i] = silu::<FMA>(a[i]) * sums[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_exact_to_six_digits() {
        for step in -8600..8600 {
            let x = step as f32 / 100.0;
            for ours in [exp::<true>(x), exp::<false>(x)] {
                // Rounding x · log2(e) costs a little for large x.
                let off = (f64::from(ours) / f64::from(x).exp() - 1.0).abs();
                assert!(off < 1e-5, "{x}: {ours} is off by {off}");
            }
        }
        assert!(exp::<false>(f32::NAN).is_finite() && exp::<false>(f32::INFINITY).is_finite());
    }

    #[test]
    fn silu_goes_from_nothing_to_all() {
        assert_eq!(silu::<false>(0.0), 0.0);
        assert!(silu::<false>(-100.0).abs() < 1e-30);
        assert_eq!(silu::<false>(100.0), 100.0);
    }

    #[test]
    fn gelu_is_near() {
        // The error function by its integral, in small steps.
        let (mut share, step) = (0.5, 1e-3_f64);
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        for at in 0..100_000 {
            let x = f64::from(at) * step;
            for (x, share) in [(x, share), (-x, 1.0 - share)] {
                for ours in [gelu::<true>(x as f32), gelu::<false>(x as f32)] {
                    let off = (f64::from(ours) - x * share).abs();
                    assert!(off < 2.5e-4 + 1e-6 * x.abs(), "{x}: {ours} is off by {off}");
                }
            }
            share += density(x + step / 2.0) * step;
        }
        assert!(gelu::<false>(f32::NEG_INFINITY).is_nan() || gelu::<false>(-1e9) == 0.0);
    }

    #[test]
    fn quantized_rows_are_near() {
        let row: Vec<f32> = (0..32).map(|i| (i as f32 - 11.3) * 0.17).collect();
        let mut bytes = vec![0; 32];
        let scale = quantize::<false>(&row, &mut bytes);
        for (number, byte) in row.iter().zip(&bytes) {
            let near = (f32::from(*byte) - 128.0) * scale;
            assert!(
                (near - number).abs() <= scale * 0.501,
                "{number} became {near}"
            );
        }
        assert_eq!(quantize::<false>(&[0.0; 16], &mut bytes[..16]), 0.0);
        assert_eq!(bytes[..16], [128; 16]);
    }

    #[test]
    fn a_text_ends_where_it_ends() {
        let tile = [[[1.0; HALF], [1.0; HALF]]; 4];
        let taps = [[0.5; HALF], [1.0; HALF], [10.0; HALF], [100.0; HALF]];
        let mut out = vec![0.0; 4 * HALF];
        gate::<false>(&tile, &taps, &mut out, HALF);
        let half = silu::<false>(1.0);
        let firsts: Vec<f32> = out.chunks(HALF).map(|row| row[0] / half).collect();
        for (have, want) in firsts.iter().zip([110.5, 111.5, 111.5, 11.5]) {
            assert!((have - want).abs() < 1e-3, "{firsts:?}");
        }
    }
}
