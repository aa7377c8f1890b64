//! `units`, `languages` and `config show`.

use serde::Serialize;
use utoipa::ToSchema;

/// A unit of a file, as `scent units` writes it: one object a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct Unit {
    /// The version of this format.
    pub schema: u32,
    /// The folder that relative paths start from: the current one.
    pub root: String,
    /// The file as it was named.
    pub path: String,
    /// The first line of the unit, counted from 1.
    pub start_line: u32,
    /// The last line of the unit.
    pub end_line: u32,
    /// What the unit is, such as `function` or `section`.
    pub kind: &'static str,
    /// Its own name; may be empty.
    pub name: String,
    /// The name with everything that encloses it.
    pub qualified_name: String,
    /// The declaration on one line, at most 200 characters.
    pub signature: String,
    /// The id of the language; empty for plain text.
    pub language: String,
    /// Its comments and docstrings, without their markers.
    pub doc: String,
    /// The signatures of the members of a type.
    pub members: Vec<String>,
    /// 0 for a whole unit or its first passage, then 1, 2, … for the others.
    pub passage: u32,
    /// Its lines as they are written.
    pub body: String,
    /// The words that the embedding model is given.
    pub words: String,
}

/// The answer of `scent languages`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Languages {
    /// The version of this format.
    pub schema: u32,
    /// The languages that scent parses, by name.
    pub languages: Vec<Language>,
}

/// A language that scent parses.
#[derive(Debug, Serialize, ToSchema)]
pub struct Language {
    /// Its id, for `--lang` and in results.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What its files are: `code`, `docs` or `config`.
    pub class: &'static str,
    /// Other words for `--lang`.
    pub aliases: &'static [&'static str],
    /// The endings of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole names of its files.
    pub file_names: &'static [&'static str],
    /// How its files are read: by their `grammar`; by their `structure`, for
    /// which the grammar of another language does; or by `paragraphs`, where this
    /// build cannot parse them.
    pub parsed_by: &'static str,
    /// What is known of its files: `units`, `symbols`, `references`, `imports`.
    pub features: Vec<&'static str>,
}

/// The answer of `scent config show`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Config {
    /// The version of this format.
    pub schema: u32,
    /// The project whose settings these are.
    pub root: String,
    /// Every setting.
    pub settings: Vec<Setting>,
}

/// A setting.
#[derive(Debug, Serialize, ToSchema)]
pub struct Setting {
    /// Its name in a settings file.
    pub key: String,
    /// Its value; `(set)` for a secret.
    pub value: String,
    /// Where the value comes from.
    pub origin: String,
    /// The environment variable that sets it.
    pub environment: String,
    /// What it is for.
    pub about: String,
}
