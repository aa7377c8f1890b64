//! What was asked, what was answered: the raw material of every number.

use scent_types::Lines;
use serde::{Deserialize, Serialize};

/// One question to one system, with all that is needed to score it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Who was asked.
    pub system: String,
    /// The suite's name.
    pub suite: String,
    /// The repository's name.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// The language of the repository, or of the answer.
    pub language: String,
    /// The suite's own sort of question.
    pub category: String,
    /// The sort of file that alone was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Tells the question from all others of the same repository.
    pub id: String,
    /// The question.
    pub query: String,
    /// What kind of answer is asked for.
    pub task: Task,
    /// What the suite says is right.
    pub expected: Expected,
    /// What the system said.
    pub answer: Outcome,
}

/// What kind of answer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Places, ranked, for words.
    Search,
    /// Where a name is defined.
    Define,
    /// Where a name is used.
    Refer,
    /// What a file imports, and what imports it.
    Depend,
    /// Names that nothing uses.
    Dead,
}

/// What is right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// These places.
    Places(Vec<Target>),
    /// These files.
    Files(Dependencies),
    /// These names.
    Names(Vec<String>),
}

/// A place that answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The path relative to the repository, with `/`.
    pub path: String,
    /// The lines; none for the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// How good it is: 2 for the answer, 1 for a help.
    pub grade: u8,
}

/// The neighbours of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependencies {
    /// What it imports.
    pub imports: Vec<String>,
    /// What imports it.
    pub importers: Vec<String>,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was answered, perhaps with nothing.
    Answered(Answer),
    /// The system has no way to answer such a thing.
    Unsupported,
    /// It should have been answered and was not.
    Failed(String),
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Places, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<Found>,
    /// Files, where files were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Dependencies>,
    /// Names, where names were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// How long it took, in milliseconds.
    pub ms: f64,
}

/// A place that a system found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The path relative to the repository, with `/`.
    pub path: String,
    /// The lines; none for the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// What reading it costs.
    #[serde(default)]
    pub tokens: u32,
    /// The lines of it that are shown; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Vec<Lines>>,
    /// What reading these costs.
    #[serde(default)]
    pub shown_tokens: u32,
}

/// One system made ready for one repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// Who was made ready.
    pub system: String,
    /// The suite's name.
    pub suite: String,
    /// The repository's name.
    pub corpus: String,
    /// What the rows depend on besides the suite: they hold as long as this
    /// is the same.
    pub key: String,
    /// The system in its own words.
    pub version: String,
    /// How long indexing took, in milliseconds.
    pub index_ms: f64,
    /// How large the index is on disk.
    pub index_bytes: u64,
    /// The most memory it took, where it is known.
    pub peak_bytes: Option<u64>,
    /// How many files the system says it has read.
    pub files: Option<u64>,
    /// How many files it was given.
    pub given_files: u64,
    /// How many bytes it was given.
    pub given_bytes: u64,
    /// Why it could not be made ready.
    pub error: Option<String>,
}

impl Row {
    /// What tells a question from all others, whoever is asked.
    pub fn question(&self) -> (&str, &str, &str) {
        (&self.suite, &self.corpus, &self.id)
    }

    /// What counts as one in a mean, however many questions it has: the
    /// repository for rankings, the task for symbols.
    pub fn stratum(&self) -> &str {
        if self.task == Task::Search {
            &self.corpus
        } else {
            &self.category
        }
    }

    /// The answer, where there is one.
    pub fn answered(&self) -> Option<&Answer> {
        match &self.answer {
            Outcome::Answered(answer) => Some(answer),
            Outcome::Unsupported | Outcome::Failed(_) => None,
        }
    }
}
