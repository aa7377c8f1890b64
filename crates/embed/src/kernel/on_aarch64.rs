//! Which kernels a 64-bit ARM processor can run.

use super::{Passes, neon, portable};

pub(super) fn available() -> impl Iterator<Item = &'static Passes> {
    let neon = neon::is_available().then_some(&neon::PASSES);
    [neon, Some(&portable::PASSES)].into_iter().flatten()
}
