//! Products with the dot products of ARM: four inputs of four outputs in one
//! instruction. Every Apple processor has it, and servers since 2018.

use super::pack::{Line, PANEL, Step};
use super::{
    ColumnPair, Columns, HALF, Heads, Norm, Panel, Passes, Rows, Space, Target, attend, float,
};
use std::arch::aarch64::*;
use std::arch::{asm, is_aarch64_feature_detected};

passes!("neon-dotprod", product, mixed, true, "neon,dotprod");

/// Rows at a time: 4 × 4 sums, 4 vectors of activations and 4 of weights are
/// 24 of the 32 registers.
const TALL: usize = 4;

/// Steps at a time: a vector of activations has the inputs of four.
const STEPS: usize = 4;

/// The sums of `R` rows for sixteen outputs.
type Sums<const R: usize> = [[int32x4_t; 4]; R];

/// The activations of a row, `STEPS` steps at a time.
type Row<'r> = &'r [[u8; 4 * STEPS]];

/// Whether this processor has what this file needs.
pub(super) fn is_available() -> bool {
    is_aarch64_feature_detected!("neon") && is_aarch64_feature_detected!("dotprod")
}

#[target_feature(enable = "neon,dotprod")]
fn product(panel: Panel, rows: Rows, mut target: Target) {
    let count = rows.scales.len();
    for first in (0..count).step_by(TALL) {
        match count - first {
            1 => tile::<1>(panel, rows, first, &mut target),
            2 => tile::<2>(panel, rows, first, &mut target),
            3 => tile::<3>(panel, rows, first, &mut target),
            _ => tile::<TALL>(panel, rows, first, &mut target),
        }
    }
}

/// The outputs of a panel for `R` rows.
#[target_feature(enable = "neon,dotprod")]
fn tile<const R: usize>(panel: Panel, rows: Rows, first: usize, target: &mut Target) {
    let mut inputs: [Row; R] = [&[]; R];
    let row = |at| rows.row(at).as_flattened().as_chunks().0;
    inputs
        .iter_mut()
        .zip(first..)
        .for_each(|(inputs, at)| *inputs = row(at));
    for part in 0..PANEL / 16 {
        let sums = sums(panel.steps, part, inputs);
        let (scales, _) = panel.scales[part * 16..].as_chunks();
        let (biases, _) = panel.biases[part * 16..].as_chunks();
        for (r, sums) in sums.into_iter().enumerate() {
            let (scale, add) = (rows.scales[first + r], target.add);
            let (out, _) = target.row(first + r)[part * 16..].as_chunks_mut();
            let about = scales.iter().zip(biases);
            for ((out, sum), (scales, bias)) in out.iter_mut().zip(sums).zip(about) {
                put(out, add, sum, scale, scales, bias);
            }
        }
    }
}

#[target_feature(enable = "neon,dotprod")]
#[inline]
fn sums<const R: usize>(steps: &[Step], part: usize, mut rows: [Row; R]) -> Sums<R> {
    let mut sums: Sums<R> = [[vdupq_n_s32(0); 4]; R];
    let (steps, _) = steps.as_chunks::<STEPS>();
    // Tells the compiler that no row is shorter than the steps.
    rows.iter_mut().for_each(|row| *row = &row[..steps.len()]);
    for (at, steps) in steps.iter().enumerate() {
        let mut inputs = [vdupq_n_s8(0); R];
        for r in 0..R {
            inputs[r] = activations(&rows[r][at]);
        }
        add_step::<0, R>(&mut sums, &steps[0][part], &inputs);
        add_step::<1, R>(&mut sums, &steps[1][part], &inputs);
        add_step::<2, R>(&mut sums, &steps[2][part], &inputs);
        add_step::<3, R>(&mut sums, &steps[3][part], &inputs);
    }
    sums
}

/// Adds the products of one step, whose inputs are in the lane of its number.
#[target_feature(enable = "neon,dotprod")]
#[inline]
fn add_step<const LANE: i32, const R: usize>(
    sums: &mut Sums<R>,
    line: &Line,
    inputs: &[int8x16_t; R],
) {
    let (quarters, _) = line.0.as_chunks();
    for (i, quarter) in quarters.iter().enumerate() {
        let weights = weights(quarter);
        for r in 0..R {
            sums[r][i] = dot_lane::<LANE>(sums[r][i], weights, inputs[r]);
        }
    }
}

/// `sums` + the products of each four weights with the four inputs in a lane.
#[allow(unsafe_code)]
#[target_feature(enable = "neon,dotprod")]
#[inline]
fn dot_lane<const LANE: i32>(
    mut sums: int32x4_t,
    weights: int8x16_t,
    inputs: int8x16_t,
) -> int32x4_t {
    // SAFETY: the instruction is there and reads and writes these registers
    // alone. `vdotq_laneq_s32` would be it, but is not stable yet.
    unsafe {
        asm!(
            "sdot {sums:v}.4s, {weights:v}.16b, {inputs:v}.4b[{lane}]",
            sums = inout(vreg) sums,
            weights = in(vreg) weights,
            inputs = in(vreg) inputs,
            lane = const LANE,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sums
}

/// Puts four outputs in their place.
#[allow(unsafe_code)]
#[target_feature(enable = "neon")]
#[inline]
fn put(
    out: &mut [f32; 4],
    add: bool,
    sums: int32x4_t,
    scale: f32,
    scales: &[f32; 4],
    bias: &[f32; 4],
) {
    // SAFETY: each array is as large as the vector.
    unsafe {
        let scale = vmulq_n_f32(vld1q_f32(scales.as_ptr()), scale);
        let value = vmulq_f32(vcvtq_f32_s32(sums), scale);
        let before = vld1q_f32(if add { out.as_ptr() } else { bias.as_ptr() });
        vst1q_f32(out.as_mut_ptr(), vaddq_f32(before, value));
    }
}

/// Lists of factors at a time: 3 × 8 sums, 3 factors and a vector of a row are
/// 28 of the 32 registers.
const LISTS: usize = 3;

/// The sum of rows, each times its factor, for each list of factors.
#[allow(unsafe_code)]
#[target_feature(enable = "neon")]
#[inline]
fn mixed(mut factors: [&[f32]; LISTS], rows: &[Columns]) -> [Columns; LISTS] {
    let mut sums = [[vdupq_n_f32(0.0); HALF / 4]; LISTS];
    // Tells the compiler that no list is shorter than the rows.
    factors
        .iter_mut()
        .for_each(|factors| *factors = &factors[..rows.len()]);
    for (at, row) in rows.iter().enumerate() {
        let factors = factors.map(|factors| factors[at]);
        for (i, part) in row.as_chunks::<4>().0.iter().enumerate() {
            // SAFETY: the array is as large as the vector.
            let part = unsafe { vld1q_f32(part.as_ptr()) };
            for r in 0..LISTS {
                sums[r][i] = vfmaq_n_f32(sums[r][i], part, factors[r]);
            }
        }
    }
    let mut out = [[0.0; HALF]; LISTS];
    for (out, sums) in out.iter_mut().zip(sums) {
        for (out, sum) in out.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            // SAFETY: the array is as large as the vector.
            unsafe { vst1q_f32(out.as_mut_ptr(), sum) };
        }
    }
    out
}

/// Activations without the 128 that was added to them: the instruction
/// multiplies signed bytes.
#[allow(unsafe_code)]
#[target_feature(enable = "neon")]
#[inline]
fn activations(bytes: &[u8; 16]) -> int8x16_t {
    // SAFETY: the array is as large as the vector.
    let bytes = unsafe { vld1q_u8(bytes.as_ptr()) };
    vreinterpretq_s8_u8(veorq_u8(bytes, vdupq_n_u8(128)))
}

#[allow(unsafe_code)]
#[target_feature(enable = "neon")]
#[inline]
fn weights(quarter: &[i8; 16]) -> int8x16_t {
    // SAFETY: the array is as large as the vector.
    unsafe { vld1q_s8(quarter.as_ptr()) }
}
