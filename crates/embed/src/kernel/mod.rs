//! The arithmetic, in one form for each kind of processor.
//!
//! Weights are bytes with one scale for each output. Activations are made into
//! bytes row by row. Their products are summed as integers, so that all
//! kernels agree to the last bit; the rest is done in floating point.

mod attend;
mod float;
mod pack;

use std::fmt;

pub(crate) use attend::{Heads, Space};
pub(crate) use pack::{HALF, INPUTS, PANEL, Packed, Panel};

/// Rows of activations as bytes around 128, each with what a step is worth.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'r> {
    pub bytes: &'r [u8],
    pub scales: &'r [f32],
    /// The length of a row.
    pub inputs: usize,
}

/// Where the outputs of a panel go: `PANEL` numbers every `stride`.
pub(crate) struct Target<'t> {
    pub out: &'t mut [f32],
    pub stride: usize,
    /// Whether they are added to what is there, or to the biases of the panel.
    pub add: bool,
}

impl<'r> Rows<'r> {
    /// A row, four inputs at a time.
    #[inline(always)]
    fn row(self, at: usize) -> &'r [[u8; 4]] {
        self.bytes[at * self.inputs..][..self.inputs].as_chunks().0
    }
}

impl Target<'_> {
    #[inline(always)]
    fn row(&mut self, at: usize) -> &mut [f32; PANEL] {
        self.out[at * self.stride..]
            .first_chunk_mut()
            .expect("room for a panel")
    }
}

/// The scale and the shift after a row was normalised.
pub(crate) struct Norm {
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
    /// Keeps a row without any variance from being divided by zero.
    pub epsilon: f32,
}

/// Some columns of a row.
pub(crate) type Columns = [f32; HALF];

/// The same columns of a and of b in silu(a) · conv(b), or of two heads.
pub(crate) type ColumnPair = [Columns; 2];

/// What a kernel consists of. The functions may only be called where the
/// processor has what they were compiled for.
struct Passes {
    name: &'static str,
    product: unsafe fn(Panel, Rows, Target),
    dequantize: unsafe fn(&[u8], f32, &[f32], &mut [f32]),
    dot: unsafe fn(&[f32], &[f32]) -> f32,
    add: unsafe fn(f32, &[f32], &mut [f32]),
    norm: unsafe fn(&[f32], &Norm, &mut [f32]),
    quantize: unsafe fn(&[f32], &mut [u8]) -> f32,
    gate: unsafe fn(&[ColumnPair], &[Columns], &mut [f32], usize),
    scale: unsafe fn(&mut [f32], &[f32]),
    gelu_mul: unsafe fn(&mut [f32], &[f32]),
    attend: unsafe fn(Heads, &mut Space, &mut [f32], usize),
}

/// Makes `PASSES` of a kernel from its name, its product, its mix of rows for
/// attention, whether it can multiply and add in one, and what its processor
/// has.
macro_rules! passes {
    ($name:literal, $product:path, $mixed:path, $fma:expr $(, $features:literal)?) => {
        pub(super) static PASSES: Passes = Passes {
            name: $name,
            product: $product,
            dequantize,
            dot,
            add,
            norm,
            quantize,
            gate,
            scale,
            gelu_mul,
            attend,
        };

        $(#[target_feature(enable = $features)])?
        fn dequantize(bytes: &[u8], scale: f32, added: &[f32], out: &mut [f32]) {
            float::dequantize::<{ $fma }>(bytes, scale, added, out)
        }

        $(#[target_feature(enable = $features)])?
        fn dot(a: &[f32], b: &[f32]) -> f32 {
            float::dot::<{ $fma }>(a, b)
        }

        $(#[target_feature(enable = $features)])?
        fn add(share: f32, row: &[f32], out: &mut [f32]) {
            float::add::<{ $fma }>(share, row, out)
        }

        $(#[target_feature(enable = $features)])?
        fn norm(row: &[f32], norm: &Norm, out: &mut [f32]) {
            float::norm::<{ $fma }>(row, norm, out)
        }

        $(#[target_feature(enable = $features)])?
        fn quantize(row: &[f32], out: &mut [u8]) -> f32 {
            float::quantize::<{ $fma }>(row, out)
        }

        $(#[target_feature(enable = $features)])?
        fn gate(tile: &[ColumnPair], taps: &[Columns], out: &mut [f32], stride: usize) {
            float::gate::<{ $fma }>(tile, taps, out, stride)
        }

        $(#[target_feature(enable = $features)])?
        fn scale(row: &mut [f32], factors: &[f32]) {
            float::scale(row, factors)
        }

        $(#[target_feature(enable = $features)])?
        fn gelu_mul(row: &mut [f32], factors: &[f32]) {
            float::gelu_mul::<{ $fma }>(row, factors)
        }

        $(#[target_feature(enable = $features)])?
        fn attend(text: Heads, space: &mut Space, out: &mut [f32], stride: usize) {
            let mixed = |factors: [&[f32]; _], rows: &[Columns]| $mixed(factors, rows);
            attend::attend::<{ $fma }, _>(mixed, text, space, out, stride)
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

#[cfg_attr(target_arch = "x86_64", path = "on_x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "on_aarch64.rs")]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    path = "on_others.rs"
)]
mod choice;

/// One way to do the arithmetic, which this processor can do.
#[derive(Clone, Copy)]
pub struct Kernel(&'static Passes);

impl Kernel {
    /// The fastest one here.
    pub fn best() -> Kernel {
        choice::available()
            .map(Kernel)
            .next()
            .expect("the portable one runs everywhere")
    }

    /// All that run here, the fastest first.
    pub fn available() -> Vec<Kernel> {
        choice::available().map(Kernel).collect()
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Makes the length of a vector one; zeros stay zeros.
    pub(crate) fn normalize(self, vector: &mut [f32]) {
        let length = self.dot(vector, vector).sqrt().max(1e-12);
        for number in vector {
            *number /= length;
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

// SAFETY of all calls below: a `Kernel` is only made by `available`, which
// leaves out those that this processor cannot run, and the functions have no
// other condition.
#[allow(unsafe_code)]
impl Kernel {
    /// The products of one panel with all rows.
    pub(crate) fn product(self, panel: Panel, rows: Rows, target: Target) {
        unsafe { (self.0.product)(panel, rows, target) }
    }

    /// A row of the table: `out` = bytes · scale + added.
    pub(crate) fn dequantize(self, bytes: &[u8], scale: f32, added: &[f32], out: &mut [f32]) {
        unsafe { (self.0.dequantize)(bytes, scale, added, out) }
    }

    /// The sum of the products of two rows.
    pub(crate) fn dot(self, a: &[f32], b: &[f32]) -> f32 {
        unsafe { (self.0.dot)(a, b) }
    }

    /// `out` += share · row.
    pub(crate) fn add(self, share: f32, row: &[f32], out: &mut [f32]) {
        unsafe { (self.0.add)(share, row, out) }
    }

    /// LayerNorm of one row.
    pub(crate) fn norm(self, row: &[f32], norm: &Norm, out: &mut [f32]) {
        unsafe { (self.0.norm)(row, norm, out) }
    }

    /// One row as bytes around 128, and what a step of one is worth.
    pub(crate) fn quantize(self, row: &[f32], out: &mut [u8]) -> f32 {
        unsafe { (self.0.quantize)(row, out) }
    }

    /// silu(a) · conv(b) for the rows of one text and `HALF` columns.
    pub(crate) fn gate(
        self,
        tile: &[ColumnPair],
        taps: &[Columns],
        out: &mut [f32],
        stride: usize,
    ) {
        unsafe { (self.0.gate)(tile, taps, out, stride) }
    }

    /// `row` = row · factors.
    pub(crate) fn scale(self, row: &mut [f32], factors: &[f32]) {
        unsafe { (self.0.scale)(row, factors) }
    }

    /// `row` = gelu(row) · factors.
    pub(crate) fn gelu_mul(self, row: &mut [f32], factors: &[f32]) {
        unsafe { (self.0.gelu_mul)(row, factors) }
    }

    /// Attention within one text, for the two heads of a panel.
    pub(crate) fn attend(self, text: Heads, space: &mut Space, out: &mut [f32], stride: usize) {
        unsafe { (self.0.attend)(text, space, out, stride) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Weights, activations and the sums that a product of them must give.
    #[derive(Debug)]
    struct Case {
        inputs: usize,
        outputs: usize,
        weights: Vec<u8>,
        bytes: Vec<u8>,
    }

    impl Case {
        fn rows(&self) -> usize {
            self.bytes.len() / self.inputs
        }

        /// Activations in rows of a padded length.
        fn padded(&self) -> Vec<u8> {
            let length = self.inputs.next_multiple_of(INPUTS);
            let row = |row: &[u8]| [row, &vec![77; length - self.inputs]].concat();
            self.bytes.chunks(self.inputs).flat_map(row).collect()
        }

        fn sums(&self) -> Vec<f32> {
            let sum = |row: &[u8], weights: &[u8]| {
                let product = |(a, w): (&u8, &u8)| (i32::from(*a) - 128) * i32::from(*w as i8);
                row.iter().zip(weights).map(product).sum::<i32>() as f32
            };
            let sums = |row| self.weights.chunks(self.inputs).map(move |w| sum(row, w));
            self.bytes.chunks(self.inputs).flat_map(sums).collect()
        }

        /// The same by a kernel. The sums are small enough to be exact.
        fn product(&self, kernel: Kernel) -> Vec<f32> {
            let packed = Packed::new(&self.weights, &vec![1.0; self.outputs], self.inputs);
            let (bytes, scales) = (self.padded(), vec![1.0; self.rows()]);
            let rows = Rows {
                bytes: &bytes,
                scales: &scales,
                inputs: packed.inputs(),
            };
            let stride = self.outputs.next_multiple_of(PANEL);
            let mut all = vec![0.0; self.rows() * stride];
            for (at, panel) in packed.panels().enumerate() {
                for add in [false, true] {
                    kernel.product(
                        panel,
                        rows,
                        Target {
                            out: &mut all[at * PANEL..],
                            stride,
                            add,
                        },
                    );
                }
            }
            all.chunks(stride)
                .flat_map(|row| &row[..self.outputs])
                .map(|sum| sum / 2.0)
                .collect()
        }
    }

    fn case() -> impl Strategy<Value = Case> {
        let bytes = |count| proptest::collection::vec(any::<u8>(), count);
        (1..14usize, 1..130usize, 1..100usize).prop_flat_map(move |(rows, outputs, fours)| {
            let inputs = 4 * fours;
            (bytes(outputs * inputs), bytes(rows * inputs)).prop_map(move |(weights, bytes)| Case {
                inputs,
                outputs,
                weights,
                bytes,
            })
        })
    }

    proptest! {
        #[test]
        fn kernels_agree_to_the_last_bit(case in case()) {
            for kernel in Kernel::available() {
                prop_assert_eq!(case.product(kernel), case.sums(), "{:?}", kernel);
            }
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        for (weight, byte) in [(0x80, 0), (0x80, 255), (0x7F, 0), (0x7F, 255)] {
            let (inputs, outputs) = (512, 3);
            let weights = vec![weight; inputs * outputs];
            let case = Case {
                inputs,
                outputs,
                weights,
                bytes: vec![byte; inputs * 7],
            };
            for kernel in Kernel::available() {
                assert_eq!(case.product(kernel), case.sums(), "{kernel:?}");
            }
        }
    }

    #[test]
    fn outputs_are_added_to_biases_or_to_what_is_there() {
        let (weights, bias) = ([1_u8; 4 * 3], [10.0, 20.0, 30.0]);
        let packed = Packed::new(&weights, &[1.0; 3], 4).with_bias(&bias);
        let mut bytes = [128; INPUTS];
        bytes[..4].fill(129);
        let rows = Rows {
            bytes: &bytes,
            scales: &[0.5],
            inputs: INPUTS,
        };
        for kernel in Kernel::available() {
            let mut out = [7.0; PANEL];
            for (add, want) in [(true, [9.0; 3]), (false, [12.0, 22.0, 32.0])] {
                let target = Target {
                    out: &mut out,
                    stride: PANEL,
                    add,
                };
                kernel.product(packed.panel(0), rows, target);
                assert_eq!(out[..3], want, "{kernel:?}");
            }
        }
    }

    /// Attention of one head, word for word.
    fn attention(
        query: &[ColumnPair],
        key: &[ColumnPair],
        value: &[ColumnPair],
        head: usize,
    ) -> Vec<f64> {
        let dot = |a: &Columns, b: &Columns| {
            a.iter()
                .zip(b)
                .map(|(a, b)| f64::from(*a) * f64::from(*b))
                .sum::<f64>()
        };
        let row = |query: &ColumnPair| {
            let powers = key.iter().map(|key| dot(&query[head], &key[head]).exp());
            let powers: Vec<f64> = powers.collect();
            let sum: f64 = powers.iter().sum();
            let shares: Vec<f64> = powers.iter().map(|power| power / sum).collect();
            let column = |i| {
                let values = value.iter().zip(&shares);
                values
                    .map(|(value, share)| f64::from(value[head][i]) * share)
                    .sum::<f64>()
            };
            (0..HALF).map(column).collect::<Vec<f64>>()
        };
        query.iter().flat_map(row).collect()
    }

    #[test]
    fn attention_is_that_of_plain_code() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut space = Space::default();
        // Lengths below and above what is taken at a time, the long one first:
        // nothing of it may be left in the space.
        for count in [77, 1, 2, 8, 9, 31, 32, 33] {
            let mut tile = || -> Vec<ColumnPair> {
                let mut columns = || std::array::from_fn(|_| 2.0 * random.f32() - 1.0);
                (0..count).map(|_| [columns(), columns()]).collect()
            };
            let (query, key, value) = (tile(), tile(), tile());
            let stride = PANEL + 3;
            for kernel in Kernel::available() {
                let mut out = vec![9.0; count * stride];
                let text = Heads {
                    query: &query,
                    key: &key,
                    value: &value,
                };
                kernel.attend(text, &mut space, &mut out, stride);
                for head in 0..2 {
                    let want = attention(&query, &key, &value, head);
                    let ours = out
                        .chunks(stride)
                        .flat_map(|row| &row[head * HALF..][..HALF]);
                    let near = ours
                        .zip(&want)
                        .all(|(a, b)| (f64::from(*a) - b).abs() < 1e-4);
                    assert!(near, "{kernel:?}: {count} tokens");
                }
                let rest = out.chunks(stride).flat_map(|row| &row[PANEL..]);
                assert!(rest.into_iter().all(|number| *number == 9.0), "{kernel:?}");
            }
        }
    }

    #[test]
    fn large_scores_do_no_harm() {
        let (large, small) = ([[200.0; HALF]; 2], [[-200.0; HALF]; 2]);
        let text = Heads {
            query: &[large; 2],
            key: &[large, small],
            value: &[[[1.0; HALF]; 2], [[5.0; HALF]; 2]],
        };
        for kernel in Kernel::available() {
            let mut out = vec![0.0; 2 * PANEL];
            kernel.attend(text, &mut Space::default(), &mut out, PANEL);
            assert!(
                out.iter().all(|number| (number - 1.0).abs() < 1e-6),
                "{kernel:?}"
            );
        }
    }

    #[test]
    fn the_rest_is_nearly_the_same() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut row = |count: usize| (0..count).map(|_| random.f32() - 0.4).collect::<Vec<f32>>();
        let (a, b) = (row(48), row(48));
        let norm = Norm {
            weight: row(48),
            bias: row(48),
            epsilon: 1e-5,
        };
        let all: Vec<Vec<f32>> = Kernel::available()
            .into_iter()
            .map(|kernel| {
                let mut out = vec![0.0; 48];
                kernel.norm(&a, &norm, &mut out);
                kernel.add(0.3, &b, &mut out);
                kernel.gelu_mul(&mut out, &b);
                kernel.scale(&mut out, &a);
                out.push(kernel.dot(&a, &b));
                out
            })
            .collect();
        for other in &all[1..] {
            let near = all[0].iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-5);
            assert!(near, "{all:?}");
        }
    }
}
