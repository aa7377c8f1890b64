//! `unused` and `cycles`.

use super::{Definition, Dependency, Note};
use serde::Serialize;
use utoipa::ToSchema;

/// The answer of `scent unused`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Unused {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// The definitions that nothing uses, the surest first.
    pub unused: Vec<UnusedDefinition>,
    /// How many there are.
    pub total: usize,
    /// How many of them are in `unused`.
    pub shown: usize,
    /// The command that shows all, where some are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rest: Option<String>,
    /// What the reader should know, such as an index that was rebuilt. Absent
    /// when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<Note>,
}

/// A definition that nothing uses.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnusedDefinition {
    /// The definition.
    pub definition: Definition,
    /// How sure it is that nothing uses it, from 0 to 1.
    pub confidence: f32,
    /// What is known of it: who may use it, or what speaks against its being
    /// unused.
    pub reason: &'static str,
}

/// The answer of `scent cycles`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cycles {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// The cycles, the shortest first.
    pub cycles: Vec<Cycle>,
    /// How many there are.
    pub total: usize,
    /// How many of them are in `cycles`.
    pub shown: usize,
    /// The command that shows all, where some are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rest: Option<String>,
    /// What the reader should know, such as an index that was rebuilt. Absent
    /// when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<Note>,
}

/// Files that import each other in a circle.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cycle {
    /// How many files there are.
    pub length: usize,
    /// The imports, each of the file that the next one is in; the last one is of
    /// the first file.
    pub imports: Vec<Dependency>,
}

impl From<&scent_types::UnusedDefinition> for UnusedDefinition {
    fn from(unused: &scent_types::UnusedDefinition) -> UnusedDefinition {
        UnusedDefinition {
            definition: Definition::from(&unused.definition),
            confidence: unused.confidence,
            reason: unused.reason,
        }
    }
}

impl From<&scent_types::Cycle> for Cycle {
    fn from(cycle: &scent_types::Cycle) -> Cycle {
        Cycle {
            length: cycle.imports.len(),
            imports: cycle.imports.iter().map(Dependency::from).collect(),
        }
    }
}
