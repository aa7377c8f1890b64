//! A value as configuration files hold it, in the order in which it is
//! written, and its form in JSON, TOML and YAML.

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// A value that an entry consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// Keys with values, in order.
    Object(Vec<(String, Value)>),
}

/// How a file is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// One step of indentation.
    pub unit: String,
    /// What ends a line.
    pub newline: &'static str,
    /// Whether lists have an element a line, whatever is in them.
    pub open_lists: bool,
}

impl Layout {
    /// Two blanks, and the line ends of a text.
    pub fn of(text: &str) -> Layout {
        Layout {
            unit: "  ".to_owned(),
            newline: newline_of(text),
            open_lists: false,
        }
    }
}

/// What ends the lines of a text, by its first.
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

impl Value {
    /// Reads JSON. Only data of this crate and what tests hold is read so.
    pub(crate) fn from_json(text: &str) -> Option<Value> {
        let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
        parsed.ok()?.value.map(|value| Value::from_ast(&value))
    }

    pub(crate) fn from_ast(value: &ast::Value) -> Value {
        match value {
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
            ast::Value::NumberLit(literal) => Value::Number(literal.value.to_owned()),
            ast::Value::StringLit(literal) => Value::String(literal.value.to_string()),
            ast::Value::Array(array) => {
                Value::Array(array.elements.iter().map(Value::from_ast).collect())
            }
            ast::Value::Object(object) => {
                let members = object.properties.iter();
                let pair =
                    |p: &ast::ObjectProp| (p.name.as_str().to_owned(), Value::from_ast(&p.value));
                Value::Object(members.map(pair).collect())
            }
        }
    }

    /// The value of a key of an object.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let Value::Object(members) = self else {
            return None;
        };
        members.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Puts a text in the place of a word that stands for it, in every string.
    pub(crate) fn fill(&self, word: &str, text: &str) -> Value {
        match self {
            Value::String(s) => Value::String(s.replace(word, text)),
            Value::Array(items) => Value::Array(items.iter().map(|v| v.fill(word, text)).collect()),
            Value::Object(members) => {
                let filled = members.iter().map(|(k, v)| (k.clone(), v.fill(word, text)));
                Value::Object(filled.collect())
            }
            other => other.clone(),
        }
    }

    /// The program and the arguments that an entry starts, in whichever of the
    /// shapes that agents know: `command` as a string or a list, or `cmd`.
    pub fn command(&self) -> Option<Vec<String>> {
        let command = self.get("command").or_else(|| self.get("cmd"))?;
        let mut words = Vec::new();
        match command {
            Value::String(program) => words.push(program.clone()),
            Value::Array(items) => words.extend(strings(items)),
            _ => return None,
        }
        if let Some(Value::Array(items)) = self.get("args") {
            words.extend(strings(items));
        }
        Some(words)
    }

    /// The variables that an entry sets for its program.
    pub fn environment(&self) -> Vec<(String, String)> {
        let keys = ["env", "envs", "environment"].into_iter();
        let Some(Value::Object(members)) = keys.filter_map(|key| self.get(key)).next() else {
            return Vec::new();
        };
        let text = |value: &Value| match value {
            Value::String(text) | Value::Number(text) => Some(text.clone()),
            _ => None,
        };
        let pairs = members.iter();
        pairs
            .filter_map(|(name, value)| Some((name.clone(), text(value)?)))
            .collect()
    }

    /// Whether an entry starts scent's server, so that it is ours to change.
    pub fn is_ours(&self) -> bool {
        self.command().is_some_and(|words| is_scent(&words, "mcp"))
    }

    /// Whether a hook runs scent's, however deep in it the command stands.
    pub fn runs_our_hook(&self) -> bool {
        !self.hook_commands().is_empty()
    }

    /// The commands of scent's hooks in it, however deep they stand, as words.
    pub fn hook_commands(&self) -> Vec<Vec<String>> {
        match self {
            Value::Object(members) => {
                let found = members.iter().map(|(key, value)| match value {
                    Value::String(command) if key == "command" => {
                        hook_command(command).into_iter().collect()
                    }
                    other => other.hook_commands(),
                });
                found.flatten().collect()
            }
            Value::Array(items) => items.iter().flat_map(Value::hook_commands).collect(),
            _ => Vec::new(),
        }
    }

    /// JSON over several lines; `indent` is that of the line it begins on.
    pub(crate) fn to_json(&self, layout: &Layout, indent: &str) -> String {
        match self {
            Value::Object(members) if !members.is_empty() => {
                let inner = format!("{indent}{}", layout.unit);
                let line = |(key, value): &(String, Value)| {
                    format!("{inner}{}: {}", quoted(key), value.to_json(layout, &inner))
                };
                let lines: Vec<String> = members.iter().map(line).collect();
                braced(&lines, ["{", "}"], layout.newline, indent)
            }
            Value::Array(items) if layout.open_lists || items.iter().any(Value::is_container) => {
                let inner = format!("{indent}{}", layout.unit);
                let line = |item: &Value| format!("{inner}{}", item.to_json(layout, &inner));
                let lines: Vec<String> = items.iter().map(line).collect();
                braced(&lines, ["[", "]"], layout.newline, indent)
            }
            other => other.to_inline_json(layout),
        }
    }

    /// JSON on one line. Blanks inside brackets say that these were not there,
    /// and empty, before.
    pub(crate) fn to_inline_json(&self, layout: &Layout) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(number) => number.clone(),
            Value::String(text) => quoted(text),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|v| v.to_inline_json(layout)).collect();
                let blank = if layout.open_lists { " " } else { "" };
                format!("[{blank}{}{blank}]", items.join(", "))
            }
            Value::Object(members) if members.is_empty() => "{}".to_owned(),
            Value::Object(members) => {
                let member = |(k, v): &(String, Value)| {
                    format!("{}: {}", quoted(k), v.to_inline_json(layout))
                };
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{ {} }}", members.join(", "))
            }
        }
    }

    /// A value of TOML on one line. TOML has no null, so none is written.
    pub(crate) fn to_toml(&self) -> String {
        match self {
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(Value::to_toml).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Object(members) => {
                let member =
                    |(k, v): &(String, Value)| format!("{} = {}", toml_key(k), v.to_toml());
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{ {} }}", members.join(", "))
            }
            other => other.to_inline_json(&Layout::of("")),
        }
    }

    fn is_container(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Object(_))
    }
}

/// A key of TOML, in quotes where it needs them.
pub(crate) fn toml_key(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_bare) {
        return key.to_owned();
    }
    quoted(key)
}

/// A string in quotes. Escapes are those of JSON, which TOML and YAML know too.
pub(crate) fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    // The one control character that JSON leaves as it is and TOML does not allow.
    json.replace('\u{7f}', "\\u007f")
}

fn braced(lines: &[String], [open, close]: [&str; 2], newline: &str, indent: &str) -> String {
    let inner = lines.join(&format!(",{newline}"));
    format!("{open}{newline}{inner}{newline}{indent}{close}")
}

fn strings(items: &[Value]) -> impl Iterator<Item = String> + '_ {
    items
        .iter()
        .filter_map(|item| item.as_str().map(str::to_owned))
}

/// Whether words start a program called `scent` with a command of it.
fn is_scent(words: &[String], command: &str) -> bool {
    let [program, first, ..] = words else {
        return false;
    };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.to_ascii_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name) == "scent" && first == command
}

/// The command of a hook is one string that a shell reads. Backslashes of a
/// Windows path are no escapes in it.
fn hook_command(command: &str) -> Option<Vec<String>> {
    let words = shlex::split(&command.replace('\\', "/"))?;
    is_scent(&words, "hook").then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_what_starts_our_server() {
        let cases = [
            (r#"{"command": "/usr/bin/scent", "args": ["mcp"]}"#, true),
            (
                r#"{"command": "C:\\Tools\\Scent.EXE", "args": ["mcp", "--root", "."]}"#,
                true,
            ),
            (
                r#"{"type": "local", "command": ["/opt/scent", "mcp"]}"#,
                true,
            ),
            (r#"{"cmd": "scent", "args": ["mcp"]}"#, true),
            (r#"{"command": "scent", "args": ["--verbose"]}"#, false),
            (r#"{"command": "/usr/bin/scented", "args": ["mcp"]}"#, false),
            (r#"{"command": "npx", "args": ["scent", "mcp"]}"#, false),
            (r#"{"url": "http://localhost/mcp"}"#, false),
            (r#""scent mcp""#, false),
        ];
        for (text, want) in cases {
            assert_eq!(Value::from_json(text).unwrap().is_ours(), want, "{text}");
        }
    }

    #[test]
    fn our_hook_is_found_at_any_depth() {
        let cases = [
            (
                r#"{"matcher": "Bash", "hooks": [{"command": "/usr/bin/scent hook"}]}"#,
                true,
            ),
            (r#"{"command": "\"C:\\My Tools\\scent.exe\" hook"}"#, true),
            (r#"{"matcher": "scent hook", "command": "true"}"#, false),
            (r#"{"command": "echo scent hook"}"#, false),
        ];
        for (text, want) in cases {
            assert_eq!(
                Value::from_json(text).unwrap().runs_our_hook(),
                want,
                "{text}"
            );
        }
    }
}
