//! Which files hold tests, and which are copies of others.

use crate::classify::listed;
use std::sync::LazyLock;

static TESTS: LazyLock<Vec<&str>> =
    LazyLock::new(|| listed(include_str!("../../data/test_paths.txt")).collect());

static VENDORED: LazyLock<Vec<&str>> =
    LazyLock::new(|| listed(include_str!("../../data/vendored_paths.txt")).collect());

/// Whether a path is that of tests.
pub(crate) fn is_test(path: &str) -> bool {
    is_listed(path, &TESTS)
}

/// Whether a path is that of a copy of something, or of something built.
pub(crate) fn is_vendored(path: &str) -> bool {
    is_listed(path, &VENDORED)
}

fn is_listed(path: &str, rules: &[&str]) -> bool {
    let path = path.to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let (stem, rest) = name.split_once('.').unwrap_or((name, ""));
    let holds = |rule: &str| match (rule.strip_suffix('/'), rule.strip_suffix('*')) {
        (Some(folder), _) => folders.split('/').any(|part| part == folder),
        (_, Some(start)) => stem.starts_with(start),
        _ => match (rule.strip_prefix('*'), rule.strip_prefix('.')) {
            (Some(end), _) => stem.ends_with(end),
            (_, Some(middle)) => rest.split('.').next() == Some(middle) && rest.contains('.'),
            _ => stem == rule,
        },
    };
    rules.iter().any(|rule| holds(rule))
}

#[cfg(test)]
mod cases {
    use super::*;

    #[test]
    fn tests_are_told_by_their_paths() {
        for path in [
            "tests/a.py",
            "src/__tests__/a.js",
            "pkg/a_test.go",
            "src/a.spec.ts",
            "test_a.py",
            "spec/models/user_spec.rb",
            "conftest.py",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/testing_ground.rs", "src/latest.rs", "contest/a.py", "src/spec.rs"] {
            assert!(!is_test(path), "{path}");
        }
        assert!(is_vendored("vendor/a/b.go") && is_vendored("Dist/x.js"));
        assert!(!is_vendored("src/vendor.rs"));
    }
}
