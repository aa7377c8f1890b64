//! The units of one file, without an index.

use crate::crash;
use crate::members;
use crate::small_file::read_regular;
use scent_syntax::Language;
use scent_types::{
    FileOutline, FileUnits, Kind, Outline, Signature, Source, Symbol, Unit, UnitWords,
};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// Larger files are not read, in bytes.
const LARGEST: u64 = 64 << 20;

/// Cuts a file into units as an index would.
pub fn file_units(path: &Path) -> std::io::Result<FileUnits> {
    let bytes = read_regular(path, LARGEST)?;
    let path = path.to_string_lossy().into_owned();
    let Parsed {
        language,
        source,
        outline,
    } = parse(&path, bytes);
    let mut units = Vec::new();
    for unit in outline.units {
        let words = scent_embed::unit_text(&unit, source.slice(unit.cover));
        units.push(UnitWords { unit, words });
    }
    Ok(FileUnits {
        path,
        language: language.map_or("", |language| language.id),
        health: outline.health,
        source,
        units,
        symbols: outline.symbols,
    })
}

/// What a file defines, without the bodies.
pub fn file_outline(path: &Path) -> std::io::Result<FileOutline> {
    let bytes = read_regular(path, LARGEST)?;
    Ok(outline_of(&path.to_string_lossy(), bytes))
}

/// The same for a text that need not be on disk, as in an editor.
pub fn text_outline(path: &str, text: String) -> FileOutline {
    outline_of(path, text.into_bytes())
}

/// How a symbol is declared and documented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Its declaration on one line.
    pub signature: String,
    /// Its comments and docstrings, without their markers.
    pub doc: String,
    /// The id of the language.
    pub language: &'static str,
}

/// The symbol of a file whose name stands in a line.
pub(crate) fn described(path: &str, bytes: Vec<u8>, line: u32) -> Option<Described> {
    let Parsed {
        language, outline, ..
    } = parse(path, bytes);
    let of_line = |unit: &&Unit| is_definition(unit) && signature(unit, &outline).line == line;
    let unit = outline.units.iter().find(of_line)?;
    Some(Described {
        signature: unit.signature.clone(),
        doc: unit.doc.clone(),
        language: language.map_or("", |language| language.id),
    })
}

/// What the bytes of a file define, without the bodies.
pub(crate) fn outline_of(path: &str, bytes: Vec<u8>) -> FileOutline {
    let Parsed {
        language,
        source,
        outline,
    } = parse(path, bytes);
    let mut symbols = Vec::new();
    for unit in &outline.units {
        if is_definition(unit) {
            symbols.push(signature(unit, &outline));
        }
    }
    members::add(&mut symbols, &outline);
    FileOutline {
        path: path.to_owned(),
        language: language.map_or("", |language| language.id).to_owned(),
        doc: file_doc(&outline.units, source.text()),
        importance: None,
        parse_errors: outline.health.has_errors(),
        total: symbols.len(),
        symbols,
    }
}

struct Parsed {
    language: Option<&'static Language>,
    source: Source,
    outline: Outline,
}

fn parse(path: &str, bytes: Vec<u8>) -> Parsed {
    let hash = xxh3_128(&bytes);
    let source = Source::new(scent_syntax::text_of(path, bytes));
    let language = scent_syntax::detect(path, source.text().as_bytes());
    let outline = crash::outline(path, hash, language, source.text());
    Parsed {
        language,
        source,
        outline,
    }
}

fn is_definition(unit: &Unit) -> bool {
    !unit.name.is_empty() && unit.passage == 0
}

fn signature(unit: &Unit, outline: &Outline) -> Signature {
    let is_of =
        |symbol: &&Symbol| symbol.qualified == unit.qualified && unit.lines.contains(symbol.line);
    let symbol = outline.symbols.iter().find(is_of);
    Signature {
        kind: unit.kind,
        name: unit.name.clone(),
        qualified: unit.qualified.clone(),
        signature: unit.signature.clone(),
        visibility: symbol.and_then(|symbol| symbol.visibility),
        doc: first_line(&unit.doc),
        start_line: unit.lines.start,
        end_line: unit.extent_end,
        line: symbol.map_or(unit.lines.start, |symbol| symbol.line),
        members: Vec::new(),
        depth: depth(unit, &outline.units),
        importance: None,
    }
}

/// How many definitions enclose a unit.
fn depth(unit: &Unit, units: &[Unit]) -> u32 {
    let mut depth = 0;
    let mut inner = unit;
    while let Some(outer) = inner.parent.and_then(|at| units.get(at as usize)) {
        depth += u32::from(is_definition(outer));
        inner = outer;
    }
    depth
}

/// The documentation of a file: that at its beginning, where it belongs to
/// nothing that it defines.
fn file_doc(units: &[Unit], text: &str) -> String {
    let head = match units.first() {
        Some(unit) if unit.name.is_empty() && unit.kind != Kind::Text => unit,
        _ => return String::new(),
    };
    let doc = first_line(&as_written(without_interpreter(&head.doc, text), text));
    for line in text.lines() {
        if line.contains(&doc) {
            return doc;
        }
        if !is_comment(line, &head.doc) {
            break;
        }
    }
    String::new()
}

/// Documentation with the blank lines that part its comments: a notice does not
/// go on behind one.
fn as_written(doc: &str, text: &str) -> String {
    let mut written = String::new();
    let mut lines = text.lines();
    for said in doc.lines() {
        let above = lines.by_ref().take_while(|line| !line.contains(said));
        if above.filter(|line| line.trim().is_empty()).count() > 0 {
            written.push('\n');
        }
        written.push_str(said);
        written.push('\n');
    }
    written
}

/// The documentation behind a `#!` line, which stands among the comments.
fn without_interpreter<'d>(doc: &'d str, text: &str) -> &'d str {
    let interpreter = text.lines().next().filter(|line| line.starts_with("#!"));
    let (first, rest) = doc.split_once('\n').unwrap_or((doc, ""));
    match interpreter {
        Some(line) if line.contains(first.trim()) => rest,
        _ => doc,
    }
}

/// Whether a line says nothing to a compiler, where these are the comments
/// around it.
fn is_comment(line: &str, comments: &str) -> bool {
    let of_tools = line.starts_with("#!") || line.starts_with("<?");
    let mut comments = comments.lines().filter(|comment| !comment.is_empty());
    let has_words = line.contains(char::is_alphanumeric);
    of_tools || !has_words || comments.any(|comment| line.contains(comment))
}

/// The first line that says something of its own. A notice goes on to the end of
/// its paragraph.
fn first_line(doc: &str) -> String {
    let mut in_notice = false;
    for line in doc.lines() {
        let is_blank = line.trim().is_empty();
        in_notice = !is_blank && (in_notice || is_formal(line));
        if !in_notice && !is_blank {
            return line.to_owned();
        }
    }
    String::new()
}

/// Whether a line of documentation is there for tools or for lawyers.
fn is_formal(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    let marks = include_str!("../data/formal_lines.txt").lines();
    let mut marks = marks.filter(|mark| !mark.is_empty() && !mark.starts_with('#'));
    marks.any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_no_documentation() {
        for (doc, want) in [
            ("Waits.\nAnd waits.", "Waits."),
            ("", ""),
            (
                "Copyright 2026 You\nAll rights reserved.\n\nWaits.",
                "Waits.",
            ),
            (
                "$Id: a.c$\n\nCopyright (c) You\n\nPermission to use it\nfor any purpose",
                "",
            ),
            ("eslint-disable", ""),
        ] {
            assert_eq!(first_line(doc), want, "{doc}");
        }
    }

    #[test]
    fn the_documentation_of_a_file_is_that_at_its_beginning() {
        for (path, text, want) in [
            ("a.rs", "//! Waits.\n\nuse a::b;\n\nfn c() {}\n", "Waits."),
            ("a.rs", "/// Waits.\nfn c() {}\n", ""),
            ("a.sh", "#!/bin/sh\n# Waits.\nset -e\n", "Waits."),
            (
                "a.py",
                "#!/usr/bin/env python\n\"\"\"Waits.\"\"\"\nimport a\n",
                "Waits.",
            ),
            ("a.py", "import a\n# Only for types.\nimport b\n", ""),
            ("a.c", "/* Copyright 2026 You */\n\nint a;\n", ""),
            (
                "a.c",
                "/*\n * Copyright 2026 You\n */\n\n/* Waits. */\n\n#include <a.h>\n",
                "Waits.",
            ),
        ] {
            let outline = outline_of(path, text.as_bytes().to_vec());
            assert_eq!(outline.doc, want, "{text}");
        }
    }
}
