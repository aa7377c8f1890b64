//! Arguments as models write them: numbers as strings, one string for a list,
//! names of other tools. What can be meant is taken; what cannot is named.

use super::catalogue::{Catalogue, Form, Parameter, Row};
use rmcp::model::JsonObject;
use serde_json::Value;
use std::collections::BTreeMap;

/// Strings that stand for no choice.
const NO_CHOICE: [&str; 4] = ["all", "any", "auto", "default"];

/// The arguments of one call.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    values: BTreeMap<String, Given>,
    known: Vec<&'static str>,
    /// What the model should know about them.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Given {
    Text(String),
    Whole(usize),
    Real(f64),
    Flag(bool),
    List(Vec<String>),
}

impl Arguments {
    /// The arguments for a tool; else what is wrong with them.
    pub fn read(row: &'static Row, given: &JsonObject) -> Result<Arguments, String> {
        let catalogue = Catalogue::get();
        let known = catalogue.parameters(row).map(|p| p.name.as_str());
        let mut arguments = Arguments {
            known: known.collect(),
            ..Arguments::default()
        };
        let mut unknown = Vec::new();
        // What has its own name counts before what is called otherwise.
        let is_exact = |name: &str| catalogue.parameters(row).any(|p| p.name == name);
        let (exact, other): (Vec<_>, Vec<_>) = given.iter().partition(|(name, _)| is_exact(name));
        for (name, value) in exact.into_iter().chain(other) {
            let Some(parameter) = catalogue.parameters(row).find(|p| p.is_called(name)) else {
                unknown.push(name.as_str());
                continue;
            };
            let Some(value) = parameter.read(name, value)? else {
                continue;
            };
            if arguments.values.contains_key(&parameter.name) {
                unknown.push(name.as_str());
                continue;
            }
            arguments.values.insert(parameter.name.clone(), value);
        }
        if !unknown.is_empty() {
            arguments.notes.push(format!(
                "ignored: {}; {} takes {}",
                unknown.join(", "),
                row.name,
                arguments.known.join(", ")
            ));
        }
        for parameter in row.parameters.iter().filter(|p| p.required) {
            if !arguments.values.contains_key(&parameter.name) {
                let (name, about) = (&parameter.name, &parameter.about);
                return Err(format!("{} needs `{name}`: {about}", row.name));
            }
        }
        Ok(arguments)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        match self.values.get(name) {
            Some(Given::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        match self.values.get(name) {
            Some(Given::Whole(number)) => Some(*number),
            _ => None,
        }
    }

    /// A number of results: from 1 on.
    pub fn limit(&self, otherwise: usize) -> usize {
        self.number("limit").unwrap_or(otherwise).max(1)
    }

    pub fn real(&self, name: &str) -> Option<f64> {
        match self.values.get(name) {
            Some(Given::Real(number)) => Some(*number),
            _ => None,
        }
    }

    /// Whether the tool has a parameter of this name.
    pub fn takes(&self, name: &str) -> bool {
        self.known.contains(&name)
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.values.get(name) {
            Some(Given::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    pub fn list(&self, name: &str) -> &[String] {
        match self.values.get(name) {
            Some(Given::List(list)) => list,
            _ => &[],
        }
    }
}

impl Parameter {
    /// The value that is meant; none where nothing is.
    fn read(&self, name: &str, value: &Value) -> Result<Option<Given>, String> {
        let is_nothing = match value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if is_nothing {
            return Ok(None);
        }
        match self.form {
            Form::Choice => return self.choice(name, value),
            Form::String => text(value).map(Given::Text),
            Form::Integer => whole(value).map(Given::Whole),
            Form::Number => real(value).map(Given::Real),
            Form::Boolean => flag(value).map(Given::Flag),
            Form::List => list(value, self.split).map(Given::List),
        }
        .map(Some)
        .ok_or_else(|| format!("{name}: give {}, not {value}", self.form.in_words()))
    }

    fn choice(&self, name: &str, value: &Value) -> Result<Option<Given>, String> {
        let wanted = text(value).unwrap_or_default().trim().to_lowercase();
        let wanted = wanted.replace('_', "-");
        if self.choices.contains(&wanted) {
            return Ok(Some(Given::Text(wanted)));
        }
        if NO_CHOICE.contains(&wanted.as_str()) {
            return Ok(None);
        }
        let choices = self.choices.join(", ");
        Err(format!("{name}: give one of {choices}, not {value}"))
    }
}

impl Form {
    fn in_words(self) -> &'static str {
        match self {
            Form::String | Form::Choice => "a string",
            Form::Integer => "a whole number from 0 on",
            Form::Number => "a number",
            Form::Boolean => "true or false",
            Form::List => "a list of strings",
        }
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Array(list) if list.len() == 1 => text(&list[0]),
        _ => None,
    }
}

fn whole(value: &Value) -> Option<usize> {
    let number = real(value)?;
    let is_whole = number.fract() == 0.0 && (0.0..=u32::MAX.into()).contains(&number);
    is_whole.then_some(number as usize)
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}

fn flag(value: &Value) -> Option<bool> {
    match text(value)?.trim().to_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

fn list(value: &Value, split: bool) -> Option<Vec<String>> {
    let mut entries = Vec::new();
    match value {
        Value::Array(list) => {
            for entry in list {
                entries.push(text(entry)?);
            }
        }
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Array(inner)) => return self::list(&Value::Array(inner), split),
            _ => entries.push(text.clone()),
        },
        _ => entries.push(text(value)?),
    }
    if split {
        let parts = entries.iter().flat_map(|entry| entry.split(','));
        entries = parts.map(|part| part.trim().to_owned()).collect();
    }
    entries.retain(|entry| !entry.trim().is_empty());
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(tool: &str, given: Value) -> Result<Arguments, String> {
        let row = Catalogue::get().row(tool).unwrap();
        let Value::Object(given) = given else {
            panic!("arguments are an object");
        };
        Arguments::read(row, &given)
    }

    #[test]
    fn what_can_be_meant_is_taken() {
        let given = json!({
            "q": "retry", "top_k": "3", "path": "src", "language": "rust, go",
            "literal": "true", "max_tokens": 500.0, "repo": "/a", "context": "FULL",
            "only": "all", "pattern": "", "offset": null,
        });
        let arguments = read("search", given).unwrap();
        assert_eq!(arguments.text("query"), Some("retry"));
        assert_eq!(arguments.number("limit"), Some(3));
        assert_eq!(arguments.list("paths"), ["src"]);
        assert_eq!(arguments.list("lang"), ["rust", "go"]);
        assert_eq!(arguments.flag("literal"), Some(true));
        assert_eq!(arguments.number("max_tokens"), Some(500));
        assert_eq!(arguments.text("root"), Some("/a"));
        assert_eq!(arguments.text("context"), Some("full"));
        for absent in ["only", "pattern", "offset"] {
            assert!(!arguments.values.contains_key(absent), "{absent}");
        }
        assert!(arguments.notes.is_empty(), "{:?}", arguments.notes);
        let globs = json!({"paths": "[\"a/**\", \"*.{rs,go}\"]"});
        assert_eq!(
            read("search", globs).unwrap().list("paths"),
            ["a/**", "*.{rs,go}"]
        );
        let camel = read("search", json!({"query": 7, "maxResults": 2})).unwrap();
        assert_eq!(camel.text("query"), Some("7"));
        assert_eq!(camel.number("limit"), Some(2));
    }

    #[test]
    fn what_is_unknown_is_named_and_what_is_wrong_refused() {
        let arguments = read("search", json!({"query": "a", "q": "b", "frob": 1})).unwrap();
        assert_eq!(arguments.text("query"), Some("a"));
        assert!(arguments.notes[0].starts_with("ignored: frob, q; search takes query, "));
        for (tool, given, want) in [
            (
                "search",
                json!({"limit": "many"}),
                "limit: give a whole number from 0 on, not \"many\"",
            ),
            (
                "search",
                json!({"limit": -1}),
                "limit: give a whole number from 0 on, not -1",
            ),
            (
                "search",
                json!({"query": {"a": 1}}),
                "query: give a string, not {\"a\":1}",
            ),
            (
                "search",
                json!({"only": "music"}),
                "only: give one of code, docs, config, tests, no-tests, not \"music\"",
            ),
            (
                "def",
                json!({}),
                "def needs `name`: A name, plain or qualified (Foo::bar, Foo.bar), or with * and ?, \
                 or a place as for refs",
            ),
            (
                "refs",
                json!({"name": "a", "tests": "perhaps"}),
                "tests: give true or false, not \"perhaps\"",
            ),
        ] {
            assert_eq!(read(tool, given).unwrap_err(), want);
        }
    }
}
