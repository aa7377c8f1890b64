//! Which files hold tests, and which are copies of others.

use scent_search::is_of_category;
use scent_types::FileCategory;

/// Whether a path is that of tests, or of what they are fed with.
pub(crate) fn is_test(path: &str) -> bool {
    is_of_category(FileCategory::Test, path) || is_of_category(FileCategory::Fixture, path)
}

/// Whether a path is that of declarations without their code.
pub(crate) fn is_stub(path: &str) -> bool {
    is_of_category(FileCategory::Stub, path)
}

/// How far a path is from product code: examples come after it, then tests, then
/// copies of others' code.
pub(crate) fn rank(path: &str) -> u8 {
    let is = |category| is_of_category(category, path);
    match () {
        () if is_vendored(path) => 3,
        () if is_test(path) => 2,
        () if is(FileCategory::Example) || is(FileCategory::Benchmark) => 1,
        () => 0,
    }
}

/// Whether a path is that of a copy of something, or of something built.
pub(crate) fn is_vendored(path: &str) -> bool {
    is_of_category(FileCategory::Vendored, path)
}
