//! Products in plain Rust, for processors without a kernel of their own.

use super::pack::PANEL;
use super::{
    ColumnPair, Columns, HALF, Heads, Norm, Panel, Passes, Rows, Space, Target, attend, float,
};

/// Where every processor of the kind can multiply and add in one instruction.
const FMA: bool = cfg!(target_arch = "aarch64");

passes!("portable", product, mixed, FMA);

fn product(panel: Panel, rows: Rows, mut target: Target) {
    let weights = by_output(panel);
    for (at, scale) in rows.scales.iter().enumerate() {
        let row = rows.row(at).as_flattened();
        let add = target.add;
        let out = target
            .row(at)
            .iter_mut()
            .zip(weights.chunks_exact(rows.inputs));
        for (i, (out, weights)) in out.enumerate() {
            let sum = panel.starts[i] + sum(row, weights);
            let before = if add { *out } else { panel.biases[i] };
            *out = before + sum as f32 * (scale * panel.scales[i]);
        }
    }
}

/// The sum of rows, each times its factor.
fn mixed([factors]: [&[f32]; 1], rows: &[Columns]) -> [Columns; 1] {
    let mut sums = [0.0; HALF];
    for (factor, row) in factors.iter().zip(rows) {
        float::add::<FMA>(*factor, row, &mut sums);
    }
    [sums]
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
