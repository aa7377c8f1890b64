//! What agents are given to read. The texts state and give reasons; they order
//! nothing, and pass nothing on to other agents.

use crate::places::System;

/// Instructions that name the server's tools first, and commands for where
/// there are none.
pub(crate) const TOOLS: &str = include_str!("../texts/tools.md");
/// Instructions for agents without servers.
pub(crate) const COMMANDS: &str = include_str!("../texts/commands.md");
/// The skill, with its head.
pub(crate) const SKILL: &str = include_str!("../texts/skill.md");
/// What the sub-agent is to do.
const SUBAGENT: &str = include_str!("../texts/subagent.md");
/// When to use it.
const SUBAGENT_USE: &str = "Finds code in this project with the command scent: where something is done, what a name means, what uses it, what a change would break. Answers with places.";

/// The sub-agent as Markdown, with lines in its head that one agent knows.
pub(crate) fn subagent(head: &[String]) -> String {
    let mut lines = vec!["---".to_owned(), "name: scent".to_owned()];
    // In quotes, since the sentence has a colon in it.
    lines.push(format!("description: \"{SUBAGENT_USE}\""));
    lines.extend(head.iter().cloned());
    lines.push("---\n".to_owned());
    format!("{}\n{SUBAGENT}", lines.join("\n"))
}

/// The sub-agent as TOML.
pub(crate) fn subagent_toml() -> String {
    format!(
        "name = \"scent\"\ndescription = \"{SUBAGENT_USE}\"\ndeveloper_instructions = '''\n{SUBAGENT}'''\n"
    )
}

/// The command of a hook, as a shell reads it.
pub(crate) fn hook_command(program: &str, system: System) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/\\._-:".contains(c);
    if system == System::Windows {
        let quote = if program.chars().all(is_plain) {
            ""
        } else {
            "\""
        };
        return format!("{quote}{program}{quote} hook");
    }
    let quoted = shlex::try_quote(program).map_or(program.into(), |quoted| quoted.to_string());
    format!("{quoted} hook")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_state_and_do_not_order() {
        for text in [TOOLS, COMMANDS, SKILL, SUBAGENT, SUBAGENT_USE] {
            let words = text.split(|c: char| !c.is_alphabetic());
            let orders = [
                "NEVER",
                "MUST",
                "ALWAYS",
                "IMPORTANT",
                "CRITICAL",
                "DO",
                "NOT",
            ];
            assert!(
                words.into_iter().all(|word| !orders.contains(&word)),
                "{text}"
            );
        }
        assert!(TOOLS.chars().count() <= 2000);
        assert!(!COMMANDS.contains("MCP"));
    }

    #[test]
    fn a_path_with_blanks_is_quoted() {
        let cases = [
            ("/usr/bin/scent", System::Linux, "/usr/bin/scent hook"),
            ("/my tools/scent", System::MacOs, "'/my tools/scent' hook"),
            (
                r"C:\Tools\scent.exe",
                System::Windows,
                r"C:\Tools\scent.exe hook",
            ),
            (
                r"C:\My Tools\scent.exe",
                System::Windows,
                "\"C:\\My Tools\\scent.exe\" hook",
            ),
        ];
        for (program, system, want) in cases {
            assert_eq!(hook_command(program, system), want);
        }
    }
}
