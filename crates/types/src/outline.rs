//! What a parser makes of a file.

use crate::{Health, Import, Reference, Symbol, TypeHint, Unit};

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
    /// What it says of the types of its names, in order of the lines.
    pub hints: Vec<TypeHint>,
    /// How well the file was understood.
    pub health: Health,
}
