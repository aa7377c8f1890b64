//! A candidate as signals see it.

use super::terms::QueryTerms;
use crate::weights::SignalWeights;
use scent_index::StoredUnit;
use scent_types::FileCategory;

/// What adds to a score.
pub(super) struct Signal {
    pub name: &'static str,
    /// How much it adds.
    pub amount: fn(&Candidate, &SignalWeights) -> f32,
    /// Why, in words.
    pub why: fn(&Candidate) -> String,
}

/// A unit that may answer.
pub(super) struct Candidate<'a> {
    pub query: &'a QuerySignals<'a>,
    pub unit: &'a StoredUnit,
    pub file: &'a CandidateFile,
    /// How much of the repository leads to the unit; 1 is the mean.
    pub importance: f32,
}

impl<'a> Candidate<'a> {
    /// The names that enclose it.
    pub fn container(&self) -> &'a str {
        let unit = self.unit;
        unit.qualified.strip_suffix(&unit.name).unwrap_or_default()
    }
}

/// What a request says to signals.
pub(super) struct QuerySignals<'a> {
    pub terms: QueryTerms,
    /// The categories of file that its words name.
    pub categories: Vec<FileCategory>,
    /// The file to prefer results near to.
    pub near: Option<&'a str>,
    /// It asks where a program begins.
    pub entry: bool,
}

/// A file with candidates in it.
pub(super) struct CandidateFile {
    /// The words of its name.
    pub stem: Vec<String>,
    /// The words of the folders around it.
    pub folders: Vec<String>,
    /// How much of the query is in either, and how much of its name is in the
    /// query: the same for all its candidates.
    pub stem_recall: f32,
    pub folder_recall: f32,
    pub stem_precision: f32,
    /// What it is that the request does not name.
    pub categories: Vec<FileCategory>,
    /// What all its candidates have in the lanes, against the plain file with
    /// most.
    pub coherence: f32,
    /// How near it is to the request's file.
    pub near: f32,
    /// It is called as files are in which programs begin.
    pub holds_entry: bool,
    /// How much of the repository leads to it; 1 is the mean.
    pub importance: f32,
}
