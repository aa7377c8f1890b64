//! What a text says of the types of its names.

use serde::{Deserialize, Serialize};

/// What a text says of the type of a name, where it says so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeHint {
    /// The line of the name, 1-based.
    pub line: u32,
    /// What has the name.
    pub of: Typed,
    /// How its type is told.
    pub by: ToldBy,
    /// The name; empty for what a function returns without declaring it.
    pub name: String,
    /// A type as it is declared, or a value as a chain of names and calls:
    /// `self.pool.take()`, `new Pool()`, `items[]`, `"` for a literal.
    pub text: String,
}

/// What has a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Typed {
    /// A variable or a parameter.
    Variable,
    /// A field of what encloses it.
    Field,
    /// What a function returns.
    Return,
    /// A type, which has what another one has: what it inherits from, what it
    /// implements, what it is another name of.
    Super,
}

/// How a type is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ToldBy {
    /// It is declared.
    Type,
    /// By a value of it.
    Value,
    /// By a value that is made of values of it.
    Element,
}
