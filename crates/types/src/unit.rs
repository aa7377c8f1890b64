//! A unit: the stretch of a file that is indexed, ranked and shown as one.

use crate::Kind;
use serde::{Deserialize, Serialize};

/// A range of lines, 1-based and inclusive at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lines {
    /// The first line.
    pub start: u32,
    /// The last line, never before the first.
    pub end: u32,
}

impl Lines {
    /// The range from `start` to `end`, both included.
    pub fn new(start: u32, end: u32) -> Lines {
        debug_assert!(1 <= start && start <= end, "{start}-{end}");
        Lines { start, end }
    }

    /// How many lines the range holds.
    pub fn count(self) -> u32 {
        self.end - self.start + 1
    }

    /// Whether the two ranges share a line.
    pub fn overlaps(self, other: Lines) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// Whether the range holds this line.
    pub fn contains(self, line: u32) -> bool {
        (self.start..=self.end).contains(&line)
    }
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.start, self.end)
    }
}

/// A stretch of a file that stands for itself: a function, a class header, a
/// documentation section, a configuration block, or what is left over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// What it is.
    pub kind: Kind,
    /// Its own name; empty for what is left over.
    pub name: String,
    /// All names, where the unit is several definitions in a row.
    pub names: Vec<String>,
    /// The name with everything that encloses it: `Server.Conn.close`.
    pub qualified: String,
    /// The declaration on one line, at most 200 characters.
    pub signature: String,
    /// Comments and docstrings, without their markers.
    pub doc: String,
    /// Signatures of the members, for a unit that is the header of a type.
    pub members: Vec<String>,
    /// The lines to show: they begin and end with a line that says something.
    pub lines: Lines,
    /// The lines it answers for. Over a file these cover every line once;
    /// beyond `lines` they hold only blank lines and closing punctuation.
    pub cover: Lines,
    /// The last line of the whole definition, members included.
    pub extent_end: u32,
    /// The lines of what it is a part of, as one answer: all passages of a
    /// function, a type with its members, a section up to the first one in it.
    pub whole: Lines,
    /// The unit that encloses it, as a position in the file's list.
    pub parent: Option<u32>,
    /// 0 for a whole unit or its first passage, then 1, 2, … for the others.
    pub passage: u32,
}

/// How well a file was understood.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// Parsed without an error.
    Ok,
    /// Parsed around errors; the share of the text inside error nodes.
    Partial(f32),
    /// Not parsed: mostly errors, or the parser gave up.
    Error,
    /// No grammar for this file: split into paragraphs.
    NoGrammar,
    /// The parser crashed on it: split into paragraphs.
    Crashed,
}

impl Health {
    /// Whether there is something in the file that the parser could not read.
    pub fn has_errors(self) -> bool {
        matches!(self, Health::Partial(_) | Health::Error | Health::Crashed)
    }
}
