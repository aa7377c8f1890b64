//! Definitions that a language has beyond its grammar, found by how their
//! lines begin and are indented.
//!
//! Teal is Lua with types: the grammar of Lua reads its functions, and records,
//! enumerations and type names are blocks. The parser is given a text in which
//! blocks are blank, so that they do not break what stands around them.

use crate::language::Language;
use crate::lines::LineTable;
use regex::Regex;
use scent_types::Kind;
use std::borrow::Cow;
use std::ops::Range;

/// A block of a text.
#[derive(Debug)]
pub(crate) struct Found<'t> {
    pub kind: Option<Kind>,
    pub name: &'t str,
    /// Its first line.
    pub head: &'t str,
    pub rows: Range<usize>,
    pub bytes: Range<usize>,
}

/// The blocks of a text, those inside others included.
pub(crate) fn find<'t>(language: &Language, text: &'t str, lines: &LineTable) -> Vec<Found<'t>> {
    let mut found = Vec::new();
    if language.blocks.is_empty() {
        return found;
    }
    for row in 0..lines.count() {
        let head = lines.text(text, row).trim();
        for block in language.blocks {
            if let Some(name) = name_of(head, block.starts) {
                let rows = row..end_of(text, lines, row, block.end);
                found.push(Found {
                    kind: block.kind.parse().ok(),
                    name,
                    head,
                    bytes: lines.indent(text, row)..lines.start(rows.end),
                    rows,
                });
            }
        }
    }
    found
}

/// The text for the parser, each byte where it was: blank where blocks are, and
/// where the first group of one of these expressions matches.
pub(crate) fn hide<'t>(
    text: &'t str,
    blocks: &[Found],
    lines: &LineTable,
    hidden: &[Regex],
) -> Cow<'t, str> {
    if blocks.is_empty() && hidden.is_empty() {
        return text.into();
    }
    let mut bytes = text.as_bytes().to_vec();
    for block in blocks {
        blank(&mut bytes[lines.start(block.rows.start)..lines.start(block.rows.end)]);
    }
    for expression in hidden {
        for captures in expression.captures_iter(text) {
            if let Some(group) = captures.get(1) {
                blank(&mut bytes[group.range()]);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

fn name_of<'l>(line: &'l str, starts: &[&str]) -> Option<&'l str> {
    let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
    let name = rest.strip_prefix(' ')?.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}

/// The row after a block: lines that are indented further belong to it, and so
/// does the line that ends it.
fn end_of(text: &str, lines: &LineTable, first: usize, end: &str) -> usize {
    let indent = |row: usize| lines.indent(text, row) - lines.start(row);
    let mut last = first;
    for row in first + 1..lines.count() {
        let line = lines.text(text, row).trim();
        if line.is_empty() {
            continue;
        }
        if indent(row) <= indent(first) {
            let ends = line == end && indent(row) == indent(first);
            return if ends { row + 1 } else { last + 1 };
        }
        last = row;
    }
    last + 1
}
