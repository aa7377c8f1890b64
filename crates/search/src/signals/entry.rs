//! A program begins here, where the query asks for that.

use super::candidate::{Candidate, Signal};
use serde::Deserialize;
use std::sync::OnceLock;

/// What a unit has whose file is one in which programs begin.
const SOMEWHERE: f32 = 0.5;

pub(super) const SIGNAL: Signal = Signal {
    name: "entry",
    amount: |it, weights| weights.entry * begins(it),
    why: |_| "a program begins here".into(),
};

fn begins(it: &Candidate) -> f32 {
    if !it.query.entry {
        0.0
    } else if is_one_of(&entries().names, &it.unit.name) {
        1.0
    } else if it.file.holds_entry {
        SOMEWHERE
    } else {
        0.0
    }
}

/// Whether a file is called as those are in which programs begin.
pub(crate) fn is_entry_file(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    is_one_of(&entries().files, stem)
}

/// The names of what runs first.
pub(crate) fn entry_names() -> &'static [String] {
    &entries().names
}

fn is_one_of(names: &[String], name: &str) -> bool {
    names.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// Whether a question asks where a program begins.
pub(super) fn asks_for_entry(query: &[String]) -> bool {
    let mut questions = entries().questions.iter();
    questions.any(|words| words.iter().all(|word| query.contains(word)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    names: Vec<String>,
    files: Vec<String>,
    questions: Vec<Vec<String>>,
}

fn entries() -> &'static Entries {
    static ENTRIES: OnceLock<Entries> = OnceLock::new();
    let read = || toml::from_str(include_str!("../../data/entries.toml")).expect("checked");
    ENTRIES.get_or_init(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_asks_where_it_begins_gets_that() {
        for (question, asks) in [
            ("entry point of the server", true),
            ("where the program starts", true),
            ("which entry of the table is the point", true),
            ("main loop", false),
            ("start of the line", false),
        ] {
            assert_eq!(
                asks_for_entry(&scent_words::terms::unique(question)),
                asks,
                "{question}"
            );
        }
        assert!(is_entry_file("main.rs") && is_entry_file("__main__.py"));
        assert!(!is_entry_file("domain.rs"));
    }
}
