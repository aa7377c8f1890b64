//! What only the HTTP API answers.

use super::Note;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was not answered (RFC 9457).
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Problem {
    /// What went wrong, for programs: `urn:scent:problem:` and a code that never
    /// changes.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status of the answer in words.
    pub title: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// What went wrong with this request, and what to do.
    pub detail: String,
    /// What could have been meant. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub known: Vec<String>,
    /// The generation that the index is at, where another one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub generation: Option<u64>,
}

/// The folders that are served.
#[derive(Debug, Serialize, ToSchema)]
pub struct Roots {
    /// The version of this format.
    pub schema: u32,
    /// The program that answers.
    pub program: String,
    /// The folders, in the order in which they were named.
    pub roots: Vec<Root>,
}

/// A folder that is served.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Root {
    /// What requests call it.
    pub id: String,
    /// The generation of its index. Absent before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub generation: Option<u64>,
    /// Whether it can be searched.
    pub ready: bool,
    /// How changes are noticed: `watching`, or `walking` where each answer
    /// looks for them first.
    pub changes: &'static str,
    /// What goes on: `idle`, `updating`, or `embedding`.
    pub activity: &'static str,
    /// What whoever asks should know. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<Note>,
}

/// Whether the server can answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`, or `starting` while a folder is indexed for the first time.
    pub status: &'static str,
    /// The folders that cannot be searched yet. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub waiting: Vec<String>,
}

/// That a folder will be looked through for changes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Refreshing {
    /// The version of this format.
    pub schema: u32,
    /// The folder.
    pub root: String,
    /// The generation before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub generation: Option<u64>,
}

/// Something that happened, as the stream of events tells it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Event {
    /// The folder.
    pub root: String,
    /// The generation of its index after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub generation: Option<u64>,
    /// What goes on: `updating`, `embedding` or `idle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub activity: Option<&'static str>,
    /// How many files or units are done.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub done: Option<u64>,
    /// How many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub all: Option<u64>,
}

/// The last line of a list that is given line by line.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// Always true.
    pub done: bool,
    /// How many results there are, given or not.
    pub total: usize,
    /// What the reader should know. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<Note>,
}
