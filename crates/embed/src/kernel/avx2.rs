//! Products with AVX2. Bytes are widened to 16 bits, since the instruction for
//! bytes saturates.

use super::pack::{Line, PANEL, Step};
use super::{
    ColumnPair, Columns, HALF, Heads, Norm, Panel, Passes, Rows, Space, Target, attend, float,
};
use std::arch::x86_64::*;

passes!("avx2", product, mixed, true, "avx2,fma");

/// Rows at a time: 6 × 2 sums, 2 vectors of weights and one of activations are
/// 15 of the 16 registers.
const TALL: usize = 6;

/// Outputs at a time.
const WIDE: usize = 8;

/// The sums of `R` rows for eight outputs; each output has two of them, side by
/// side.
type Sums<const R: usize> = [[__m256i; 2]; R];

/// Four inputs of a row, widened.
type Four = [i16; 4];

/// Whether this processor has what this file needs.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[target_feature(enable = "avx2,fma")]
fn product(panel: Panel, rows: Rows, mut target: Target) {
    let count = rows.scales.len();
    let steps = panel.steps.len();
    let mut wide = vec![[0; 4]; TALL * steps];
    for first in (0..count).step_by(TALL) {
        let tall = TALL.min(count - first);
        let bytes = &rows.bytes[first * rows.inputs..][..tall * rows.inputs];
        widen(bytes, wide.as_flattened_mut());
        let (inputs, scales) = (&wide[..tall * steps], &rows.scales[first..]);
        match tall {
            1 => tile::<1>(panel, inputs, scales, first, &mut target),
            2 => tile::<2>(panel, inputs, scales, first, &mut target),
            3 => tile::<3>(panel, inputs, scales, first, &mut target),
            4 => tile::<4>(panel, inputs, scales, first, &mut target),
            5 => tile::<5>(panel, inputs, scales, first, &mut target),
            _ => tile::<TALL>(panel, inputs, scales, first, &mut target),
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn widen(bytes: &[u8], wide: &mut [i16]) {
    wide.iter_mut()
        .zip(bytes)
        .for_each(|(wide, byte)| *wide = i16::from(*byte));
}

/// The outputs of a panel for `R` rows.
#[target_feature(enable = "avx2,fma")]
fn tile<const R: usize>(
    panel: Panel,
    inputs: &[Four],
    scales: &[f32],
    first: usize,
    target: &mut Target,
) {
    let steps = panel.steps.len();
    let mut rows: [&[Four]; R] = [&[]; R];
    rows.iter_mut()
        .zip(inputs.chunks(steps))
        .for_each(|(row, inputs)| *row = inputs);
    for part in 0..PANEL / WIDE {
        let sums = sums(panel.steps, part, rows);
        let starts = load(&panel.starts.as_chunks().0[part]);
        let columns = load_floats(&panel.scales.as_chunks().0[part]);
        let bias = load_floats(&panel.biases.as_chunks().0[part]);
        for r in 0..R {
            let add = target.add;
            let out = &mut target.row(first + r).as_chunks_mut().0[part];
            let sum = _mm256_add_epi32(joined(sums[r]), starts);
            let scale = _mm256_mul_ps(_mm256_set1_ps(scales[r]), columns);
            let value = _mm256_mul_ps(_mm256_cvtepi32_ps(sum), scale);
            let before = if add { load_floats(out) } else { bias };
            store(out, _mm256_add_ps(before, value));
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn sums<const R: usize>(steps: &[Step], part: usize, mut rows: [&[Four]; R]) -> Sums<R> {
    let mut sums: Sums<R> = [[_mm256_setzero_si256(); 2]; R];
    // Tells the compiler that no row is shorter than the steps.
    rows.iter_mut().for_each(|row| *row = &row[..steps.len()]);
    for (at, step) in steps.iter().enumerate() {
        let weights = weights(&step[part / 2], part % 2);
        for r in 0..R {
            let inputs = four(rows[r][at]);
            for i in 0..2 {
                let products = _mm256_madd_epi16(weights[i], inputs);
                sums[r][i] = _mm256_add_epi32(sums[r][i], products);
            }
        }
    }
    sums
}

/// Four inputs, four times.
#[target_feature(enable = "avx2")]
#[inline]
fn four(inputs: Four) -> __m256i {
    let [a, b, c, d] = inputs.map(|input| input as u16 as u64);
    _mm256_set1_epi64x((a | b << 16 | c << 32 | d << 48) as i64)
}

/// The two sums of each output added up, in the order of the outputs.
#[target_feature(enable = "avx2")]
#[inline]
fn joined(sums: [__m256i; 2]) -> __m256i {
    // The instruction works within each half of the vectors.
    let halves = _mm256_hadd_epi32(sums[0], sums[1]);
    _mm256_permute4x64_epi64::<0b11_01_10_00>(halves)
}

/// The weights of eight outputs in one half of a line, widened.
#[allow(unsafe_code)]
#[target_feature(enable = "avx2")]
#[inline]
fn weights(line: &Line, half: usize) -> [__m256i; 2] {
    let (quarters, _) = line.0.as_chunks::<16>();
    // SAFETY: a quarter of a line is as large as the vector.
    let load = |quarter: &[i8; 16]| unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) };
    let quarter = |at: usize| _mm256_cvtepi8_epi16(load(&quarters[2 * half + at]));
    [quarter(0), quarter(1)]
}

/// Lists of factors at a time: 3 × 4 sums, one vector of a row and 3 factors
/// are all 16 registers.
const LISTS: usize = 3;

/// The sum of rows, each times its factor, for each list of factors.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn mixed(mut factors: [&[f32]; LISTS], rows: &[Columns]) -> [Columns; LISTS] {
    let mut sums = [[_mm256_setzero_ps(); HALF / 8]; LISTS];
    // Tells the compiler that no list is shorter than the rows.
    factors
        .iter_mut()
        .for_each(|factors| *factors = &factors[..rows.len()]);
    for (at, row) in rows.iter().enumerate() {
        let factors = factors.map(|factors| _mm256_set1_ps(factors[at]));
        for (i, part) in row.as_chunks().0.iter().enumerate() {
            let part = load_floats(part);
            for r in 0..LISTS {
                sums[r][i] = _mm256_fmadd_ps(factors[r], part, sums[r][i]);
            }
        }
    }
    let mut out = [[0.0; HALF]; LISTS];
    for (out, sums) in out.iter_mut().zip(sums) {
        let (out, _) = out.as_chunks_mut();
        out.iter_mut()
            .zip(sums)
            .for_each(|(out, sum)| store(out, sum));
    }
    out
}

// SAFETY of the loads and the store: each array is as large as the vector, and
// no alignment is required.

#[allow(unsafe_code)]
#[target_feature(enable = "avx2")]
#[inline]
fn load(ints: &[i32; 8]) -> __m256i {
    unsafe { _mm256_loadu_si256(ints.as_ptr().cast()) }
}

#[allow(unsafe_code)]
#[target_feature(enable = "avx2")]
#[inline]
fn load_floats(floats: &[f32; 8]) -> __m256 {
    unsafe { _mm256_loadu_ps(floats.as_ptr()) }
}

#[allow(unsafe_code)]
#[target_feature(enable = "avx2")]
#[inline]
fn store(out: &mut [f32; 8], value: __m256) {
    unsafe { _mm256_storeu_ps(out.as_mut_ptr(), value) }
}
