//! Products in plain Rust, for processors without a kernel of their own.

use super::pack::PANEL;
use super::{Columns, Halves, Norm, Panel, Passes, Rows, Target, float};

/// Where every processor of the kind can multiply and add in one instruction.
const FMA: bool = cfg!(target_arch = "aarch64");

passes!("portable", product, FMA);

fn product(panel: Panel, rows: Rows, mut target: Target) {
    let weights = by_output(panel);
    for (at, scale) in rows.scales.iter().enumerate() {
        let row = rows.row(at).as_flattened();
        let add = target.add;
        let out = target.row(at).iter_mut().zip(weights.chunks_exact(rows.inputs));
        for (i, (out, weights)) in out.enumerate() {
            let sum = panel.starts[i] + sum(row, weights);
            let before = if add { *out } else { 0.0 };
            *out = before + sum as f32 * (scale * panel.scales[i]);
        }
    }
}

/// The weights of a panel, one output after the other: what compilers know
/// how to make fast are sums over two rows.
fn by_output(panel: Panel) -> Vec<i8> {
    let inputs = 4 * panel.steps.len();
    let mut weights = vec![0; PANEL * inputs];
    for (output, row) in weights.chunks_exact_mut(inputs).enumerate() {
        let (line, at) = (output / 16, output % 16);
        for (four, step) in row.as_chunks_mut::<4>().0.iter_mut().zip(panel.steps) {
            *four = step[line].0.as_chunks().0[at];
        }
    }
    weights
}

// Within its caller the compiler makes something slower of it.
#[inline(never)]
fn sum(row: &[u8], weights: &[i8]) -> i32 {
    let mut sums = [0; 16];
    let (row, _) = row.as_chunks::<16>();
    let (weights, _) = weights.as_chunks::<16>();
    for (row, weights) in row.iter().zip(weights) {
        for i in 0..16 {
            sums[i] += i32::from(row[i]) * i32::from(weights[i]);
        }
    }
    sums.iter().sum()
}
