//! Where the imports of files lead, and what a file knows of others through
//! them.

use crate::imports::{self, Bound};
use crate::modules;
use crate::paths::{self, FileNo, PathIndex, Paths};
use rustc_hash::FxHashMap;
use scent_index::{
    FactsReader, FileRecord, FileTable, ImportRef, Result, StoredFacts, SymbolRef, UseRef,
};
use scent_types::{ImportRules, ImportStyle, Kind, Lines, Role};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A name is followed through so many files that pass it on.
const STEPS: u8 = 3;

/// The files of an index by what imports make of them. What was worked out of a
/// file is kept, so that asking again costs nothing; threads may share it.
pub(crate) struct Links<'s> {
    pub paths: Paths<'s>,
    facts: &'s FactsReader,
    /// The names that each file defines, in order.
    names: OnceLock<Vec<OnceLock<Vec<&'s str>>>>,
    /// What each file imports, and the files that are meant.
    imports: OnceLock<Vec<OnceLock<Vec<Meant<'s>>>>>,
}

/// An import and the files it means; none where it is from elsewhere.
pub(crate) type Meant<'s> = (ImportRef<'s>, Vec<FileNo>);

/// What is known of the file in which names are looked at.
pub(crate) struct Here<'s> {
    pub file: FileNo,
    pub package: &'s str,
    pub rules: &'static ImportRules,
    pub symbols: Vec<SymbolRef<'s>>,
    pub bound: Vec<Bound<'s>>,
    /// The innermost symbol around each line, by its position.
    owners: Vec<u32>,
    /// What imports that bring all names bring, as far as it was asked for.
    around: RefCell<Layers>,
}

/// Files by how many others pass their names on.
#[derive(Default)]
struct Layers {
    steps: FxHashMap<FileNo, u8>,
    /// The files of each layer that is known.
    layers: Vec<Vec<FileNo>>,
}

/// Stands for no symbol.
const NOBODY: u32 = u32::MAX;

impl<'s> Links<'s> {
    pub fn new(table: &'s FileTable, index: Arc<PathIndex>, facts: &'s FactsReader) -> Links<'s> {
        Links {
            paths: Paths::new(table, index),
            facts,
            names: OnceLock::new(),
            imports: OnceLock::new(),
        }
    }

    /// What a file defines, uses and imports.
    pub fn facts(&self, file: FileNo) -> Result<StoredFacts<'s>> {
        self.facts.of(self.record(file))
    }

    /// The facts of a file as they are written.
    pub fn bytes(&self, file: FileNo) -> &'s [u8] {
        self.facts.bytes(self.record(file)).unwrap_or_default()
    }

    /// What a file defines under a name.
    pub fn symbols_named(&self, file: FileNo, name: &str) -> Result<Vec<SymbolRef<'s>>> {
        self.facts.symbols_named(self.record(file), name)
    }

    pub fn record(&self, file: FileNo) -> &'s FileRecord {
        self.paths.record(file)
    }

    /// The language of a file, by its id.
    pub fn language(&self, file: FileNo) -> &'s str {
        paths::language(self.record(file))
    }

    /// The package of a file, by its folder.
    pub fn package(&self, file: FileNo) -> &'s str {
        let folder = paths::folder(self.paths.path(file));
        modules::package_of(self.paths.rules(file).style, folder)
    }

    /// Where something that is worked out of a file is kept.
    fn kept<'k, T>(&self, all: &'k OnceLock<Vec<OnceLock<T>>>, file: FileNo) -> &'k OnceLock<T> {
        let empty = || (0..self.paths.count()).map(|_| OnceLock::new()).collect();
        &all.get_or_init(empty)[file as usize]
    }

    /// What a file imports.
    pub fn imports(&self, file: FileNo) -> Result<&[Meant<'s>]> {
        match self.kept(&self.imports, file).get() {
            Some(known) => Ok(known),
            None => Ok(self.imports_in(file, &self.facts(file)?)),
        }
    }

    /// The same where the facts of the file are at hand.
    pub fn imports_in(&self, file: FileNo, facts: &StoredFacts<'s>) -> &[Meant<'s>] {
        let in_module = |line| is_in_module(facts.symbols(), line);
        let meant = |import| (import, self.meant(file, &import, in_module));
        let all = || facts.imports().map(meant).collect();
        self.kept(&self.imports, file).get_or_init(all)
    }

    /// The files that an import of a file means: of several, those that define
    /// what is taken.
    fn meant(
        &self,
        file: FileNo,
        import: &ImportRef,
        in_module: impl Fn(u32) -> bool,
    ) -> Vec<FileNo> {
        let rules = self.paths.rules(file);
        // In a module inside of a file, what is above is the file.
        let above = import
            .module
            .strip_prefix("super")
            .filter(|_| rules.style == ImportStyle::Rust);
        let own = above.filter(|_| in_module(import.line));
        let module = own.map(|rest| format!("self{rest}"));
        let import = &ImportRef {
            module: module.as_deref().unwrap_or(import.module),
            ..*import
        };
        let files = modules::files(&self.paths, rules, self.paths.path(file), import);
        let taken = imports::taken_name(import);
        let defining: Vec<FileNo> = match files.len() {
            0 | 1 => Vec::new(),
            _ => files
                .iter()
                .copied()
                .filter(|&file| self.defines(file, taken))
                .collect(),
        };
        if defining.is_empty() { files } else { defining }
    }

    /// The files that an import means, which is seldom asked of most of them.
    pub fn files<'h>(&self, here: &'h Here<'s>, bound: &'h Bound<'s>) -> &'h [FileNo] {
        let in_module = |line| is_in_module(here.symbols.iter().copied(), line);
        bound
            .files
            .get_or_init(|| match self.kept(&self.imports, here.file).get() {
                Some(known) => known[bound.nth].1.clone(),
                None => self.meant(here.file, &bound.import, in_module),
            })
    }

    /// Whether a file defines something of this name.
    fn defines(&self, file: FileNo, name: &str) -> bool {
        let names = || {
            let symbols = self.facts.symbols(self.record(file));
            let mut names: Vec<&str> = symbols.iter().flatten().map(|symbol| symbol.name).collect();
            names.sort_unstable();
            names
        };
        self.kept(&self.names, file)
            .get_or_init(names)
            .binary_search(&name)
            .is_ok()
    }

    /// Where files pass a name on from others that define it, those others in
    /// their place.
    pub fn passing(&self, files: &[FileNo], name: &str, defining: &[FileNo]) -> Vec<FileNo> {
        if defining.is_empty() {
            return files.to_vec();
        }
        let mut seen: BTreeSet<FileNo> = BTreeSet::new();
        let mut step = files.to_vec();
        for _ in 0..STEPS {
            let defines = |file: &FileNo| defining.binary_search(file).is_ok();
            let found: Vec<FileNo> = step.iter().copied().filter(defines).collect();
            if !found.is_empty() {
                return found;
            }
            seen.extend(&step);
            let next = step
                .iter()
                .flat_map(|&file| self.taken_from(file, Some(name)));
            step = next.filter(|file| seen.insert(*file)).collect();
            if step.is_empty() {
                break;
            }
        }
        files.to_vec()
    }

    /// The files from which a file may have a name that it does not define: all
    /// of which it takes everything, and those of which it takes the name.
    fn taken_from(&self, file: FileNo, name: Option<&str>) -> Vec<FileNo> {
        let may_take = |import: &ImportRef| {
            let whole = import.name.is_empty() || imports::is_everything(import.name);
            whole || name == Some(imports::taken_name(import))
        };
        if !self.paths.rules(file).reexports {
            return Vec::new();
        }
        let imports = self.imports(file).unwrap_or_default().iter();
        let taken = imports
            .filter(|(import, _)| may_take(import))
            .flat_map(|(_, files)| files);
        taken.copied().filter(|other| *other != file).collect()
    }

    /// What is known of a file.
    pub fn here(&self, file: FileNo, facts: &StoredFacts<'s>) -> Here<'s> {
        let symbols: Vec<SymbolRef> = facts.symbols().collect();
        Here {
            file,
            package: self.package(file),
            rules: self.paths.rules(file),
            owners: owners(&symbols),
            symbols,
            bound: facts.imports().enumerate().map(Bound::new).collect(),
            around: RefCell::default(),
        }
    }

    /// Of some files, those that are nearest to a file through its imports that
    /// bring all names.
    pub fn nearest(&self, here: &Here<'s>, wanted: &[FileNo]) -> Vec<FileNo> {
        let mut around = here.around.borrow_mut();
        for step in 0..STEPS {
            self.reach(here, step, &mut around);
            let is_there = |file: &FileNo| around.steps.get(file) == Some(&step);
            let found: Vec<FileNo> = wanted.iter().copied().filter(is_there).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Sees to it that the files up to a step are known.
    fn reach(&self, here: &Here<'s>, step: u8, around: &mut Layers) {
        let step = usize::from(step);
        if around.layers.len() > step {
            return;
        }
        let next: Vec<FileNo> = match step.checked_sub(1) {
            None => here
                .bound
                .iter()
                .flat_map(|b| self.files(here, b).iter().copied())
                .collect(),
            Some(last) => around.layers[last]
                .iter()
                .flat_map(|&file| self.taken_from(file, None))
                .collect(),
        };
        let mut layer = Vec::new();
        for file in next {
            around.steps.entry(file).or_insert_with(|| {
                layer.push(file);
                step as u8
            });
        }
        around.layers.push(layer);
    }
}

impl<'s> Here<'s> {
    /// The position of the innermost symbol around a line.
    pub fn owner(&self, line: u32) -> Option<usize> {
        let owner = self
            .owners
            .get(line as usize)
            .copied()
            .filter(|owner| *owner != NOBODY);
        owner.map(|owner| owner as usize)
    }

    /// The innermost symbol around a line.
    pub fn around(&self, line: u32) -> Option<SymbolRef<'s>> {
        self.owner(line).map(|at| self.symbols[at])
    }

    /// Lines that give a name to a variable, and how far that reaches.
    pub fn locals(&self, facts: &StoredFacts, name: &str) -> Vec<(u32, Lines)> {
        let given = facts.uses_of(name).filter(|used| used.role.gives());
        let is_alias = |used: &UseRef| is_imported_at(facts, used.line, name);
        let given = given.filter(|used| used.qualifier.is_empty() && !is_alias(used));
        given
            .filter_map(|used| Some((used.line, self.around(used.line)?.lines)))
            .collect()
    }
}

/// The innermost symbol around each line. The smallest is written last; of
/// equal ones, the first.
fn owners(symbols: &[SymbolRef]) -> Vec<u32> {
    let last = symbols
        .iter()
        .map(|symbol| symbol.lines.end)
        .max()
        .unwrap_or(0);
    let mut owners = vec![NOBODY; last as usize + 1];
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse((symbols[at].lines.count(), at)));
    for at in order {
        let Lines { start, end } = symbols[at].lines;
        owners[start as usize..=end as usize].fill(at as u32);
    }
    owners
}

/// Whether a line is in a module inside of its file.
fn is_in_module<'s>(mut symbols: impl Iterator<Item = SymbolRef<'s>>, line: u32) -> bool {
    symbols.any(|symbol| symbol.kind == Kind::Module && symbol.lines.contains(line))
}

/// Whether an import at a line brings something under a name.
pub(crate) fn is_imported_at(facts: &StoredFacts, line: u32, name: &str) -> bool {
    let names_it = |i: &ImportRef| i.alias == name || imports::taken_name(i) == name;
    facts
        .imports()
        .any(|import| import.line == line && names_it(&import))
}

/// Every use of a name in a file: where it is written, where an import takes it
/// from the end of a path, and where it is used under the name an import gives
/// it.
pub(crate) fn uses_of<'s>(facts: &StoredFacts<'s>, name: &str) -> Vec<UseRef<'s>> {
    let mut uses: Vec<UseRef> = facts.uses_of(name).collect();
    let taking: Vec<ImportRef> = facts
        .imports()
        .filter(|import| imports::taken_name(import) == name)
        .collect();
    for import in &taking {
        let line = import.line;
        if !uses
            .iter()
            .any(|used| used.line == line && used.role == Role::Import)
        {
            let name = imports::taken_name(import);
            uses.push(UseRef {
                line,
                role: Role::Import,
                name,
                qualifier: "",
            });
        }
    }
    let aliases: BTreeSet<&str> = taking.iter().map(|import| import.alias).collect();
    for alias in aliases
        .into_iter()
        .filter(|alias| !alias.is_empty() && *alias != name)
    {
        uses.extend(facts.uses_of(alias).filter(|used| !used.role.gives()));
    }
    uses
}
