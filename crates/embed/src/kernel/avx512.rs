//! Products with the VNNI instructions of AVX-512: four inputs of sixteen
//! outputs in one instruction.

use super::pack::{Line, PANEL, Step};
use super::{Columns, Halves, Norm, Panel, Passes, Rows, Target, float};
use std::arch::x86_64::*;

passes!("avx512-vnni", product, true, "avx512f,avx512bw,avx512dq,avx512vl,fma");

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
    inputs.iter_mut().zip(first..).for_each(|(row, at)| *row = rows.row(at));
    let sums = sums(panel.steps, panel.starts, inputs);
    let (scales, _) = panel.scales.as_chunks();
    for (r, sums) in sums.into_iter().enumerate() {
        let scale = _mm512_set1_ps(rows.scales[first + r]);
        let add = target.add;
        let (out, _) = target.row(first + r).as_chunks_mut();
        for ((out, sum), scales) in out.iter_mut().zip(sums).zip(scales) {
            let before = if add { load_floats(out) } else { _mm512_setzero_ps() };
            let scale = _mm512_mul_ps(scale, load_floats(scales));
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
        let weights = [load(&step[0]), load(&step[1]), load(&step[2]), load(&step[3])];
        for r in 0..R {
            let inputs = _mm512_set1_epi32(i32::from_ne_bytes(rows[r][at]));
            for i in 0..PANEL / 16 {
                sums[r][i] = _mm512_dpbusd_epi32(sums[r][i], inputs, weights[i]);
            }
        }
    }
    sums
}

// SAFETY of the loads and the store: each array is as large as the vector, and
// no alignment is asked for.

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
