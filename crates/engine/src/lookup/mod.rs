//! Questions about structure: where a name is defined, who uses it, and what
//! depends on what.

mod at;
mod callpath;
mod categories;
mod context;
mod cycles;
mod dependencies;
mod diff;
mod impact;
mod line_diff;
mod names;
mod position;
mod references;
mod unused;

pub use at::Call;
pub(crate) use at::{calls_from, implementations, meaning};
pub use callpath::CallPathOptions;
pub(crate) use callpath::callpath;
pub use context::{Cursor, UsedName};
pub(crate) use context::{context, used_names};
pub(crate) use cycles::cycles;
pub use dependencies::DependencyOptions;
pub(crate) use dependencies::dependencies;
pub use diff::Since;
pub(crate) use diff::changed_since;
pub(crate) use impact::impact;
pub use impact::{Changed, ImpactOptions};
pub use position::Position;
pub(crate) use position::{definitions_at, references_at};
pub use references::ReferenceFilter;
pub(crate) use references::references;
pub use unused::UnusedOptions;
pub(crate) use unused::unused;

use crate::error::EngineError;
use crate::tree::{Tree, read_record};
use names::SymbolQuery;
use rayon::prelude::*;
use scent_graph::{Definition, FileNo, Graph};
use scent_index::{FileRecord, Snapshot, State};
use scent_search::nearest_names;
use scent_types::{Defined, Definitions, FileClass, Fit, Kind, Lines, Source};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// How many similar names to suggest for one that does not exist.
const NEAREST: usize = 5;

/// Where a name is defined.
pub(crate) fn definitions(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    name: &str,
    limit: usize,
) -> Result<Definitions, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let wanted = SymbolQuery::new(name);
    let mut found = lookup.defined(&wanted)?;
    let is_new = found.is_empty();
    let mut bindings = Vec::new();
    for bound in lookup.graph.bindings(&wanted.name)? {
        let is_known = found.iter().any(|(_, known)| place(known) == place(&bound));
        if wanted.is_inside(bound.symbol.qualified) && !is_known {
            bindings.push((Fit::Exact, bound));
        }
    }
    // A variable of a function is a definition where there is no other.
    for bound in bindings {
        if is_new || !lookup.is_local(&bound.1)? {
            found.push(bound);
        }
    }
    let mut nearest = Vec::new();
    if found.is_empty() {
        nearest = lookup.nearest(name)?;
    }
    let total = found.len();
    found.truncate(limit);
    Ok(Definitions {
        name: name.to_owned(),
        definitions: lookup.to_defined(&found),
        total,
        nearest,
    })
}

fn place(found: &Definition) -> (FileNo, u32) {
    (found.file, found.symbol.line)
}

/// A graph, and the texts of its files.
struct Lookup<'s> {
    tree: &'s dyn Tree,
    snapshot: &'s Snapshot,
    graph: Graph<'s>,
    texts: RefCell<HashMap<FileNo, Rc<Source>>>,
}

impl<'s> Lookup<'s> {
    fn new(tree: &'s dyn Tree, snapshot: &'s Snapshot) -> Result<Lookup<'s>, EngineError> {
        Ok(Lookup {
            tree,
            snapshot,
            graph: Graph::new(snapshot, scent_syntax::import_rules)?,
            texts: RefCell::default(),
        })
    }

    fn record(&self, file: FileNo) -> &'s FileRecord {
        self.graph.record(file)
    }

    fn path(&self, file: FileNo) -> &'s str {
        &self.record(file).path
    }

    /// Whether a file is documentation.
    fn is_documentation(&self, file: FileNo) -> bool {
        matches!(
            self.record(file).state,
            State::Indexed {
                class: FileClass::Docs,
                ..
            }
        )
    }

    /// The definitions of a name, in order.
    fn defined(&self, wanted: &SymbolQuery) -> Result<Vec<(Fit, Definition<'s>)>, EngineError> {
        let mut named = Vec::new();
        for name in wanted.names(self.snapshot)? {
            let Some(fit) = wanted.fit(&name) else {
                continue;
            };
            for definition in self.graph.definitions(&name)? {
                named.push((fit, definition));
            }
        }
        let mut found = named.clone();
        found.retain(|(_, definition)| wanted.is_inside(definition.symbol.qualified));
        if found.is_empty() && wanted.is_qualified() {
            found = self.by_path(wanted, named);
        }
        if found.is_empty()
            && let Some(plain) = wanted.without_sigil()
        {
            return self.defined(&plain);
        }
        // What more of the repository leads to comes first.
        found.sort_by(|(fit, a), (other, b)| {
            let order = (*fit, self.is_secondary(a)).cmp(&(*other, self.is_secondary(b)));
            order
                .then_with(|| self.importance(b).total_cmp(&self.importance(a)))
                .then_with(|| place(a).cmp(&place(b)))
        });
        Ok(found)
    }

    /// Whether a variable is one of a function.
    fn is_local(&self, variable: &Definition) -> Result<bool, EngineError> {
        let facts = self.graph.facts(variable.file)?;
        let around = facts.enclosing(variable.symbol.line);
        Ok(around.is_some_and(|symbol| {
            matches!(symbol.kind, Kind::Function | Kind::Method | Kind::Test)
        }))
    }

    /// Those that stand in the package or the folder that was asked for around the
    /// name, where no definition is called so.
    fn by_path(
        &self,
        wanted: &SymbolQuery,
        named: Vec<(Fit, Definition<'s>)>,
    ) -> Vec<(Fit, Definition<'s>)> {
        let is_root = |name: &str| self.graph.is_root(name);
        let shared = |found: &Definition| {
            let path = self.path(found.file);
            wanted.by_path(found.symbol.qualified, path, is_root)
        };
        let most = named.iter().filter_map(|(_, one)| shared(one)).max();
        let mut found = named;
        found.retain(|(_, one)| most.is_some() && shared(one) == most);
        found
    }

    /// Names that are like one that nothing is called: what is called so elsewhere,
    /// or what is written much like it.
    fn nearest(&self, name: &str) -> Result<Vec<String>, EngineError> {
        let wanted = SymbolQuery::new(name);
        let mut elsewhere = BTreeSet::new();
        for definition in self.graph.definitions(&wanted.name)? {
            elsewhere.insert(definition.symbol.qualified.to_owned());
        }
        if elsewhere.is_empty() {
            return Ok(nearest_names(self.snapshot, name, NEAREST)?);
        }
        Ok(elsewhere.into_iter().take(NEAREST).collect())
    }

    /// Copies and tests come last among those that fit equally well.
    fn is_secondary(&self, found: &Definition) -> (bool, bool) {
        let path = self.path(found.file);
        (categories::is_vendored(path), categories::is_test(path))
    }

    fn importance(&self, found: &Definition) -> f32 {
        let line = Lines::new(found.symbol.line, found.symbol.line);
        let id = self.record(found.file).id();
        id.map_or(0.0, |id| self.snapshot.ranks().lines(id, line))
    }

    fn to_defined(&self, found: &[(Fit, Definition)]) -> Vec<Defined> {
        let mut defined = Vec::with_capacity(found.len());
        for (fit, definition) in found {
            defined.push(self.defined_as(definition, *fit));
        }
        defined
    }

    fn defined_as(&self, found: &Definition, fit: Fit) -> Defined {
        let Definition { file, symbol } = *found;
        Defined {
            path: self.path(file).to_owned(),
            line: symbol.line,
            lines: symbol.lines,
            kind: symbol.kind,
            name: symbol.name.to_owned(),
            qualified: symbol.qualified.to_owned(),
            text: self.line(file, symbol.line),
            visibility: symbol.visibility,
            fit,
            importance: self.importance(found),
            parse_errors: self.record(file).has_errors(),
        }
    }

    /// A line of a file as it is on disk.
    fn line(&self, file: FileNo, line: u32) -> String {
        self.text(file)
            .line(line)
            .unwrap_or_default()
            .trim()
            .to_owned()
    }

    /// The text of a file; empty where it is gone.
    fn text(&self, file: FileNo) -> Rc<Source> {
        if let Some(known) = self.texts.borrow().get(&file) {
            return Rc::clone(known);
        }
        let text = Rc::new(read(self.tree, self.record(file)));
        self.texts.borrow_mut().insert(file, Rc::clone(&text));
        text
    }

    /// Reads files that will be needed, several at a time.
    fn read(&self, files: impl Iterator<Item = FileNo>) {
        let known = self.texts.borrow();
        let files: BTreeSet<FileNo> = files.filter(|file| !known.contains_key(file)).collect();
        drop(known);
        let records: Vec<(FileNo, &FileRecord)> = files
            .into_iter()
            .map(|file| (file, self.record(file)))
            .collect();
        let tree = self.tree;
        let texts = records
            .into_par_iter()
            .map(|(file, record)| (file, read(tree, record)));
        let texts: Vec<(FileNo, Source)> = texts.collect();
        let kept = texts.into_iter().map(|(file, text)| (file, Rc::new(text)));
        self.texts.borrow_mut().extend(kept);
    }
}

/// The text of a file as it is on disk; empty where it is gone.
fn read(tree: &dyn Tree, record: &FileRecord) -> Source {
    let bytes = read_record(tree, record).unwrap_or_default();
    Source::new(scent_syntax::text_of(&record.path, bytes))
}
