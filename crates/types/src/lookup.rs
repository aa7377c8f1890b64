//! Answers about structure: where a name is defined, who uses it, and what
//! depends on what.

use crate::{Kind, Lines, Role, Visibility};

/// How well a name fits the one that was asked for; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The same name.
    Exact,
    /// A wildcard matches.
    Wildcard,
}

impl Fit {
    /// The word users read.
    pub fn as_str(self) -> &'static str {
        match self {
            Fit::Exact => "exact",
            Fit::Wildcard => "wildcard",
        }
    }
}

/// Somewhere a name is defined.
#[derive(Clone, Debug, PartialEq)]
pub struct Defined {
    /// The file, relative to the root.
    pub path: String,
    /// The line of the name.
    pub line: u32,
    /// The whole definition.
    pub lines: Lines,
    /// What it is.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// The name with everything that encloses it.
    pub qualified: String,
    /// The line as it is written.
    pub text: String,
    /// Who may use it; absent where that is not known.
    pub visibility: Option<Visibility>,
    /// How well it fits.
    pub fit: Fit,
    /// How much of the repository leads to it; 1 is the mean.
    pub importance: f32,
    /// Whether its file was not parsed cleanly, so that something may be missing
    /// or wrong.
    pub parse_errors: bool,
}

/// Where a name is defined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definitions {
    /// What was asked for.
    pub name: String,
    /// The definitions, the best first.
    pub definitions: Vec<Defined>,
    /// How many there are, shown or not.
    pub total: usize,
    /// Names that are like it, where there is none.
    pub nearest: Vec<String>,
}

/// A line that uses a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Used {
    /// The file, relative to the root.
    pub path: String,
    /// The line.
    pub line: u32,
    /// How it is used; none for a mere mention in a comment or a string.
    pub role: Option<Role>,
    /// The symbol around it, with everything that encloses that.
    pub within: String,
    /// The line as it is written.
    pub text: String,
    /// How it is known that the name stands for this definition.
    pub reason: &'static str,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
    /// How many definitions it may mean.
    pub candidates: usize,
    /// Whether the file holds tests.
    pub test: bool,
    /// Whether its file was not parsed cleanly, so that something may be missing
    /// or wrong.
    pub parse_errors: bool,
}

/// What a place stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The name with everything that encloses it.
    pub name: String,
    /// For a variable of a function, that function; empty for all others, and
    /// where it has no name.
    pub within: String,
    /// Whether it is a variable of a function.
    pub is_local: bool,
    /// Where it is defined: the file, relative to the root; empty where nothing
    /// or more than one thing is.
    pub path: String,
    /// The line of its name there.
    pub line: u32,
    /// How many definitions it may be.
    pub definitions: usize,
}

/// Who uses a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct References {
    /// What was asked for.
    pub name: String,
    /// What the place stands for, where a place was asked for.
    pub subject: Option<Subject>,
    /// Where it is defined.
    pub definitions: Vec<Defined>,
    /// Where it is used: product code first, then examples, then tests, each by
    /// file and line. What may as well mean something else comes after all others.
    pub uses: Vec<Used>,
    /// How many uses there are, shown or not.
    pub total: usize,
    /// How many more there are that may as well mean something else, where these
    /// were not asked for.
    pub ambiguous: usize,
    /// How many lines of documentation speak of it, where they were not asked for.
    pub documentation: usize,
    /// Names that are like it, where there is none.
    pub nearest: Vec<String>,
}

/// What a file imports, or who imports it.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// The file that imports.
    pub from: String,
    /// The line of the import.
    pub line: u32,
    /// What is imported, as it is written.
    pub module: String,
    /// The files that it names; none where it is from elsewhere.
    pub to: Vec<String>,
    /// How many steps away from what was asked for, from 1.
    pub depth: u32,
    /// Whether its file was not parsed cleanly, so that something may be missing
    /// or wrong.
    pub parse_errors: bool,
}

/// What files depend on, or what depends on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependencies {
    /// What was asked for: files, relative to the root.
    pub of: Vec<String>,
    /// Whether it is asked what depends on them.
    pub reverse: bool,
    /// The imports, the nearest first.
    pub dependencies: Vec<Dependency>,
    /// How many there are, shown or not.
    pub total: usize,
}

/// A place that a change may break.
#[derive(Clone, Debug, PartialEq)]
pub struct Affected {
    /// The file, relative to the root.
    pub path: String,
    /// The line that uses what comes before it on the way; for what is changed
    /// itself, the line of its name.
    pub line: u32,
    /// The symbol around that line; empty where there is none.
    pub name: String,
    /// The names on the way to what was changed, the nearest first.
    pub via: Vec<String>,
    /// How the line uses it; none for what is changed itself.
    pub role: Option<Role>,
    /// How it is known that the line uses it.
    pub reason: &'static str,
    /// How sure the step to it is alone, from 0 to 1.
    pub hop: f32,
    /// How sure the whole way is, from 0 to 1.
    pub confidence: f32,
    /// The number of the place among those that are changed or affected.
    pub id: usize,
    /// The number of the place that it uses, where it is not changed itself.
    pub parent: Option<usize>,
    /// How many steps away, 0 for what is changed itself.
    pub depth: u32,
    /// Whether the file holds tests.
    pub test: bool,
    /// Whether its file was not parsed cleanly, so that something may be missing
    /// or wrong.
    pub parse_errors: bool,
}

/// How many places a folder has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The folder, relative to the root.
    pub path: String,
    /// How many places are directly in it.
    pub count: usize,
}

/// What a change may break.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impact {
    /// What is changed.
    pub changed: Vec<Affected>,
    /// What may break, the nearest first; empty where that is too much.
    pub affected: Vec<Affected>,
    /// How many places there are, told or not.
    pub total: usize,
    /// Where they are, where they are too many to be told.
    pub folders: Vec<Folder>,
    /// Names that are like one that there is not.
    pub nearest: Vec<String>,
}

/// How one symbol reaches another one that it uses, directly or through others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallPath {
    /// The steps, the symbol that uses first; none where there is no path.
    pub steps: Vec<Affected>,
    /// How many steps there are, before a budget cuts them.
    pub total: usize,
    /// The names along the surest chain, where none is sure enough; none where
    /// there is no chain at all.
    pub guess: Vec<String>,
    /// How sure that one is.
    pub guess_confidence: f32,
    /// Names that are like one that there is not.
    pub nearest: Vec<String>,
}

/// What a file defines, without the bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct FileOutline {
    /// The file as it was named.
    pub path: String,
    /// The language's id; empty for plain text.
    pub language: String,
    /// The first line of its documentation.
    pub doc: String,
    /// How much of the repository leads to it, where that is known; 1 is the
    /// mean of all files.
    pub importance: Option<f32>,
    /// Whether it was not parsed cleanly, so that something may be missing or
    /// wrong.
    pub parse_errors: bool,
    /// The definitions, in order of the lines.
    pub symbols: Vec<Signature>,
    /// How many there are, shown or not.
    pub total: usize,
}

/// A definition without its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// What it is.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// The name with everything that encloses it.
    pub qualified: String,
    /// The declaration on one line.
    pub signature: String,
    /// Who may use it; absent where that is not known.
    pub visibility: Option<Visibility>,
    /// The first line of its documentation.
    pub doc: String,
    /// The first line.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
    /// The line of the name.
    pub line: u32,
    /// Its fields, variants and other members that are not listed by themselves,
    /// in order of their lines.
    pub members: Vec<Member>,
    /// How many of the other definitions enclose it.
    pub depth: u32,
    /// How much of the repository leads to it, where that is known; 1 is the
    /// mean of all files and symbols.
    pub importance: Option<f32>,
}

/// What a type holds that is no unit of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// What it is.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// The line of the name.
    pub line: u32,
    /// Who may use it; absent where that is not known.
    pub visibility: Option<Visibility>,
}

impl FileOutline {
    /// Leaves out what is known not to be public.
    pub fn keep_public(&mut self) {
        let is_public =
            |visibility: Option<Visibility>| visibility.is_none_or(|v| v == Visibility::Public);
        for symbol in &mut self.symbols {
            symbol.members.retain(|member| is_public(member.visibility));
        }
        self.symbols.retain(|symbol| is_public(symbol.visibility));
        self.total = self.symbols.len();
    }
}
