//! A file cut into units, without an index.

use crate::{Health, Source, Symbol, Unit};

/// A file cut into units.
#[derive(Debug)]
pub struct FileUnits {
    /// The file as it was named.
    pub path: String,
    /// The language's id; empty for plain text.
    pub language: &'static str,
    /// How well it was parsed.
    pub health: Health,
    /// The text.
    pub source: Source,
    /// Its units, in order of their lines.
    pub units: Vec<UnitWords>,
    /// What it defines, in order of the lines.
    pub symbols: Vec<Symbol>,
}

/// A unit, and what a model is given of it.
#[derive(Debug)]
pub struct UnitWords {
    /// The unit.
    pub unit: Unit,
    /// The words that a model is given, beside those of the path.
    pub words: String,
}
