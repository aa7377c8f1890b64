//! What is installed for coding agents, and what installing changes.

use crate::text::Text;
use crate::wire::{Agent, AgentFile, AgentSnippet};

/// Changes of files for people: a line for each, and below it the diff or what
/// to paste by hand.
pub fn changes_text(files: &[AgentFile]) -> Text {
    let mut out = Text::default();
    for file in files {
        let mut line = format!("{:<8} {}", file.action, file.path);
        if let Some(target) = &file.link_target {
            line += &format!(" -> {target}");
        }
        line += &format!(" ({})", file.agents.join(", "));
        if let Some(reason) = &file.reason {
            line += &format!(": {reason}");
        }
        out += Text::line(&line);
        if let Some(diff) = &file.diff {
            out += lines(diff, "");
        }
        if let Some(snippet) = &file.snippet {
            out += Text::line("    put this into it by hand:");
            out += lines(snippet, "    ");
        }
    }
    out
}

/// A table of agents.
pub fn agents_text(agents: &[Agent]) -> Text {
    let mut out = Text::default();
    for agent in agents {
        let found = if agent.found { "found" } else { "-" };
        let mut parts = agent.user.clone();
        for part in &agent.project {
            if !parts.contains(part) {
                parts.push(part);
            }
        }
        out += Text::line(&format!(
            "{:<13} {:<13} {found:<6} {}",
            agent.id,
            agent.name,
            parts.join(" ")
        ));
        for entry in &agent.entries {
            let whose = if entry.ours { "" } else { " (not of scent)" };
            let command = entry.command.join(" ");
            out += Text::line(&format!("    {}: {command}{whose}", entry.path));
        }
    }
    out
}

/// What to paste by hand.
pub fn snippets_text(snippets: &[AgentSnippet]) -> Text {
    let mut out = Text::default();
    for snippet in snippets {
        if !out.is_empty() {
            out += Text::line("");
        }
        out += Text::line(&format!(
            "{} ({}, {}):",
            snippet.path, snippet.agent, snippet.part
        ));
        out += lines(&snippet.text, "    ");
    }
    out
}

/// Each line by itself, so that a line end of a file ends it.
fn lines(text: &str, indent: &str) -> Text {
    let mut out = Text::default();
    for line in text.lines() {
        out += Text::line(&format!("{indent}{line}"));
    }
    out
}
