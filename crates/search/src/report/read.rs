//! A pasted text is taken apart.

use super::forms::{Heading, heading, kind_of};
use super::frames::{frames, is_frame};
use super::lines::{Sort, sorted};
use super::messages::messages;
use super::places::places;
use crate::analyse::looks_like_code;
use regex::Regex;
use scent_types::Report;
use std::collections::HashSet;
use std::sync::OnceLock;

/// A text of more words is a report, and so is one of so many lines.
const WORDS: usize = 30;
const LINES: usize = 3;

/// A title is not longer, in words.
const TITLE: usize = 40;

/// Nobody names more things than this.
const MOST_NAMES: usize = 200;

/// Whether a text was pasted rather than asked.
pub fn is_report(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_long = text.split_whitespace().nth(WORDS).is_some() || lines.count() >= LINES;
    is_long && !is_in_quotes(text.trim())
}

/// Whether a text is one quotation and nothing else.
fn is_in_quotes(text: &str) -> bool {
    let inside = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inside.is_some_and(|inside| !inside.contains('"'))
}

/// Takes a text apart.
pub fn read_report(text: &str) -> Report {
    let (title, rest) = split_title(text);
    let mut prose = String::new();
    let mut code = String::new();
    for (sort, line) in sorted(rest) {
        match sort {
            Sort::Prose => push_line(&mut prose, &without_links(line)),
            Sort::Code if !is_frame(line) => push_line(&mut code, line),
            Sort::Code | Sort::LeftOut => {}
        }
    }
    let mut names = Names::default();
    names.add_prose(&title);
    names.add_prose(&prose);
    names.add_code(&code);
    Report {
        frames: frames(text),
        places: places(&without_frames(text)),
        messages: messages(&format!("{title}\n{prose}\n{code}")),
        names: names.all,
        title,
        prose,
        code,
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// The first line that says something, and what comes after it. A text that is
/// one long line begins with a title of its own: its first sentence.
fn split_title(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let end = line.match_indices(". ").map(|(at, _)| at + 1).next();
    let is_long = line.split_whitespace().nth(TITLE).is_some();
    let (line, rest) = match end {
        Some(end) if is_long => (&line[..end], &text[end..]),
        _ => (line, rest),
    };
    let plain = heading(line).unwrap_or(line);
    if kind_of(plain) != Heading::Own && !rest.trim().is_empty() {
        return split_title(rest);
    }
    let words: Vec<&str> = without_tag(plain).split_whitespace().take(TITLE).collect();
    (words.join(" "), rest)
}

/// A title without what trackers put before it: `[BUG]`, `Bug report:`.
fn without_tag(title: &str) -> &str {
    static TAG: OnceLock<Regex> = OnceLock::new();
    let tag = TAG.get_or_init(|| {
        let words =
            "bug|bug report|feature|feature request|enhancement|question|regression|issue|request";
        Regex::new(&format!(r"(?i)^(?:\[[^\]]{{1,20}}\]|(?:{words}):)\s*")).expect("checked")
    });
    let rest = &title[tag.find(title).map_or(0, |found| found.end())..];
    if rest.is_empty() { title } else { rest }
}

/// A line with the words of its links, and without where they lead.
fn without_links(line: &str) -> String {
    static LINKS: OnceLock<[Regex; 2]> = OnceLock::new();
    let [named, bare] = LINKS.get_or_init(|| {
        let compile = |text: &str| Regex::new(text).expect("checked");
        [
            compile(r"!?\[([^\]]*)\]\([^)]*\)"),
            compile(r"<?\b[a-z]+://\S+"),
        ]
    });
    let line = named.replace_all(line, "$1");
    bare.replace_all(&line, " ").into_owned()
}

fn without_frames(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().filter(|line| !is_frame(line)) {
        push_line(&mut out, line);
    }
    out
}

/// Words that look like names in code, each once.
#[derive(Default)]
struct Names {
    all: Vec<String>,
    seen: HashSet<String>,
}

impl Names {
    /// Those in backticks, and those that only code has.
    fn add_prose(&mut self, text: &str) {
        let mut is_marked = false;
        for part in text.split('`') {
            for word in part.split_whitespace() {
                let is_call = word.contains("()");
                if is_marked || is_call || looks_like_code(word) {
                    self.add(word);
                }
            }
            is_marked = !is_marked;
        }
    }

    /// Those that are called, and those that only code has.
    fn add_code(&mut self, text: &str) {
        static WORD: OnceLock<Regex> = OnceLock::new();
        let word = WORD.get_or_init(|| {
            Regex::new(r"(?:[A-Za-z_$][\w$]*(?:\.|::|->))*[A-Za-z_$][\w$]*\(?").expect("checked")
        });
        for found in word.find_iter(text) {
            let text = found.as_str();
            if text.ends_with('(') || looks_like_code(text) || text.starts_with(char::is_uppercase)
            {
                self.add(text);
            }
        }
    }

    fn add(&mut self, word: &str) {
        let is_edge = |c: char| !c.is_alphanumeric() && c != '_';
        let name = word.trim_matches(is_edge);
        let name = name.split('(').next().unwrap_or(name).trim_matches(is_edge);
        let has_letters = name.chars().filter(|c| c.is_alphabetic()).count() > 1;
        let is_plain = name
            .chars()
            .all(|c| c.is_alphanumeric() || "_.:#$->@".contains(c));
        let is_new = self.all.len() < MOST_NAMES && !self.seen.contains(name);
        if has_letters && is_plain && is_new && name.len() <= 100 {
            self.seen.insert(name.to_owned());
            self.all.push(name.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_reports() {
        let long = "word ".repeat(31);
        for (text, want) in [
            ("how are retries delayed", false),
            ("a\nb", false),
            ("a\n\nb\nc", true),
            ("\"a\nb\nc\"", false),
            (long.as_str(), true),
        ] {
            assert_eq!(is_report(text), want, "{text}");
        }
    }

    #[test]
    fn a_report_is_taken_apart() {
        let text = "[BUG] `Pool.take` hands out closed connections\n### Description\nWhen `max_idle` is 0, see \
                    [the guide](https://a.b/c), `take()` fails with \"the pool is closed\" in lib/pool.py.\n\
                    ```\n  File \"/x/lib/pool.py\", line 7, in take\n    raise PoolError(self)\n```\n\
                    ### Versions\npython 3.9\n";
        let report = read_report(text);
        assert_eq!(report.title, "`Pool.take` hands out closed connections");
        assert!(
            report
                .prose
                .starts_with("When `max_idle` is 0, see the guide,")
        );
        assert!(!report.prose.contains("3.9") && !report.prose.contains("a.b"));
        assert_eq!(report.code.trim(), "raise PoolError(self)");
        assert_eq!(report.frames.len(), 1);
        assert!(
            report
                .places
                .iter()
                .any(|place| place.path == "lib/pool.py")
        );
        assert_eq!(report.messages, ["the pool is closed"]);
        assert_eq!(report.names, ["Pool.take", "max_idle", "take", "PoolError"]);
    }

    #[test]
    fn titles_have_no_tags_and_no_headings_of_forms() {
        for (text, want) in [
            ("# It fails\nx", "It fails"),
            ("Bug: it fails\nx", "it fails"),
            ("## Bug report\nit fails\nx", "it fails"),
            ("[BUG]\nx", "[BUG]"),
        ] {
            assert_eq!(split_title(text).0, want, "{text}");
        }
    }
}
