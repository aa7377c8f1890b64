//! What a text contains that a search could use.

use regex::Regex;
use std::sync::OnceLock;

/// What tables tell apart, in their order. A text has any number of the first
/// four, or the last.
pub const TRAITS: [&str; 5] = [
    "stack trace",
    "path",
    "code fence",
    "double quotes",
    "none of these",
];

/// Lines of stack traces, in the forms of most languages.
const FRAMES: &str = concat!(
    r#"(?m)^\s*File "[^"]+", line \d+"#,
    r"|^\s*at .+[(:][^\s()]+:\d+\)?\s*$",
    r"|^\s*(from )?[^\s:]+\.rb:\d+:in ",
    r"|^\s*#\d+\s+(0x[0-9a-f]+ in |\S+\(\d+\): )",
    r"|\.go:\d+ \+0x|panicked at ",
);

/// A file with a folder before it or a line behind it.
const PATHS: &str = r"(?m)(^|[\s`'(<])[\w.-]+(/[\w.-]+)+\.[a-zA-Z]{1,5}\b|\b[\w-]+\.[a-z]{1,4}:\d+";

/// Which of [`TRAITS`] a text has.
pub fn traits_of(text: &str) -> Vec<&'static str> {
    static PATTERNS: OnceLock<[Regex; 2]> = OnceLock::new();
    let [frames, paths] =
        PATTERNS.get_or_init(|| [FRAMES, PATHS].map(|p| Regex::new(p).expect("checked")));
    let has = [
        frames.is_match(text),
        paths.is_match(text),
        text.contains("```"),
        text.matches('"').count() > 1,
    ];
    let pairs = TRAITS.into_iter().zip(has);
    let mut found: Vec<&str> = pairs
        .filter(|(_, has)| *has)
        .map(|(name, _)| name)
        .collect();
    if found.is_empty() {
        found.push(TRAITS[4]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart_by_what_they_contain() {
        for (text, want) in [
            ("it fails", "none of these"),
            ("  File \"a/b.py\", line 3, in f", "stack trace"),
            ("\tat a.b.C.d(C.java:12)", "stack trace"),
            ("  at f (/a/b.js:3:4)", "stack trace"),
            ("a/b.rb:3:in `f'", "stack trace"),
            ("see src/a/b.rs for it", "path"),
            ("and/or", "none of these"),
            ("say \"no\" ```x```", "code fence, double quotes"),
        ] {
            let found = traits_of(text).join(", ");
            assert!(found.contains(want), "{text}: {found}");
        }
    }
}
