//! What a parser makes of a file.

use crate::{Health, Import, Reference, Symbol, Unit};

/// All that a parser makes of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The units in order of their lines.
    pub units: Vec<Unit>,
    /// What it defines, by name, in order of the lines.
    pub symbols: Vec<Symbol>,
    /// The names it uses, in order of their lines.
    pub references: Vec<Reference>,
    /// What it takes from other files, in order of the lines.
    pub imports: Vec<Import>,
    /// How well the file was understood.
    pub health: Health,
}
