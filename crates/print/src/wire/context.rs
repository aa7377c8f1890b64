//! `context`.

use super::Note;
use crate::lookup::{Envelope, wired};
use scent_types::{CodeContext, ContextSnippet};
use serde::Serialize;
use utoipa::ToSchema;

/// The answer of `scent context`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Context {
    /// The version of this format.
    pub schema: u32,
    /// The folder that paths are relative to.
    pub root: String,
    /// The file that the cursor is in.
    pub path: String,
    /// The line that the cursor is on.
    pub line: u32,
    /// What code there is likely to need, the most likely first.
    pub snippets: Vec<ContextPiece>,
    /// How many there were before the budget cut them.
    pub total: usize,
    /// What the reader should know, such as an index that was rebuilt. Absent
    /// when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<Note>,
}

/// A piece of code from elsewhere.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContextPiece {
    /// The file.
    pub path: String,
    /// The first line of it.
    pub start_line: u32,
    /// The last line of it.
    pub end_line: u32,
    /// What it defines: `function`, `class`, ...
    pub kind: &'static str,
    /// Its name, with everything that encloses it.
    pub qualified_name: String,
    /// The signature on one line, or lines of code where it is similar code.
    pub text: String,
    /// Why it is here: `imported`, `member`, `used`, `used-by-similar`, `near` or
    /// `similar`.
    pub reason: &'static str,
    /// How likely it is needed, against the others.
    pub score: f32,
}

impl Context {
    /// The answer in what stands around it.
    pub fn of(found: &CodeContext, envelope: Envelope) -> Context {
        Context {
            schema: super::SCHEMA_VERSION,
            root: envelope.root,
            path: found.path.clone(),
            line: found.line,
            snippets: wired(&found.snippets),
            total: found.total,
            notes: wired(&envelope.notes),
        }
    }
}

impl From<&ContextSnippet> for ContextPiece {
    fn from(snippet: &ContextSnippet) -> ContextPiece {
        ContextPiece {
            path: snippet.path.clone(),
            start_line: snippet.lines.start,
            end_line: snippet.lines.end,
            kind: snippet.kind.as_str(),
            qualified_name: snippet.qualified.clone(),
            text: snippet.text.clone(),
            reason: snippet.reason.as_str(),
            score: snippet.score,
        }
    }
}
