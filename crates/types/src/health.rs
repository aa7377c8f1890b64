//! Answers about the health of code: what nothing uses, and files that import
//! each other in a circle.

use crate::{Defined, Dependency};

/// A definition that nothing uses.
#[derive(Clone, Debug, PartialEq)]
pub struct UnusedDefinition {
    /// The definition.
    pub definition: Defined,
    /// How sure it is that nothing uses it, from 0 to 1.
    pub confidence: f32,
    /// What is known of it.
    pub reason: &'static str,
}

/// Definitions that nothing uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unused {
    /// The definitions, the surest first.
    pub definitions: Vec<UnusedDefinition>,
    /// How many there are, shown or not.
    pub total: usize,
}

/// Files that import each other in a circle.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// The imports, each of the file that the next one is in; the last one is of
    /// the first file.
    pub imports: Vec<Dependency>,
}

/// Cycles of imports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cycles {
    /// The cycles, the shortest first.
    pub cycles: Vec<Cycle>,
    /// How many there are, shown or not.
    pub total: usize,
}
