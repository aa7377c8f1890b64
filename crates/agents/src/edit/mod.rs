//! Edits of texts that keep every other byte.
//!
//! An edit puts text into a text or takes text out of it, and never writes a
//! document from what was parsed. What is put in has a form by which it can be
//! seen later what was there before, so that taking it out gives back the same
//! bytes without a record of them:
//!
//! - A file of ours alone ends with a line end; what was put into an empty one
//!   does not, or begins with one.
//! - Where a list or a table was empty, the first entry follows the bracket
//!   directly. Where it begins a line, the brackets are ours too.
//! - A block behind a last line without a line end has none either.

pub(crate) mod block;
pub(crate) mod items;
pub(crate) mod json;
pub(crate) mod toml;
pub(crate) mod whole;
pub(crate) mod yaml;

use crate::value::Value;

/// The name of our entry, skill and sub-agent.
pub(crate) const NAME: &str = "scent";

/// Why a text was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is not what its format asks for.
    #[error("is not valid: {0}")]
    Broken(String),
    /// There is an entry of the same name that starts something else.
    #[error("has an entry called {0:?} that was not written by `scent install`")]
    Foreign(String),
    /// The text is valid, in a shape that these edits do not know.
    #[error("cannot be edited: {0}")]
    Shape(String),
    /// A file of ours that somebody changed.
    #[error("was changed since `scent install` wrote it")]
    Changed,
    /// The file cannot be read as text.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

/// The text of a file after an edit; none where there is to be no file.
pub(crate) type Edited = Result<Option<String>, Refusal>;

/// The format of a file of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JSON, with comments and commas before closing brackets where there are some.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

/// Something that is put into a file, and can be taken out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// `name` with a value in the table at `keys`.
    Entry {
        format: Format,
        keys: Vec<String>,
        name: String,
        value: Value,
        program: String,
    },
    /// An element of the list at `keys`, of a JSON file.
    Item { keys: Vec<String>, value: Value },
    /// A block between markers in a Markdown file.
    Block(String),
    /// A file of ours.
    Whole { text: String, is_toml: bool },
}

impl Step {
    /// The text with what the step puts in.
    pub fn install(&self, text: Option<&str>) -> Edited {
        match self {
            Step::Entry {
                format,
                keys,
                name,
                value,
                program,
            } => {
                let entry = Entry {
                    keys,
                    name,
                    value,
                    program,
                };
                match format {
                    Format::Json => json::install(text, &entry),
                    Format::Toml => toml::install(text, &entry),
                    Format::Yaml => yaml::install(text, &entry),
                }
            }
            Step::Item { keys, value } => json::install_item(text, keys, value),
            Step::Block(body) => block::install(text, body),
            Step::Whole {
                text: ours,
                is_toml,
            } => whole::install(text, ours, *is_toml),
        }
    }

    /// The text without what the step put in.
    pub fn uninstall(&self, text: &str) -> Edited {
        match self {
            Step::Entry {
                format,
                keys,
                name,
                value,
                ..
            } => match format {
                Format::Json => json::uninstall(text, keys, name),
                Format::Toml => toml::uninstall(text, keys, name),
                Format::Yaml => yaml::uninstall(text, keys, name, value),
            },
            Step::Item { keys, value } => json::uninstall_item(text, keys, value),
            Step::Block(_) => block::uninstall(text),
            Step::Whole { is_toml, .. } => whole::uninstall(text, *is_toml),
        }
    }

    /// What to paste where the file was left alone.
    pub fn snippet(&self) -> Option<String> {
        match self {
            Step::Entry {
                format,
                keys,
                name,
                value,
                ..
            } => Some(match format {
                Format::Json => json::snippet(keys, name, value),
                Format::Toml => toml::block(keys, name, value, "\n"),
                Format::Yaml => yaml::block(keys, name, value, "\n"),
            }),
            Step::Item { keys, value } => Some(json::item_snippet(keys, value)),
            Step::Block(body) => Some(body.clone()),
            Step::Whole { text, .. } => Some(text.clone()),
        }
    }
}

/// An entry that is to be in a table.
pub(crate) struct Entry<'a> {
    pub keys: &'a [String],
    pub name: &'a str,
    pub value: &'a Value,
    /// The path of the program, which is put right where the entry has another.
    pub program: &'a str,
}

/// A mark of the order of bytes, and the rest.
pub(crate) fn split_bom(text: &str) -> (&str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => (&text[..text.len() - rest.len()], rest),
        None => ("", text),
    }
}
