//! Messages that a program may have printed: what stands behind `error:` or the
//! name of an exception, and sentences in quotes.

use regex::Regex;
use std::sync::OnceLock;

/// Nobody looks for more of them.
const MOST: usize = 12;

/// A message has at least so many words, and not more characters than this.
const WORDS: usize = 3;
const CHARS: usize = 300;

const FORMS: [&str; 3] = [
    // ValueError: …, java.lang.IllegalStateException: …
    r"(?:^|[\s.`])[A-Z]\w*(?:Error|Exception|Warning|Panic|Failure|Fault)\b(?: \([^)]*\))?:\s+(?<text>.+)$",
    // error: …, fatal: …, error[E0308]: …
    r"(?i)\b(?:error|fatal|panic|warning|exception|abort(?:ed)?)(?:\[\w+\])?:\s+(?<text>.+)$",
    // panicked at '…'
    r"panicked at '(?<text>[^']+)'",
];

/// Sentences in quotes, which people copy from a program.
const QUOTED: &str = r#""([^"\n]{8,200})"|`([^`\n]{8,200})`|“([^”\n]{8,200})”"#;

/// The messages in a text, each once, in order.
pub(super) fn messages(text: &str) -> Vec<String> {
    static COMPILED: OnceLock<(Vec<Regex>, Regex)> = OnceLock::new();
    let compile = |text: &str| Regex::new(text).expect("checked");
    let (forms, quoted) =
        COMPILED.get_or_init(|| (FORMS.into_iter().map(compile).collect(), compile(QUOTED)));
    let mut messages: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| line.len() < 2_000) {
        let printed = forms.iter().find_map(|form| form.captures(line));
        let printed = printed.as_ref().map(|found| &found["text"]);
        let in_quotes = quoted.captures_iter(line).filter_map(|found| {
            let group = (1..4).find_map(|nth| found.get(nth))?;
            Some(group.as_str())
        });
        for message in printed.into_iter().chain(in_quotes) {
            let message = message.trim();
            let is_new = !messages.iter().any(|known| known == message);
            if is_new && message.len() <= CHARS && is_sentence(message) {
                messages.push(message.to_owned());
            }
        }
        if messages.len() >= MOST {
            break;
        }
    }
    messages.truncate(MOST);
    messages
}

/// Whether it has several words in a row, and is no code.
fn is_sentence(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    text.split_whitespace().filter(is_word).count() >= WORDS
}

/// The stretches of a message that a program may hold as they are: what is in
/// quotes, numbers and paths may have been filled in.
pub(crate) fn constant_parts(message: &str) -> Vec<String> {
    static HOLE: OnceLock<Regex> = OnceLock::new();
    let hole = HOLE.get_or_init(|| {
        let forms = [
            r#"'[^']*'|"[^"]*"|`[^`]*`|“[^”]*”|<[^>]*>|\{[^}]*\}|\[[^\]]*\]|\([^)]*\)"#,
            r"\S*[\d/\\_=:.]\S*\w|\b\w*[a-z][A-Z]\w*|\.\.\.|%\w|\b\d+\b",
        ];
        Regex::new(&forms.join("|")).expect("checked")
    });
    let mut parts = Vec::new();
    for part in hole.split(message) {
        let part = part.trim_matches(|c: char| !c.is_alphanumeric());
        let words = part.split_whitespace().count();
        if words >= 2 && part.len() >= 8 {
            parts.push(part.to_owned());
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_found_where_programs_print_them() {
        for (text, want) in [
            ("ValueError: the pool is closed", "the pool is closed"),
            ("a.b.PoolException: no such pool here", "no such pool here"),
            (
                "pool.c:3:1: error: expected a pool here",
                "expected a pool here",
            ),
            ("it says \"the pool is closed\" then", "the pool is closed"),
            ("it says \"closed\" then", ""),
            ("an error in the pool", ""),
            (
                "thread panicked at 'the pool is closed', a.rs:3",
                "the pool is closed",
            ),
        ] {
            assert_eq!(messages(text).join("|"), want, "{text}");
        }
    }

    #[test]
    fn what_was_filled_in_is_a_hole() {
        for (message, want) in [
            (
                "unable to open pool 'a' for user 7 of b/c.d today please",
                "unable to open pool|for user|today please",
            ),
            ("the pool is closed", "the pool is closed"),
            (
                "'Pool' object has no attribute 'take'",
                "object has no attribute",
            ),
            ("x = 3", ""),
        ] {
            assert_eq!(constant_parts(message).join("|"), want, "{message}");
        }
    }
}
