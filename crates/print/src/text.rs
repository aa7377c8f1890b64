//! Text that a terminal shows and does not obey.
//!
//! Names and contents of files, settings and arguments may hold anything:
//! escape sequences, marks that reverse the direction of what follows, letters
//! that nobody sees. [`Text`] is the only thing that `cli` writes out, and the
//! only ways to make one replace these characters, so no caller can forget it.
//! For people they become `\u{1b}`, as Rust writes them, so that different
//! names stay different; in JSON they become `\u001b`, which loses nothing.

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::{Add, AddAssign};

/// Lines without anything that a terminal obeys or a reader does not see, but
/// for our own colours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(String);

/// How JSON is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// On one line, for programs.
    #[default]
    Compact,
    /// With an entry a line, for people.
    Indented,
}

/// What a piece of text is stressed with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Color {
    Bold,
    Path,
    Number,
    Match,
    Dim,
}

impl Color {
    fn style(self) -> Style {
        match self {
            Color::Bold => Style::new().bold(),
            Color::Path => AnsiColor::Magenta.on_default(),
            Color::Number => AnsiColor::Green.on_default(),
            Color::Match => AnsiColor::Red.on_default().bold(),
            Color::Dim => Style::new().dimmed(),
        }
    }
}

impl Text {
    /// One line, with its end. A line end in it is shown and does not end it,
    /// so a file name cannot look like a second result.
    pub fn line(text: &str) -> Text {
        Text::span(text).ended()
    }

    /// A part of a line.
    pub(crate) fn span(text: &str) -> Text {
        Text(escaped(text, |c| c == '\n', in_rust))
    }

    /// A part of a line in a colour, if there are any.
    pub(crate) fn painted(text: &str, color: Option<Color>) -> Text {
        let text = Text::span(text);
        let Some(color) = color else {
            return text;
        };
        let style = color.style();
        Text(format!("{style}{}{style:#}", text.0))
    }

    /// The same with a line end.
    pub(crate) fn ended(mut self) -> Text {
        self.0.push('\n');
        self
    }

    /// The same as a link to a file, which is given by its whole path. What is
    /// not plain in the path is encoded, so nothing of it ends the link.
    pub(crate) fn linked(self, path: &str) -> Text {
        let slash = if path.starts_with('/') { "" } else { "/" };
        let address = encoded(path);
        Text(format!(
            "\x1b]8;;file://{slash}{address}\x1b\\{}\x1b]8;;\x1b\\",
            self.0
        ))
    }

    /// A value as JSON, on one line.
    pub fn json(value: &(impl Serialize + ?Sized)) -> Text {
        Text::from_json(serde_json::to_string(value).expect("plain values can be written"))
    }

    /// A value as JSON in a layout.
    pub fn json_in(layout: Layout, value: &(impl Serialize + ?Sized)) -> Text {
        let written = match layout {
            Layout::Compact => return Text::json(value),
            Layout::Indented => serde_json::to_string_pretty(value),
        };
        Text::from_json(written.expect("plain values can be written"))
    }

    /// All that is not plain in JSON is in its strings, where an escape stands
    /// for the same character. Its own line ends are no part of a string.
    fn from_json(json: String) -> Text {
        let is_plain = json.bytes().all(|byte| is_plain(byte) || byte == b'\n');
        let text = match is_plain {
            true => json,
            false => escaped(&json, |_| false, in_json),
        };
        Text(text).ended()
    }

    /// What is to be written out.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same, for who keeps it.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Whether nothing is to be written out.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Several lines: line ends stay what they are.
impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(escaped(text, |_| false, in_rust))
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Text {
        Text::from(text.as_str())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::from(text.as_str())
    }
}

impl AddAssign for Text {
    fn add_assign(&mut self, other: Text) {
        self.0.push_str(&other.0);
    }
}

impl Add for Text {
    type Output = Text;

    fn add(mut self, other: Text) -> Text {
        self += other;
        self
    }
}

impl FromIterator<Text> for Text {
    fn from_iter<I: IntoIterator<Item = Text>>(pieces: I) -> Text {
        pieces.into_iter().fold(Text::default(), Add::add)
    }
}

fn in_rust(out: &mut String, c: char) {
    out.extend(c.escape_unicode());
}

fn in_json(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// What is always shown as it is.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'\t' | b' '..=b'~')
}

/// A text with what is not to be shown, and what else is unwanted, written in
/// another way.
fn escaped(text: &str, unwanted: fn(char) -> bool, write: fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = '\n';
    let mut rest = text;
    loop {
        // Nearly all of a text is plain.
        let length = rest.bytes().position(|byte| !is_plain(byte));
        let (plain, others) = rest.split_at(length.unwrap_or(rest.len()));
        out.push_str(plain);
        before = plain.chars().next_back().unwrap_or(before);
        let mut others = others.chars();
        let Some(c) = others.next() else {
            return out;
        };
        rest = others.as_str();
        let is_shown = !is_hidden(c) || joins(before, c, rest);
        if is_shown && !unwanted(c) {
            out.push(c);
        } else {
            write(&mut out, c);
        }
        before = c;
    }
}

/// A path as a part of an address: what is not a plain letter, digit or sign
/// becomes `%` and the number of each of its bytes.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for &byte in path.as_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' | b':' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// What terminals obey, and what changes the text around it or is not seen:
/// controls, and the characters that Unicode calls default ignorable, among
/// them the marks and overrides of direction, and the tags in which a text for
/// machines can hide; and its line separators and annotations.
fn is_hidden(c: char) -> bool {
    if c.is_control() {
        return c != '\n' && c != '\t';
    }
    const HIDDEN: [(char, char); 17] = [
        ('\u{ad}', '\u{ad}'),
        ('\u{34f}', '\u{34f}'),
        ('\u{61c}', '\u{61c}'),
        ('\u{115f}', '\u{1160}'),
        ('\u{17b4}', '\u{17b5}'),
        ('\u{180b}', '\u{180f}'),
        ('\u{200b}', '\u{200f}'),
        ('\u{2028}', '\u{202e}'),
        ('\u{2060}', '\u{206f}'),
        ('\u{3164}', '\u{3164}'),
        ('\u{fe00}', '\u{fe0f}'),
        ('\u{feff}', '\u{feff}'),
        ('\u{ffa0}', '\u{ffa0}'),
        ('\u{fff0}', '\u{fffb}'),
        ('\u{1bca0}', '\u{1bca3}'),
        ('\u{1d173}', '\u{1d17a}'),
        ('\u{e0000}', '\u{e0fff}'),
    ];
    HIDDEN
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&c))
}

/// Whether a character that is not seen belongs to its neighbours: joiners to
/// emoji and to scripts from Arabic on, which cannot be written without them,
/// and selectors to the sign before them. In Latin, Greek or Cyrillic letters
/// they only make two names look the same, and so do several in a row.
fn joins(before: char, c: char, after: &str) -> bool {
    let is_selector = |c: char| ('\u{fe00}'..='\u{fe0f}').contains(&c);
    match c {
        '\u{200c}' | '\u{200d}' => {
            before >= '\u{600}' && (is_selector(before) || !is_hidden(before))
        }
        // A digit in a box: 1, U+FE0F, U+20E3.
        '\u{fe0f}' if before.is_ascii() => after.starts_with('\u{20e3}'),
        _ => is_selector(c) && !before.is_ascii() && !is_hidden(before),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_written_out() {
        let cases = [
            ("plain\ttext", "plain\ttext"),
            ("a\x1b[31mb", "a\\u{1b}[31mb"),
            ("a\rb\x08\x7f\0", "a\\u{d}b\\u{8}\\u{7f}\\u{0}"),
            ("a\u{9b}b\u{85}", "a\\u{9b}b\\u{85}"),
            (
                "a\u{202e}b\u{2066}c\u{200f}\u{61c}",
                "a\\u{202e}b\\u{2066}c\\u{200f}\\u{61c}",
            ),
            (
                "a\u{200b}b\u{feff}\u{ad}\u{2028}",
                "a\\u{200b}b\\u{feff}\\u{ad}\\u{2028}",
            ),
            (
                "\u{e0041}\u{e01ef}\u{1d173}",
                "\\u{e0041}\\u{e01ef}\\u{1d173}",
            ),
            ("ad\u{200d}min é\u{200c}", "ad\\u{200d}min é\\u{200c}"),
            ("\u{200d}❤\u{fe0f}\u{fe0f}", "\\u{200d}❤\u{fe0f}\\u{fe0f}"),
            ("1\u{fe0f}", "1\\u{fe0f}"),
            ("two\nlines", "two\\u{a}lines"),
        ];
        for (text, want) in cases {
            assert_eq!(Text::line(text).as_str(), format!("{want}\n"), "{text:?}");
        }
        assert_eq!(Text::from("a\nb\x1b\n").as_str(), "a\nb\\u{1b}\n");
    }

    #[test]
    fn every_script_stays_as_it_is() {
        for text in [
            "é Straße ελληνικά кириллица 日本語 한국어",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 👍🏽 1\u{fe0f}\u{20e3}",
            "שלום",
        ] {
            assert_eq!(Text::from(text).as_str(), text);
        }
    }

    #[test]
    fn json_loses_nothing() {
        let all: String = ('\0'..'\u{3000}').chain('\u{fe00}'..'\u{10000}').collect();
        let all = all + "\u{1d173}\u{e0041}\u{10ffff}";
        let indented = Text::json_in(Layout::Indented, &[&all, &all]);
        for text in [Text::json(&all), indented] {
            let json = text.as_str();
            assert!(
                !json.contains(|c: char| c.is_control() && c != '\n'),
                "{json}"
            );
            assert!(
                !json.contains(['\u{202e}', '\u{2066}', '\u{200f}', '\u{e0041}']),
                "{json}"
            );
        }
        let back: String = serde_json::from_str(Text::json(&all).as_str()).unwrap();
        assert_eq!(back, all);
    }

    #[test]
    fn a_link_ends_where_we_end_it() {
        for (path, address) in [
            ("/a/b c.rs", "file:///a/b%20c.rs"),
            ("C:/a.rs", "file:///C:/a.rs"),
            ("/é%", "file:///%C3%A9%25"),
            ("/\x1b\\\x07\u{9c};?#", "file:///%1B%5C%07%C2%9C%3B%3F%23"),
        ] {
            let text = Text::span("a\x1b]8;;x\x07").linked(path);
            let want = format!("\x1b]8;;{address}\x1b\\a\\u{{1b}}]8;;x\\u{{7}}\x1b]8;;\x1b\\");
            assert_eq!(text.as_str(), want);
        }
    }

    #[test]
    fn only_our_own_colours_are_left() {
        let text = Text::painted("a\x1b[1m", Some(Color::Path));
        assert_eq!(text.as_str(), "\x1b[35ma\\u{1b}[1m\x1b[0m");
        assert_eq!(Text::painted("a", None).as_str(), "a");
    }
}
