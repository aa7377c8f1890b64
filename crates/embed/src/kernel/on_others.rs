//! Which kernels run where there is none of its own.

use super::{Passes, portable};

pub(super) fn available() -> impl Iterator<Item = &'static Passes> {
    std::iter::once(&portable::PASSES)
}
