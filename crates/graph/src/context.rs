//! What is known of a file in which names are resolved.

use crate::imports::Bound;
use crate::paths::FileNo;
use rustc_hash::FxHashMap;
use scent_index::{StoredFacts, SymbolRef};
use scent_types::{ImportRules, Lines};
use std::sync::Mutex;

/// A file, and what it defines and imports.
pub(crate) struct FileContext<'s> {
    pub file: FileNo,
    pub package: &'s str,
    pub rules: &'static ImportRules,
    pub facts: StoredFacts<'s>,
    /// What it defines, but for fields and variants.
    pub symbols: Vec<SymbolRef<'s>>,
    pub bound: Vec<Bound<'s>>,
    /// The innermost symbol around each line, by its position.
    owners: Vec<u32>,
    /// What imports that bring all names bring, as far as it was needed.
    pub reached: Mutex<Layers>,
}

/// Files by how many others pass their names on.
#[derive(Default)]
pub(crate) struct Layers {
    steps: FxHashMap<FileNo, u8>,
    layers: Vec<Vec<FileNo>>,
}

/// Stands for no symbol.
const NOBODY: u32 = u32::MAX;

impl<'s> FileContext<'s> {
    pub fn new(
        file: FileNo,
        package: &'s str,
        rules: &'static ImportRules,
        facts: StoredFacts<'s>,
        bound: Vec<Bound<'s>>,
    ) -> FileContext<'s> {
        let symbols: Vec<SymbolRef> = facts.symbols().filter(encloses_uses).collect();
        FileContext {
            file,
            package,
            rules,
            owners: owners(&symbols),
            symbols,
            bound,
            facts,
            reached: Mutex::default(),
        }
    }

    /// The position of the innermost symbol around a line.
    pub fn owner(&self, line: u32) -> Option<usize> {
        let owner = *self.owners.get(line as usize)?;
        (owner != NOBODY).then_some(owner as usize)
    }

    /// The innermost symbol around a line.
    pub fn enclosing(&self, line: u32) -> Option<SymbolRef<'s>> {
        self.owner(line).map(|at| self.symbols[at])
    }

    /// Lines that give a name to a variable, and how far that reaches.
    pub fn locals(&self, name: &str) -> Vec<(u32, Lines)> {
        let mut locals = Vec::new();
        for used in self.facts.uses_of(name) {
            if !used.role.gives() || !used.qualifier.is_empty() {
                continue;
            }
            // What an import calls something is no variable.
            let mut bound = self.bound.iter();
            if bound.any(|bound| bound.brings_at(used.line, name)) {
                continue;
            }
            if let Some(scope) = self.enclosing(used.line) {
                locals.push((used.line, scope.lines));
            }
        }
        locals
    }
}

impl Layers {
    pub fn knows(&self, step: u8) -> bool {
        self.layers.len() > usize::from(step)
    }

    /// The files of a step that is known.
    pub fn layer(&self, step: u8) -> &[FileNo] {
        &self.layers[usize::from(step)]
    }

    /// At which step a file is reached.
    pub fn step(&self, file: FileNo) -> Option<u8> {
        self.steps.get(&file).copied()
    }

    /// Adds the next step. Files that were reached before stay where they are.
    pub fn add_layer(&mut self, mut files: Vec<FileNo>) {
        let step = self.layers.len() as u8;
        files.retain(|file| {
            let is_new = !self.steps.contains_key(file);
            if is_new {
                self.steps.insert(*file, step);
            }
            is_new
        });
        self.layers.push(files);
    }
}

/// Whether what is used inside of a symbol is used by it. What a field is made of
/// is used by its type.
pub(crate) fn encloses_uses(symbol: &SymbolRef) -> bool {
    !symbol.kind.is_member()
}

/// The innermost symbol around each line. The smallest is written last; of
/// equal ones, the first.
fn owners(symbols: &[SymbolRef]) -> Vec<u32> {
    let ends = symbols.iter().map(|symbol| symbol.lines.end);
    let last = ends.max().unwrap_or(0);
    let mut owners = vec![NOBODY; last as usize + 1];
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse((symbols[at].lines.count(), at)));
    for at in order {
        let Lines { start, end } = symbols[at].lines;
        owners[start as usize..=end as usize].fill(at as u32);
    }
    owners
}
