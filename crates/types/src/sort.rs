//! Sorts of file that are rarely what somebody looks for.

use serde::{Deserialize, Serialize};

/// A sort of file, told by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Sort {
    Test,
    Example,
    Benchmark,
    Fixture,
    Compat,
    Generated,
    Vendored,
    Barrel,
    Stub,
    Docs,
}

impl Sort {
    /// Every sort, in the order of the enumeration.
    pub const ALL: [Sort; 10] = [
        Sort::Test,
        Sort::Example,
        Sort::Benchmark,
        Sort::Fixture,
        Sort::Compat,
        Sort::Generated,
        Sort::Vendored,
        Sort::Barrel,
        Sort::Stub,
        Sort::Docs,
    ];

    /// The word users read and write.
    pub fn as_str(self) -> &'static str {
        match self {
            Sort::Test => "test",
            Sort::Example => "example",
            Sort::Benchmark => "benchmark",
            Sort::Fixture => "fixture",
            Sort::Compat => "compat",
            Sort::Generated => "generated",
            Sort::Vendored => "vendored",
            Sort::Barrel => "barrel",
            Sort::Stub => "stub",
            Sort::Docs => "docs",
        }
    }

    /// The sort that a word names, singular or plural.
    pub fn named(word: &str) -> Option<Sort> {
        let word = word.to_lowercase();
        let is = |sort: &Sort| sort.as_str().trim_end_matches('s') == word.trim_end_matches('s');
        Sort::ALL.into_iter().find(is)
    }
}
