//! The hook: from a call that an agent is about to make to what it looks for,
//! and from places to what the agent is given beside its own answer.
//!
//! Nothing is denied and nothing rewritten. Where it is not certain what is
//! looked for, there is no question and so no reply.

mod pattern;
mod programs;
mod shell;

use serde_json::{Value, json};
use std::path::PathBuf;

/// The most characters that a reply adds to what the agent reads.
pub const MAX_CHARACTERS: usize = 1200;
/// The most places in a reply.
pub const MAX_PLACES: usize = 5;

/// What an agent's hook is called for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// A search of its own.
    Search(Question),
    /// A session, or a sub-agent, that begins.
    Start,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What the agent wrote, to tell a question from others of the session.
    pub pattern: String,
    /// Names that the pattern holds whole, the first first.
    pub names: Vec<String>,
    /// Whether they are names of files.
    pub of_files: bool,
    /// The files and folders that are searched, as the agent wrote them; empty
    /// for the folder that it works in.
    pub paths: Vec<String>,
}

/// Who calls, and what form the reply has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The session.
    pub session: Option<String>,
    /// The folder that the agent works in.
    pub folder: Option<PathBuf>,
    event: String,
    form: ReplyForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReplyForm {
    /// `hookSpecificOutput.additionalContext`.
    Specific,
    /// `context`.
    Plain,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path as the agent can read it.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
}

/// What was found for a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// The name.
    pub name: String,
    /// Where it is defined.
    pub definitions: Vec<Place>,
    /// Where it is used, the most telling places first.
    pub uses: Vec<Place>,
    /// How many uses there are in all.
    pub total_uses: usize,
}

/// Reads what an agent hands to its hook. Nothing where it is a call that has
/// nothing to do with searching, or one that is not understood.
pub fn read(input: &str) -> Option<(Caller, Call)> {
    let input: Value = serde_json::from_str(input).ok()?;
    let caller = caller(&input)?;
    if matches!(caller.event.as_str(), "SessionStart" | "SubagentStart") {
        return Some((caller, Call::Start));
    }
    let tool = input.get("tool_name")?.as_str()?;
    let question = programs::question(tool, input.get("tool_input")?)?;
    Some((caller, Call::Search(question)))
}

/// The agent's events at which something can be added to what it reads.
const EVENTS: [&str; 5] = [
    "PreToolUse",
    "PostToolUse",
    "AfterTool",
    "SessionStart",
    "SubagentStart",
];

fn caller(input: &Value) -> Option<Caller> {
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let (event, form) = match (text("hook_event_name"), text("event")) {
        (Some(event), _) => (event, ReplyForm::Specific),
        (None, Some(event)) => (event, ReplyForm::Plain),
        (None, None) => ("PreToolUse".to_owned(), ReplyForm::Specific),
    };
    EVENTS.contains(&event.as_str()).then(|| Caller {
        session: text("session_id"),
        folder: text("cwd").map(PathBuf::from),
        event,
        form,
    })
}

/// What the agent is given for what was found; nothing where nothing was.
pub fn reply(caller: &Caller, findings: &[Finding]) -> Option<Value> {
    let mut text =
        "From scent, a code index that the user installed (`scent uninstall` removes it):"
            .to_owned();
    let mut left = MAX_PLACES;
    let before = text.len();
    for finding in findings {
        let line = line_of(finding, left);
        let Some((line, places)) = line else {
            continue;
        };
        if text.chars().count() + line.chars().count() > MAX_CHARACTERS {
            break;
        }
        text.push_str(&line);
        left -= places;
    }
    (text.len() > before).then(|| in_form(caller, &text))
}

/// What the agent is given when a session begins.
pub fn start_reply(caller: &Caller) -> Value {
    let text = "scent, which the user installed, has an index of this project's code. \
        `scent \"question or name\"` in a shell finds code by meaning or by name and shows paths and lines; \
        `scent def NAME` and `scent refs NAME` show where a name is defined and what uses it. \
        grep is the better tool for every occurrence of a literal text. \
        (`scent uninstall` removes this note.)";
    in_form(caller, text)
}

/// A finding on one line with at most so many places, and how many it has.
fn line_of(finding: &Finding, left: usize) -> Option<(String, usize)> {
    let definitions = &finding.definitions[..finding.definitions.len().min(left)];
    let uses = &finding.uses[..finding.uses.len().min(left - definitions.len())];
    let mut parts = Vec::new();
    if !definitions.is_empty() {
        parts.push(format!("is defined at {}", listed(definitions)));
    }
    if !uses.is_empty() {
        let more = if finding.total_uses > uses.len() {
            format!(" ({} in all)", finding.total_uses)
        } else {
            String::new()
        };
        parts.push(format!("is used at {}{more}", listed(uses)));
    }
    let line = format!("\n`{}` {}", visible(&finding.name), parts.join("; "));
    (!parts.is_empty()).then_some((line, definitions.len() + uses.len()))
}

fn listed(places: &[Place]) -> String {
    let places = places
        .iter()
        .map(|p| format!("{}:{}", visible(&p.path), p.line));
    places.collect::<Vec<String>>().join(", ")
}

/// A text without what a reader does not see, which could carry orders.
fn visible(text: &str) -> String {
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().filter(|c| !is_hidden(*c)).collect()
}

fn in_form(caller: &Caller, text: &str) -> Value {
    match caller.form {
        ReplyForm::Plain => json!({"version": 1, "context": text}),
        ReplyForm::Specific => json!({
            "hookSpecificOutput": {"hookEventName": caller.event, "additionalContext": text}
        }),
    }
}
