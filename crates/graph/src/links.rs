//! Where the imports of files lead, and what a file knows of others through
//! them.

use crate::context::FileContext;
use crate::imports::{self, Bound};
use crate::load_path;
use crate::modules;
use crate::paths::{self, FileNo, PathIndex, Paths};
use scent_index::{
    FactsReader, FileRecord, FileTable, HintRef, ImportRef, Result, StoredFacts, SymbolRef,
};
use scent_types::{Deadline, ImportStyle, Kind, Typed};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock, PoisonError};

/// A name is followed through so many files that pass it on.
const STEPS: u8 = 3;

/// The files of an index by what imports make of them. What was worked out of a
/// file is kept, so that asking again costs nothing; threads may share it.
pub(crate) struct Links<'s> {
    pub paths: Paths<'s>,
    facts: &'s FactsReader,
    /// The names that each file defines, in order.
    names: Slots<Vec<&'s str>>,
    /// What each file imports.
    imports: Slots<Vec<ResolvedImport<'s>>>,
    /// What each file gives where all of it is asked for.
    given: Slots<Option<&'s str>>,
    /// When whoever asks has to stop. What takes long reads facts all the time,
    /// so it is looked at there.
    deadline: Deadline,
}

/// Something that is worked out of each file, by its number.
type Slots<T> = OnceLock<Vec<OnceLock<T>>>;

/// An import, and the files it names.
pub(crate) struct ResolvedImport<'s> {
    pub import: ImportRef<'s>,
    /// What it takes, as it is called where it comes from.
    taken: &'s str,
    /// None where it is from elsewhere.
    pub files: Vec<FileNo>,
}

impl<'s> Links<'s> {
    pub fn new(table: &'s FileTable, index: Arc<PathIndex>, facts: &'s FactsReader) -> Links<'s> {
        Links {
            paths: Paths::new(table, facts, index, load_path::learned),
            facts,
            names: OnceLock::new(),
            imports: OnceLock::new(),
            given: OnceLock::new(),
            deadline: Deadline::current(),
        }
    }

    /// What a file defines, uses and imports.
    pub fn facts(&self, file: FileNo) -> Result<StoredFacts<'s>> {
        self.deadline.check()?;
        self.facts.of(self.record(file))
    }

    /// The facts of a file as they are written.
    pub fn bytes(&self, file: FileNo) -> &'s [u8] {
        self.facts.bytes(self.record(file)).unwrap_or_default()
    }

    /// What a file defines under a name.
    pub fn symbols_named(&self, file: FileNo, name: &str) -> Result<Vec<SymbolRef<'s>>> {
        self.deadline.check()?;
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

    /// What is known of a file, given its facts and the names it imports.
    pub fn context(
        &self,
        file: FileNo,
        facts: StoredFacts<'s>,
        bound: Vec<Bound<'s>>,
    ) -> FileContext<'s> {
        let package = self.package(file);
        let rules = self.paths.rules(file);
        FileContext::new(file, package, rules, facts, bound)
    }

    fn slot<'k, T>(&self, slots: &'k Slots<T>, file: FileNo) -> &'k OnceLock<T> {
        let empty = || (0..self.paths.count()).map(|_| OnceLock::new()).collect();
        &slots.get_or_init(empty)[file as usize]
    }

    /// What a file imports.
    pub fn imports(&self, file: FileNo) -> Result<&[ResolvedImport<'s>]> {
        match self.slot(&self.imports, file).get() {
            Some(known) => Ok(known),
            None => Ok(self.imports_in(file, &self.facts(file)?)),
        }
    }

    /// The same where the facts of the file are at hand.
    pub fn imports_in(&self, file: FileNo, facts: &StoredFacts<'s>) -> &[ResolvedImport<'s>] {
        self.slot(&self.imports, file).get_or_init(|| {
            let mut resolved = Vec::new();
            for import in facts.imports() {
                let taken = imports::taken_name(&import);
                let files = self.import_files(file, &import, taken, facts);
                resolved.push(ResolvedImport {
                    import,
                    taken,
                    files,
                });
            }
            resolved
        })
    }

    /// The names that the imports of a file bring. What a module is by default is
    /// called as it is there.
    pub fn bound(&self, file: FileNo, facts: &StoredFacts<'s>) -> Vec<Bound<'s>> {
        let mut all = Bound::all(facts);
        if self.paths.rules(file).style == ImportStyle::Node {
            for bound in all.iter_mut().filter(|bound| bound.is_whole()) {
                let files = self.bound_files(file, bound, facts);
                let given = files.first().and_then(|&file| self.given_by_default(file));
                bound.is_given = given.is_some();
                // Else it is hopefully called as the module is.
                let module = ImportRef {
                    name: "",
                    ..bound.import
                };
                bound.taken = given.unwrap_or(imports::taken_name(&module));
                bound.files = OnceLock::from(files);
            }
        }
        all
    }

    /// The name of what a module gives by default, where that is defined in it.
    pub fn given_by_default(&self, file: FileNo) -> Option<&'s str> {
        *self.slot(&self.given, file).get_or_init(|| {
            let facts = self.facts(file).ok()?;
            let mut hints = facts.hints();
            let is_default = |hint: &HintRef| {
                hint.of == Typed::Return && ["default", "exports"].contains(&hint.name)
            };
            let given = hints.find(is_default)?.text;
            self.defines(file, given).then_some(given)
        })
    }

    /// The files that an import of a file names: of several, those that define
    /// what is taken.
    fn import_files(
        &self,
        file: FileNo,
        import: &ImportRef,
        taken: &str,
        facts: &StoredFacts,
    ) -> Vec<FileNo> {
        let rules = self.paths.rules(file);
        let from = self.paths.path(file);
        let above = import.module.strip_prefix("super");
        let files = match above.filter(|_| rules.style == ImportStyle::Rust) {
            // In a module inside of a file, what is above is the file.
            Some(rest) if is_in_module(facts, import.line) => {
                let module = &format!("self{rest}");
                let import = ImportRef { module, ..*import };
                modules::files(&self.paths, rules, from, &import)
            }
            _ => modules::files(&self.paths, rules, from, import),
        };
        // A package is all of its files, whatever they define.
        if files.len() < 2 || rules.style == ImportStyle::Go {
            return files;
        }
        let mut defining = files.clone();
        defining.retain(|&file| self.defines(file, taken));
        if defining.is_empty() { files } else { defining }
    }

    /// Of the files of a package, those that define what a file uses of it; all
    /// of them where nothing tells.
    pub fn used_files(
        &self,
        file: FileNo,
        import: &ImportRef<'s>,
        package: &[FileNo],
    ) -> Result<Vec<FileNo>> {
        let called = match import.alias {
            "" => self.package_name(import, package),
            alias => alias,
        };
        let facts = self.facts(file)?;
        let uses = facts.uses().filter(|used| used.qualifier == called);
        let names: BTreeSet<&str> = uses.map(|used| used.name).collect();
        let mut used = package.to_vec();
        used.retain(|&file| names.iter().any(|name| self.defines(file, name)));
        Ok(if used.is_empty() {
            package.to_vec()
        } else {
            used
        })
    }

    /// What a package is called where it is used: the last part of its path, or
    /// what stands before that where it is only a version.
    fn package_name(&self, import: &ImportRef<'s>, package: &[FileNo]) -> &'s str {
        let is_version = |part: &str| {
            part.strip_prefix('v')
                .is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let folder = package
            .first()
            .map(|&file| paths::folder(self.paths.path(file)));
        let last = import.module.rsplit('/').find(|part| !is_version(part));
        last.or(folder.map(paths::file_name)).unwrap_or_default()
    }

    /// The files that an import names. Most of them are seldom needed.
    pub fn files<'c>(&self, context: &'c FileContext<'s>, bound: &'c Bound<'s>) -> &'c [FileNo] {
        let file = context.file;
        bound
            .files
            .get_or_init(|| self.bound_files(file, bound, &context.facts))
    }

    /// The same, where it may not be known yet.
    fn bound_files(&self, file: FileNo, bound: &Bound<'s>, facts: &StoredFacts<'s>) -> Vec<FileNo> {
        match self.slot(&self.imports, file).get() {
            Some(known) => known[bound.nth].files.clone(),
            None => self.import_files(file, &bound.import, bound.taken, facts),
        }
    }

    /// Whether a file defines something of this name.
    fn defines(&self, file: FileNo, name: &str) -> bool {
        let names = self.slot(&self.names, file).get_or_init(|| {
            let symbols = self.facts.symbols(self.record(file)).unwrap_or_default();
            let mut names: Vec<&str> = symbols.iter().map(|symbol| symbol.name).collect();
            names.sort_unstable();
            names
        });
        names.binary_search(&name).is_ok()
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
            let mut found = step.clone();
            found.retain(|file| defining.binary_search(file).is_ok());
            if !found.is_empty() {
                return found;
            }
            seen.extend(&step);
            let mut next = Vec::new();
            for file in step {
                next.extend(self.taken_from(file, Some(name)));
            }
            next.retain(|file| seen.insert(*file));
            if next.is_empty() {
                break;
            }
            step = next;
        }
        files.to_vec()
    }

    /// The files from which a file may have a name that it does not define: all
    /// of which it takes everything, and those of which it takes the name.
    fn taken_from(&self, file: FileNo, name: Option<&str>) -> Vec<FileNo> {
        let mut files = Vec::new();
        if !self.paths.rules(file).reexports {
            return files;
        }
        for resolved in self.imports(file).unwrap_or_default() {
            let passed = match resolved.import.alias {
                "" => resolved.taken,
                alias => alias,
            };
            if resolved.takes_everything() || name == Some(passed) || name == Some(resolved.taken) {
                files.extend(&resolved.files);
            }
        }
        files.retain(|other| *other != file);
        files
    }

    /// Of some files, those that are nearest to a file through its imports that
    /// bring all names.
    pub fn nearest(&self, context: &FileContext<'s>, wanted: &[FileNo]) -> Vec<FileNo> {
        let mut reached = context
            .reached
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for step in 0..STEPS {
            if !reached.knows(step) {
                let files = match step.checked_sub(1) {
                    None => self.files_of_all(context),
                    Some(last) => self.taken_from_all(reached.layer(last)),
                };
                reached.add_layer(files);
            }
            let mut found = wanted.to_vec();
            found.retain(|&file| reached.step(file) == Some(step));
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The files that the imports of a file name.
    fn files_of_all(&self, context: &FileContext<'s>) -> Vec<FileNo> {
        let mut files = Vec::new();
        for bound in &context.bound {
            files.extend(self.files(context, bound));
        }
        files
    }

    /// The files of which these take everything.
    fn taken_from_all(&self, files: &[FileNo]) -> Vec<FileNo> {
        let mut taken = Vec::new();
        for &file in files {
            taken.extend(self.taken_from(file, None));
        }
        taken
    }
}

impl ResolvedImport<'_> {
    fn takes_everything(&self) -> bool {
        self.import.name.is_empty() || imports::is_everything(self.import.name)
    }
}

/// Whether a line is in a module inside of its file.
fn is_in_module(facts: &StoredFacts, line: u32) -> bool {
    facts
        .symbols()
        .any(|symbol| symbol.kind == Kind::Module && symbol.lines.contains(line))
}
