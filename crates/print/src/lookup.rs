//! Answers about structure: definitions, references, dependencies, impact,
//! call paths and outlines.

use crate::budget::Budget;
use crate::paths::Paths;
use crate::style::shortened;
use crate::text::{Layout, Text};
use crate::wire::{self, SCHEMA_VERSION};
use scent_types::{
    Affected, CallPath, Defined, Definitions, Dependencies, Dependency, FileOutline, Folder,
    Impact, Kind, Note, References, Role, Signature, Subject, Used, Visibility,
};
use std::collections::{BTreeMap, BTreeSet};

/// How much of an answer about uses is for definitions: one part in so many.
const FOR_DEFINITIONS: usize = 4;

/// What stands around an answer in JSON.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    /// The folder that paths are relative to, with `/`.
    pub root: String,
    /// The command that shows what was cut, if anything was.
    pub rest: Option<String>,
    /// What the reader should know.
    pub notes: Vec<Note>,
    /// How to lay it out.
    pub layout: Layout,
}

/// Deeper branches of a tree are not indented further.
const MOST_INDENT: u32 = 20;

/// What to say of a call path that was not found.
pub fn no_callpath(found: &CallPath, from: &str, to: &str) -> String {
    if !found.nearest.is_empty() {
        let names = found.nearest.join(", ");
        return format!("no symbol is named {from} or {to}; similar names: {names}");
    }
    if found.guess.is_empty() {
        return format!("no chain of calls leads from {from} to {to}");
    }
    let (sure, guess) = (found.guess_confidence, found.guess.join(" > "));
    format!(
        "no chain of calls from {from} to {to} is sure enough; the best guess, at {sure:.2}, \
         is {guess}"
    )
}

/// An answer about structure.
pub trait Answer {
    /// The answer for people.
    fn text(&self, paths: &Paths) -> Text;

    /// The answer as JSON, with a line end.
    fn json(&self, envelope: Envelope) -> Text;

    /// Keeps what a budget has room for.
    fn cut(&mut self, budget: &mut Budget, paths: &Paths);

    /// How many results are left, and how many there were.
    fn counts(&self) -> (usize, usize);
}

impl Answer for Definitions {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        for found in &self.definitions {
            out += definition_text(paths, found);
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        Text::json_in(
            envelope.layout,
            &wire::Definitions {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                name: self.name.clone(),
                definitions: wired(&self.definitions),
                total: self.total,
                shown: self.definitions.len(),
                nearest: self.nearest.clone(),
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let text = |found: &Defined| definition_text(paths, found);
        budget.keep(&mut self.definitions, text, definition_json);
    }

    fn counts(&self) -> (usize, usize) {
        (self.definitions.len(), self.total)
    }
}

impl Answer for References {
    fn text(&self, paths: &Paths) -> Text {
        let subject = self.subject.as_ref();
        let mut out = subject.map_or_else(Text::default, |subject| subject_text(paths, subject));
        for found in &self.definitions {
            out += defined_here_text(paths, found);
        }
        for of_file in self.uses.chunk_by(|a, b| a.path == b.path) {
            out += using_file_text(paths, &of_file[0]);
            for used in of_file {
                out += reference_text(used);
            }
        }
        out + ambiguous_text(self.ambiguous) + documentation_text(self.documentation)
    }

    fn json(&self, envelope: Envelope) -> Text {
        Text::json_in(
            envelope.layout,
            &wire::References {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                name: self.name.clone(),
                subject: self.subject.as_ref().map(wire::Subject::from),
                definitions: wired(&self.definitions),
                references: wired(&self.uses),
                total: self.total,
                ambiguous: self.ambiguous,
                documentation: self.documentation,
                shown: self.uses.len(),
                nearest: self.nearest.clone(),
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let text = |found: &Defined| defined_here_text(paths, found);
        // Many definitions of a name must not leave its uses without any room.
        let part = if self.uses.is_empty() {
            1
        } else {
            FOR_DEFINITIONS
        };
        budget.keep_part(&mut self.definitions, part, text, definition_json);
        let mut file = String::new();
        let text = |used: &Used| {
            if used.path == file {
                return reference_text(used);
            }
            file = used.path.clone();
            using_file_text(paths, used) + reference_text(used)
        };
        budget.keep(&mut self.uses, text, |used| {
            Text::json(&wire::Reference::from(used))
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.uses.len(), self.total)
    }
}

impl Answer for Dependencies {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        for dependency in &self.dependencies {
            out += dependency_text(paths, dependency, self.reverse);
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        Text::json_in(
            envelope.layout,
            &wire::Dependencies {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                files: self.of.clone(),
                reverse: self.reverse,
                dependencies: wired(&self.dependencies),
                total: self.total,
                shown: self.dependencies.len(),
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        budget.keep(&mut self.of, |_| Text::default(), Text::json);
        budget.keep(
            &mut self.dependencies,
            |dependency| dependency_text(paths, dependency, self.reverse),
            |dependency| Text::json(&wire::Dependency::from(dependency)),
        );
    }

    fn counts(&self) -> (usize, usize) {
        (self.dependencies.len(), self.total)
    }
}

impl Answer for Impact {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        out += tree_text(paths, &self.changed, &self.affected);
        for folder in &self.folders {
            out += folder_text(paths, folder);
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        Text::json_in(
            envelope.layout,
            &wire::Impact {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                changed: wired(&self.changed),
                affected: wired(&self.affected),
                total: self.total,
                shown: self.affected.len(),
                folders: wired(&self.folders),
                nearest: self.nearest.clone(),
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let text = |place: &Affected| changed_text(paths, place);
        budget.keep(&mut self.changed, text, affected_json);
        let text = |place: &Affected| affected_text(paths, place, place.depth);
        budget.keep(&mut self.affected, text, affected_json);
        let text = |folder: &Folder| folder_text(paths, folder);
        budget.keep(&mut self.folders, text, |folder| {
            Text::json(&wire::Folder::from(folder))
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.affected.len(), self.total)
    }
}

impl Answer for CallPath {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        for step in &self.steps {
            out += step_text(paths, step);
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        Text::json_in(
            envelope.layout,
            &wire::CallPath {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                steps: wired(&self.steps),
                guess: self.guess.clone(),
                guess_confidence: (!self.guess.is_empty()).then_some(self.guess_confidence),
                nearest: self.nearest.clone(),
                total: self.total,
                shown: self.steps.len(),
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let text = |step: &Affected| step_text(paths, step);
        budget.keep(&mut self.steps, text, affected_json);
    }

    fn counts(&self) -> (usize, usize) {
        (self.steps.len(), self.total)
    }
}

/// Several files, one after the other.
impl Answer for Vec<FileOutline> {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        for file in self {
            out += file_text(paths, file);
            for symbol in &file.symbols {
                out += symbol_text(symbol);
            }
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        let (shown, total) = self.counts();
        Text::json_in(
            envelope.layout,
            &wire::Outline {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                files: wired(self),
                total,
                shown,
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        for file in self {
            let mut heading = Some(file_text(paths, file));
            let text = |symbol: &Signature| {
                let heading = heading.take().unwrap_or_default();
                heading + symbol_text(symbol)
            };
            budget.keep(&mut file.symbols, text, |symbol| {
                Text::json(&wire::Symbol::from(symbol))
            });
        }
    }

    fn counts(&self) -> (usize, usize) {
        let shown = self.iter().map(|file| file.symbols.len()).sum();
        let total = self.iter().map(|file| file.total).sum();
        (shown, total)
    }
}

/// The same values as they are in JSON.
pub(crate) fn wired<'a, T, W: From<&'a T>>(values: &'a [T]) -> Vec<W> {
    values.iter().map(W::from).collect()
}

fn definition_json(found: &Defined) -> Text {
    Text::json(&wire::Definition::from(found))
}

fn affected_json(place: &Affected) -> Text {
    Text::json(&wire::Affected::from(place))
}

/// What stands beside a result of a file that was not parsed cleanly.
pub(crate) fn parse_mark(parse_errors: bool) -> &'static str {
    if parse_errors { "  (parse errors)" } else { "" }
}

fn test_mark(test: bool) -> &'static str {
    if test { "  (test)" } else { "" }
}

/// A place in a file, and what is there.
pub(crate) fn place_text(paths: &Paths, path: &str, line: u32, about: &str) -> Text {
    let place = Text::span(&format!("{}:{line}", paths.shown(path)));
    paths.linked(path, place) + Text::line(about)
}

/// A file, and what there is to say of it.
fn path_text(paths: &Paths, path: &str, about: &str) -> Text {
    paths.linked(path, Text::span(&paths.shown(path))) + Text::line(about)
}

fn definition_text(paths: &Paths, found: &Defined) -> Text {
    let mark = parse_mark(found.parse_errors);
    let about = format!("{}{mark}", title(found));
    let code = shortened(&found.text);
    place_text(paths, &found.path, found.line, &about) + Text::line(&format!("    {code}"))
}

/// A definition above the places that use it.
fn defined_here_text(paths: &Paths, found: &Defined) -> Text {
    let mark = parse_mark(found.parse_errors);
    let about = format!("{} (defined here){mark}", title(found));
    place_text(paths, &found.path, found.line, &about)
}

/// What a definition is called, beside its place.
pub(crate) fn title(found: &Defined) -> String {
    format!("  {} {}", found.kind, shortened(&found.qualified))
}

/// What the place stands for whose references follow.
fn subject_text(paths: &Paths, subject: &Subject) -> Text {
    let name = shortened(&subject.name);
    let about = match (subject.is_local, subject.definitions) {
        (true, _) if subject.within.is_empty() => format!("local `{name}`"),
        (true, _) => format!("local `{name}` in `{}`", shortened(&subject.within)),
        (false, 0) => format!("`{name}`, which nothing in the project is known to define"),
        (false, 1) => format!("`{name}`"),
        (false, many) => format!("`{name}`, one of {many} definitions"),
    };
    let about = Text::span(&format!("references of {about}"));
    if subject.path.is_empty() {
        return about + Text::line("");
    }
    let place = Text::span(&format!("{}:{}", paths.shown(&subject.path), subject.line));
    about + Text::span(" (") + paths.linked(&subject.path, place) + Text::line(")")
}

/// What is left out of references, since it may mean something else.
fn ambiguous_text(count: usize) -> Text {
    if count == 0 {
        return Text::default();
    }
    let many = if count == 1 {
        "reference"
    } else {
        "references"
    };
    Text::line(&format!(
        "+ {count} ambiguous {many} to a symbol of this name (--all shows them)"
    ))
}

/// How much documentation speaks of it.
fn documentation_text(count: usize) -> Text {
    match count {
        0 => Text::default(),
        1 => Text::line("+ 1 line of documentation (--all shows it)"),
        _ => Text::line(&format!(
            "+ {count} lines of documentation (--all shows them)"
        )),
    }
}

/// The line above the references of a file.
fn using_file_text(paths: &Paths, used: &Used) -> Text {
    let (test, mark) = (test_mark(used.test), parse_mark(used.parse_errors));
    path_text(paths, &used.path, &format!("{test}{mark}"))
}

fn reference_text(used: &Used) -> Text {
    let role = used.role.map_or("mention", |role| role.as_str());
    let code = shortened(&used.text);
    let enclosing = match used.within.as_str() {
        "" => String::new(),
        name => format!("  in {}", shortened(name)),
    };
    let doubt = match (used.role, used.candidates) {
        (None, _) | (_, 0) => String::new(),
        (_, 1) => format!("  [{}]", used.reason),
        (_, many) => format!("  [{}: {many}]", used.reason),
    };
    let line = used.line;
    Text::line(&format!("{line:>7}  {role:<8} {code}{enclosing}{doubt}"))
}

pub(crate) fn dependency_text(paths: &Paths, dependency: &Dependency, reverse: bool) -> Text {
    let indent = Text::span(&"  ".repeat(dependency.depth as usize - 1));
    let files: Vec<String> = dependency.to.iter().map(|to| paths.shown(to)).collect();
    let targets = match files.as_slice() {
        _ if reverse => String::new(),
        [] => "  (from outside)".to_owned(),
        files => format!(" -> {}", files.join(", ")),
    };
    let module = shortened(&dependency.module);
    let mark = parse_mark(dependency.parse_errors);
    let about = format!("  {module}{targets}{mark}");
    indent + place_text(paths, &dependency.from, dependency.line, &about)
}

fn changed_text(paths: &Paths, place: &Affected) -> Text {
    let name = shortened(&place.name);
    let mark = parse_mark(place.parse_errors);
    let about = format!("  {name} (changed){mark}");
    place_text(paths, &place.path, place.line, &about)
}

/// What is changed, each with what it may break below it. What hangs on
/// something that is not shown comes last, with the names that lead to it.
fn tree_text(paths: &Paths, changed: &[Affected], affected: &[Affected]) -> Text {
    let shown: BTreeSet<usize> = changed.iter().chain(affected).map(|p| p.id).collect();
    let mut below: BTreeMap<usize, Vec<&Affected>> = BTreeMap::new();
    let mut apart = Vec::new();
    for place in affected {
        match place.parent.filter(|parent| shown.contains(parent)) {
            Some(parent) => below.entry(parent).or_default().push(place),
            None => apart.push(place),
        }
    }
    let mut out = Text::default();
    for root in changed {
        out += changed_text(paths, root);
        out += branch_text(paths, root.id, 1, &below);
    }
    for place in apart {
        out += affected_text(paths, place, 0);
        out += branch_text(paths, place.id, 1, &below);
    }
    out
}

/// What hangs on a place, to any depth.
fn branch_text(
    paths: &Paths,
    root: usize,
    depth: u32,
    below: &BTreeMap<usize, Vec<&Affected>>,
) -> Text {
    let mut out = Text::default();
    let hanging = |at: usize| below.get(&at).into_iter().flatten().rev();
    let mut open: Vec<(u32, &Affected)> = hanging(root).map(|place| (depth, *place)).collect();
    while let Some((depth, place)) = open.pop() {
        out += affected_text(paths, place, depth);
        open.extend(hanging(place.id).map(|place| (depth + 1, *place)));
    }
    out
}

/// A place below what it uses; one that is shown without that names the way.
fn affected_text(paths: &Paths, place: &Affected, depth: u32) -> Text {
    let indent = Text::span(&"  ".repeat(depth.min(MOST_INDENT) as usize));
    let name = match place.name.as_str() {
        "" => "the file".into(),
        name => shortened(name),
    };
    let mut via = String::new();
    for name in place.via.iter().filter(|_| depth == 0) {
        via += &format!(" < {}", shortened(name));
    }
    let (test, mark) = (test_mark(place.test), parse_mark(place.parse_errors));
    let about = format!("  {name}{via}  {}{test}{mark}", why_text(place));
    indent + place_text(paths, &place.path, place.line, &about)
}

/// Why a step is taken for one, and how sure it and the whole way are.
fn why_text(place: &Affected) -> String {
    let Affected {
        reason,
        hop,
        confidence,
        ..
    } = place;
    // That something is called or read goes without saying.
    let role = match place.role {
        Some(role @ (Role::Type | Role::Inherit | Role::Import)) => format!("{}, ", role.as_str()),
        _ => String::new(),
    };
    match (hop - confidence).abs() < 0.005 {
        true => format!("[{role}{reason} {hop:.2}]"),
        false => format!("[{role}{reason} {hop:.2}, in all {confidence:.2}]"),
    }
}

fn folder_text(paths: &Paths, folder: &Folder) -> Text {
    let path = paths.shown(&folder.path);
    Text::line(&format!("{:>7}  {path}/", folder.count))
}

/// A step from one symbol to another that it calls.
fn step_text(paths: &Paths, step: &Affected) -> Text {
    let name = shortened(&step.name);
    let why = match step.parent {
        Some(_) => format!("  {}", why_text(step)),
        None => String::new(),
    };
    place_text(paths, &step.path, step.line, &format!("  {name}{why}"))
}

/// The line above what a file defines.
fn file_text(paths: &Paths, file: &FileOutline) -> Text {
    let doc = doc_text(&file.doc);
    let about = format!("{doc}{}", parse_mark(file.parse_errors));
    path_text(paths, &file.path, &about)
}

/// The first line of the documentation, behind what it is about.
pub(crate) fn doc_text(doc: &str) -> String {
    match doc {
        "" => String::new(),
        doc => format!("  — {}", shortened(doc)),
    }
}

fn symbol_text(symbol: &Signature) -> Text {
    let lines = format!("{}-{}", symbol.start_line, symbol.end_line);
    let sign = visibility_sign(symbol.visibility);
    let indent = "  ".repeat(symbol.depth.min(4) as usize);
    let signature = match symbol.signature.as_str() {
        "" => shortened(&symbol.name),
        signature => shortened(signature),
    };
    let doc = doc_text(&symbol.doc);
    let mut out = Text::line(&format!("{lines:>11} {sign} {indent}{signature}{doc}"));
    for members in symbol.members.chunk_by(|a, b| a.kind == b.kind) {
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        let names = format!("{}: {}", plural(members[0].kind), names.join(", "));
        out += Text::line(&format!("{:>13} {indent}  {}", "", shortened(&names)));
    }
    out
}

/// What several of a kind are called.
fn plural(kind: Kind) -> String {
    match kind.as_str() {
        word if word.ends_with('s') => format!("{word}es"),
        word => format!("{word}s"),
    }
}

/// Who may use something, as it is drawn in diagrams of classes.
fn visibility_sign(visibility: Option<Visibility>) -> char {
    match visibility {
        Some(Visibility::Public) => '+',
        Some(Visibility::Protected) => '#',
        Some(Visibility::Internal) => '~',
        Some(Visibility::Private) => '-',
        None => ' ',
    }
}
