//! How the symbols of a repository hang together.
//!
//! Nothing of this is stored. A file keeps what it defines, uses and imports
//! (`facts-N`); what a name means there is worked out when somebody asks, from
//! the facts of the files that mention the name. So an edit costs what the
//! file costs, a new file satisfies an old import at once, and the graph after
//! edits is that of a fresh index.

mod modules;
mod paths;
mod resolve;

pub use paths::FileNo;
pub use resolve::Reason;

use crate::error::Result;
use crate::facts::{ImportRef, StoredFacts, SymbolRef, UseRef};
use crate::files::{FileRecord, State};
use crate::schema::TextField;
use crate::snapshot::Snapshot;
use crate::tokens;
use modules::Style;
use paths::Paths;
use resolve::{Bound, Candidate, Here};
use scent_types::{Kind, Lines, Role};
use std::collections::BTreeSet;

/// The symbols of one snapshot.
pub struct Graph<'s> {
    snapshot: &'s Snapshot,
    paths: Paths<'s>,
}

/// A symbol and the file it is defined in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition<'s> {
    /// The file.
    pub file: FileNo,
    /// The symbol.
    pub symbol: SymbolRef<'s>,
}

/// A use of a name, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge<'s> {
    /// The file that uses it.
    pub file: FileNo,
    /// The use.
    pub used: UseRef<'s>,
    /// The innermost symbol around the use.
    pub around: Option<SymbolRef<'s>>,
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
    pub fn new(snapshot: &'s Snapshot) -> Result<Graph<'s>> {
        Ok(Graph { snapshot, paths: Paths::new(snapshot)? })
    }

    /// The record of a file.
    pub fn record(&self, file: FileNo) -> &'s FileRecord {
        self.paths.record(file)
    }

    /// The file at a path.
    pub fn file_at(&self, path: &str) -> Option<FileNo> {
        self.paths.at(path)
    }

    /// What a file defines, uses and imports.
    pub fn facts(&self, file: FileNo) -> Result<StoredFacts<'s>> {
        self.snapshot.facts(self.paths.record(file))
    }

    /// Every definition of exactly this name.
    pub fn definitions(&self, name: &str) -> Result<Vec<Definition<'s>>> {
        let mut found = Vec::new();
        for file in self.mentioning(name)? {
            let facts = self.facts(file)?;
            let same = facts.symbols().filter(|symbol| symbol.name == name);
            found.extend(same.map(|symbol| Definition { file, symbol }));
        }
        Ok(found)
    }

    /// Where this name is given to a variable or is an alias, which is a
    /// definition where there is no other.
    pub fn bindings(&self, name: &str) -> Result<Vec<Definition<'s>>> {
        let mut found = Vec::new();
        for file in self.mentioning(name)? {
            let facts = self.facts(file)?;
            // What an import calls something is not where it is defined.
            let is_alias = |used: &UseRef| is_imported_at(&facts, used.line, name);
            let bound = facts.uses_of(name).filter(|used| used.role == Role::Bind);
            let bound: Vec<UseRef> =
                bound.filter(|used| !used.qualifier.is_empty() || !is_alias(used)).collect();
            found.extend(bound.into_iter().map(|UseRef { name, line, .. }| {
                let lines = Lines::new(line, line);
                let symbol = SymbolRef { name, qualified: name, kind: Kind::Constant, line, lines };
                Definition { file, symbol }
            }));
        }
        Ok(found)
    }

    /// Every use of exactly this name, and what it means.
    pub fn uses(&self, name: &str) -> Result<Vec<Edge<'s>>> {
        let definitions = self.definitions(name)?;
        let candidates: Vec<Candidate> =
            definitions.iter().map(|definition| self.candidate(definition)).collect();
        let mut edges = Vec::new();
        for file in self.mentioning(name)? {
            let facts = self.facts(file)?;
            let uses = uses_of(&facts, name);
            if uses.is_empty() {
                continue;
            }
            let here = self.here(file, &facts, name);
            for used in uses {
                let (reason, chosen) = resolve::resolve(&used, &here, &candidates);
                let to = chosen.into_iter().map(|nth| definitions[nth]).collect();
                let around = facts.around(used.line);
                edges.push(Edge { file, used, around, to, reason });
            }
        }
        Ok(edges)
    }

    /// What a file imports.
    pub fn dependencies(&self, file: FileNo) -> Result<Vec<Dependency<'s>>> {
        let facts = self.facts(file)?;
        let (from, style) = (self.paths.path(file), self.style(file));
        let dependency = |import: ImportRef<'s>| {
            let mut to = self.meant(style, from, &facts, &import);
            // What a file takes from itself is no dependency.
            let is_own = to == [file];
            to.retain(|other| *other != file);
            (!is_own).then_some(Dependency { file, import, to })
        };
        // A `using` of C++ names no file.
        let is_file = |d: &Dependency| style != Style::Include || !d.import.module.contains("::");
        Ok(facts.imports().filter_map(dependency).filter(is_file).collect())
    }

    /// The files that an import means: of several, those that define what is
    /// taken.
    fn meant(
        &self,
        style: Style,
        from: &str,
        facts: &StoredFacts,
        import: &ImportRef,
    ) -> Vec<FileNo> {
        // In a module inside of a file, what is above is the file.
        let within = |s: &SymbolRef| s.kind == Kind::Module && s.lines.contains(import.line);
        let above = import.module.strip_prefix("super").filter(|_| style == Style::Rust);
        let own = above.filter(|_| facts.symbols().any(|symbol| within(&symbol)));
        let module = own.map(|rest| format!("self{rest}"));
        let import = &ImportRef { module: module.as_deref().unwrap_or(import.module), ..*import };
        let files = modules::files(&self.paths, style, from, import);
        let taken = resolve::taken_name(import);
        let defining: Vec<FileNo> = match files.len() {
            0 | 1 => Vec::new(),
            _ => files.iter().copied().filter(|&file| self.defines(file, taken)).collect(),
        };
        if defining.is_empty() { files } else { defining }
    }

    /// Whether a file defines something of this name.
    fn defines(&self, file: FileNo, name: &str) -> bool {
        self.facts(file).is_ok_and(|facts| facts.symbols().any(|symbol| symbol.name == name))
    }

    /// Who imports a file.
    pub fn dependents(&self, file: FileNo) -> Result<Vec<Dependency<'s>>> {
        let path = self.paths.path(file);
        let own = [paths::stem(path), paths::file_name(paths::folder(path))];
        let mut files = BTreeSet::new();
        for name in own.iter().filter(|name| !name.is_empty()) {
            files.extend(self.mentioning(name)?);
        }
        // `from . import x` and `import ".."` mention no name of what they mean.
        files.extend(self.paths.in_folder(paths::folder(path)));
        let mut found = Vec::new();
        for other in files.into_iter().filter(|other| *other != file) {
            let dependencies = self.dependencies(other)?;
            found.extend(dependencies.into_iter().filter(|d| d.to.contains(&file)));
        }
        Ok(found)
    }

    /// The files with a unit that holds a name, in order.
    pub fn mentioning(&self, name: &str) -> Result<BTreeSet<FileNo>> {
        let mut files = BTreeSet::new();
        let words = tokens::unique(name);
        // The longest of its words is the name as a whole.
        let Some(word) = words.iter().max_by_key(|word| word.len()) else {
            // A name of one letter is no word: any file may hold it.
            return Ok(self.paths.all().collect());
        };
        let mut add = |unit: u32, _, _| {
            let (id, _) = self.snapshot.place(unit);
            files.extend(self.snapshot.file_no(id));
        };
        self.snapshot.postings(TextField::Body, word, &mut add)?;
        self.snapshot.postings(TextField::Name, word, &mut add)?;
        Ok(files)
    }

    fn style(&self, file: FileNo) -> Style {
        Style::of(self.language(file))
    }

    /// The language of a file, by its id.
    pub fn language(&self, file: FileNo) -> &'s str {
        match &self.paths.record(file).state {
            State::Indexed { language, .. } => language,
            State::Skipped(_) => "",
        }
    }

    fn candidate(&self, definition: &Definition<'s>) -> Candidate<'s> {
        let Definition { file, symbol } = *definition;
        Candidate {
            file,
            symbol,
            folder: paths::folder(self.paths.path(file)),
            family: resolve::family(self.language(file)),
        }
    }

    /// Where files pass a name on from others, those others in their place.
    fn passing(&self, files: Vec<FileNo>, name: &str) -> Vec<FileNo> {
        const STEPS: usize = 3;
        let mut seen: BTreeSet<FileNo> = files.iter().copied().collect();
        let mut step = files.clone();
        for _ in 0..STEPS {
            let defining: Vec<FileNo> =
                step.iter().copied().filter(|&file| self.defines(file, name)).collect();
            if !defining.is_empty() {
                return defining;
            }
            let next = step.iter().flat_map(|&file| self.taken_from(file, name));
            step = next.filter(|file| seen.insert(*file)).collect();
        }
        files
    }

    /// The files from which a file may have a name that it does not define.
    fn taken_from(&self, file: FileNo, name: &str) -> Vec<FileNo> {
        let may_take = |d: &Dependency| {
            let whole = d.import.name.is_empty() || resolve::is_everything(d.import.name);
            whole || resolve::taken_name(&d.import) == name
        };
        let dependencies = self.dependencies(file).unwrap_or_default();
        dependencies.into_iter().filter(may_take).flat_map(|d| d.to).collect()
    }

    /// What is known of a file, where a name is looked at.
    fn here(&self, file: FileNo, facts: &StoredFacts<'s>, name: &str) -> Here<'s> {
        let (from, style) = (self.paths.path(file), self.style(file));
        let bound = |import: ImportRef<'s>| {
            let taken = resolve::taken_name(&import);
            let files = self.meant(style, from, facts, &import);
            let wide = resolve::is_everything(taken) || style.imports_all();
            let files = if taken == name || wide { self.passing(files, name) } else { files };
            Bound { name: resolve::bound_name(&import), taken, files }
        };
        let given = facts.uses_of(name).filter(|used| used.role.gives());
        let is_alias = |used: &UseRef| is_imported_at(facts, used.line, name);
        let given = given.filter(|used| used.qualifier.is_empty() && !is_alias(used));
        let locals = given.filter_map(|used| Some((used.line, facts.around(used.line)?.lines)));
        Here {
            locals: locals.collect(),
            file,
            folder: paths::folder(from),
            family: resolve::family(self.language(file)),
            style,
            symbols: facts.symbols().collect(),
            bound: facts.imports().map(bound).collect(),
        }
    }
}

/// Whether an import at a line brings something under a name.
fn is_imported_at(facts: &StoredFacts, line: u32, name: &str) -> bool {
    let names_it = |i: &ImportRef| i.alias == name || resolve::taken_name(i) == name;
    facts.imports().any(|import| import.line == line && names_it(&import))
}

/// Every use of a name in a file: where it is written, where an import takes it
/// from the end of a path, and where it is used under the name an import gives
/// it.
fn uses_of<'s>(facts: &StoredFacts<'s>, name: &str) -> Vec<UseRef<'s>> {
    let mut uses: Vec<UseRef> = facts.uses_of(name).collect();
    let taking: Vec<ImportRef> =
        facts.imports().filter(|import| resolve::taken_name(import) == name).collect();
    for import in &taking {
        let line = import.line;
        if !uses.iter().any(|used| used.line == line && used.role == Role::Import) {
            let name = resolve::taken_name(import);
            uses.push(UseRef { line, role: Role::Import, name, qualifier: "" });
        }
    }
    let aliases: BTreeSet<&str> = taking.iter().map(|import| import.alias).collect();
    for alias in aliases.into_iter().filter(|alias| !alias.is_empty() && *alias != name) {
        uses.extend(facts.uses_of(alias).filter(|used| !used.role.gives()));
    }
    uses
}
