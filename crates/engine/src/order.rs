//! Which files come first where not all can be done at once.

use scent_search::is_of_category;
use scent_types::{FileCategory, FileClass};

/// Source code that somebody wrote for this project first, then tests and
/// examples, then documentation, configuration and data, and at last copies and
/// what tools wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Precedence {
    Source,
    Test,
    Other,
    Copy,
}

const TESTS: [FileCategory; 4] = [
    FileCategory::Test,
    FileCategory::Fixture,
    FileCategory::Example,
    FileCategory::Benchmark,
];

const COPIES: [FileCategory; 2] = [FileCategory::Vendored, FileCategory::Generated];

/// The precedence of a file, by its path alone.
pub(crate) fn precedence(path: &str) -> Precedence {
    let is_any = |categories: &[FileCategory]| {
        let mut categories = categories.iter();
        categories.any(|category| is_of_category(*category, path))
    };
    let class = scent_syntax::detect(path, b"").map(|language| language.class);
    if is_any(&COPIES) {
        Precedence::Copy
    } else if class != Some(FileClass::Code) {
        Precedence::Other
    } else if is_any(&TESTS) {
        Precedence::Test
    } else {
        Precedence::Source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_code_comes_first() {
        let cases = [
            ("src/retry.rs", Precedence::Source),
            ("lib/http/client.py", Precedence::Source),
            ("tests/retry.rs", Precedence::Test),
            ("src/retry_test.go", Precedence::Test),
            ("docs/guide.md", Precedence::Other),
            ("package.json", Precedence::Other),
            ("data/words", Precedence::Other),
            ("vendor/lib/a.c", Precedence::Copy),
        ];
        for (path, want) in cases {
            assert_eq!(precedence(path), want, "{path}");
        }
    }
}
