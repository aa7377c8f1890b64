//! What is asked.

use crate::{Deadline, FileCategory, FileClass, Kind, Lane};

/// One search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The words; may be empty when there is a pattern.
    pub query: String,
    /// Only units with a line that matches.
    pub pattern: Option<Pattern>,
    /// Only units that pass all of these.
    pub filters: Filters,
    /// The lanes to ask; none stands for all.
    pub lanes: Vec<Lane>,
    /// How many hits at the most.
    pub limit: usize,
    /// One hit a file, the best.
    pub files_only: bool,
    /// At most so many hits of one file.
    pub per_file: Option<usize>,
    /// Do not answer from the cache.
    pub no_cache: bool,
    /// Passages of one definition that follow each other are one hit.
    pub merge: bool,
    /// Say what every score is made of, and what every stage had.
    pub explain: bool,
    /// Which lines of a hit are given.
    pub excerpt: Excerpt,
    /// Prefer results near this path, relative to the root.
    pub near: Option<String>,
    /// When to stop without an answer.
    pub deadline: Deadline,
}

/// Which lines of a hit are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// How they are chosen.
    pub context: Context,
    /// With [`Context::Lines`], how many before each line that matches.
    pub before: u32,
    /// With [`Context::Lines`], how many after each line that matches.
    pub after: u32,
    /// At most so many, but with [`Context::Full`].
    pub max_lines: u32,
    /// Longer lines are cut, in columns of a terminal.
    pub max_columns: usize,
}

impl Default for Excerpt {
    fn default() -> Excerpt {
        Excerpt {
            context: Context::Lines,
            before: 0,
            after: 0,
            max_lines: 50,
            max_columns: 200,
        }
    }
}

/// How the lines of a hit are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// None of them.
    None,
    /// Those that match.
    Lines,
    /// All of them where they are few, else the declaration and the best
    /// passage.
    Smart,
    /// All of them, however many.
    Full,
}

/// A pattern that lines must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The pattern as it was typed.
    pub text: String,
    /// How to read it.
    pub syntax: Syntax,
    /// Whether letter case counts.
    pub case: Case,
    /// Matches begin and end at word boundaries.
    pub word: bool,
}

/// How a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Syntax {
    Regex,
    Literal,
}

/// Whether letter case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Case counts if the pattern has a capital letter.
    Smart,
    /// Case counts.
    Sensitive,
    /// Case does not count.
    Insensitive,
}

/// What restricts a search before anything is retrieved. Within one list any
/// entry may hold; all non-empty lists must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Language ids.
    pub languages: Vec<String>,
    /// Globs over paths relative to the root.
    pub paths: Vec<String>,
    /// Globs over paths that must not match.
    pub not_paths: Vec<String>,
    /// Kinds of unit.
    pub kinds: Vec<Kind>,
    /// Globs over unit names and qualified names.
    pub names: Vec<String>,
    /// Classes of file.
    pub classes: Vec<FileClass>,
    /// Categories of file.
    pub categories: Vec<FileCategory>,
    /// Categories of file that are left out.
    pub not_categories: Vec<FileCategory>,
}
