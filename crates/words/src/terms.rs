//! How text becomes index terms, the same for units and for queries.
//!
//! An identifier gives its parts and itself without separators:
//! `parseRequest`, `parse_request` and `parse-request` all give
//! `parserequest parse request`. A part with digits also gives its letters and
//! its digits: `sha256` gives `sha256 sha 256`.

use std::collections::HashSet;

/// Longer terms are blobs, not words.
const LONGEST: usize = 64;

/// So many terms are few.
const FEW: usize = 16;

/// Calls `emit` with every term of a text, in order.
pub fn each(text: &str, emit: impl FnMut(&str)) {
    Splitter::default().each(text, emit);
}

/// Where the next word begins.
fn next_word(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'_' => return Some(at),
            byte if byte.is_ascii_alphanumeric() => return Some(at),
            byte if byte.is_ascii() => at += 1,
            _ => match text[at..].chars().next() {
                Some(c) if c.is_alphanumeric() => return Some(at),
                Some(c) => at += c.len_utf8(),
                None => return None,
            },
        }
    }
    None
}

/// Where a word ends: letters, digits and `_`, and `-` between letters.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'_' => at += 1,
            byte if byte.is_ascii_alphanumeric() => at += 1,
            b'-' if joins(text, start, at) => at += 1,
            byte if byte.is_ascii() => break,
            _ => match text[at..].chars().next() {
                Some(c) if c.is_alphanumeric() => at += c.len_utf8(),
                _ => break,
            },
        }
    }
    at
}

fn joins(text: &str, start: usize, at: usize) -> bool {
    let before = text[start..at].chars().next_back();
    let after = text[at + 1..].chars().next();
    before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphabetic)
}

/// The terms of a text, each once, in order of their first place.
pub fn unique(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut terms: Vec<String> = Vec::new();
    each(text, |term| {
        // Names have few terms, so a look through them is quicker than a set.
        let is_new = match terms.len() {
            0..=FEW => terms.iter().all(|known| known != term),
            _ => {
                if seen.is_empty() {
                    seen.extend(terms.iter().cloned());
                }
                seen.insert(term.to_owned())
            }
        };
        if is_new {
            terms.push(term.to_owned());
        }
    });
    terms
}

/// Splits texts, one after the other, and keeps its buffers between them.
#[derive(Debug, Default)]
pub struct Splitter {
    /// The parts in lower case, one after the other.
    lower: String,
    /// Where each part ends in `lower`.
    ends: Vec<usize>,
}

impl Splitter {
    /// Calls `emit` with every term of a text, in order.
    pub fn each(&mut self, text: &str, mut emit: impl FnMut(&str)) {
        let mut at = 0;
        while let Some(start) = next_word(text, at) {
            let end = word_end(text, start);
            self.split(&text[start..end], &mut emit);
            at = end;
        }
    }

    fn split(&mut self, word: &str, emit: &mut impl FnMut(&str)) {
        // Most words are one part already in the form that is wanted.
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return emit_plain(word, emit);
        }
        self.lower.clear();
        self.ends.clear();
        self.cut(word);
        self.end_part();
        let many = self.ends.len() > 1;
        if many && self.lower.len() <= LONGEST {
            emit(&self.lower);
        }
        let mut from = 0;
        for &end in &self.ends {
            emit_part(&self.lower[from..end], emit);
            from = end;
        }
    }

    /// Fills `lower` and `ends` with the parts of a word.
    fn cut(&mut self, word: &str) {
        let mut chars = word.chars().peekable();
        let mut before = '_';
        while let Some(c) = chars.next() {
            if c == '_' || c == '-' {
                self.end_part();
            } else {
                if c.is_uppercase() && self.begins_part(before, &mut chars.clone()) {
                    self.end_part();
                }
                self.push_lower(c);
            }
            before = c;
        }
    }

    /// Whether a capital begins a part: after a small letter or a digit, or as
    /// the last capital of a run before a small letter. `URLs` stays whole.
    fn begins_part(&self, before: char, after: &mut impl Iterator<Item = char>) -> bool {
        if !before.is_uppercase() {
            return true;
        }
        match (after.next(), after.next()) {
            (Some('s'), None | Some('_')) => false,
            (Some(next), _) => next.is_lowercase(),
            (None, _) => false,
        }
    }

    fn push_lower(&mut self, c: char) {
        if c.is_ascii() {
            self.lower.push(c.to_ascii_lowercase());
        } else {
            self.lower.extend(c.to_lowercase());
        }
    }

    fn end_part(&mut self) {
        if self.lower.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.lower.len());
        }
    }
}

/// A part of letters alone.
fn emit_plain(part: &str, emit: &mut impl FnMut(&str)) {
    if (2..=LONGEST).contains(&part.len()) {
        emit(part);
    }
}

fn emit_part(part: &str, emit: &mut impl FnMut(&str)) {
    let is_plain = part.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_plain || part.len() == 1 || part.len() > LONGEST {
        return emit_plain(part, emit);
    }
    if part.chars().any(has_no_spaces) {
        return emit_pairs(part, emit);
    }
    emit(part);
    if part.contains(is_digit) && !part.chars().all(is_digit) {
        emit_longer(part.split(is_digit), emit);
        emit_longer(part.split(|c| !is_digit(c)), emit);
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Those of more than one letter or digit.
fn emit_longer<'t>(runs: impl Iterator<Item = &'t str>, emit: &mut impl FnMut(&str)) {
    for run in runs {
        if run.len() > 1 {
            emit(run);
        }
    }
}

/// Scripts written without blanks: neighbouring characters stand for words.
fn emit_pairs(part: &str, emit: &mut impl FnMut(&str)) {
    let mut starts: Vec<usize> = part.char_indices().map(|(at, _)| at).collect();
    starts.push(part.len());
    if starts.len() <= 2 {
        return emit(part);
    }
    for window in starts.windows(3) {
        emit(&part[window[0]..window[2]]);
    }
}

fn has_no_spaces(c: char) -> bool {
    matches!(
        c,
        '\u{3040}'..='\u{30FF}'
            | '\u{3400}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7AF}'
            | '\u{F900}'..='\u{FAFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_people_read_them() {
        let cases = [
            ("parseRequest", "parserequest parse request"),
            ("ParseRequest", "parserequest parse request"),
            ("parse_request", "parserequest parse request"),
            ("parse-request", "parserequest parse request"),
            ("getHTTPResponse", "gethttpresponse get http response"),
            ("my_camelCase", "mycamelcase my camel case"),
            ("utf8Decode", "utf8decode utf8 utf decode"),
            ("sha256", "sha256 sha 256"),
            ("URLs", "urls"),
            ("user_IDs", "userids user ids"),
            ("__init__", "init"),
            ("a - b", ""),
            ("x = 10;", "10"),
            ("größeÄndern", "größeändern größe ändern"),
            ("读取文件", "读取 取文 文件"),
            (
                ".github/workflows/release.yaml",
                "github workflows release yaml",
            ),
            ("SCREAMING_CASE", "screamingcase screaming case"),
            ("std::Vec<u8>", "std vec u8"),
            ("", ""),
        ];
        for (text, want) in cases {
            let mut found = Vec::new();
            each(text, |term| found.push(term.to_owned()));
            assert_eq!(found.join(" "), want, "{text}");
        }
    }

    #[test]
    fn blobs_are_not_words() {
        let blob = "a".repeat(100);
        each(&blob, |term| panic!("{term}"));
    }
}
