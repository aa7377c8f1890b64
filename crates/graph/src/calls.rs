//! What definitions call: names resolved where they stand, as far as a search
//! along the calls comes.
//!
//! To go from a caller to what it calls needs the definitions of the names in
//! its lines. To go the other way needs every file that mentions a name, which
//! for a common name is most of a repository.

use crate::definition::Definition;
use crate::graph::{Edge, Graph};
use crate::imports::Bound;
use crate::paths::FileNo;
use crate::resolve::Candidate;
use crate::scope::FileScope;
use rustc_hash::FxHashMap;
use scent_index::{Result, SymbolRef, UseRef};
use scent_types::Role;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The calls of a graph. What was looked up of a name or a file is kept.
pub struct Calls<'g, 's> {
    graph: &'g Graph<'s>,
    named: RefCell<FxHashMap<&'s str, Rc<Named<'s>>>>,
    files: RefCell<FxHashMap<FileNo, Rc<FileCalls<'s>>>>,
}

/// The definitions of a name.
struct Named<'s> {
    definitions: Vec<Definition<'s>>,
    candidates: Vec<Candidate<'s>>,
}

/// The uses of a file that may be calls, by the symbol that they stand in.
struct FileCalls<'s> {
    scope: Arc<FileScope<'s>>,
    by_owner: FxHashMap<usize, Vec<UseRef<'s>>>,
}

impl<'g, 's> Calls<'g, 's> {
    /// The calls of a graph.
    pub fn new(graph: &'g Graph<'s>) -> Calls<'g, 's> {
        Calls {
            graph,
            named: RefCell::default(),
            files: RefCell::default(),
        }
    }

    /// What a definition calls in lines that belong to nothing inside of it,
    /// and the functions that it names without calling them.
    pub fn of(&self, caller: &Definition<'s>) -> Result<Vec<Edge<'s>>> {
        let file = self.file(caller.file)?;
        let is_caller = |symbol: &SymbolRef| *symbol == caller.symbol;
        let Some(owner) = file.scope.context.symbols.iter().position(is_caller) else {
            return Ok(Vec::new());
        };
        let uses = file.by_owner.get(&owner).map_or(&[][..], Vec::as_slice);
        let mut by_name: BTreeMap<&'s str, Vec<UseRef<'s>>> = BTreeMap::new();
        for used in uses {
            by_name
                .entry(defined_name(&file.scope.context.bound, used))
                .or_default()
                .push(*used);
        }
        let mut edges = Vec::new();
        for (name, uses) in by_name {
            let named = self.named(name)?;
            if named.definitions.is_empty() {
                continue;
            }
            let (definitions, candidates) = (&named.definitions, &named.candidates);
            edges.extend(
                self.graph
                    .edges(&file.scope, name, uses, definitions, candidates)?,
            );
        }
        Ok(edges)
    }

    /// The symbols directly inside of another one.
    pub fn members(&self, of: &Definition<'s>) -> Result<Vec<Definition<'s>>> {
        let context = &self.file(of.file)?.scope.context;
        let inside = context.symbols.iter().filter(|symbol| {
            *symbol != &of.symbol
                && of.symbol.lines.contains(symbol.line)
                && symbol.lines.count() <= of.symbol.lines.count()
        });
        Ok(inside
            .map(|&symbol| Definition {
                file: of.file,
                symbol,
            })
            .collect())
    }

    fn named(&self, name: &'s str) -> Result<Rc<Named<'s>>> {
        if let Some(known) = self.named.borrow().get(name) {
            return Ok(Rc::clone(known));
        }
        let definitions = self.graph.definitions(name)?;
        let links = self.graph.links();
        let candidates = definitions.iter();
        let named = Rc::new(Named {
            candidates: candidates
                .map(|found| Candidate::new(links, found.file, found.symbol))
                .collect(),
            definitions,
        });
        self.named.borrow_mut().insert(name, Rc::clone(&named));
        Ok(named)
    }

    fn file(&self, file: FileNo) -> Result<Rc<FileCalls<'s>>> {
        if let Some(known) = self.files.borrow().get(&file) {
            return Ok(Rc::clone(known));
        }
        let scope = self.graph.scope(file)?;
        let context = &scope.context;
        let mut by_owner: FxHashMap<usize, Vec<UseRef>> = FxHashMap::default();
        for used in context.facts.uses() {
            if matches!(used.role, Role::Call | Role::Read | Role::Use)
                && let Some(owner) = context.owner(used.line)
            {
                by_owner.entry(owner).or_default().push(used);
            }
        }
        let known = Rc::new(FileCalls { scope, by_owner });
        self.files.borrow_mut().insert(file, Rc::clone(&known));
        Ok(known)
    }
}

/// What is used, as it is called where it is defined.
fn defined_name<'s>(bound: &[Bound<'s>], used: &UseRef<'s>) -> &'s str {
    let mut renamed = bound.iter().filter(|bound| !bound.import.alias.is_empty());
    let renamed = renamed.find(|bound| used.qualifier.is_empty() && bound.name == used.name);
    renamed.map_or(used.name, |bound| bound.taken)
}
