//! Any text of a format keeps its other bytes.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use scent_agents::{Files, Level, Options, Part, Places, System, agent, plan, plan_removal};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct OneFile {
    path: PathBuf,
    text: Option<String>,
}

impl Files for OneFile {
    fn read(&self, path: &Path) -> Result<Option<String>, String> {
        Ok(self.text.clone().filter(|_| path == self.path))
    }

    fn exists(&self, path: &Path) -> bool {
        path == self.path
    }
}

/// Installs into a text and takes it out again. Gives the text between; none
/// where it was left alone.
fn there_and_back(name: &str, path: &str, part: Part, before: &str) -> Option<String> {
    let agent = agent(name).unwrap();
    let places = Places {
        system: System::Linux,
        home: "/home".into(),
        project: "/project".into(),
        environment: BTreeMap::new(),
    };
    let options = Options {
        level: Level::User,
        parts: vec![part],
        program: "/usr/bin/scent".to_owned(),
    };
    let mut file = OneFile {
        path: path.into(),
        text: Some(before.to_owned()),
    };
    let installed = plan(&[agent], &options, &places, &file);
    if !installed.refused.is_empty() {
        assert!(installed.changes.is_empty());
        return None;
    }
    file.text = installed.changes[0].after.clone();
    let after = file.text.clone().unwrap();
    assert!(is_inside(before, &after), "{before}\n---\n{after}");
    assert_eq!(plan(&[agent], &options, &places, &file).changes, []);
    let removed = plan_removal(&[agent], &options, &places, &file);
    assert_eq!(removed.refused, []);
    assert_eq!(
        removed.changes[0].after.as_deref(),
        Some(before),
        "through\n{after}"
    );
    Some(after)
}

/// Whether a text is the other with some characters left out.
fn is_inside(inner: &str, outer: &str) -> bool {
    let mut rest = outer.chars();
    inner.chars().all(|c| rest.any(|other| other == c))
}

fn blanks() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just(String::new()),
        3 => Just(" ".to_owned()),
        3 => Just("\n".to_owned()),
        2 => Just("\n    ".to_owned()),
        1 => Just(" // a remark, \"quoted\" {\n".to_owned()),
        1 => Just(" /* one */".to_owned()),
        1 => Just("/* two\n lines */ ".to_owned()),
    ];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

fn brackets(
    open: char,
    close: char,
    items: Vec<(String, String, String)>,
    trailing: bool,
    inner: String,
) -> String {
    let mut text = String::from(open);
    let last = items.len().saturating_sub(1);
    for (index, (before, item, after)) in items.iter().enumerate() {
        text.push_str(before);
        text.push_str(item);
        text.push_str(after);
        if index < last || trailing {
            text.push(',');
        }
    }
    text.push_str(&inner);
    text.push(close);
    text
}

fn json_value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("true".to_owned()),
        Just("-1.5e3".to_owned()),
        Just(r#""a \" // no remark""#.to_owned()),
        Just("\"https://example.com/\"".to_owned()),
        Just("{}".to_owned()),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let items = prop::collection::vec((blanks(), inner, blanks()), 0..4);
        let list = (items, any::<bool>(), blanks());
        list.prop_map(|(items, trailing, last)| brackets('[', ']', items, trailing, last))
    })
}

/// An object in any layout, some with servers.
fn json_object(
    keys: &'static [&'static str],
    value: BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    let members = prop::collection::vec((blanks(), blanks(), value, blanks()), keys.len());
    let object = (members, 0..=keys.len(), any::<bool>(), blanks());
    object
        .prop_map(move |(members, count, trailing, last)| {
            let items = members.into_iter().zip(keys).take(count);
            let item = |((before, middle, value, after), key): (
                (String, String, String, String),
                &&str,
            )| { (before, format!("\"{key}\":{middle}{value}"), after) };
            brackets('{', '}', items.map(item).collect(), trailing, last)
        })
        .boxed()
}

fn json_text() -> impl Strategy<Value = String> {
    let entry = json_object(&["command", "env", "n"], json_value().boxed());
    let entry = prop_oneof![2 => entry, 1 => json_value()].boxed();
    let servers = json_object(&["one", "two", "Scent"], entry);
    let value = prop_oneof![2 => servers, 1 => json_value()];
    let any_order = prop_oneof![
        json_object(&["mcpServers", "a", "b"], value.clone().boxed()),
        json_object(&["a", "mcpServers", "b"], value.clone().boxed()),
        json_object(&["a", "b", "mcpServers"], value.boxed()),
    ];
    (blanks(), any_order, blanks(), any::<bool>()).prop_map(|(before, object, after, crlf)| {
        let text = format!("{before}{object}{after}");
        if crlf {
            text.replace('\n', "\r\n")
        } else {
            text
        }
    })
}

fn lines_of(lines: &'static [&'static str]) -> impl Strategy<Value = String> {
    let chosen = prop::collection::vec(prop::sample::select(lines), 0..8);
    (chosen, any::<bool>(), any::<bool>()).prop_map(|(lines, ended, crlf)| {
        let end = if ended { "\n" } else { "" };
        let text = format!("{}{end}", lines.join("\n"));
        if crlf {
            text.replace('\n', "\r\n")
        } else {
            text
        }
    })
}

fn toml_text() -> impl Strategy<Value = String> {
    lines_of(&[
        "# a remark",
        "",
        "model = \"x\" # why",
        "roots = [\n  \"/a\", # one\n]",
        "[other]",
        "  [mcp_servers.docs]",
        "command = 'docs'",
        "[mcp_servers.docs.env]",
        "A.b = 1",
        "text = \"\"\"\n[mcp_servers.scent]\n\"\"\"",
        "[mcp_servers]",
        "[[list]]",
        "mcp_servers = {}",
    ])
}

fn yaml_text() -> impl Strategy<Value = String> {
    lines_of(&[
        "# a remark",
        "",
        "MODE: smart",
        "extensions:",
        "extensions: {}",
        "  one:\n    name: one\n    args: [a, b]",
        "  two:\n    text: |\n      extensions:\n        scent: 1",
        "  # of one",
        "LIST:\n- a\n- b: c",
        "---",
        "Ü: \"é\"",
    ])
}

fn markdown_text() -> impl Strategy<Value = String> {
    lines_of(&[
        "# Title",
        "",
        "A line with `scent:start` in it.",
        "  - äöü",
        "```",
        "<!-- a remark -->",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() })]

    #[test]
    fn json_keeps_its_other_bytes(text in json_text()) {
        there_and_back("cursor", "/home/.cursor/mcp.json", Part::Mcp, &text);
    }

    #[test]
    fn lists_in_json_keep_their_other_bytes(text in json_text()) {
        let text = text.replace("mcpServers", "hooks").replace("\"two\"", "\"PreToolUse\"");
        there_and_back("claude-code", "/home/.claude/settings.json", Part::Hook, &text);
        let text = text.replace("hooks", "permissions").replace("\"one\"", "\"allow\"");
        there_and_back("claude-code", "/home/.claude/settings.json", Part::Approval, &text);
    }

    #[test]
    fn toml_keeps_its_other_bytes(text in toml_text()) {
        there_and_back("codex", "/home/.codex/config.toml", Part::Mcp, &text);
    }

    #[test]
    fn yaml_keeps_its_other_bytes(text in yaml_text()) {
        there_and_back("goose", "/home/.config/goose/config.yaml", Part::Mcp, &text);
    }

    #[test]
    fn markdown_keeps_its_other_bytes(text in markdown_text()) {
        there_and_back("claude-code", "/home/.claude/CLAUDE.md", Part::Instructions, &text);
    }

    #[test]
    fn any_text_is_edited_or_left_alone(text in "\\PC{0,40}") {
        there_and_back("cursor", "/home/.cursor/mcp.json", Part::Mcp, &text);
        there_and_back("codex", "/home/.codex/config.toml", Part::Mcp, &text);
        there_and_back("goose", "/home/.config/goose/config.yaml", Part::Mcp, &text);
    }

    #[test]
    fn any_hook_input_is_read_or_ignored(line in "\\PC{0,60}") {
        let input = serde_json::json!({"tool_name": "Bash", "tool_input": {"command": line}});
        let _ = scent_agents::hook::read(&input.to_string());
        let _ = scent_agents::hook::read(&line);
    }
}

/// Most of what is generated is valid, or nothing would be shown.
#[test]
fn most_generated_texts_are_edited() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut edited = 0;
    for _ in 0..200 {
        let text = json_text().new_tree(&mut runner).unwrap().current();
        let after = there_and_back("cursor", "/home/.cursor/mcp.json", Part::Mcp, &text);
        edited += usize::from(after.is_some());
    }
    assert!(edited > 100, "{edited} of 200");
}
