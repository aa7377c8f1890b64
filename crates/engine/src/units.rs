//! The units of one file, without an index.

use crate::crash;
use crate::small_file::read_regular;
use scent_types::{FileOutline, FileUnits, Signature, Source, Symbol, Unit, UnitWords};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// Larger files are not read, in bytes.
const LARGEST: u64 = 64 << 20;

/// Cuts a file into units as an index would.
pub fn file_units(path: &Path) -> std::io::Result<FileUnits> {
    let bytes = read_regular(path, LARGEST)?;
    let name = path.to_string_lossy();
    let hash = xxh3_128(&bytes);
    let source = Source::new(scent_syntax::text_of(&name, bytes));
    let language = scent_syntax::detect(&name, source.text().as_bytes());
    let outline = crash::outline(&name, hash, language, source.text());
    let mut units = Vec::new();
    for unit in outline.units {
        let words = scent_embed::unit_text(&unit, source.slice(unit.cover));
        units.push(UnitWords { unit, words });
    }
    Ok(FileUnits {
        path: name.into_owned(),
        language: language.map_or("", |language| language.id),
        health: outline.health,
        source,
        units,
        symbols: outline.symbols,
    })
}

/// What a file defines, without the bodies.
pub fn file_outline(path: &Path) -> std::io::Result<FileOutline> {
    let file = file_units(path)?;
    let mut symbols = Vec::new();
    for UnitWords { unit, .. } in file.units {
        if !unit.name.is_empty() && unit.passage == 0 {
            symbols.push(signature(unit, &file.symbols));
        }
    }
    Ok(FileOutline {
        path: file.path,
        language: file.language.to_owned(),
        parse_errors: file.health.has_errors(),
        total: symbols.len(),
        symbols,
    })
}

fn signature(unit: Unit, symbols: &[Symbol]) -> Signature {
    let symbol = symbols
        .iter()
        .find(|symbol| symbol.qualified == unit.qualified && unit.lines.contains(symbol.line));
    Signature {
        kind: unit.kind,
        name: unit.name,
        qualified: unit.qualified,
        signature: unit.signature,
        visibility: symbol.and_then(|symbol| symbol.visibility),
        doc: unit.doc.lines().next().unwrap_or_default().to_owned(),
        start_line: unit.lines.start,
        end_line: unit.extent_end,
    }
}
