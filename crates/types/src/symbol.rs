//! Names: where they are defined, where they are used, and where they come
//! from.

use crate::{Kind, Lines};
use serde::{Deserialize, Serialize};

/// Something that is defined under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its own name.
    pub name: String,
    /// The name with everything that encloses it: `Server.Conn.close`.
    pub qualified: String,
    /// What it is.
    pub kind: Kind,
    /// The line of the name.
    pub line: u32,
    /// The whole definition, members included, without the comments above it.
    pub lines: Lines,
    /// Who may use it, where that is known.
    pub visibility: Option<Visibility>,
    /// How many arguments it takes, where its language fixes that.
    pub arity: Option<Arity>,
}

/// How many arguments a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Arity {
    /// As many as it needs.
    pub least: u8,
    /// As many as it takes; 255 stands for any number.
    pub most: u8,
}

impl Arity {
    /// Whether so many arguments may be passed.
    pub fn takes(self, count: u8) -> bool {
        (self.least..=self.most).contains(&count)
    }
}

/// Who may use a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Everybody.
    Public,
    /// What inherits from what it is in.
    Protected,
    /// The same package, module or crate.
    Internal,
    /// The same file or type.
    Private,
}

impl Visibility {
    /// The word users read.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Protected => "protected",
            Visibility::Internal => "internal",
            Visibility::Private => "private",
        }
    }
}

/// How a name is used where it is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Role {
    Call,
    Type,
    Inherit,
    Import,
    /// It is assigned to, or counted up or down.
    Write,
    /// Anything else, in a language whose query tells what is written.
    Read,
    /// Anything else, in the others.
    Use,
    /// A declaration gives the name to something: a variable, an alias.
    Bind,
    /// The name is that of a parameter, of what a loop goes through, or of a
    /// variable that begins with an assignment.
    Param,
}

impl Role {
    /// Every role, in the order of the enumeration.
    pub const ALL: [Role; 9] = [
        Role::Call,
        Role::Type,
        Role::Inherit,
        Role::Import,
        Role::Write,
        Role::Read,
        Role::Use,
        Role::Bind,
        Role::Param,
    ];

    /// The word users read and write.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Call => "call",
            Role::Type => "type",
            Role::Inherit => "inherit",
            Role::Import => "import",
            Role::Write => "write",
            Role::Read => "read",
            Role::Use => "use",
            Role::Bind => "bind",
            Role::Param => "param",
        }
    }

    /// Whether it gives the name to something, instead of using it.
    pub fn gives(self) -> bool {
        matches!(self, Role::Bind | Role::Param)
    }
}

/// A name used at a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The line, 1-based.
    pub line: u32,
    /// How the name is used.
    pub role: Role,
    /// The name as it is written.
    pub name: String,
    /// What stands before it, without the separator: `self.pool` of
    /// `self.pool.take()`; `?` where that is more than names.
    pub qualifier: String,
    /// How many arguments a call passes, where that is known.
    pub arguments: Option<u8>,
}

/// What imports call a folder or a file of a project, as a manifest says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// What an import begins with; one `*` stands for the rest of it.
    pub name: String,
    /// Where that is, from the folder of the manifest.
    pub path: String,
}

/// Something taken from another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Import {
    /// The line of what is taken, 1-based.
    pub line: u32,
    /// The first line of the statement, 1-based.
    pub statement: u32,
    /// Where it comes from, as it is written.
    pub module: String,
    /// What is taken from there; empty where it is the module itself, `*`
    /// where it is everything.
    pub name: String,
    /// What it is called here; empty where it keeps its name.
    pub alias: String,
}
