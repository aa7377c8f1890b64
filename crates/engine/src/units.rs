//! The units of one file, without an index.

use crate::crash;
use crate::small_file::read_regular;
use scent_types::{FileOutline, Health, Signature, Source, Symbol, Unit, Visibility};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// Larger files are not read, in bytes.
const LARGEST: u64 = 64 << 20;

/// A file cut into units.
#[derive(Debug)]
pub struct FileUnits {
    /// The language's id; empty for plain text.
    pub language: &'static str,
    /// How well it was parsed.
    pub health: Health,
    /// The text.
    pub source: Source,
    /// Its units, in order of their lines.
    pub units: Vec<ReadUnit>,
    /// What it defines, in order of the lines.
    pub symbols: Vec<Symbol>,
}

/// A unit and what a model reads of it.
#[derive(Debug)]
pub struct ReadUnit {
    /// The unit.
    pub unit: Unit,
    /// The words that a model is given, beside those of the path.
    pub words: String,
}

/// Cuts a file into units as an index would.
pub fn file_units(path: &Path) -> std::io::Result<FileUnits> {
    let bytes = read_regular(path, LARGEST)?;
    let source = Source::new(scent_syntax::decode(&bytes).into_owned());
    let language = scent_syntax::detect(&path.to_string_lossy(), source.text().as_bytes());
    let hash = xxh3_128(&bytes);
    let outline = crash::outline(&path.to_string_lossy(), hash, language, source.text());
    let read = |unit: Unit| {
        let words = scent_embed::unit_text(&unit, source.slice(unit.cover));
        ReadUnit { unit, words }
    };
    let units = outline.units.into_iter().map(read).collect();
    let language = language.map_or("", |l| l.id);
    Ok(FileUnits {
        language,
        health: outline.health,
        source,
        units,
        symbols: outline.symbols,
    })
}

/// What a file defines, without the bodies.
pub fn file_outline(path: &Path) -> std::io::Result<FileOutline> {
    let FileUnits {
        language,
        health,
        units,
        symbols,
        ..
    } = file_units(path)?;
    let units = units.into_iter().map(|read| read.unit);
    let defining = units.filter(|unit| !unit.name.is_empty() && unit.passage == 0);
    let symbol_of = |unit: &Unit| {
        symbols
            .iter()
            .find(|s| s.qualified == unit.qualified && unit.lines.contains(s.line))
    };
    let visible = |unit: &Unit| symbol_of(unit).and_then(|symbol| symbol.visibility);
    let symbols: Vec<Signature> = defining.map(|u| signature(visible(&u), u)).collect();
    Ok(FileOutline {
        path: path.display().to_string(),
        language: language.to_owned(),
        parse_errors: health.has_errors(),
        total: symbols.len(),
        symbols,
    })
}

fn signature(visibility: Option<Visibility>, unit: Unit) -> Signature {
    Signature {
        kind: unit.kind,
        name: unit.name,
        qualified: unit.qualified,
        signature: unit.signature,
        visibility,
        doc: unit.doc.lines().next().unwrap_or_default().to_owned(),
        start_line: unit.lines.start,
        end_line: unit.extent_end,
    }
}
