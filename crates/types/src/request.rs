//! What is asked.

use crate::{Deadline, FileCategory, FileClass, Kind, Lane, Note, Report};

/// One search as it was typed. The engine parses it into a [`Request`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRequest {
    /// Words, filters such as `lang:rust`, and a text in quotes.
    pub query: String,
    /// Only units with a line that matches this expression.
    pub pattern: Option<String>,
    /// The pattern, or else the query, is literal text.
    pub literal: bool,
    /// The pattern matches whole words only.
    pub whole_words: bool,
    /// Upper and lower case differ in the pattern.
    pub case_sensitive: bool,
    /// Upper and lower case are the same in the pattern.
    pub ignore_case: bool,
    /// Names of the lanes to ask; none stands for all.
    pub lanes: Vec<String>,
    /// Names of languages.
    pub languages: Vec<String>,
    /// Globs over paths.
    pub paths: Vec<String>,
    /// Globs over paths that must not match.
    pub not_paths: Vec<String>,
    /// Names of kinds.
    pub kinds: Vec<String>,
    /// Globs over names of units.
    pub names: Vec<String>,
    /// Classes and categories of file, such as `code` or `test`.
    pub categories: Vec<String>,
    /// Categories of file that are left out.
    pub not_categories: Vec<String>,
    /// How many hits at the most.
    pub limit: Option<usize>,
    /// How many of the best hits to pass over.
    pub offset: usize,
    /// At most so many hits of one file.
    pub per_file: Option<usize>,
    /// One hit a file, the best.
    pub files_only: bool,
    /// Only count the units of each file.
    pub count: bool,
    /// The pattern may match across lines; files are scanned.
    pub multiline: bool,
    /// Files that are ignored or not worth indexing are scanned, too.
    pub no_ignore: bool,
    /// Say what every score is made of.
    pub explain: bool,
    /// Leave out files that usually hold keys or passwords: for who answers
    /// others than the user.
    pub hide_secrets: bool,
    /// Prefer results near this path, relative to the root.
    pub near: Option<String>,
    /// `lines`, `smart`, `none`, `full`, or how many lines around each.
    pub context: Option<String>,
    /// How many lines before each line that matches.
    pub before: Option<u32>,
    /// How many lines after each line that matches.
    pub after: Option<u32>,
    /// At most so many lines of a hit.
    pub max_lines: Option<u32>,
    /// Longer lines are cut, in columns of a terminal.
    pub max_columns: Option<usize>,
}

/// One search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The words; may be empty when there is a pattern.
    pub query: String,
    /// The query as it was typed, with its filters and quotes.
    pub typed: Option<String>,
    /// The query taken apart, where it is a long text that was pasted.
    pub report: Option<Report>,
    /// What in the query could not be taken as it was typed.
    pub notes: Vec<Note>,
    /// Only units with a line that matches.
    pub pattern: Option<Pattern>,
    /// Lines of text that stand in quotes beside other words: units that hold
    /// them come first.
    pub quoted: Vec<String>,
    /// Only units that pass all of these.
    pub filters: Filters,
    /// The lanes to ask; none stands for all.
    pub lanes: Vec<Lane>,
    /// How many hits at the most.
    pub limit: usize,
    /// How many of the best hits to pass over.
    pub offset: usize,
    /// One hit a file, the best.
    pub files_only: bool,
    /// At most so many hits of one file.
    pub per_file: Option<usize>,
    /// Only count the units of each file.
    pub count: bool,
    /// Look for the pattern in the files themselves and not in the index.
    pub scan: Option<Scan>,
    /// Do not answer from the cache.
    pub no_cache: bool,
    /// Say what every score is made of, and what every stage had.
    pub explain: bool,
    /// Files that usually hold keys or passwords do not answer.
    pub hide_secrets: bool,
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
            context: Context::Windows,
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
    /// The declaration, and a window or two of lines around the best match;
    /// with a pattern, the lines that match.
    Windows,
    /// The declaration, and the lines that match.
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
    /// Whether upper and lower case differ.
    pub case: Case,
    /// Matches begin and end at word boundaries.
    pub word: bool,
}

/// How files themselves are looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// A match may go on in the next line.
    pub multiline: bool,
    /// Files that are ignored or not worth indexing count, too.
    pub no_ignore: bool,
}

/// How a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Syntax {
    Regex,
    Literal,
}

/// Whether upper and lower case differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// They differ if the pattern has a capital letter.
    Smart,
    /// They differ.
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
    /// What the operators of a query say; all must hold.
    pub conditions: Vec<Condition>,
}

/// What operators say of a unit that may answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It has this word.
    Has(String),
    /// It passes these filters.
    Passes(Box<Filters>),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// All conditions hold.
    All(Vec<Condition>),
    /// Any condition holds.
    Any(Vec<Condition>),
}

impl Filters {
    /// Adds what other filters say, each list to its own.
    pub fn add(&mut self, other: Filters) {
        self.languages.extend(other.languages);
        self.paths.extend(other.paths);
        self.not_paths.extend(other.not_paths);
        self.kinds.extend(other.kinds);
        self.names.extend(other.names);
        self.classes.extend(other.classes);
        self.categories.extend(other.categories);
        self.not_categories.extend(other.not_categories);
        self.conditions.extend(other.conditions);
    }
}
