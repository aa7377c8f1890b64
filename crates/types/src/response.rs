//! What is answered.

use crate::{Kind, Line, Lines, Note};
use std::collections::BTreeMap;

/// A way in which a unit was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Lane {
    Text,
    Symbol,
    Path,
    Vector,
    Late,
    Pattern,
}

impl Lane {
    /// All lanes, in order.
    pub const ALL: [Lane; 6] = [
        Lane::Text,
        Lane::Symbol,
        Lane::Path,
        Lane::Vector,
        Lane::Late,
        Lane::Pattern,
    ];

    /// The lanes that bring candidates of their own.
    pub const RETRIEVING: [Lane; 5] = [
        Lane::Text,
        Lane::Symbol,
        Lane::Path,
        Lane::Vector,
        Lane::Late,
    ];

    /// Whether it compares meanings rather than words.
    pub fn is_semantic(self) -> bool {
        matches!(self, Lane::Vector | Lane::Late)
    }

    /// The lane that a word names.
    pub fn named(word: &str) -> Option<Lane> {
        let mut all = Lane::RETRIEVING.into_iter();
        all.find(|lane| lane.as_str() == word)
    }

    /// The word users read.
    pub fn as_str(self) -> &'static str {
        match self {
            Lane::Text => "text",
            Lane::Symbol => "symbol",
            Lane::Path => "path",
            Lane::Vector => "vector",
            Lane::Late => "late",
            Lane::Pattern => "pattern",
        }
    }
}

/// The raw score of a hit in each lane that found it.
pub type Lanes = BTreeMap<Lane, f32>;

/// A part of a score: who adds how much, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The lane or the signal.
    pub name: &'static str,
    /// What it adds.
    pub amount: f32,
    /// Why, in words.
    pub why: String,
}

/// One answer: a unit, and why it is here.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The path relative to the root of the response, with `/`.
    pub path: String,
    /// The lines of the whole unit: all passages of a function, a type with
    /// its members.
    pub lines: Lines,
    /// What the unit is.
    pub kind: Kind,
    /// Its name; may be empty.
    pub name: String,
    /// Its name with everything that encloses it.
    pub qualified: String,
    /// Its declaration on one line.
    pub signature: String,
    /// The language's name, or `text`.
    pub language: String,
    /// What the hits are ordered by.
    pub score: f32,
    /// The raw scores behind it.
    pub lanes: Lanes,
    /// What the score is made of; empty unless that was asked for.
    pub parts: Vec<Part>,
    /// The passages that were found, best first, where the unit is longer than
    /// one: those of a long function, the header of a type.
    pub passages: Vec<Passage>,
    /// Other units of the same file that score nearly as well, best first; only
    /// the first hit of a file has them.
    pub also_here: Vec<Neighbour>,
    /// Where else the same text is, best first.
    pub also_in: Vec<Duplicate>,
    /// The lines that were asked for, in order of their numbers.
    pub excerpt: Vec<Line>,
}

/// Another unit of the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// What it is.
    pub kind: Kind,
    /// Its name; may be empty.
    pub name: String,
    /// Its lines.
    pub lines: Lines,
}

/// A unit with the same text in another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The path relative to the root of the response, with `/`.
    pub path: String,
    /// The lines of the unit.
    pub lines: Lines,
}

/// A part of a unit that is searched for itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Its lines.
    pub lines: Lines,
    /// Its own score.
    pub score: f32,
}

/// How many units of a file match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCount {
    /// The path relative to the root of the response, with `/`.
    pub path: String,
    /// How many of its units.
    pub units: usize,
}

/// How long the parts of a search took, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Timing {
    pub refresh: u64,
    pub search: u64,
}

/// How far the units that were searched are embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embeddings {
    /// The model whose vectors answered.
    pub model: String,
    /// How many units have vectors.
    pub units: u64,
    /// How many wait for theirs.
    pub waiting: u64,
    /// The refined model that will answer once it has embedded all units.
    pub refined: Option<Refined>,
    /// Whether importance is out of date since files changed.
    pub importance_stale: bool,
}

/// How far a refined model is that does not answer yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refined {
    /// The model.
    pub model: String,
    /// How many units it has embedded.
    pub units: u64,
    /// How many it has not.
    pub waiting: u64,
}

/// All answers to one request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// The words that were searched for.
    pub query: String,
    /// The folder that all paths are relative to, with `/`.
    pub root: String,
    /// The generation of the index that answered.
    pub generation: u64,
    /// How many units matched.
    pub total: usize,
    /// The best of them.
    pub hits: Vec<Hit>,
    /// How many better ones were passed over.
    pub offset: usize,
    /// How many units of each file match, by path; only where the request is
    /// to count them.
    pub counts: Vec<FileCount>,
    /// Where to go on for more; none where these are the last.
    pub next_offset: Option<usize>,
    /// The words that were looked for, in lower case, each with how rare it is.
    pub terms: Vec<(String, f32)>,
    /// How far units are embedded; none where only words were searched.
    pub embeddings: Option<Embeddings>,
    /// How sure it is that the first hit is in the right file, from 0 to 1; none
    /// where hits are not ranked by words.
    pub certainty: Option<f32>,
    /// What the reader should know.
    pub notes: Vec<Note>,
    /// What every stage had in hand; empty unless that was asked for.
    pub stages: Vec<Stage>,
    /// How long it took.
    pub timing: Timing,
}

/// What one stage of a search had in hand, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// A lane, `fused` for all of them as one list, `ordered` for the result.
    pub name: &'static str,
    /// Whether it is a lane: lanes are asked side by side, what follows is in
    /// a row.
    pub lane: bool,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// How many units there were.
    pub count: usize,
    /// The first of them.
    pub units: Vec<StagedUnit>,
}

/// A unit on its way through a search.
#[derive(Clone, Debug, PartialEq)]
pub struct StagedUnit {
    /// The same for the same unit of the same path in every generation.
    pub id: u64,
    /// The path relative to the root of its project, with `/`.
    pub path: String,
    /// The lines of the unit.
    pub lines: Lines,
    /// What the stage orders by.
    pub score: f32,
}
