//! Categories of file that are rarely what somebody looks for.

use serde::{Deserialize, Serialize};

/// A category of file, told by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum FileCategory {
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

impl FileCategory {
    /// Every category, in the order of the enumeration.
    pub const ALL: [FileCategory; 10] = [
        FileCategory::Test,
        FileCategory::Example,
        FileCategory::Benchmark,
        FileCategory::Fixture,
        FileCategory::Compat,
        FileCategory::Generated,
        FileCategory::Vendored,
        FileCategory::Barrel,
        FileCategory::Stub,
        FileCategory::Docs,
    ];

    /// The word users read and write.
    pub fn as_str(self) -> &'static str {
        match self {
            FileCategory::Test => "test",
            FileCategory::Example => "example",
            FileCategory::Benchmark => "benchmark",
            FileCategory::Fixture => "fixture",
            FileCategory::Compat => "compat",
            FileCategory::Generated => "generated",
            FileCategory::Vendored => "vendored",
            FileCategory::Barrel => "barrel",
            FileCategory::Stub => "stub",
            FileCategory::Docs => "docs",
        }
    }

    /// The category that a word names, singular or plural.
    pub fn named(word: &str) -> Option<FileCategory> {
        let word = word.to_lowercase();
        let is = |category: &FileCategory| {
            category.as_str().trim_end_matches('s') == word.trim_end_matches('s')
        };
        FileCategory::ALL.into_iter().find(is)
    }
}
