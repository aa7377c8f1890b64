//! Categories of file that people rarely look for: tests, examples,
//! copies. Told by paths, as `data/paths.toml` says.

use scent_types::FileCategory;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Whether a file at a path is of a category.
pub fn is_of_category(category: FileCategory, path: &str) -> bool {
    Place::new(path).is_of(category)
}

/// Every category that a file at a path is of.
pub(crate) fn categories_of(path: &str) -> Vec<FileCategory> {
    let place = Place::new(path);
    let categories = FileCategory::ALL.into_iter();
    categories
        .filter(|category| place.is_of(*category))
        .collect()
}

/// Whether what is inside these, by its qualified name, is of a category.
pub(crate) fn is_scope_of(category: FileCategory, scope: &str) -> bool {
    let scopes = &rules(category).scopes;
    if scopes.is_empty() {
        return false;
    }
    let mut parts = scope.split([':', '.', '#', '/']);
    parts.any(|part| scopes.contains(&&*part.to_lowercase()))
}

/// Whether the words of a query name files of a category.
pub(crate) fn is_named_by(category: FileCategory, query: &[String]) -> bool {
    let words = &rules(category).words;
    query.iter().any(|word| words.contains(&word.as_str()))
}

/// What makes a file one of a category.
struct Rules {
    paths: Vec<&'static str>,
    scopes: Vec<&'static str>,
    words: Vec<&'static str>,
}

/// The same as it is written down.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    rules: &'static str,
    #[serde(default)]
    scopes: &'static str,
    words: &'static str,
}

fn rules(category: FileCategory) -> &'static Rules {
    static RULES: OnceLock<Vec<Rules>> = OnceLock::new();
    &RULES.get_or_init(read_rules)[category as usize]
}

/// The rules of every category, in order.
fn read_rules() -> Vec<Rules> {
    let table: BTreeMap<&str, Written> =
        toml::from_str(include_str!("../data/paths.toml")).expect("checked");
    let mut all = Vec::new();
    for category in FileCategory::ALL {
        let written = &table[category.as_str()];
        all.push(Rules {
            paths: written.rules.split_whitespace().collect(),
            scopes: written.scopes.split_whitespace().collect(),
            words: written.words.split_whitespace().collect(),
        });
    }
    all
}

/// A path, taken apart.
struct Place<'p> {
    folders: Vec<String>,
    name: String,
    /// The name up to its first dot, in lower case and as it is written.
    stem: String,
    written: &'p str,
    /// What is between the first dot and the last.
    middle: String,
}

impl<'p> Place<'p> {
    fn new(path: &'p str) -> Place<'p> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let written = name.split('.').next().unwrap_or(name);
        let after = name[written.len()..].rsplit_once('.');
        let middle = after.map_or("", |(middle, _)| middle);
        Place {
            folders: folders.split('/').map(str::to_lowercase).collect(),
            name: name.to_lowercase(),
            stem: written.to_lowercase(),
            written,
            middle: middle.to_lowercase(),
        }
    }

    fn is_of(&self, category: FileCategory) -> bool {
        rules(category).paths.iter().any(|rule| self.follows(rule))
    }

    fn follows(&self, rule: &str) -> bool {
        if let Some(folder) = rule.strip_suffix('/') {
            return self.folders.iter().any(|part| part == folder);
        }
        if let Some(start) = rule.strip_suffix('*') {
            return self.stem.starts_with(start);
        }
        if let Some(end) = rule.strip_prefix('*') {
            if end.contains(char::is_uppercase) {
                return self.ends_with_word(end);
            }
            return self.stem.ends_with(end);
        }
        if let Some(middle) = rule.strip_prefix('.') {
            return self.middle.split('.').any(|part| part == middle);
        }
        if rule.contains('.') {
            return self.name == rule;
        }
        self.stem == rule
    }

    /// `RetryTest` ends with the word `Test`.
    fn ends_with_word(&self, word: &str) -> bool {
        let Some(before) = self.written.strip_suffix(word) else {
            return false;
        };
        let last = before.chars().next_back();
        last.is_some_and(|last| last.is_lowercase() || last.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inside_tests_is_a_test() {
        assert!(is_scope_of(FileCategory::Test, "tests::"));
        assert!(is_scope_of(FileCategory::Test, "retry.Tests."));
        assert!(!is_scope_of(FileCategory::Test, "latest::"));
        assert!(!is_scope_of(FileCategory::Example, "examples::"));
    }

    #[test]
    fn files_are_sorted_by_their_paths() {
        for (path, want) in [
            ("tests/a.py", "test"),
            ("src/__tests__/a.js", "test"),
            ("pkg/a_test.go", "test"),
            ("src/a.spec.ts", "test"),
            ("test_a.py", "test"),
            ("Tests/RetryTests.swift", "test"),
            ("src/main/RetryTest.java", "test"),
            ("spec/models/user_spec.rb", "test"),
            ("conftest.py", "test"),
            ("src/testing_ground.rs", ""),
            ("src/latest.rs", ""),
            ("src/Contest.java", ""),
            ("contest/a.py", ""),
            ("src/spec.rs", ""),
            ("inspect/a.rs", ""),
            ("Examples/a.swift", "example"),
            ("benches/a.rs", "benchmark"),
            ("src/legacy/a.ts", "compat"),
            ("api/v1.pb.go", "generated"),
            ("vendor/a/b.go", "vendored"),
            ("Dist/x.js", "vendored"),
            ("src/vendor.rs", ""),
            ("src/index.ts", "barrel"),
            ("src/index.html", ""),
            ("types/a.d.ts", "stub"),
            ("docs/guide.md", "docs"),
            ("README.md", "docs"),
        ] {
            let of: Vec<&str> = FileCategory::ALL
                .into_iter()
                .filter(|s| is_of_category(*s, path))
                .map(FileCategory::as_str)
                .collect();
            assert_eq!(of.join(" "), want, "{path}");
        }
    }
}
