//! What went wrong.

use super::Note;
use serde::Serialize;
use utoipa::ToSchema;

/// The answer of a command that failed, with `--json`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    /// The version of this format.
    pub schema: u32,
    /// With `--batch`: the question that failed. Absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub query: Option<String>,
    /// What went wrong; a code that never changes, and the same in words.
    pub error: Note,
}
