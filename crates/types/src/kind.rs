//! What a unit or a symbol is, and what sort of file it stands in.

use serde::{Deserialize, Serialize};

/// What a unit or a symbol is. The order is part of the index format: append only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Kind {
    Function,
    Method,
    Class,
    Struct,
    Enum,
    Trait,
    Interface,
    Impl,
    Type,
    Constant,
    Macro,
    Module,
    Section,
    Config,
    Rule,
    Table,
    Text,
    Code,
    /// Data that a type or a value holds. Never a unit.
    Field,
    /// One of the cases of an enum, or a constructor. Never a unit.
    Variant,
    /// A test that goes by a title, as a symbol. The unit is a function.
    Test,
}

impl Kind {
    /// Every kind, in the order of the enumeration.
    pub const ALL: [Kind; 21] = [
        Kind::Function,
        Kind::Method,
        Kind::Class,
        Kind::Struct,
        Kind::Enum,
        Kind::Trait,
        Kind::Interface,
        Kind::Impl,
        Kind::Type,
        Kind::Constant,
        Kind::Macro,
        Kind::Module,
        Kind::Section,
        Kind::Config,
        Kind::Rule,
        Kind::Table,
        Kind::Text,
        Kind::Code,
        Kind::Field,
        Kind::Variant,
        Kind::Test,
    ];

    /// The word users read and write.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Method => "method",
            Kind::Class => "class",
            Kind::Struct => "struct",
            Kind::Enum => "enum",
            Kind::Trait => "trait",
            Kind::Interface => "interface",
            Kind::Impl => "impl",
            Kind::Type => "type",
            Kind::Constant => "constant",
            Kind::Macro => "macro",
            Kind::Module => "module",
            Kind::Section => "section",
            Kind::Config => "config",
            Kind::Rule => "rule",
            Kind::Table => "table",
            Kind::Text => "text",
            Kind::Code => "code",
            Kind::Field => "field",
            Kind::Variant => "variant",
            Kind::Test => "test",
        }
    }

    /// Kinds that define the name they have, so that others can use it.
    pub fn is_symbol(self) -> bool {
        !matches!(
            self,
            Kind::Impl | Kind::Section | Kind::Config | Kind::Text | Kind::Code
        )
    }

    /// Kinds that units have. The others are only those of symbols.
    pub fn is_unit(self) -> bool {
        !self.is_member() && self != Kind::Test
    }

    /// Kinds of what a type holds that is no unit of its own.
    pub fn is_member(self) -> bool {
        matches!(self, Kind::Field | Kind::Variant)
    }

    /// Kinds whose members are units of their own, however short the whole is.
    pub fn holds_members(self) -> bool {
        matches!(
            self,
            Kind::Class
                | Kind::Struct
                | Kind::Enum
                | Kind::Trait
                | Kind::Interface
                | Kind::Impl
                | Kind::Module
                | Kind::Section
        )
    }

    /// Kinds that make a function inside them a method.
    pub fn is_type(self) -> bool {
        self.holds_members() && !matches!(self, Kind::Module | Kind::Section)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that names no kind.
#[derive(Debug)]
pub struct UnknownKind;

impl std::str::FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Kind, UnknownKind> {
        let known = Kind::ALL.into_iter().find(|kind| kind.as_str() == word);
        known.ok_or(UnknownKind)
    }
}

/// The coarse sort of a file: what `--code`, `--docs` and `--config` select.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum FileClass {
    Code,
    Docs,
    Config,
}

impl FileClass {
    /// The class that a word names.
    pub fn named(word: &str) -> Option<FileClass> {
        let all = [FileClass::Code, FileClass::Docs, FileClass::Config];
        all.into_iter().find(|class| class.as_str() == word)
    }

    /// The word users read and write.
    pub fn as_str(self) -> &'static str {
        match self {
            FileClass::Code => "code",
            FileClass::Docs => "docs",
            FileClass::Config => "config",
        }
    }
}
