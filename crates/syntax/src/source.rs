//! Bytes as text.

use crate::notebook;
use std::borrow::Cow;

/// The text of a file. A byte order mark is dropped, UTF-16 with a mark is
/// converted, and what is not UTF-8 is replaced, so that every line of the
/// file is a line of the text.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes).into(),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes).into(),
        _ => utf8(bytes),
    }
}

/// What there is to read in a file, line for line: of a notebook, its cells.
pub fn text_of(path: &str, bytes: Vec<u8>) -> String {
    let text = decode_owned(bytes);
    let cells = if is_notebook(path) {
        notebook::text(&text)
    } else {
        None
    };
    cells.unwrap_or(text)
}

/// Whether a file is a notebook, most of which may be outputs that nobody reads.
pub fn is_notebook(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".ipynb")
}

/// The text without a copy, where the bytes are text as they are.
fn decode_owned(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) if !text.starts_with('\u{feff}') => text,
        Ok(marked) => decode(marked.as_bytes()).into_owned(),
        Err(other) => decode(other.as_bytes()).into_owned(),
    }
}

/// Valid text is by far the rule, and telling that it is valid is several
/// times faster than looking for what to replace.
fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    let chars = char::decode_utf16(units);
    chars
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_dropped_and_line_counts_kept() {
        let cases: [(&[u8], &str); 5] = [
            (b"\xEF\xBB\xBFa\r\nb", "a\r\nb"),
            (b"\xFF\xFEa\0\n\0b\0", "a\nb"),
            (b"\xFE\xFF\0a\0\n\0b", "a\nb"),
            (b"caf\xE9\nb", "caf\u{FFFD}\nb"),
            (b"", ""),
        ];
        for (bytes, want) in cases {
            assert_eq!(decode(bytes), want);
        }
    }
}
