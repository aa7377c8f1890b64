//! What a name means where it is used: a ladder of reasons, the surest first.

use crate::imports::{Bound, is_everything};
use crate::links::{Here, Links};
use crate::paths::FileNo;
use scent_index::{SymbolRef, UseRef};
use scent_types::{Kind, Lines, Role};
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
    /// It is defined in the same package or folder, whose files share names.
    SamePackage,
    /// Nothing else in the repository has this name.
    Unique,
    /// Several things have this name.
    Ambiguous,
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
            Reason::SamePackage => "same package",
            Reason::Unique => "unique name",
            Reason::Ambiguous => "ambiguous",
            Reason::External => "from outside",
            Reason::Unlinked => "same word",
        }
    }

    /// How sure it is, from 0 to 1.
    pub fn confidence(self) -> f32 {
        match self {
            Reason::SameScope => 1.0,
            Reason::SameFile | Reason::Import => 0.95,
            Reason::Receiver | Reason::SamePackage => 0.9,
            Reason::Unique => 0.7,
            Reason::Ambiguous => 0.3,
            Reason::External | Reason::Unlinked => 0.0,
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
fn container<'s>(symbol: &SymbolRef<'s>) -> &'s str {
    let before = symbol.qualified.strip_suffix(symbol.name).unwrap_or("");
    let before = before.trim_end_matches(|c: char| !is_identifier_char(c));
    before
        .rsplit(|c: char| !is_identifier_char(c))
        .next()
        .unwrap_or("")
}

/// What stands for the thing that encloses a use.
const OWN: [&str; 12] = [
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

/// A name that is asked about in a file.
pub(crate) struct Asked<'a, 's> {
    links: &'a Links<'s>,
    here: &'a Here<'s>,
    /// The name as it is defined; an import may call it otherwise.
    name: &'a str,
    locals: &'a [(u32, Lines)],
    all: &'a [Candidate<'s>],
    /// Those in languages that share names with the file.
    candidates: Vec<usize>,
    /// Their files, in order.
    defining: Vec<FileNo>,
    /// What imports bring without saying so, once it was asked for.
    wide: OnceCell<Vec<FileNo>>,
}

impl<'a, 's> Asked<'a, 's> {
    pub fn new(
        links: &'a Links<'s>,
        here: &'a Here<'s>,
        name: &'a str,
        locals: &'a [(u32, Lines)],
        all: &'a [Candidate<'s>],
    ) -> Asked<'a, 's> {
        let fits = |candidate: &Candidate| candidate.family == here.rules.family;
        let candidates: Vec<usize> = (0..all.len()).filter(|&nth| fits(&all[nth])).collect();
        let mut defining: Vec<FileNo> = candidates.iter().map(|&nth| all[nth].file).collect();
        defining.sort_unstable();
        defining.dedup();
        let wide = OnceCell::new();
        Asked {
            links,
            here,
            name,
            locals,
            all,
            candidates,
            defining,
            wide,
        }
    }

    /// Which candidates a use means, and how that is known.
    pub fn resolve(&self, used: &UseRef<'s>) -> Found {
        let ladder = Ladder { asked: self, used };
        let parts: Vec<&str> = used
            .qualifier
            .split(|c| !is_identifier_char(c))
            .filter(|p| !p.is_empty())
            .collect();
        let (reason, chosen) = match (used.role, parts.as_slice(), used.qualifier) {
            (Role::Import, ..) => ladder.imported(),
            (Role::Bind | Role::Param, ..) => (Reason::Unlinked, Vec::new()),
            (_, [], "") if self.is_local(used.line) => (Reason::Unlinked, Vec::new()),
            (_, [], "") => ladder.plain(),
            (_, [one], _) if OWN.contains(one) => ladder.own(),
            (_, parts, _) => ladder.member(parts),
        };
        (reason, ladder.preferring_kinds(chosen))
    }

    /// Whether the name was given to a variable before, in the same definition.
    pub fn is_local(&self, line: u32) -> bool {
        self.locals
            .iter()
            .any(|(given, scope)| *given < line && scope.contains(line))
    }

    /// The files that an import means.
    fn files<'b>(&'b self, bound: &'b Bound<'s>) -> &'b [FileNo] {
        self.links.files(self.here, bound)
    }

    /// The files that an import brings a name from; where they pass it on from
    /// others, those.
    fn files_of(&self, bound: &Bound<'s>) -> Vec<FileNo> {
        match bound.taken == self.name || self.is_wide(bound) {
            true => self
                .links
                .passing(self.files(bound), self.name, &self.defining),
            false => self.files(bound).to_vec(),
        }
    }

    /// Whether an import brings all names.
    fn is_wide(&self, bound: &Bound) -> bool {
        is_everything(bound.taken) || self.here.rules.all_names
    }

    /// The files that imports bring the name from without saying so.
    fn wide_files(&self) -> &[FileNo] {
        self.wide.get_or_init(|| match self.here.rules.all_names {
            true => self.links.nearest(self.here, &self.defining),
            false => {
                let wide = self.here.bound.iter().filter(|bound| self.is_wide(bound));
                wide.flat_map(|bound| self.files_of(bound)).collect()
            }
        })
    }
}

struct Ladder<'a, 's> {
    asked: &'a Asked<'a, 's>,
    used: &'a UseRef<'s>,
}

impl<'a, 's> std::ops::Deref for Ladder<'a, 's> {
    type Target = Asked<'a, 's>;

    fn deref(&self) -> &Asked<'a, 's> {
        self.asked
    }
}

/// How it is known, and which candidates are meant.
pub(crate) type Found = (Reason, Vec<usize>);

impl<'s> Ladder<'_, 's> {
    fn that(&self, test: impl Fn(&Candidate) -> bool) -> Vec<usize> {
        self.candidates
            .iter()
            .copied()
            .filter(|&nth| test(&self.all[nth]))
            .collect()
    }

    /// A name in an import itself.
    fn imported(&self) -> Found {
        let same_line =
            |bound: &&Bound| bound.taken == self.used.name || bound.name == self.used.name;
        let files: Vec<FileNo> = self
            .here
            .bound
            .iter()
            .filter(same_line)
            .flat_map(|b| self.files_of(b))
            .collect();
        let found = self.that(|c| files.contains(&c.file));
        match (found.is_empty(), files.is_empty()) {
            (false, _) => (Reason::Import, found),
            (true, false) => self.passed_on(),
            (true, true) => (Reason::External, Vec::new()),
        }
    }

    /// A name that stands alone.
    fn plain(&self) -> Found {
        // Where a method needs something before it, a name alone means none.
        let bare = |c: &Candidate| !self.here.rules.explicit_names || c.symbol.kind != Kind::Method;
        let own = self.that(|c| c.file == self.here.file && bare(c));
        // What belongs to something that does not enclose the use comes last.
        let (own, apart): (Vec<usize>, Vec<usize>) =
            own.into_iter().partition(|&nth| self.is_in_reach(nth));
        if !own.is_empty() {
            return self.nearest(own);
        }
        let bound: Vec<&Bound> = self
            .here
            .bound
            .iter()
            .filter(|bound| bound.name == self.used.name)
            .collect();
        let known =
            bound.iter().any(|b| !self.files(b).is_empty()) || self.here.rules.known_modules;
        if !bound.is_empty() && known {
            return self.through(&bound);
        }
        let files = self.wide_files();
        let found = self.that(|c| files.contains(&c.file));
        if !found.is_empty() {
            return (Reason::Import, found);
        }
        let beside = self.that(|c| c.package == self.here.package);
        if self.here.rules.shared_folder && !beside.is_empty() {
            // What belongs to something else needs that before it.
            let plain = |nth: &&usize| container(&self.all[**nth].symbol).is_empty();
            let alone: Vec<usize> = beside.iter().filter(plain).copied().collect();
            return (
                Reason::SamePackage,
                if alone.is_empty() { beside } else { alone },
            );
        }
        if !apart.is_empty() {
            return (Reason::SameFile, apart);
        }
        if self.here.rules.explicit_names {
            return (Reason::Unlinked, Vec::new());
        }
        self.by_name_alone(self.candidates.clone())
    }

    /// Whether a definition of the same file belongs to nothing, or to what
    /// encloses the use.
    fn is_in_reach(&self, nth: usize) -> bool {
        let container = container(&self.all[nth].symbol);
        let around =
            |symbol: &SymbolRef| symbol.name == container && symbol.lines.contains(self.used.line);
        container.is_empty()
            || !self
                .here
                .symbols
                .iter()
                .any(|symbol| symbol.name == container)
            || self.here.symbols.iter().any(around)
    }

    /// A member of what encloses the use.
    fn own(&self) -> Found {
        let around: Vec<&str> = self
            .here
            .symbols
            .iter()
            .filter(|symbol| symbol.lines.contains(self.used.line))
            .flat_map(|symbol| [symbol.name, container(symbol)])
            .collect();
        let here =
            self.that(|c| c.file == self.here.file && around.contains(&container(&c.symbol)));
        if !here.is_empty() {
            return (Reason::SameScope, here);
        }
        self.by_name_alone(self.that(|c| !container(&c.symbol).is_empty()))
    }

    /// A name that belongs to something.
    fn member(&self, parts: &[&str]) -> Found {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return self.by_name_alone(self.members());
        };
        let of_last = |c: &Candidate| container(&c.symbol) == *last;
        // `import shop.prices` is used as `shop.prices.total`.
        let bound: Vec<&Bound> = self
            .here
            .bound
            .iter()
            .filter(|b| b.name == *first || b.name == *last)
            .collect();
        let known =
            bound.iter().any(|b| !self.files(b).is_empty()) || self.here.rules.known_modules;
        if !bound.is_empty() && known {
            let files: Vec<FileNo> = bound.iter().flat_map(|b| self.files_of(b)).collect();
            // A module may pass on what another one defines.
            let files = self.links.passing(&files, self.name, &self.defining);
            let inside = self.that(|c| files.contains(&c.file));
            // `prices.round` is what the module itself defines.
            let is_plain = |nth: &usize| container(&self.all[*nth].symbol).is_empty();
            let whole = parts.len() == 1 && inside.iter().any(is_plain);
            let inside: Vec<usize> = inside
                .into_iter()
                .filter(|nth| !whole || is_plain(nth))
                .collect();
            let exact = inside
                .iter()
                .copied()
                .filter(|&nth| of_last(&self.all[nth]))
                .collect::<Vec<_>>();
            return match () {
                () if files.is_empty() => (Reason::External, Vec::new()),
                () if !exact.is_empty() => (Reason::Import, exact),
                () if !inside.is_empty() => (Reason::Import, inside),
                () => self.passed_on(),
            };
        }
        let named = self.that(of_last);
        let own: Vec<usize> = named
            .iter()
            .copied()
            .filter(|&nth| self.all[nth].file == self.here.file)
            .collect();
        match () {
            () if !own.is_empty() => (Reason::Receiver, own),
            () if !named.is_empty() => (Reason::Receiver, named),
            // What a file or a folder is called may stand for what it holds.
            () => self.by_name_alone(self.members()),
        }
    }

    /// Definitions that belong to something.
    fn members(&self) -> Vec<usize> {
        let members =
            self.that(|c| !container(&c.symbol).is_empty() || c.symbol.kind == Kind::Method);
        if members.is_empty() {
            self.candidates.clone()
        } else {
            members
        }
    }

    /// The definitions in the files that imports mean.
    fn through(&self, bound: &[&Bound<'s>]) -> Found {
        let files: Vec<FileNo> = bound.iter().flat_map(|b| self.files_of(b)).collect();
        let found = self.that(|c| files.contains(&c.file));
        match () {
            () if files.is_empty() => (Reason::External, Vec::new()),
            () if found.is_empty() => self.passed_on(),
            () => (Reason::Import, found),
        }
    }

    /// What a file of the repository passes on from another of its files.
    fn passed_on(&self) -> Found {
        match self.candidates.as_slice() {
            [] => (Reason::External, Vec::new()),
            [_] => (Reason::Import, self.candidates.clone()),
            many => (Reason::Ambiguous, many.to_vec()),
        }
    }

    fn by_name_alone(&self, found: Vec<usize>) -> Found {
        match found.len() {
            0 => (Reason::Unlinked, found),
            1 => (Reason::Unique, found),
            _ => (Reason::Ambiguous, found),
        }
    }

    /// Of several in the same file, those in the innermost scope around the use.
    fn nearest(&self, own: Vec<usize>) -> Found {
        let encloses = |nth: &usize| {
            let container = container(&self.all[*nth].symbol);
            let is_it = |symbol: &&SymbolRef| symbol.name == container;
            let scope = self
                .here
                .symbols
                .iter()
                .filter(is_it)
                .find(|s| s.lines.contains(self.used.line));
            scope.map(|scope| scope.lines.count())
        };
        let innermost = own.iter().filter_map(encloses).min();
        match innermost {
            Some(size) => {
                let found = own
                    .into_iter()
                    .filter(|nth| encloses(nth) == Some(size))
                    .collect();
                (Reason::SameScope, found)
            }
            None => (Reason::SameFile, own),
        }
    }

    /// A type is meant where one is asked for, if there is one.
    fn preferring_kinds(&self, found: Vec<usize>) -> Vec<usize> {
        // A constructor is its class.
        let is_class = |nth: &usize| self.all[*nth].symbol.kind.is_type();
        let makes = |nth: &usize| {
            let symbol = &self.all[*nth].symbol;
            container(symbol) == symbol.name && !symbol.kind.is_type()
        };
        let has_class = found.iter().any(is_class);
        let found: Vec<usize> = found
            .into_iter()
            .filter(|nth| !(has_class && makes(nth)))
            .collect();
        if !matches!(self.used.role, Role::Type | Role::Inherit) {
            return found;
        }
        let types: Vec<usize> = found
            .iter()
            .copied()
            .filter(|&nth| self.all[nth].symbol.kind.is_type())
            .collect();
        if types.is_empty() { found } else { types }
    }
}
