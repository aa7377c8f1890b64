//! `doctor`.

use serde::Serialize;
use utoipa::ToSchema;

/// The answer of `scent doctor`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Doctor {
    /// The version of this format.
    pub schema: u32,
    /// The version of the program.
    pub version: &'static str,
    /// The program.
    pub program: String,
    /// Everything that was checked.
    pub checks: Vec<Check>,
}

/// Something that was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Check {
    /// The id of the agent; none where it is about scent itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub agent: Option<&'static str>,
    /// What it is: `program`, `settings`, `data`, `model` or `index`; of an agent
    /// `mcp`, `instructions`, `skill`, `subagent`, `hook`, `approval`, or `agent`
    /// where nothing is installed for it.
    pub part: &'static str,
    /// Whose settings they are: `user` or `project`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub level: Option<&'static str>,
    /// The file or folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// `ok`, `warning` where it works and could be better, or `problem`.
    pub status: &'static str,
    /// What was found.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub advice: Option<String>,
    /// How long a server took from its start to its first answer, in
    /// milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub took_ms: Option<u64>,
}
