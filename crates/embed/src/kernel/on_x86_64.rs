//! Which kernels a processor of Intel or AMD can run.

use super::{Passes, avx2, avx512, portable};

pub(super) fn available() -> impl Iterator<Item = &'static Passes> {
    let avx512 = avx512::is_available().then_some(&avx512::PASSES);
    let avx2 = avx2::is_available().then_some(&avx2::PASSES);
    [avx512, avx2, Some(&portable::PASSES)]
        .into_iter()
        .flatten()
}
