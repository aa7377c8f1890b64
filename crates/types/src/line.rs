//! A line of a file as it is given to a reader.

use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// A line of a file, cut where it is too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, counted from 1.
    pub number: u32,
    /// Its text, without the line end.
    pub text: String,
    /// Whether the text goes on.
    pub is_cut: bool,
    /// What matches in the text, as ranges of bytes: in order, none empty, none
    /// within another.
    pub matches: Vec<Range<u32>>,
}

impl Line {
    /// A line of at most so many columns, without matches.
    pub fn new(number: u32, text: &str, max_columns: usize) -> Line {
        let start = cut(text, max_columns);
        Line {
            number,
            text: start.to_owned(),
            is_cut: start.len() < text.len(),
            matches: Vec::new(),
        }
    }
}

/// The start of a line that takes at most so many columns of a terminal.
pub fn cut(line: &str, max_columns: usize) -> &str {
    // No character takes more columns than it has bytes.
    if line.len() <= max_columns {
        return line;
    }
    let mut columns = 0;
    for (at, c) in line.char_indices() {
        columns += c.width().unwrap_or(1);
        if columns > max_columns {
            return &line[..at];
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_between_characters() {
        for (line, max_columns, want) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "abc"),
            ("éééé", 3, "ééé"),
            ("日本語", 4, "日本"),
            ("日本語", 5, "日本"),
            ("a\tb\tc", 3, "a\tb"),
        ] {
            assert_eq!(cut(line, max_columns), want, "{line}");
            assert_eq!(Line::new(1, line, max_columns).is_cut, line != want);
        }
    }
}
