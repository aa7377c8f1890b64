//! Places as editors count them, and names in a text.

use lsp_types::{Location, Position, Range, SymbolKind, Uri};
use scent_types::{Kind, Lines};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The name at a position, if one is there.
pub(super) fn name_at(text: &str, position: Position) -> Option<&str> {
    let line = text.split('\n').nth(position.line as usize)?;
    let at = byte_of(line, position.character);
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let before = line[..at].char_indices().rev();
    let start = before.take_while(|(_, c)| is_part(*c)).last();
    let start = start.map_or(at, |(at, _)| at);
    let after = line[at..].char_indices().find(|(_, c)| !is_part(*c));
    let end = after.map_or(line.len(), |(length, _)| at + length);
    let name = &line[start..end];
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

/// The byte of a column, which editors count in units of UTF-16.
fn byte_of(line: &str, column: u32) -> usize {
    let mut units = 0;
    for (at, c) in line.char_indices() {
        if units >= column {
            return at;
        }
        units += c.len_utf16() as u32;
    }
    line.trim_end_matches('\r').len()
}

fn columns(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// Where a name stands in a line, which counts from 1; the beginning of what is
/// written there where it does not.
pub(super) fn range_of_name(text: &str, line: u32, name: &str) -> Range {
    let nth = line.saturating_sub(1);
    let row = text.split('\n').nth(nth as usize).unwrap_or_default();
    let indent = row.len() - row.trim_start().len();
    let at = (!name.is_empty()).then(|| word_in(row, name)).flatten();
    let (start, length) = at.map_or((indent, 0), |at| (at, name.len()));
    let from = columns(&row[..start]);
    let to = from + columns(&row[start..start + length]);
    Range::new(Position::new(nth, from), Position::new(nth, to))
}

/// Where a line holds a name, and not only as a part of another.
fn word_in(line: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = line.match_indices(name).map(|(at, _)| at);
    found.find(|at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Whole lines.
pub(super) fn range_of_lines(text: &str, lines: Lines) -> Range {
    let last = lines.end.saturating_sub(1);
    let row = text.split('\n').nth(last as usize).unwrap_or_default();
    let start = Position::new(lines.start.saturating_sub(1), 0);
    Range::new(
        start,
        Position::new(last, columns(row.trim_end_matches('\r'))),
    )
}

/// The address of a file.
pub(super) fn address(path: &Path) -> Option<Uri> {
    let text = scent_engine::display_path(path);
    let mut address = String::from("file://");
    if !text.starts_with('/') {
        address.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => address.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => address.push(char::from(byte)),
            byte => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    Uri::from_str(&address).ok()
}

/// The path of an address.
pub(super) fn path_of(address: &Uri) -> PathBuf {
    crate::projects::as_path(address.as_str())
}

/// A place in a file.
pub(super) fn location(path: &Path, range: Range) -> Option<Location> {
    Some(Location::new(address(path)?, range))
}

/// What editors call a kind.
pub(super) fn symbol_kind(kind: Kind) -> SymbolKind {
    let named = KINDS.iter().find(|(name, _)| *name == kind.as_str());
    named.map_or(SymbolKind::VARIABLE, |(_, kind)| *kind)
}

/// Kinds by their names, as editors have them.
const KINDS: [(&str, SymbolKind); 20] = [
    ("function", SymbolKind::FUNCTION),
    ("method", SymbolKind::METHOD),
    ("class", SymbolKind::CLASS),
    ("struct", SymbolKind::STRUCT),
    ("enum", SymbolKind::ENUM),
    ("variant", SymbolKind::ENUM_MEMBER),
    ("trait", SymbolKind::INTERFACE),
    ("interface", SymbolKind::INTERFACE),
    ("impl", SymbolKind::CLASS),
    ("type", SymbolKind::CLASS),
    ("constant", SymbolKind::CONSTANT),
    ("field", SymbolKind::FIELD),
    ("property", SymbolKind::PROPERTY),
    ("macro", SymbolKind::FUNCTION),
    ("module", SymbolKind::MODULE),
    ("section", SymbolKind::STRING),
    ("config", SymbolKind::OBJECT),
    ("rule", SymbolKind::OBJECT),
    ("table", SymbolKind::STRUCT),
    ("text", SymbolKind::STRING),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_under_the_cursor() {
        let text = "fn größe(𝒳: T) {\r\n    größe(1);\n}";
        for (line, column, want) in [
            (0, 0, Some("fn")),
            (0, 2, Some("fn")),
            (0, 3, Some("größe")),
            (0, 6, Some("größe")),
            (0, 8, Some("größe")),
            (0, 13, Some("T")),
            (0, 99, None),
            (1, 4, Some("größe")),
            (1, 10, None),
            (1, 0, None),
            (9, 0, None),
        ] {
            let found = name_at(text, Position::new(line, column));
            assert_eq!(found, want, "{line}:{column}");
        }
    }

    #[test]
    fn columns_are_those_of_editors() {
        let text = "x\n  𝒳(ab, b);\n";
        let range = range_of_name(text, 2, "b");
        assert_eq!((range.start.character, range.end.character), (9, 10));
        let range = range_of_name(text, 2, "nope");
        assert_eq!((range.start.character, range.end.character), (2, 2));
        let range = range_of_lines(text, Lines::new(1, 2));
        assert_eq!(
            (range.start.line, range.end.line, range.end.character),
            (0, 1, 12)
        );
    }

    #[test]
    fn an_address_leads_back_to_its_path() {
        for path in ["/a/b c/größe.rs", "/a/%41#?.rs"] {
            let address = address(Path::new(path)).unwrap();
            assert_eq!(path_of(&address), Path::new(path), "{}", address.as_str());
        }
    }
}
