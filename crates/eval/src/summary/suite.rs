//! What is reported of a suite.

use super::speed::Speed;
use crate::compare::Difference;
use crate::metrics::Scores;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// All suites of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// One table for each split of each suite.
    pub suites: Vec<SuiteSummary>,
}

/// All systems on one split of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuiteSummary {
    /// The suite's name.
    pub name: String,
    /// `dev` or `test`.
    pub split: String,
    /// How many questions every system answered.
    pub questions: usize,
    /// How many repositories they are about.
    pub corpora: usize,
    /// Whether every expected place has lines. Where it has not, every result
    /// of a file earns its grade, and graded gain means nothing.
    pub with_lines: bool,
    /// The systems in order.
    pub systems: Vec<SystemSummary>,
    /// Systems that failed at many questions.
    pub partial: Vec<Partial>,
    /// Who failed at what.
    pub failures: Vec<Failure>,
    /// At how many questions the program gave what the engine gave inside the
    /// harness, of how many; none where it was not asked.
    pub same_as_program: Option<(usize, usize)>,
}

/// What a system did not answer, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The system.
    pub system: String,
    /// What and why, for people.
    pub says: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.system, self.says)
    }
}

/// A system that failed at many questions, against the first system on those
/// that both answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Partial {
    /// Its name.
    pub name: String,
    /// How many questions it answered.
    pub answered: usize,
    /// How many it failed at.
    pub failed: usize,
    /// By group and metric; the first system is A, it is B.
    pub groups: BTreeMap<String, BTreeMap<String, Difference>>,
    /// What it took.
    pub speed: Speed,
}

/// One system on one suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SystemSummary {
    /// Its name.
    pub name: String,
    /// The system in its own words.
    pub version: String,
    /// What it took.
    pub speed: Speed,
    /// Means by group; the group of all is called `all`.
    pub groups: BTreeMap<String, GroupSummary>,
}

/// One system on some of the questions of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// How many questions.
    pub questions: usize,
    /// The means.
    pub means: Scores,
    /// Against the first system, by metric; empty for the first.
    pub gains: BTreeMap<String, Difference>,
}

/// The group of all questions.
pub const ALL: &str = "all";

/// Groups that have a name: `category: symbol`.
pub const CATEGORY: &str = "category: ";
/// By the language of the repository or of the answer.
pub const LANGUAGE: &str = "language: ";
/// By repository.
pub const CORPUS: &str = "repository: ";

/// The program that users start, as a system of its own.
pub const PROGRAM: &str = "scent-process";
