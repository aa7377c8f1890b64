//! Products with the VNNI instructions of AVX-512: four inputs of sixteen
//! outputs in one instruction.

use super::pack::{Line, PANEL, Step};
use super::{
    ColumnPair, Columns, HALF, Heads, Norm, Panel, Passes, Rows, Space, Target, attend, float,
};
use std::arch::x86_64::*;

passes!(
    "avx512-vnni",
    product,
    mixed,
    true,
    "avx512f,avx512bw,avx512dq,avx512vl,fma"
);

/// Rows at a time: 6 × 4 sums, 4 vectors of weights and one of activations
/// are 29 of the 32 registers.
const TALL: usize = 6;

/// The sums of `R` rows for all outputs of a panel.
type Sums<const R: usize> = [[__m512i; PANEL / 16]; R];

/// Whether this processor has what this file needs.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("fma")
}

#[target_feature(enable = "avx512f,avx512vnni")]
fn product(panel: Panel, rows: Rows, mut target: Target) {
    let count = rows.scales.len();
    for first in (0..count).step_by(TALL) {
        match count - first {
            1 => tile::<1>(panel, rows, first, &mut target),
            2 => tile::<2>(panel, rows, first, &mut target),
            3 => tile::<3>(panel, rows, first, &mut target),
            4 => tile::<4>(panel, rows, first, &mut target),
            5 => tile::<5>(panel, rows, first, &mut target),
            _ => tile::<TALL>(panel, rows, first, &mut target),
        }
    }
}

/// The outputs of a panel for `R` rows.
#[target_feature(enable = "avx512f,avx512vnni")]
fn tile<const R: usize>(panel: Panel, rows: Rows, first: usize, target: &mut Target) {
    let mut inputs: [&[[u8; 4]]; R] = [&[]; R];
    inputs
        .iter_mut()
        .zip(first..)
        .for_each(|(row, at)| *row = rows.row(at));
    let sums = sums(panel.steps, panel.starts, inputs);
    let (scales, biases) = (panel.scales.as_chunks().0, panel.biases.as_chunks().0);
    for (r, sums) in sums.into_iter().enumerate() {
        let scale = _mm512_set1_ps(rows.scales[first + r]);
        let add = target.add;
        let (out, _) = target.row(first + r).as_chunks_mut();
        for (i, (out, sum)) in out.iter_mut().zip(sums).enumerate() {
            let before = load_floats(if add { out } else { &biases[i] });
            let scale = _mm512_mul_ps(scale, load_floats(&scales[i]));
            let value = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale);
            store(out, _mm512_add_ps(before, value));
        }
    }
}

#[target_feature(enable = "avx512f,avx512vnni")]
#[inline]
fn sums<const R: usize>(
    steps: &[Step],
    starts: &[i32; PANEL],
    mut rows: [&[[u8; 4]]; R],
) -> Sums<R> {
    let (starts, _) = starts.as_chunks();
    let starts = [0, 1, 2, 3].map(|i| load_ints(&starts[i]));
    let mut sums: Sums<R> = [starts; R];
    // Tells the compiler that no row is shorter than the steps.
    rows.iter_mut().for_each(|row| *row = &row[..steps.len()]);
    for (at, step) in steps.iter().enumerate() {
        let weights = [
            load(&step[0]),
            load(&step[1]),
            load(&step[2]),
            load(&step[3]),
        ];
        for r in 0..R {
            let inputs = _mm512_set1_epi32(i32::from_ne_bytes(rows[r][at]));
            for i in 0..PANEL / 16 {
                sums[r][i] = _mm512_dpbusd_epi32(sums[r][i], inputs, weights[i]);
            }
        }
    }
    sums
}

/// Lists of factors at a time: 8 × 2 sums, 2 vectors of a row and one factor
/// are 19 of the 32 registers; more would leave more over at the end of a text.
const LISTS: usize = 8;

/// The sum of rows, each times its factor, for each list of factors.
#[target_feature(enable = "avx512f")]
#[inline]
fn mixed(mut factors: [&[f32]; LISTS], rows: &[Columns]) -> [Columns; LISTS] {
    let mut sums = [[_mm512_setzero_ps(); 2]; LISTS];
    // Tells the compiler that no list is shorter than the rows.
    factors
        .iter_mut()
        .for_each(|factors| *factors = &factors[..rows.len()]);
    for (at, row) in rows.iter().enumerate() {
        let (row, _) = row.as_chunks();
        let row = [load_floats(&row[0]), load_floats(&row[1])];
        for r in 0..LISTS {
            let factor = _mm512_set1_ps(factors[r][at]);
            for i in 0..2 {
                sums[r][i] = _mm512_fmadd_ps(factor, row[i], sums[r][i]);
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
#[target_feature(enable = "avx512f")]
#[inline]
fn load(line: &Line) -> __m512i {
    unsafe { _mm512_loadu_si512(line.0.as_ptr().cast()) }
}

#[allow(unsafe_code)]
#[target_feature(enable = "avx512f")]
#[inline]
fn load_ints(ints: &[i32; 16]) -> __m512i {
    unsafe { _mm512_loadu_si512(ints.as_ptr().cast()) }
}

#[allow(unsafe_code)]
#[target_feature(enable = "avx512f")]
#[inline]
fn load_floats(floats: &[f32; 16]) -> __m512 {
    unsafe { _mm512_loadu_ps(floats.as_ptr()) }
}

#[allow(unsafe_code)]
#[target_feature(enable = "avx512f")]
#[inline]
fn store(out: &mut [f32; 16], value: __m512) {
    unsafe { _mm512_storeu_ps(out.as_mut_ptr(), value) }
}
