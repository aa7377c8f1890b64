//! The inner loops of a scan, in one form for each kind of processor.
//!
//! All of them sum integers, so that they agree to the last bit; which one
//! runs is decided once. The lengths of rows are multiples of [`WIDTH`].

use std::sync::OnceLock;

/// Numbers of a row that are taken in one step, and bits of a word.
pub(crate) const WIDTH: usize = 64;

/// Rows whose bits lie together: a word of the first row, the same word of
/// the second, and so on.
pub(crate) const GROUP: usize = 8;

/// How many bits a number of a coarse row has. They are in different words:
/// first the highest bits of all numbers, then the next.
pub(crate) const ROW_BITS: usize = 2;

/// How many bits a number of a query has when it meets coarse rows.
pub(crate) const QUERY_BITS: usize = 4;

/// For each 64 numbers of a query, their bits, the lowest first.
pub(crate) type Planes = [[u64; QUERY_BITS]];

/// One way to do the arithmetic, which this processor can do.
#[derive(Clone, Copy)]
pub(crate) struct Kernel {
    #[cfg_attr(not(test), expect(dead_code, reason = "tells which one failed a test"))]
    pub name: &'static str,
    dots: unsafe fn(&[u8], &[u8], &mut [i32]),
    differences: unsafe fn(&[u8], &Planes, &mut [i32]),
}

// SAFETY of both calls: `available` leaves out the kernels that this processor
// cannot run, and the functions have no other condition.
#[allow(unsafe_code)]
impl Kernel {
    /// The products of a query with rows of its length, both bytes that stand
    /// for `i8`, but never for -128.
    pub fn dots(self, rows: &[u8], query: &[u8], sums: &mut [i32]) {
        debug_assert!(query.len().is_multiple_of(WIDTH) && rows.len() == query.len() * sums.len());
        unsafe { (self.dots)(rows, query, sums) }
    }

    /// In how many bits coarse rows differ from a query, each bit of a row
    /// compared with each bit of the query, and counted by what both are worth.
    pub fn differences(self, groups: &[u8], planes: &Planes, sums: &mut [i32]) {
        let row = planes.len() * 8 * ROW_BITS;
        debug_assert!(sums.len().is_multiple_of(GROUP) && groups.len() == row * sums.len());
        unsafe { (self.differences)(groups, planes, sums) }
    }

    /// The product of two rows.
    pub fn dot(self, row: &[u8], query: &[u8]) -> i32 {
        let mut sum = [0];
        self.dots(row, query, &mut sum);
        sum[0]
    }

    /// The fastest one here.
    pub fn best() -> Kernel {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| available()[0])
    }
}

#[cfg(target_arch = "x86_64")]
fn available() -> Vec<Kernel> {
    let with_avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512vpopcntdq");
    let avx512 = with_avx512.then_some(avx512::KERNEL);
    let avx2 = is_x86_feature_detected!("avx2").then_some(avx2::KERNEL);
    [avx512, avx2, Some(portable::KERNEL)]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn available() -> Vec<Kernel> {
    vec![portable::KERNEL]
}

/// What compilers make of plain loops.
mod portable {
    use super::{GROUP, Kernel, Planes, QUERY_BITS, ROW_BITS};

    pub(super) const KERNEL: Kernel = Kernel {
        name: "portable",
        dots,
        differences,
    };

    fn dots(rows: &[u8], query: &[u8], sums: &mut [i32]) {
        for (row, sum) in rows.chunks_exact(query.len()).zip(sums) {
            let product = |(a, b): (&u8, &u8)| i32::from(*a as i8) * i32::from(*b as i8);
            *sum = row.iter().zip(query).map(product).sum();
        }
    }

    fn differences(groups: &[u8], planes: &Planes, sums: &mut [i32]) {
        let words = planes.len() * GROUP * 8;
        let groups = groups.chunks_exact(words * ROW_BITS);
        for (group, sums) in groups.zip(sums.as_chunks_mut::<GROUP>().0) {
            *sums = [0; GROUP];
            for bits in group.chunks_exact(words) {
                sums.iter_mut().for_each(|sum| *sum <<= 1);
                for (word, plane) in bits.as_chunks::<{ GROUP * 8 }>().0.iter().zip(planes) {
                    for (row, sum) in word.as_chunks::<8>().0.iter().zip(&mut *sums) {
                        *sum += weighed(u64::from_le_bytes(*row), plane);
                    }
                }
            }
        }
    }

    fn weighed(row: u64, plane: &[u64; QUERY_BITS]) -> i32 {
        let counts = plane.iter().map(|bits| (row ^ bits).count_ones() as i32);
        counts.enumerate().map(|(nth, count)| count << nth).sum()
    }
}

/// Sixteen products at a time, exact because bytes are widened first.
// SAFETY of the loads and stores: they touch an array that was borrowed whole.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::{GROUP, Kernel, Planes, QUERY_BITS, ROW_BITS};
    use std::arch::x86_64::*;

    pub(super) const KERNEL: Kernel = Kernel {
        name: "avx2",
        dots,
        differences,
    };

    #[target_feature(enable = "avx2")]
    fn dots(rows: &[u8], query: &[u8], sums: &mut [i32]) {
        for (row, sum) in rows.chunks_exact(query.len()).zip(sums) {
            let mut total = _mm256_setzero_si256();
            for (a, b) in row.as_chunks().0.iter().zip(query.as_chunks().0) {
                total = _mm256_add_epi32(total, _mm256_madd_epi16(widened(a), widened(b)));
            }
            *sum = added(total);
        }
    }

    #[target_feature(enable = "avx2")]
    fn differences(groups: &[u8], planes: &Planes, sums: &mut [i32]) {
        let words = planes.len() * GROUP * 8;
        let groups = groups.chunks_exact(words * ROW_BITS);
        for (group, sums) in groups.zip(sums.as_chunks_mut::<GROUP>().0) {
            let mut totals = [_mm256_setzero_si256(); 2];
            for bits in group.chunks_exact(words) {
                totals = totals.map(|total| _mm256_slli_epi64::<1>(total));
                for (word, plane) in bits.as_chunks::<{ GROUP * 8 }>().0.iter().zip(planes) {
                    for (rows, total) in word.as_chunks().0.iter().zip(&mut totals) {
                        *total = _mm256_add_epi64(*total, weighed(load(rows), plane));
                    }
                }
            }
            *sums = std::array::from_fn(|nth| lanes(totals[nth / 4])[nth % 4] as i32);
        }
    }

    /// Four words against the bits of the query.
    #[target_feature(enable = "avx2")]
    fn weighed(rows: __m256i, plane: &[u64; QUERY_BITS]) -> __m256i {
        let mut total = _mm256_setzero_si256();
        for bits in plane.iter().rev() {
            let differ = _mm256_xor_si256(rows, _mm256_set1_epi64x(*bits as i64));
            total = _mm256_add_epi64(_mm256_slli_epi64::<1>(total), counted(differ));
        }
        total
    }

    /// The bits of each of four words, by a table of those of half a byte.
    #[target_feature(enable = "avx2")]
    fn counted(words: __m256i) -> __m256i {
        let table = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2,
            3, 3, 4,
        );
        let half = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(table, _mm256_and_si256(words, half));
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(words), half);
        let bytes = _mm256_add_epi8(low, _mm256_shuffle_epi8(table, high));
        _mm256_sad_epu8(bytes, _mm256_setzero_si256())
    }

    #[target_feature(enable = "avx2")]
    fn widened(bytes: &[u8; 16]) -> __m256i {
        _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; 32]) -> __m256i {
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    fn lanes(words: __m256i) -> [u64; 4] {
        let mut lanes = [0; 4];
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), words) };
        lanes
    }

    #[target_feature(enable = "avx2")]
    fn added(sums: __m256i) -> i32 {
        let lanes = lanes(sums);
        lanes
            .iter()
            .map(|&two| (two as i32).wrapping_add((two >> 32) as i32))
            .sum()
    }
}

/// Sixty-four products, or the bits of eight words, in one instruction.
// SAFETY of the loads and stores: they touch an array that was borrowed whole.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512 {
    use super::{GROUP, Kernel, Planes, QUERY_BITS, ROW_BITS};
    use std::arch::x86_64::*;

    pub(super) const KERNEL: Kernel = Kernel {
        name: "avx512",
        dots,
        differences,
    };

    /// The instruction takes bytes without a sign on one side. Flipping the
    /// highest bit of a row adds 128 to each of its numbers; what that adds to
    /// the product depends on the query alone.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn dots(rows: &[u8], query: &[u8], sums: &mut [i32]) {
        let flip = _mm512_set1_epi8(-128);
        let surplus: i32 = query.iter().map(|&byte| 128 * i32::from(byte as i8)).sum();
        for (row, sum) in rows.chunks_exact(query.len()).zip(sums) {
            let mut total = _mm512_setzero_si512();
            for (a, b) in row.as_chunks().0.iter().zip(query.as_chunks().0) {
                total = _mm512_dpbusd_epi32(total, _mm512_xor_si512(load(a), flip), load(b));
            }
            *sum = _mm512_reduce_add_epi32(total) - surplus;
        }
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn differences(groups: &[u8], planes: &Planes, sums: &mut [i32]) {
        let words = planes.len() * GROUP * 8;
        let groups = groups.chunks_exact(words * ROW_BITS);
        for (group, sums) in groups.zip(sums.as_chunks_mut::<GROUP>().0) {
            let mut total = _mm512_setzero_si512();
            for bits in group.chunks_exact(words) {
                total = _mm512_slli_epi64::<1>(total);
                for (word, plane) in bits.as_chunks().0.iter().zip(planes) {
                    total = _mm512_add_epi64(total, weighed(load(word), plane));
                }
            }
            store(_mm512_cvtepi64_epi32(total), sums);
        }
    }

    /// Eight words against the bits of the query.
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn weighed(rows: __m512i, plane: &[u64; QUERY_BITS]) -> __m512i {
        let mut total = _mm512_setzero_si512();
        for bits in plane.iter().rev() {
            let differ = _mm512_xor_si512(rows, _mm512_set1_epi64(*bits as i64));
            total = _mm512_add_epi64(_mm512_slli_epi64::<1>(total), _mm512_popcnt_epi64(differ));
        }
        total
    }

    #[target_feature(enable = "avx512f")]
    fn load(bytes: &[u8; 64]) -> __m512i {
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f")]
    fn store(numbers: __m256i, into: &mut [i32; GROUP]) {
        unsafe { _mm256_storeu_si256(into.as_mut_ptr().cast(), numbers) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are not -128, as a number generator without state gives them.
    fn bytes(count: usize, seed: u64) -> Vec<u8> {
        let byte = |nth| (crate::vectors::coarse::mix(seed << 32 | nth) % 255) as u8 as i8;
        (0..count as u64)
            .map(|nth| byte(nth).max(-127) as u8)
            .collect()
    }

    #[test]
    fn all_kernels_agree_on_products() {
        for (width, rows) in [(64, 3), (128, 1), (256, 9), (384, 4), (1024, 2)] {
            let (query, data) = (bytes(width, 1), bytes(width * rows, 2));
            let value = |byte: &u8| i64::from(*byte as i8);
            let want: Vec<i64> = data
                .chunks(width)
                .map(|row| {
                    row.iter()
                        .zip(&query)
                        .map(|(a, b)| value(a) * value(b))
                        .sum()
                })
                .collect();
            for kernel in available() {
                let mut sums = vec![7; rows];
                kernel.dots(&data, &query, &mut sums);
                let sums: Vec<i64> = sums.into_iter().map(i64::from).collect();
                assert_eq!(sums, want, "{} {width}", kernel.name);
            }
        }
    }

    #[test]
    fn the_largest_products_fit() {
        let rows = [127u8; 256].map(|byte| -(byte as i8) as u8);
        for kernel in available() {
            assert_eq!(
                kernel.dot(&rows, &[127; 256]),
                -127 * 127 * 256,
                "{}",
                kernel.name
            );
            assert_eq!(kernel.dot(&rows, &rows), 127 * 127 * 256, "{}", kernel.name);
        }
    }

    #[test]
    fn all_kernels_agree_on_differences() {
        for (words, groups) in [(1, 1), (4, 5), (6, 2), (16, 3)] {
            let data = bytes(words * ROW_BITS * GROUP * 8 * groups, 3);
            let plane = |nth: usize| {
                let words = bytes(QUERY_BITS * 8, nth as u64 + 4);
                std::array::from_fn(|bit| crate::store::u64_at(&words, bit))
            };
            let planes: Vec<[u64; QUERY_BITS]> = (0..words).map(plane).collect();
            let word = |row: usize, nth: usize| {
                let before = row / GROUP * words * ROW_BITS + nth;
                crate::store::u64_at(&data, before * GROUP + row % GROUP)
            };
            let want = |row: usize| -> u32 {
                let mut sum = 0;
                for (nth, bit) in
                    (0..words * ROW_BITS).flat_map(|n| (0..QUERY_BITS).map(move |b| (n, b)))
                {
                    let worth = bit + ROW_BITS - 1 - nth / words;
                    sum += (word(row, nth) ^ planes[nth % words][bit]).count_ones() << worth;
                }
                sum
            };
            for kernel in available() {
                let mut sums = vec![7; groups * GROUP];
                kernel.differences(&data, &planes, &mut sums);
                for (row, &sum) in sums.iter().enumerate() {
                    assert_eq!(sum as u32, want(row), "{} {words} row {row}", kernel.name);
                }
            }
        }
    }
}
