//! A file with what it says of the types of its names.

use crate::context::FileContext;
use crate::resolve::container;
use crate::written::plain;
use rustc_hash::FxHashMap;
use scent_index::{HintRef, SymbolRef, UseRef};
use scent_types::{Kind, Role, Typed};
use std::sync::OnceLock;

/// A file, what it defines and imports, and the types of its names.
pub(crate) struct FileScope<'s> {
    pub context: FileContext<'s>,
    hints: OnceLock<Hints<'s>>,
    inherits: OnceLock<Vec<UseRef<'s>>>,
}

struct Hints<'s> {
    all: Vec<HintRef<'s>>,
    by_name: FxHashMap<&'s str, Vec<u32>>,
}

/// What is known of a variable.
pub(crate) enum Variable<'s> {
    /// Nothing of this name is given there.
    None,
    /// There is one, and nothing says of what type.
    Untyped,
    /// What says of what type it is.
    Typed(HintRef<'s>),
}

/// What something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner<'s> {
    /// A type around it.
    Type(SymbolRef<'s>),
    /// A type of this name, which may be defined elsewhere.
    Named(&'s str),
}

impl<'s> FileScope<'s> {
    pub fn new(context: FileContext<'s>) -> FileScope<'s> {
        FileScope {
            context,
            hints: OnceLock::new(),
            inherits: OnceLock::new(),
        }
    }

    fn hints(&self) -> &Hints<'s> {
        self.hints.get_or_init(|| {
            let all: Vec<HintRef> = self.context.facts.hints().collect();
            let mut by_name: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
            for (at, hint) in (0..).zip(&all) {
                by_name.entry(plain(hint.name)).or_default().push(at);
            }
            Hints { all, by_name }
        })
    }

    /// Whether the file says anything of types.
    pub fn has_hints(&self) -> bool {
        !self.hints().all.is_empty()
    }

    /// What is said of a name, in order of the lines.
    pub fn hints_of(&self, name: &str, of: Typed) -> impl Iterator<Item = HintRef<'s>> {
        let hints = self.hints();
        let found = hints
            .by_name
            .get(plain(name))
            .map_or(&[][..], Vec::as_slice);
        let found = found.iter().map(|&at| hints.all[at as usize]);
        found.filter(move |hint| hint.of == of)
    }

    /// Uses of types that a type inherits from.
    pub fn inherits(&self) -> &[UseRef<'s>] {
        self.inherits.get_or_init(|| {
            let uses = self.context.facts.uses();
            uses.filter(|used| used.role == Role::Inherit).collect()
        })
    }

    /// The variable that a name means at a line: of several, that of the
    /// innermost definition, and then the last before the line.
    pub fn variable(&self, name: &str, line: u32) -> Variable<'s> {
        let mut best: Option<((u32, u32, u32), HintRef)> = None;
        for hint in self.hints_of(name, Typed::Variable) {
            let Some(size) = self.reach(hint.line, line) else {
                continue;
            };
            // What is given later counts only where nothing is before.
            let after = if hint.line <= line {
                line - hint.line
            } else {
                u32::MAX / 2
            };
            let order = (size, after, hint.by as u32);
            if best.is_none_or(|(known, _)| order < known) {
                best = Some((order, hint));
            }
        }
        let typed = best.map(|(_, hint)| hint);
        let given = self.last_given(name, line);
        match (typed, given) {
            (None, None) => Variable::None,
            (None, Some(_)) => Variable::Untyped,
            (Some(hint), Some(given)) if given > hint.line && hint.line <= line => {
                Variable::Untyped
            }
            (Some(hint), _) => Variable::Typed(hint),
        }
    }

    /// The last line that gives a name to a variable that is known at a line.
    fn last_given(&self, name: &str, line: u32) -> Option<u32> {
        let uses = self.context.facts.uses_of(name);
        let given = uses.filter(|used| {
            used.role.gives()
                && used.qualifier.is_empty()
                && used.line <= line
                && self.context.enclosing(used.line).is_some()
                && self.reach(used.line, line).is_some()
        });
        given.map(|used| used.line).max()
    }

    /// How many lines what a line belongs to has, where it encloses another line.
    fn reach(&self, given: u32, line: u32) -> Option<u32> {
        match self.function_at(given) {
            Some(scope) if scope.lines.contains(line) => Some(scope.lines.count()),
            Some(_) => None,
            None => Some(u32::MAX),
        }
    }

    /// The innermost symbol around a line in which variables are local.
    fn function_at(&self, line: u32) -> Option<SymbolRef<'s>> {
        let found = self.context.enclosing(line)?;
        // A variable at the top of a file is a symbol, too.
        let is_own =
            found.kind == Kind::Constant || (found.line == line && found.lines.count() == 1);
        if !is_own || matches!(found.kind, Kind::Function | Kind::Method) {
            return Some(found);
        }
        let around = self.context.symbols.iter().filter(|symbol| {
            let wider = symbol.lines.count() > found.lines.count();
            wider && symbol.lines.contains(line)
        });
        around.min_by_key(|symbol| symbol.lines.count()).copied()
    }

    /// Whether a name is a variable of the function around a line.
    pub fn is_variable(&self, name: &str, line: u32) -> bool {
        let mut hints = self.hints_of(name, Typed::Variable);
        hints.any(|hint| {
            let is_local = self
                .function_at(hint.line)
                .is_some_and(|f| !is_owner(f.kind));
            hint.line <= line && is_local && self.reach(hint.line, line).is_some()
        })
    }

    /// What a line belongs to, the innermost first.
    pub fn owners(&self, line: u32) -> Vec<Owner<'s>> {
        let mut around: Vec<&SymbolRef> = Vec::new();
        around.extend(
            self.context
                .symbols
                .iter()
                .filter(|s| s.lines.contains(line)),
        );
        around.sort_by_key(|symbol| (symbol.lines.count(), symbol.line));
        let mut owners: Vec<Owner> = Vec::new();
        for symbol in &around {
            if is_owner(symbol.kind) {
                owners.push(Owner::Type(**symbol));
                continue;
            }
            let name = container(symbol);
            let is_known = name.is_empty() || around.iter().any(|other| other.name == name);
            if !is_known {
                owners.push(Owner::Named(name));
            }
        }
        owners
    }

    /// Whether what stands at a line belongs to a type, by its innermost owner.
    pub fn belongs(&self, line: u32, owner: &SymbolRef) -> bool {
        // A type begins with its own line, which may hold a member.
        let mut owners = self.owners(line).into_iter();
        owners.next().is_some_and(|found| match found {
            Owner::Type(symbol) => symbol == *owner,
            Owner::Named(name) => name == owner.name,
        })
    }
}

/// Whether members belong to symbols of a kind.
pub(crate) fn is_owner(kind: Kind) -> bool {
    kind.is_type() || matches!(kind, Kind::Type | Kind::Module)
}
