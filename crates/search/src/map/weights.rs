//! What the map of a project shows first, as `data/map.toml` says.

use serde::Deserialize;
use std::sync::OnceLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Weights {
    pub files: FileWeights,
    pub symbols: SymbolWeights,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileWeights {
    pub entry: f32,
    pub barrel: f32,
    pub further: f32,
    pub helper: f32,
    helpers: String,
    stubs: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymbolWeights {
    pub further: f32,
    #[serde(rename = "type")]
    pub of_type: f32,
    pub constant: f32,
    pub other: f32,
    pub private: f32,
    pub nested: f32,
    pub short: f32,
    pub short_lines: u32,
    pub getter: f32,
    pub getter_lines: u32,
    pub usual: f32,
    pub least: f32,
    names: String,
}

impl FileWeights {
    /// Whether a file, or a folder that it is in, is called as those are that
    /// hold what everything uses.
    pub fn is_helper(&self, path: &str) -> bool {
        path.split('/').any(|part| {
            let stem = part.split('.').next().unwrap_or(part);
            let mut helpers = self.helpers.split_whitespace();
            helpers.any(|helper| helper.eq_ignore_ascii_case(stem))
        })
    }

    /// Whether a file only declares what is defined elsewhere.
    pub fn is_stub(&self, path: &str) -> bool {
        let mut stubs = self.stubs.split_whitespace();
        stubs.any(|stub| path.split(['/', '.']).any(|part| part == stub))
    }
}

impl SymbolWeights {
    /// Whether many types have a member of this name.
    pub fn is_usual(&self, name: &str) -> bool {
        let mut names = self.names.split_whitespace();
        names.any(|usual| match usual.strip_suffix('*') {
            Some(start) => begins_with_word(name, start),
            None => usual == name,
        })
    }
}

/// Whether a name begins with a word: `getName` and `get_name` with `get`, and
/// neither `getter` nor `get` alone.
fn begins_with_word(name: &str, word: &str) -> bool {
    let starts = name
        .get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word));
    let next = name.get(word.len()..).and_then(|rest| rest.chars().next());
    starts && next.is_some_and(|next| next == '_' || next.is_uppercase())
}

pub(super) fn weights() -> &'static Weights {
    static WEIGHTS: OnceLock<Weights> = OnceLock::new();
    WEIGHTS.get_or_init(|| toml::from_str(include_str!("../../data/map.toml")).expect("checked"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_many_types_have() {
        for (name, want) in [
            ("getName", true),
            ("get_name", true),
            ("GetName", true),
            ("is_open", true),
            ("fmt", true),
            ("take", false),
            ("getter", false),
            ("issue", false),
            ("settle", false),
            ("parse", false),
        ] {
            assert_eq!(weights().symbols.is_usual(name), want, "{name}");
        }
    }
}
