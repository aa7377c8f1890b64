//! What a name means where it is used: a ladder of reasons, the surest first.

use crate::context::FileContext;
use crate::imports::{Bound, is_everything};
use crate::links::Links;
use crate::paths::FileNo;
use crate::suitable::suitable;
use scent_index::{SymbolRef, UseRef};
use scent_types::{ImportStyle, Kind, Lines, Role};
use scent_words::names::is_identifier_char;
use std::cell::OnceCell;

/// How it is known what a name means; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is defined in something that encloses the use.
    SameScope,
    /// It is defined in the same file.
    SameFile,
    /// It is imported.
    Import,
    /// What stands before it names what it belongs to.
    Receiver,
    /// What stands before it is a value of what it belongs to.
    Value,
    /// It is defined in the same package or folder, whose files share names.
    SamePackage,
    /// Nothing else in the repository has this name.
    Unique,
    /// It belongs to what this one inherits from, or the other way round: which
    /// one runs is not known before the program does.
    Override,
    /// What it belongs to has all methods of an interface, or is that interface,
    /// in a language where that is enough.
    Implements,
    /// What stands before it is called like what it belongs to.
    ReceiverName,
    /// Of all that have this name, what this belongs to is alone mentioned in the
    /// file.
    Mentioned,
    /// Of all that have this name, it alone takes as many arguments.
    Arguments,
    /// Several things have this name.
    Ambiguous,
    /// What is known of other uses of the name is mostly not of this project.
    Unlikely,
    /// It belongs to another type.
    OtherType,
    /// It is imported from outside of the repository.
    External,
    /// Nothing says that it means any of the definitions of this name.
    Unlinked,
}

impl Reason {
    /// The words users read.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::SameScope => "same scope",
            Reason::SameFile => "same file",
            Reason::Import => "imported",
            Reason::Receiver => "by its receiver",
            Reason::Value => "by its receiver's type",
            Reason::SamePackage => "same package",
            Reason::Unique => "unique name",
            Reason::Override => "an override",
            Reason::Implements => "implements by its methods",
            Reason::ReceiverName => "by its receiver's name",
            Reason::Mentioned => "its type is mentioned",
            Reason::Arguments => "by its arguments",
            Reason::Ambiguous => "ambiguous",
            Reason::Unlikely => "mostly others' name",
            Reason::OtherType => "of another type",
            Reason::External => "from outside",
            Reason::Unlinked => "same word",
        }
    }

    /// How sure it is, from 0 to 1.
    pub fn confidence(self) -> f32 {
        match self {
            Reason::SameScope => 1.0,
            Reason::SameFile | Reason::Import => 0.95,
            Reason::Receiver | Reason::Value | Reason::SamePackage => 0.9,
            Reason::Unique => 0.7,
            Reason::Override | Reason::Implements => 0.6,
            Reason::ReceiverName | Reason::Mentioned | Reason::Arguments => 0.5,
            Reason::Ambiguous => 0.3,
            Reason::Unlikely => 0.2,
            Reason::OtherType | Reason::External | Reason::Unlinked => 0.0,
        }
    }
}

/// A definition that a name may mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'s> {
    pub file: FileNo,
    pub symbol: SymbolRef<'s>,
    pub package: &'s str,
    pub family: &'static str,
}

impl<'s> Candidate<'s> {
    pub fn new(links: &Links<'s>, file: FileNo, symbol: SymbolRef<'s>) -> Candidate<'s> {
        Candidate {
            file,
            symbol,
            package: links.package(file),
            family: links.paths.rules(file).family,
        }
    }
}

/// What stands before a symbol's own name in its qualified one, last part.
pub(crate) fn container<'s>(symbol: &SymbolRef<'s>) -> &'s str {
    let before = symbol.qualified.strip_suffix(symbol.name).unwrap_or("");
    let before = before.trim_end_matches(is_separator);
    before.rsplit(is_separator).next().unwrap_or("")
}

fn is_separator(c: char) -> bool {
    !is_identifier_char(c)
}

/// What stands for the thing that encloses a use.
pub(crate) const OWN: [&str; 12] = [
    "self",
    "this",
    "cls",
    "Self",
    "super",
    "static",
    "parent",
    "$this",
    "$self",
    "$class",
    "__MODULE__",
    "__PACKAGE__",
];

/// Resolves the uses of one name in one file.
pub(crate) struct NameResolver<'a, 's> {
    links: &'a Links<'s>,
    context: &'a FileContext<'s>,
    /// The name as it is defined; an import may call it otherwise.
    name: &'a str,
    /// Lines that give the name to a variable, and how far that reaches.
    locals: Vec<(u32, Lines)>,
    all: &'a [Candidate<'s>],
    /// Those in languages that share names with the file.
    candidates: Vec<usize>,
    /// Their files, in order.
    defining: Vec<FileNo>,
    /// What imports bring without saying so, once it was needed.
    wide: OnceCell<Vec<FileNo>>,
}

impl<'a, 's> NameResolver<'a, 's> {
    pub fn new(
        links: &'a Links<'s>,
        context: &'a FileContext<'s>,
        name: &'a str,
        all: &'a [Candidate<'s>],
    ) -> NameResolver<'a, 's> {
        let rules = context.rules;
        let mut candidates: Vec<usize> = (0..all.len()).collect();
        candidates.retain(|&nth| rules.every_family || all[nth].family == rules.family);
        let mut defining: Vec<FileNo> = candidates.iter().map(|&nth| all[nth].file).collect();
        defining.sort_unstable();
        defining.dedup();
        NameResolver {
            links,
            context,
            name,
            locals: context.locals(name),
            all,
            candidates,
            defining,
            wide: OnceCell::new(),
        }
    }

    /// Which candidates a use means, and how that is known.
    pub fn resolve(&self, used: &UseRef<'s>) -> Found {
        let ladder = self.ladder(used);
        let parts = used.qualifier.split(is_separator);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let (reason, chosen) = match (used.role, parts.as_slice(), used.qualifier) {
            (Role::Import, ..) => ladder.imported(),
            (Role::Bind | Role::Param, ..) => (Reason::Unlinked, Vec::new()),
            (_, [], "") if self.is_local(used) => (Reason::Unlinked, Vec::new()),
            (_, [], "") if ladder.is_key() => by_name_alone(ladder.candidates.clone()),
            (_, [], "") => ladder.plain(),
            (_, [one], _) if OWN.contains(one) => ladder.own(),
            (_, parts, _) => ladder.member(parts),
        };
        (reason, ladder.preferring_kinds(chosen))
    }

    /// Whether the name was given to a variable before, in the same definition.
    /// An import may call it otherwise.
    pub fn is_local(&self, used: &UseRef) -> bool {
        let mut locals = self.locals.iter();
        used.name == self.name
            && locals.any(|(given, scope)| *given < used.line && scope.contains(used.line))
    }

    /// Of some candidates, those that the use may mean by its role.
    pub fn preferring(&self, used: &UseRef<'s>, found: Vec<usize>) -> Vec<usize> {
        self.ladder(used).preferring_kinds(found)
    }

    fn ladder<'b>(&'b self, used: &'b UseRef<'s>) -> Ladder<'b, 's> {
        Ladder {
            resolver: self,
            used,
            candidates: suitable(
                |nth| self.all[nth].symbol,
                &self.candidates,
                used,
                self.context.rules,
            ),
        }
    }

    /// The definitions that the name may mean, in languages that share names.
    pub fn candidates(&self) -> impl Iterator<Item = (usize, &'a Candidate<'s>)> {
        self.candidates.iter().map(|&nth| (nth, &self.all[nth]))
    }

    /// The files that an import means.
    fn files<'b>(&'b self, bound: &'b Bound<'s>) -> &'b [FileNo] {
        self.links.files(self.context, bound)
    }

    /// The files that an import brings a name from; where they pass it on from
    /// others, those.
    fn files_of(&self, bound: &Bound<'s>) -> Vec<FileNo> {
        let files = self.files(bound);
        if bound.taken == self.name || self.is_wide(bound) {
            self.links.passing(files, self.name, &self.defining)
        } else {
            files.to_vec()
        }
    }

    /// Whether an import brings all names.
    fn is_wide(&self, bound: &Bound) -> bool {
        is_everything(bound.taken) || self.context.rules.all_names
    }

    /// The files that imports bring the name from without saying so.
    fn wide_files(&self) -> &[FileNo] {
        self.wide.get_or_init(|| self.find_wide_files())
    }

    fn find_wide_files(&self) -> Vec<FileNo> {
        if self.context.rules.all_names {
            return self.links.nearest(self.context, &self.defining);
        }
        let mut files = Vec::new();
        for bound in &self.context.bound {
            if self.is_wide(bound) {
                files.extend(self.files_of(bound));
            }
        }
        files
    }
}

struct Ladder<'a, 's> {
    resolver: &'a NameResolver<'a, 's>,
    used: &'a UseRef<'s>,
    /// Those of the resolver that such a use can mean.
    candidates: Vec<usize>,
}

impl<'a, 's> std::ops::Deref for Ladder<'a, 's> {
    type Target = NameResolver<'a, 's>;

    fn deref(&self) -> &NameResolver<'a, 's> {
        self.resolver
    }
}

/// How it is known, and the candidates that the name may stand for.
pub(crate) type Found = (Reason, Vec<usize>);

impl<'s> Ladder<'_, 's> {
    fn symbol(&self, nth: usize) -> &SymbolRef<'s> {
        &self.all[nth].symbol
    }

    /// Whether a candidate belongs to nothing.
    fn stands_alone(&self, nth: usize) -> bool {
        container(self.symbol(nth)).is_empty()
    }

    /// The candidates that pass a test.
    fn that(&self, test: impl Fn(&Candidate) -> bool) -> Vec<usize> {
        let mut found = self.candidates.clone();
        found.retain(|&nth| test(&self.all[nth]));
        found
    }

    /// The candidates in some files.
    fn inside(&self, files: &[FileNo]) -> Vec<usize> {
        self.that(|candidate| files.contains(&candidate.file))
    }

    /// The imports of the file that pass a test.
    fn bound(&self, test: impl Fn(&Bound) -> bool) -> Vec<&Bound<'s>> {
        self.context
            .bound
            .iter()
            .filter(|bound| test(bound))
            .collect()
    }

    /// The files that imports bring the name from.
    fn files_of_all(&self, bound: &[&Bound<'s>]) -> Vec<FileNo> {
        let mut files = Vec::new();
        for bound in bound {
            files.extend(self.files_of(bound));
        }
        files
    }

    /// Whether imports say where the name comes from.
    fn is_known(&self, bound: &[&Bound<'s>]) -> bool {
        if bound.is_empty() {
            return false;
        }
        self.context.rules.known_modules || bound.iter().any(|bound| !self.files(bound).is_empty())
    }

    /// A name in an import itself.
    fn imported(&self) -> Found {
        let name = self.used.name;
        let bound = self.bound(|bound| bound.taken == name || bound.name == name);
        self.through(&bound)
    }

    /// Whether a name that stands alone can only be that of a field, where the
    /// language names fields alone in literals only.
    fn is_key(&self) -> bool {
        let rules = self.context.rules;
        let mut candidates = self.candidates.iter();
        rules.explicit_names
            && !rules.bare_members
            && !self.candidates.is_empty()
            && candidates.all(|&nth| self.symbol(nth).kind == Kind::Field)
    }

    /// A name that stands alone.
    fn plain(&self) -> Found {
        // Where a method needs something before it, a name alone means none.
        let needs_object = self.context.rules.explicit_names;
        let own = self.that(|candidate| {
            let is_bare = !needs_object || candidate.symbol.kind != Kind::Method;
            candidate.file == self.context.file && is_bare
        });
        // What belongs to something that does not enclose the use comes last.
        let (own, apart): (Vec<usize>, Vec<usize>) =
            own.into_iter().partition(|&nth| self.is_in_reach(nth));
        if !own.is_empty() {
            return self.nearest(own);
        }
        let bound = self.bound(|bound| bound.name == self.used.name);
        if self.is_known(&bound) {
            return self.through(&bound);
        }
        let found = self.inside(self.wide_files());
        if !found.is_empty() {
            return (Reason::Import, found);
        }
        if let Some(beside) = self.beside() {
            return (Reason::SamePackage, beside);
        }
        if !apart.is_empty() {
            return (Reason::SameFile, apart);
        }
        if self.context.rules.explicit_names {
            return (Reason::Unlinked, Vec::new());
        }
        by_name_alone(self.candidates.clone())
    }

    /// Definitions in the package of the file, where its files share names.
    fn beside(&self) -> Option<Vec<usize>> {
        if !self.context.rules.shared_folder {
            return None;
        }
        let beside = self.that(|candidate| candidate.package == self.context.package);
        if beside.is_empty() {
            return None;
        }
        // What belongs to something else needs that before it.
        let mut alone = beside.clone();
        alone.retain(|&nth| self.stands_alone(nth));
        Some(if alone.is_empty() { beside } else { alone })
    }

    /// Whether a definition of the same file belongs to nothing, or to what
    /// encloses the use.
    fn is_in_reach(&self, nth: usize) -> bool {
        let container = container(self.symbol(nth));
        if container.is_empty() {
            return true;
        }
        let mut is_defined = false;
        for symbol in &self.context.symbols {
            if symbol.name == container {
                is_defined = true;
                if symbol.lines.contains(self.used.line) {
                    return true;
                }
            }
        }
        !is_defined
    }

    /// A member of what encloses the use.
    fn own(&self) -> Found {
        let mut around = Vec::new();
        for symbol in &self.context.symbols {
            if symbol.lines.contains(self.used.line) {
                around.extend([symbol.name, container(symbol)]);
            }
        }
        let own = self.that(|candidate| {
            candidate.file == self.context.file && around.contains(&container(&candidate.symbol))
        });
        if !own.is_empty() {
            return (Reason::SameScope, own);
        }
        by_name_alone(self.that(|candidate| !container(&candidate.symbol).is_empty()))
    }

    /// A name that belongs to something.
    fn member(&self, parts: &[&str]) -> Found {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return by_name_alone(self.members());
        };
        // `import shop.prices` is used as `shop.prices.total`.
        // A path that is required or included gives no name to its file.
        let style = self.context.rules.style;
        let needs_alias = matches!(style, ImportStyle::Ruby | ImportStyle::Include);
        let bound = self.bound(|bound| {
            let names = !needs_alias || !bound.import.alias.is_empty();
            names && (bound.name == *first || bound.name == *last)
        });
        if self.is_known(&bound) {
            return self.member_through(&bound, parts, last);
        }
        let named = self.that(|candidate| container(&candidate.symbol) == *last);
        if named.is_empty() {
            // What a file or a folder is called may stand for what it holds.
            return by_name_alone(self.members());
        }
        let mut own = named.clone();
        own.retain(|&nth| self.all[nth].file == self.context.file);
        (Reason::Receiver, if own.is_empty() { named } else { own })
    }

    /// A member of what imports bring.
    fn member_through(&self, bound: &[&Bound<'s>], parts: &[&str], last: &str) -> Found {
        let files = self.files_of_all(bound);
        // A module may pass on what another one defines.
        let files = self.links.passing(&files, self.name, &self.defining);
        if files.is_empty() {
            return (Reason::External, Vec::new());
        }
        let mut inside = self.inside(&files);
        // `prices.round` is what the module itself defines.
        if parts.len() == 1 && inside.iter().any(|&nth| self.stands_alone(nth)) {
            inside.retain(|&nth| self.stands_alone(nth));
        }
        let mut exact = inside.clone();
        exact.retain(|&nth| container(self.symbol(nth)) == last);
        if !exact.is_empty() {
            return (Reason::Import, exact);
        }
        if !inside.is_empty() {
            return (Reason::Import, inside);
        }
        self.passed_on()
    }

    /// Definitions that belong to something.
    fn members(&self) -> Vec<usize> {
        let members = self.that(|candidate| {
            let symbol = &candidate.symbol;
            symbol.kind == Kind::Method || !container(symbol).is_empty()
        });
        if members.is_empty() {
            self.candidates.clone()
        } else {
            members
        }
    }

    /// The definitions in the files that imports mean.
    fn through(&self, bound: &[&Bound<'s>]) -> Found {
        let files = self.files_of_all(bound);
        if files.is_empty() {
            return (Reason::External, Vec::new());
        }
        let found = self.inside(&files);
        if found.is_empty() {
            return self.passed_on();
        }
        (Reason::Import, found)
    }

    /// What a file of the repository passes on from another of its files.
    fn passed_on(&self) -> Found {
        match self.candidates.as_slice() {
            [] => (Reason::External, Vec::new()),
            [_] => (Reason::Import, self.candidates.clone()),
            many => (Reason::Ambiguous, many.to_vec()),
        }
    }

    /// Of several in the same file, those in the innermost scope around the use.
    fn nearest(&self, mut own: Vec<usize>) -> Found {
        let innermost = own.iter().filter_map(|&nth| self.size_of_scope(nth)).min();
        let Some(size) = innermost else {
            return (Reason::SameFile, own);
        };
        own.retain(|&nth| self.size_of_scope(nth) == Some(size));
        (Reason::SameScope, own)
    }

    /// How many lines the thing has that a candidate belongs to, where it encloses
    /// the use.
    fn size_of_scope(&self, nth: usize) -> Option<u32> {
        let container = container(self.symbol(nth));
        let mut scopes = self.context.symbols.iter();
        let scope =
            scopes.find(|symbol| symbol.name == container && symbol.lines.contains(self.used.line));
        scope.map(|scope| scope.lines.count())
    }

    /// Where a type is needed, types alone, if there is one.
    fn preferring_kinds(&self, mut found: Vec<usize>) -> Vec<usize> {
        let is_type = |nth: usize| self.symbol(nth).kind.is_type();
        if found.iter().any(|&nth| is_type(nth)) {
            // A constructor is its class.
            found.retain(|&nth| is_type(nth) || !is_constructor(self.symbol(nth)));
        }
        if !matches!(self.used.role, Role::Type | Role::Inherit) {
            return found;
        }
        let mut types = found.clone();
        types.retain(|&nth| is_type(nth));
        if types.is_empty() { found } else { types }
    }
}

/// Whether a symbol is called what it belongs to.
fn is_constructor(symbol: &SymbolRef) -> bool {
    container(symbol) == symbol.name
}

fn by_name_alone(found: Vec<usize>) -> Found {
    match found.len() {
        0 => (Reason::Unlinked, found),
        1 => (Reason::Unique, found),
        _ => (Reason::Ambiguous, found),
    }
}
