//! `install` and `uninstall`.

use serde::Serialize;
use utoipa::ToSchema;

/// The answer of `scent install` and `scent uninstall`.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentChanges {
    /// The version of this format.
    pub schema: u32,
    /// Whether the files were left as they are, and the changes only computed.
    pub dry_run: bool,
    /// The files that change, and those that cannot be changed.
    pub files: Vec<AgentFile>,
}

/// A file that coding agents read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct AgentFile {
    /// Its whole path.
    pub path: String,
    /// The file that is written where the path leads through a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub link_target: Option<String>,
    /// The ids of the agents that it is changed for.
    pub agents: Vec<&'static str>,
    /// What happens to it: `created`, `changed` or `removed`; `kept` where another
    /// agent reads it too; `failed` where it cannot be changed.
    pub action: &'static str,
    /// Why it is kept, or cannot be changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
    /// What to paste into it by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub snippet: Option<String>,
    /// The change as a unified diff, with `--dry-run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diff: Option<String>,
}

/// The answer of `scent install --list` and `scent install --print`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Agents {
    /// The version of this format.
    pub schema: u32,
    /// The coding agents that scent can be installed for.
    pub agents: Vec<Agent>,
    /// What to paste by hand, with `--print`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub snippets: Vec<AgentSnippet>,
}

/// A coding agent.
#[derive(Debug, Serialize, ToSchema)]
pub struct Agent {
    /// The word for it on the command line.
    pub id: &'static str,
    /// Its name for people.
    pub name: String,
    /// Whether it seems to be installed on this machine.
    pub found: bool,
    /// The parts that there are for the user: `mcp`, `instructions`, `skill`,
    /// `subagent`, `hook` and `approval`.
    pub user: Vec<&'static str>,
    /// The parts that there are for a project.
    pub project: Vec<&'static str>,
    /// The entries called `scent` in its settings.
    pub entries: Vec<AgentEntry>,
}

/// An entry in the settings of an agent.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentEntry {
    /// The file.
    pub path: String,
    /// Whose settings they are: `user` or `project`.
    pub level: &'static str,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Whether it starts scent.
    pub ours: bool,
}

/// What to put into a file by hand.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentSnippet {
    /// The id of the agent.
    pub agent: &'static str,
    /// The part: `mcp`, `instructions`, `skill`, `subagent`, `hook` or `approval`.
    pub part: &'static str,
    /// The file.
    pub path: String,
    /// The text.
    pub text: String,
}
