//! `context`.

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
    /// The answer about the files below a folder.
    pub fn of(root: String, found: &CodeContext) -> Context {
        Context {
            schema: super::SCHEMA_VERSION,
            root,
            path: found.path.clone(),
            line: found.line,
            snippets: found.snippets.iter().map(ContextPiece::from).collect(),
            total: found.total,
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
