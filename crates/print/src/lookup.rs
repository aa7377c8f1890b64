//! Answers about structure: definitions, references, dependencies, impact,
//! call paths and outlines.

use crate::budget::Budget;
use crate::style::shortened;
use crate::text::Text;
use crate::wire::{self, SCHEMA_VERSION};
use scent_types::{
    Affected, CallPath, Defined, Definitions, Dependencies, Dependency, FileOutline, Folder,
    Impact, References, Signature, Used, Visibility,
};

/// What stands around an answer in JSON.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    /// The folder that paths are relative to, with `/`.
    pub root: String,
    /// The command that shows what was cut, if anything was.
    pub rest: Option<String>,
}

/// An answer about structure.
pub trait Answer {
    /// The answer for people.
    fn text(&self) -> Text;

    /// The answer as JSON on one line, with its end.
    fn json(&self, envelope: Envelope) -> Text;

    /// Keeps what a budget has room for.
    fn cut(&mut self, budget: &mut Budget);

    /// How many results are left, and how many there were.
    fn counts(&self) -> (usize, usize);
}

impl Answer for Definitions {
    fn text(&self) -> Text {
        self.definitions.iter().map(definition_text).collect()
    }

    fn json(&self, Envelope { root, rest }: Envelope) -> Text {
        Text::json(&wire::Definitions {
            schema: SCHEMA_VERSION,
            root,
            name: self.name.clone(),
            definitions: wired(&self.definitions),
            total: self.total,
            shown: self.definitions.len(),
            nearest: self.nearest.clone(),
            rest,
        })
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.definitions, definition_text, definition_json);
    }

    fn counts(&self) -> (usize, usize) {
        (self.definitions.len(), self.total)
    }
}

impl Answer for References {
    fn text(&self) -> Text {
        let mut out: Text = self.definitions.iter().map(defined_here_text).collect();
        for of_file in self.uses.chunk_by(|a, b| a.path == b.path) {
            out += using_file_text(&of_file[0]);
            for used in of_file {
                out += reference_text(used);
            }
        }
        out
    }

    fn json(&self, Envelope { root, rest }: Envelope) -> Text {
        Text::json(&wire::References {
            schema: SCHEMA_VERSION,
            root,
            name: self.name.clone(),
            definitions: wired(&self.definitions),
            references: wired(&self.uses),
            total: self.total,
            shown: self.uses.len(),
            nearest: self.nearest.clone(),
            rest,
        })
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.definitions, defined_here_text, definition_json);
        let mut file = String::new();
        let text = |used: &Used| {
            if used.path == file {
                return reference_text(used);
            }
            file = used.path.clone();
            using_file_text(used) + reference_text(used)
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
    fn text(&self) -> Text {
        let mut out = Text::default();
        for dependency in &self.dependencies {
            out += dependency_text(dependency, self.reverse);
        }
        out
    }

    fn json(&self, Envelope { root, rest }: Envelope) -> Text {
        Text::json(&wire::Dependencies {
            schema: SCHEMA_VERSION,
            root,
            files: self.of.clone(),
            reverse: self.reverse,
            dependencies: wired(&self.dependencies),
            total: self.total,
            shown: self.dependencies.len(),
            rest,
        })
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.of, |_| Text::default(), Text::json);
        budget.keep(
            &mut self.dependencies,
            |dependency| dependency_text(dependency, self.reverse),
            |dependency| Text::json(&wire::Dependency::from(dependency)),
        );
    }

    fn counts(&self) -> (usize, usize) {
        (self.dependencies.len(), self.total)
    }
}

impl Answer for Impact {
    fn text(&self) -> Text {
        let changed = self.changed.iter().map(changed_text);
        let affected = self.affected.iter().map(affected_text);
        let folders = self.folders.iter().map(folder_text);
        changed.chain(affected).chain(folders).collect()
    }

    fn json(&self, Envelope { root, rest }: Envelope) -> Text {
        Text::json(&wire::Impact {
            schema: SCHEMA_VERSION,
            root,
            changed: wired(&self.changed),
            affected: wired(&self.affected),
            total: self.total,
            shown: self.affected.len(),
            folders: wired(&self.folders),
            nearest: self.nearest.clone(),
            rest,
        })
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.changed, changed_text, affected_json);
        budget.keep(&mut self.affected, affected_text, affected_json);
        budget.keep(&mut self.folders, folder_text, |folder| {
            Text::json(&wire::Folder::from(folder))
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.affected.len(), self.total)
    }
}

impl Answer for CallPath {
    fn text(&self) -> Text {
        self.steps.iter().map(step_text).collect()
    }

    fn json(&self, Envelope { root, rest }: Envelope) -> Text {
        Text::json(&wire::CallPath {
            schema: SCHEMA_VERSION,
            root,
            steps: wired(&self.steps),
            total: self.total,
            shown: self.steps.len(),
            rest,
        })
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.steps, step_text, affected_json);
    }

    fn counts(&self) -> (usize, usize) {
        (self.steps.len(), self.total)
    }
}

/// Several files, one after the other.
impl Answer for Vec<FileOutline> {
    fn text(&self) -> Text {
        let mut out = Text::default();
        for file in self {
            out += file_text(file);
            for symbol in &file.symbols {
                out += symbol_text(symbol);
            }
        }
        out
    }

    fn json(&self, Envelope { root, rest }: Envelope) -> Text {
        let (shown, total) = self.counts();
        Text::json(&wire::Outline {
            schema: SCHEMA_VERSION,
            root,
            files: wired(self),
            total,
            shown,
            rest,
        })
    }

    fn cut(&mut self, budget: &mut Budget) {
        for file in self {
            let mut heading = Some(file_text(file));
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
fn wired<'a, T, W: From<&'a T>>(values: &'a [T]) -> Vec<W> {
    values.iter().map(W::from).collect()
}

fn definition_json(found: &Defined) -> Text {
    Text::json(&wire::Definition::from(found))
}

fn affected_json(place: &Affected) -> Text {
    Text::json(&wire::Affected::from(place))
}

/// What stands beside a result of a file that was not parsed cleanly.
fn parse_mark(parse_errors: bool) -> &'static str {
    if parse_errors { "  (parse errors)" } else { "" }
}

fn test_mark(test: bool) -> &'static str {
    if test { "  (test)" } else { "" }
}

fn definition_text(found: &Defined) -> Text {
    let mark = parse_mark(found.parse_errors);
    let code = shortened(&found.text);
    Text::line(&format!("{}{mark}", definition_place(found))) + Text::line(&format!("    {code}"))
}

/// A definition above the places that use it.
fn defined_here_text(found: &Defined) -> Text {
    let mark = parse_mark(found.parse_errors);
    Text::line(&format!("{} (defined here){mark}", definition_place(found)))
}

fn definition_place(found: &Defined) -> String {
    let name = shortened(&found.qualified);
    format!("{}:{}  {} {name}", found.path, found.line, found.kind)
}

/// The line above the references of a file.
fn using_file_text(used: &Used) -> Text {
    let (test, mark) = (test_mark(used.test), parse_mark(used.parse_errors));
    Text::line(&format!("{}{test}{mark}", used.path))
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

fn dependency_text(dependency: &Dependency, reverse: bool) -> Text {
    let indent = "  ".repeat(dependency.depth as usize - 1);
    let targets = match dependency.to.as_slice() {
        _ if reverse => String::new(),
        [] => "  (from outside)".to_owned(),
        files => format!(" -> {}", files.join(", ")),
    };
    let place = format!("{}:{}", dependency.from, dependency.line);
    let module = shortened(&dependency.module);
    let mark = parse_mark(dependency.parse_errors);
    Text::line(&format!("{indent}{place}  {module}{targets}{mark}"))
}

fn changed_text(place: &Affected) -> Text {
    let name = shortened(&place.name);
    let mark = parse_mark(place.parse_errors);
    Text::line(&format!(
        "{}:{}  {name} (changed){mark}",
        place.path, place.line
    ))
}

fn affected_text(place: &Affected) -> Text {
    let at = format!("{:>3}  {}:{}", place.depth, place.path, place.line);
    let name = match place.name.as_str() {
        "" => "the file".into(),
        name => shortened(name),
    };
    let via: Vec<_> = place.via.iter().map(|name| shortened(name)).collect();
    let via = via.join(" < ");
    let why = format!("[{}, {:.2}]", place.reason, place.confidence);
    let (test, mark) = (test_mark(place.test), parse_mark(place.parse_errors));
    Text::line(&format!("{at}  {name} < {via}  {why}{test}{mark}"))
}

fn folder_text(folder: &Folder) -> Text {
    Text::line(&format!("{:>7}  {}/", folder.count, folder.path))
}

/// A step from one symbol to another that it uses.
fn step_text(step: &Affected) -> Text {
    let name = shortened(&step.name);
    Text::line(&format!("{}:{}  {name}", step.path, step.line))
}

/// The line above what a file defines.
fn file_text(file: &FileOutline) -> Text {
    let mark = parse_mark(file.parse_errors);
    Text::line(&format!("{}{mark}", file.path))
}

fn symbol_text(symbol: &Signature) -> Text {
    let lines = format!("{}-{}", symbol.start_line, symbol.end_line);
    let sign = visibility_sign(symbol.visibility);
    let depth = symbol.qualified.matches(['.', ':', '#']).count();
    let indent = "  ".repeat(depth.min(4));
    let signature = match symbol.signature.as_str() {
        "" => shortened(&symbol.name),
        signature => shortened(signature),
    };
    let doc = match symbol.doc.as_str() {
        "" => String::new(),
        doc => format!("  — {}", shortened(doc)),
    };
    Text::line(&format!("{lines:>11} {sign} {indent}{signature}{doc}"))
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
