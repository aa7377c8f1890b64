//! The symbols of a snapshot: what names mean, and what files import.

use crate::definition::Definition;
use crate::imports::{self, Bound};
use crate::links::{Links, ResolvedImport};
use crate::paths::{self, FileNo, PathIndex, RulesOf};
use crate::receivers::Receivers;
use crate::resolve::{Candidate, NameResolver, Reason};
use crate::scope::FileScope;
use crate::types::Types;
use memchr::memmem::Finder;
use rayon::prelude::*;
use scent_index::{
    FileRecord, ImportRef, Result, Snapshot, StoredFacts, SymbolRef, TextField, UseRef,
};
use scent_types::{ImportStyle, Kind, Lines, Role};
use scent_words::terms;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The fewest files that are worth a thread of their own.
const FEW: usize = 8;

/// The symbols of one snapshot.
pub struct Graph<'s> {
    snapshot: &'s Snapshot,
    types: Types<'s>,
}

/// A use of a name, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge<'s> {
    /// The file that uses it.
    pub file: FileNo,
    /// The use.
    pub used: UseRef<'s>,
    /// The innermost symbol around the use.
    pub enclosing: Option<SymbolRef<'s>>,
    /// What it means; several where that cannot be told.
    pub to: Vec<Definition<'s>>,
    /// How that is known.
    pub reason: Reason,
}

/// An import, and the files it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency<'s> {
    /// The file that imports.
    pub file: FileNo,
    /// The import.
    pub import: ImportRef<'s>,
    /// The files; none where it is from elsewhere.
    pub to: Vec<FileNo>,
}

impl<'s> Graph<'s> {
    /// The graph of a snapshot.
    pub fn new(snapshot: &'s Snapshot, rules_of: RulesOf) -> Result<Graph<'s>> {
        let (table, facts) = (snapshot.table(), snapshot.facts());
        let paths = snapshot.derived(|| PathIndex::new(table, facts, rules_of))?;
        Ok(Graph {
            snapshot,
            types: Types::new(Links::new(table, paths, facts), snapshot),
        })
    }

    pub(crate) fn links(&self) -> &Links<'s> {
        &self.types.links
    }

    /// The record of a file.
    pub fn record(&self, file: FileNo) -> &'s FileRecord {
        self.types.links.record(file)
    }

    /// The file at a path.
    pub fn file_at(&self, path: &str) -> Option<FileNo> {
        self.types.links.paths.at(path)
    }

    /// Whether an import from a part of the project may begin so.
    pub fn is_root(&self, name: &str) -> bool {
        self.types.links.paths.has_root(name)
    }

    /// What a file defines, uses and imports.
    pub fn facts(&self, file: FileNo) -> Result<StoredFacts<'s>> {
        self.types.links.facts(file)
    }

    /// Every definition of exactly this name.
    pub fn definitions(&self, name: &str) -> Result<Vec<Definition<'s>>> {
        let files = self.holding(name)?;
        let found: Vec<Vec<Definition>> = files
            .par_iter()
            .with_min_len(FEW)
            .map(|&file| self.definitions_in(file, name))
            .collect::<Result<_>>()?;
        Ok(found.concat())
    }

    /// The definitions of exactly this name that units are called by or declare,
    /// which is known without a look into files that only use it. Where there
    /// are more than `most`, some of them.
    pub fn declared(&self, name: &str, most: usize) -> Result<Vec<Definition<'s>>> {
        let text = self.snapshot.text();
        let mut files = BTreeSet::new();
        let mut add = |unit| files.extend(self.snapshot.file_no(text.place(unit).0));
        text.named(&name.to_lowercase(), &mut add)?;
        text.declaring(name, &mut add)?;
        let mut found = Vec::new();
        for file in files {
            found.extend(self.definitions_in(file, name)?);
            if found.len() > most {
                break;
            }
        }
        Ok(found)
    }

    fn definitions_in(&self, file: FileNo, name: &str) -> Result<Vec<Definition<'s>>> {
        let symbols = self.types.links.symbols_named(file, name)?.into_iter();
        // Nothing refers to the title of a test.
        let symbols = symbols.filter(|symbol| symbol.kind != Kind::Test);
        Ok(symbols.map(|symbol| Definition { file, symbol }).collect())
    }

    /// Where this name is given to a variable or is an alias, which is a
    /// definition where there is no other.
    pub fn bindings(&self, name: &str) -> Result<Vec<Definition<'s>>> {
        let mut found = Vec::new();
        for file in self.holding(name)? {
            let facts = self.facts(file)?;
            let imported = Bound::all(&facts);
            for used in facts.uses_of(name) {
                // What an import calls something is not where it is defined.
                let mut imported = imported.iter();
                let is_alias = used.qualifier.is_empty()
                    && imported.any(|bound| bound.brings_at(used.line, name));
                if used.role == Role::Bind && !is_alias {
                    let symbol = variable(&used);
                    found.push(Definition { file, symbol });
                }
            }
        }
        Ok(found)
    }

    /// The names that are used at a line of a file, as they are called where they
    /// come from.
    pub fn names_at(&self, file: FileNo, line: u32) -> Result<BTreeSet<&'s str>> {
        let scope = self.types.scope(file)?;
        let mut names = BTreeSet::new();
        for used in scope.context.facts.uses() {
            if used.line == line && !used.role.gives() {
                let mut bound = scope.context.bound.iter();
                let bound = bound.find(|bound| bound.import.alias == used.name);
                names.insert(bound.map_or(used.name, |bound| bound.taken));
            }
        }
        Ok(names)
    }

    /// What a file calls by a name, as it is called where it comes from.
    pub fn defined_name(&self, file: FileNo, name: &str) -> Result<String> {
        let facts = self.facts(file)?;
        let import = facts.imports().find(|import| import.alias == name);
        Ok(import
            .map_or(name, |import| imports::taken_name(&import))
            .to_owned())
    }

    /// Every use of exactly this name, and what it means.
    pub fn uses(&self, name: &str) -> Result<Vec<Edge<'s>>> {
        let definitions = self.definitions(name)?;
        let mut candidates = Vec::with_capacity(definitions.len());
        for Definition { file, symbol } in &definitions {
            candidates.push(Candidate::new(&self.types.links, *file, *symbol));
        }
        let mut files = self.holding(name)?;
        files.extend(self.naming_anew(name, &definitions)?);
        files.sort_unstable();
        files.dedup();
        let edges: Vec<Vec<Edge>> = files
            .par_iter()
            .with_min_len(FEW)
            .map(|&file| self.uses_in(file, name, &definitions, &candidates))
            .collect::<Result<_>>()?;
        let mut edges = edges.into_iter().flatten().collect();
        temper(&mut edges);
        Ok(edges)
    }

    /// The files that import what a module gives by default, which may be called
    /// anything there.
    fn naming_anew(&self, name: &str, definitions: &[Definition]) -> Result<Vec<FileNo>> {
        let mut files = Vec::new();
        let links = &self.types.links;
        for definition in definitions {
            if links.given_by_default(definition.file) == Some(name) {
                let importing = self.dependents(definition.file)?.into_iter();
                files.extend(importing.map(|dependency| dependency.file));
            }
        }
        Ok(files)
    }

    fn uses_in(
        &self,
        file: FileNo,
        name: &str,
        definitions: &[Definition<'s>],
        candidates: &[Candidate<'s>],
    ) -> Result<Vec<Edge<'s>>> {
        let scope = self.types.scope(file)?;
        let context = &scope.context;
        let uses = imports::uses_of(&context.facts, &context.bound, name);
        self.edges(&scope, name, uses, definitions, candidates)
    }

    /// What some uses of a name in one file mean.
    pub(crate) fn edges(
        &self,
        scope: &FileScope<'s>,
        name: &str,
        uses: Vec<UseRef<'s>>,
        definitions: &[Definition<'s>],
        candidates: &[Candidate<'s>],
    ) -> Result<Vec<Edge<'s>>> {
        let context = &scope.context;
        let resolver = NameResolver::new(&self.types.links, context, name, candidates);
        let receivers = Receivers {
            types: &self.types,
            scope,
            resolver: &resolver,
            definitions,
        };
        let mut edges = Vec::with_capacity(uses.len());
        for used in uses {
            let (reason, chosen) = receivers.resolve(&used)?;
            edges.push(Edge {
                file: context.file,
                used,
                enclosing: context.enclosing(used.line),
                to: chosen.into_iter().map(|nth| definitions[nth]).collect(),
                reason,
            });
        }
        Ok(edges)
    }

    /// What is known of the types in a file.
    pub(crate) fn scope(&self, file: FileNo) -> Result<Arc<FileScope<'s>>> {
        self.types.scope(file)
    }

    /// How it is known that one of two members may run where the other one is
    /// called, if it may: what the one belongs to inherits from what the other
    /// does, or implements it.
    pub fn overrides(&self, a: &Definition<'s>, b: &Definition<'s>) -> Result<Option<Reason>> {
        self.types.overrides(a, b)
    }

    /// How it is known that a member may run where another one is called, if it
    /// may.
    pub fn runs_for(
        &self,
        member: &Definition<'s>,
        called: &Definition<'s>,
    ) -> Result<Option<Reason>> {
        self.types.runs_for(member, called)
    }

    /// The types that implement an interface by having its methods.
    pub fn implementing(&self, interface: &Definition<'s>) -> Result<Vec<Definition<'s>>> {
        self.types.implementing(interface)
    }

    /// The methods that run where one of an interface is called, by the types
    /// that implement it so.
    pub fn implementing_methods(&self, method: &Definition<'s>) -> Result<Vec<Definition<'s>>> {
        let rules = self.types.links.paths.rules(method.file);
        if !rules.implicit_interfaces || method.symbol.kind != Kind::Method {
            return Ok(Vec::new());
        }
        let Some(interface) = self.types.owner_of(method)? else {
            return Ok(Vec::new());
        };
        let types = self.types.implementing(&interface)?;
        let mut found = Vec::new();
        for other in self.types.named(method.symbol.name)?.iter() {
            for one in &types {
                if self.types.is_member(other, one)? {
                    found.push(*other);
                }
            }
        }
        Ok(found)
    }

    /// What a file imports.
    pub fn dependencies(&self, file: FileNo) -> Result<Vec<Dependency<'s>>> {
        let is_include = self.types.links.paths.rules(file).style == ImportStyle::Include;
        // A path that a setting or a script names may be made later.
        let is_place = self.types.links.paths.rules(file).style == ImportStyle::Place;
        let mut dependencies = Vec::new();
        for ResolvedImport { import, files, .. } in self.types.links.imports(file)? {
            // A `using` of C++ names no file.
            let names_none = is_include && import.module.contains("::");
            if names_none || (is_place && files.is_empty() && import.module.starts_with('.')) {
                continue;
            }
            // What a file takes from itself is no dependency.
            let mut to = match self.types.links.paths.rules(file).style {
                ImportStyle::Go => self.types.links.used_files(file, import, files)?,
                _ => files.clone(),
            };
            to.retain(|other| *other != file);
            if files.is_empty() || !to.is_empty() {
                let import = *import;
                dependencies.push(Dependency { file, import, to });
            }
        }
        Ok(dependencies)
    }

    /// Who imports a file.
    pub fn dependents(&self, file: FileNo) -> Result<Vec<Dependency<'s>>> {
        let path = self.types.links.paths.path(file);
        let own = [paths::stem(path), paths::file_name(paths::folder(path))];
        let mut files = BTreeSet::new();
        let names = own.into_iter().chain(self.types.links.paths.names_of(path));
        for name in names.filter(|name| !name.is_empty()) {
            files.extend(self.mentioning(name)?);
        }
        // `from . import x` and `import ".."` mention no name of what they mean.
        files.extend(self.types.links.paths.in_folder(paths::folder(path)));
        let mut found = Vec::new();
        for other in files.into_iter().filter(|other| *other != file) {
            let dependencies = self.dependencies(other)?;
            found.extend(dependencies.into_iter().filter(|d| d.to.contains(&file)));
        }
        Ok(found)
    }

    /// The files whose facts have a name in them, in order. Words are found in
    /// any case and in comments too, so these are often far fewer.
    fn holding(&self, name: &str) -> Result<Vec<FileNo>> {
        let finder = Finder::new(name);
        let files = self.mentioning(name)?.into_iter();
        Ok(files
            .filter(|&file| finder.find(self.types.links.bytes(file)).is_some())
            .collect())
    }

    /// The files with a unit that holds a name, in order.
    pub fn mentioning(&self, name: &str) -> Result<BTreeSet<FileNo>> {
        let mut files = BTreeSet::new();
        let words = terms::unique(name);
        // The longest of its words is the name as a whole.
        let Some(word) = words.iter().max_by_key(|word| word.len()) else {
            // A name of one letter is no word: any file may hold it.
            return Ok(self.types.links.paths.all().collect());
        };
        let text = self.snapshot.text();
        text.words(&[word])?.postings(0, |field, unit, _, _| {
            if matches!(field, TextField::Body | TextField::Name) {
                let (id, _) = text.place(unit);
                files.extend(self.snapshot.file_no(id));
            }
        })?;
        Ok(files)
    }

    /// The family of languages of a file, which share names.
    pub fn family(&self, file: FileNo) -> &'static str {
        self.types.links.paths.rules(file).family
    }

    /// Whether other files see what a file defines only through an import.
    pub fn needs_import(&self, file: FileNo) -> bool {
        let rules = self.types.links.paths.rules(file);
        rules.explicit_names && !rules.shared_folder
    }

    /// The language of a file, by its id.
    pub fn language(&self, file: FileNo) -> &'s str {
        self.types.links.language(file)
    }
}

/// Where most of what is known of a name is not of the project, what is not known
/// is hardly of it either: `rows.filter()`.
fn temper(edges: &mut Vec<Edge>) {
    let members = || edges.iter().filter(|edge| !edge.used.qualifier.is_empty());
    let others = |edge: &&Edge| matches!(edge.reason, Reason::External | Reason::OtherType);
    let ours = |edge: &&Edge| edge.reason.confidence() > 0.8;
    let (others, ours) = (
        members().filter(others).count(),
        members().filter(ours).count(),
    );
    for edge in edges {
        let most = match edge.reason {
            Reason::Unique | Reason::Mentioned => 1,
            Reason::ReceiverName => 2,
            _ => continue,
        };
        if !edge.used.qualifier.is_empty() && others > most * ours + 1 {
            edge.reason = Reason::Unlikely;
        }
    }
}

/// The symbol of a variable, which has no definition of its own.
fn variable<'s>(used: &UseRef<'s>) -> SymbolRef<'s> {
    SymbolRef {
        name: used.name,
        qualified: used.name,
        kind: Kind::Constant,
        line: used.line,
        lines: Lines::new(used.line, used.line),
        visibility: None,
        arity: None,
    }
}
