//! `def`, `refs`, `deps`, `impact`, `callpath`, `outline` and `map`.

use super::Note;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The answer of `scent def`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Definitions {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// The name that was looked up.
    pub name: String,
    /// The definitions, best first.
    pub definitions: Vec<Definition>,
    /// How many definitions there are.
    pub total: usize,
    /// How many of them are in `definitions`.
    pub shown: usize,
    /// Similar names, where there is no definition.
    pub nearest: Vec<String>,
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

/// A place where a name is defined.
#[derive(Debug, Serialize, ToSchema)]
pub struct Definition {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// The line of the name, counted from 1.
    pub line: u32,
    /// The first line of the definition.
    pub start_line: u32,
    /// The last line of the definition.
    pub end_line: u32,
    /// What it is, such as `function` or `class`.
    pub kind: &'static str,
    /// Its own name.
    pub name: String,
    /// The name with everything that encloses it.
    pub qualified_name: String,
    /// The line of the name as it is written.
    pub text: String,
    /// Who may use it: `public`, `protected`, `internal` or `private`. Absent
    /// where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub visibility: Option<&'static str>,
    /// How the name matches the one that was looked up: `exact`, `case` (but
    /// for case), `words` (the same words), `prefix` or `contains`.
    pub fit: &'static str,
    /// How much of the project depends on it; 1 is the mean.
    pub importance: f32,
    /// Whether its file was not parsed cleanly, so that something may be
    /// missing or wrong.
    pub parse_errors: bool,
}

/// The answer of `scent refs`.
#[derive(Debug, Serialize, ToSchema)]
pub struct References {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// The name that was looked up.
    pub name: String,
    /// What the place stands for, where a place was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub subject: Option<Subject>,
    /// Where it is defined.
    pub definitions: Vec<Definition>,
    /// Where it is used: product code first, then examples, then tests, each by
    /// file and line. With `--all`, those that may as well mean another
    /// definition of the name come last.
    pub references: Vec<Reference>,
    /// How many references there are.
    pub total: usize,
    /// How many more there are that may as well mean another definition of the
    /// name; `--all` adds them.
    pub ambiguous: usize,
    /// How many lines of documentation speak of it; `--all` adds them.
    pub documentation: usize,
    /// How many of them are in `references`.
    pub shown: usize,
    /// Similar names, where nothing has this one.
    pub nearest: Vec<String>,
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

/// What a place stands for.
#[derive(Debug, Serialize, ToSchema)]
pub struct Subject {
    /// The name with everything that encloses it.
    pub name: String,
    /// Whether it is a variable or a parameter of a function.
    pub local: bool,
    /// That function. Absent for all others, and where it has no name.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schema(required = false)]
    pub within: String,
    /// The file that defines it, relative to `root`, with `/`. Absent where
    /// none or several do.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schema(required = false)]
    pub path: String,
    /// The line of its name there, counted from 1. Absent with `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<u32>,
}

impl From<&scent_types::Subject> for Subject {
    fn from(subject: &scent_types::Subject) -> Subject {
        Subject {
            name: subject.name.clone(),
            local: subject.is_local,
            within: subject.within.clone(),
            path: subject.path.clone(),
            line: (!subject.path.is_empty()).then_some(subject.line),
        }
    }
}

/// A line that uses a name.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reference {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// The line, counted from 1.
    pub line: u32,
    /// How the name is used: `call`, `type`, `inherit`, `import`, `write`,
    /// `read`, `use`; `mention` in a comment or a string.
    pub role: &'static str,
    /// The qualified name of the definition that encloses the line; may be
    /// empty.
    pub enclosing: String,
    /// The line as it is written.
    pub text: String,
    /// Why the name is taken to refer to the definition.
    pub reason: &'static str,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
    /// How many definitions it may refer to.
    pub candidates: usize,
    /// Whether the file holds tests.
    pub test: bool,
    /// Whether its file was not parsed cleanly, so that something may be
    /// missing or wrong.
    pub parse_errors: bool,
}

/// The answer of `scent deps`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Dependencies {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// The files that were asked about.
    pub files: Vec<String>,
    /// Whether these are imports of the files instead of imports in them.
    pub reverse: bool,
    /// The imports, nearest first.
    pub dependencies: Vec<Dependency>,
    /// How many imports there are.
    pub total: usize,
    /// How many of them are in `dependencies`.
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

/// An import.
#[derive(Debug, Serialize, ToSchema)]
pub struct Dependency {
    /// The file that imports, relative to `root`, with `/`.
    pub path: String,
    /// The line of the import, counted from 1.
    pub line: u32,
    /// What is imported, as it is written.
    pub module: String,
    /// The files that are imported; empty for what is not in the project.
    pub targets: Vec<String>,
    /// How many steps away from the files that were asked about, from 1.
    pub depth: u32,
    /// Whether its file was not parsed cleanly, so that something may be
    /// missing or wrong.
    pub parse_errors: bool,
}

/// The answer of `scent impact`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Impact {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// What is changed.
    pub changed: Vec<Affected>,
    /// What the change may break, nearest first; empty where there are more
    /// places than the limit.
    pub affected: Vec<Affected>,
    /// How many places the change may break.
    pub total: usize,
    /// How many of them are in `affected`.
    pub shown: usize,
    /// The folders of the places, where there are more than the limit.
    pub folders: Vec<Folder>,
    /// Similar names, where nothing has the one that was given.
    pub nearest: Vec<String>,
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

/// A place that a change may break, or a step of a call path.
#[derive(Debug, Serialize, ToSchema)]
pub struct Affected {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// The line that uses what comes before it on the way, counted from 1; for
    /// what is changed itself, the line of its name.
    pub line: u32,
    /// The qualified name of the definition that encloses the line; may be
    /// empty.
    pub qualified_name: String,
    /// The names on the way to what is changed, nearest first.
    pub via: Vec<String>,
    /// How the line uses it: `call`, `type`, `inherit`, `import`, `write`,
    /// `read`, `use`. Absent for what is changed itself, and in a call path.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub role: Option<&'static str>,
    /// Why the line is taken to use it.
    pub reason: &'static str,
    /// How sure the step to it is alone, from 0 to 1.
    pub hop_confidence: f32,
    /// How sure the whole way is, from 0 to 1; of a step of a call path, the
    /// rest of the way.
    pub confidence: f32,
    /// The number of the place in this answer.
    pub id: usize,
    /// The `id` of the place that it uses. Absent for what is changed itself,
    /// and for the end of a call path.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parent: Option<usize>,
    /// How many steps away; 0 for what is changed itself.
    pub depth: u32,
    /// Whether the file holds tests.
    pub test: bool,
    /// Whether its file was not parsed cleanly, so that something may be
    /// missing or wrong.
    pub parse_errors: bool,
}

/// How much is in a folder.
#[derive(Debug, Serialize, ToSchema)]
pub struct Folder {
    /// The folder, relative to `root`, with `/`.
    pub path: String,
    /// How many places are directly in it; in a map, how many files are in and
    /// below it.
    pub count: usize,
}

/// The answer of `scent callpath`.
#[derive(Debug, Serialize, ToSchema)]
pub struct CallPath {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// The steps from the symbol that calls to the one that is called; empty
    /// where there is no path that is sure enough.
    pub steps: Vec<Affected>,
    /// The names along the surest path, where it is not sure enough. Absent when
    /// empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub guess: Vec<String>,
    /// How sure the guess is, from 0 to 1. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub guess_confidence: Option<f32>,
    /// Similar names, where nothing has one of those that were given.
    pub nearest: Vec<String>,
    /// How many steps there are.
    pub total: usize,
    /// How many of them are in `steps`.
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

/// The answer of `scent outline`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Outline {
    /// The version of this format.
    pub schema: u32,
    /// The folder that relative paths start from: the current one.
    pub root: String,
    /// The files in the order in which they were named.
    pub files: Vec<FileOutline>,
    /// How many symbols they have.
    pub total: usize,
    /// How many of them are in `files`.
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

/// What a file defines, without the bodies.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileOutline {
    /// The file as it was named.
    pub path: String,
    /// The id of the language; empty for plain text.
    pub language: String,
    /// The first line of its documentation. Absent when empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub doc: String,
    /// How much of the project depends on it; 1 is the mean of all files. Absent
    /// where that is not known, as for a file without an index.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub importance: Option<f32>,
    /// Whether the file was not parsed cleanly, so that something may be
    /// missing or wrong.
    pub parse_errors: bool,
    /// What it defines, in order of the lines.
    pub symbols: Vec<Symbol>,
    /// How many symbols there are.
    pub total: usize,
}

/// The answer of `scent map`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectMap {
    /// The version of this format.
    pub schema: u32,
    /// The project; all paths are relative to it.
    pub root: String,
    /// The folder or file that is mapped; empty for the whole project.
    pub path: String,
    /// The most important files, those of one folder together, each with its
    /// most important symbols.
    pub files: Vec<FileOutline>,
    /// How many symbols are worth listing.
    pub total: usize,
    /// How many of them are in `files`.
    pub shown: usize,
    /// How many files there are.
    pub total_files: usize,
    /// How many lines they have.
    pub lines: u64,
    /// Where programs begin.
    pub entries: Vec<Entry>,
    /// Files by language.
    pub languages: BTreeMap<String, usize>,
    /// The folders near the top, with how many files are in and below each.
    pub folders: Vec<Folder>,
    /// The command that shows more, where some are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rest: Option<String>,
    /// What the reader should know, such as an index that was rebuilt. Absent
    /// when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<Note>,
}

/// Where a program begins.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entry {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The name of what runs first, such as `main`.
    pub name: String,
}

/// A definition without its body.
#[derive(Debug, Serialize, ToSchema)]
pub struct Symbol {
    /// The first line, counted from 1.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
    /// The line of the name.
    pub line: u32,
    /// What it is, such as `function` or `class`.
    pub kind: &'static str,
    /// Its own name.
    pub name: String,
    /// The name with everything that encloses it.
    pub qualified_name: String,
    /// The declaration on one line, at most 200 characters.
    pub signature: String,
    /// Who may use it: `public`, `protected`, `internal` or `private`. Absent
    /// where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub visibility: Option<&'static str>,
    /// The first line of its documentation; may be empty.
    pub doc: String,
    /// Fields, variants and other members of a type that are not in the list by
    /// themselves, in order of the lines. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub members: Vec<Member>,
    /// How much of the project depends on it; 1 is the mean. Absent where that
    /// is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub importance: Option<f32>,
}

/// What a type holds that is not listed by itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct Member {
    /// The line of the name.
    pub line: u32,
    /// What it is, such as `field` or `variant`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// Who may use it: `public`, `protected`, `internal` or `private`. Absent
    /// where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub visibility: Option<&'static str>,
}

impl From<&scent_types::Defined> for Definition {
    fn from(defined: &scent_types::Defined) -> Definition {
        Definition {
            path: defined.path.clone(),
            line: defined.line,
            start_line: defined.lines.start,
            end_line: defined.lines.end,
            kind: defined.kind.as_str(),
            name: defined.name.clone(),
            qualified_name: defined.qualified.clone(),
            text: defined.text.clone(),
            visibility: defined.visibility.map(|v| v.as_str()),
            fit: defined.fit.as_str(),
            importance: defined.importance,
            parse_errors: defined.parse_errors,
        }
    }
}

impl From<&scent_types::Used> for Reference {
    fn from(used: &scent_types::Used) -> Reference {
        Reference {
            path: used.path.clone(),
            line: used.line,
            role: used.role.map_or("mention", |role| role.as_str()),
            enclosing: used.within.clone(),
            text: used.text.clone(),
            reason: used.reason,
            confidence: used.confidence,
            candidates: used.candidates,
            test: used.test,
            parse_errors: used.parse_errors,
        }
    }
}

impl From<&scent_types::Dependency> for Dependency {
    fn from(dependency: &scent_types::Dependency) -> Dependency {
        Dependency {
            path: dependency.from.clone(),
            line: dependency.line,
            module: dependency.module.clone(),
            targets: dependency.to.clone(),
            depth: dependency.depth,
            parse_errors: dependency.parse_errors,
        }
    }
}

impl From<&scent_types::Affected> for Affected {
    fn from(place: &scent_types::Affected) -> Affected {
        Affected {
            path: place.path.clone(),
            line: place.line,
            qualified_name: place.name.clone(),
            via: place.via.clone(),
            role: place.role.map(scent_types::Role::as_str),
            reason: place.reason,
            hop_confidence: place.hop,
            confidence: place.confidence,
            id: place.id,
            parent: place.parent,
            depth: place.depth,
            test: place.test,
            parse_errors: place.parse_errors,
        }
    }
}

impl From<&scent_types::Entry> for Entry {
    fn from(entry: &scent_types::Entry) -> Entry {
        Entry {
            path: entry.path.clone(),
            line: entry.line,
            name: entry.name.clone(),
        }
    }
}

impl From<&scent_types::Folder> for Folder {
    fn from(folder: &scent_types::Folder) -> Folder {
        Folder {
            path: folder.path.clone(),
            count: folder.count,
        }
    }
}

impl From<&scent_types::FileOutline> for FileOutline {
    fn from(file: &scent_types::FileOutline) -> FileOutline {
        FileOutline {
            path: file.path.clone(),
            language: file.language.clone(),
            doc: file.doc.clone(),
            importance: file.importance,
            parse_errors: file.parse_errors,
            symbols: file.symbols.iter().map(Symbol::from).collect(),
            total: file.total,
        }
    }
}

impl From<&scent_types::Member> for Member {
    fn from(member: &scent_types::Member) -> Member {
        Member {
            line: member.line,
            kind: member.kind.as_str(),
            name: member.name.clone(),
            visibility: member.visibility.map(|v| v.as_str()),
        }
    }
}

impl From<&scent_types::Signature> for Symbol {
    fn from(symbol: &scent_types::Signature) -> Symbol {
        Symbol {
            start_line: symbol.start_line,
            end_line: symbol.end_line,
            line: symbol.line,
            kind: symbol.kind.as_str(),
            name: symbol.name.clone(),
            qualified_name: symbol.qualified.clone(),
            signature: symbol.signature.clone(),
            visibility: symbol.visibility.map(|v| v.as_str()),
            doc: symbol.doc.clone(),
            members: symbol.members.iter().map(Member::from).collect(),
            importance: symbol.importance,
        }
    }
}
