//! Who uses a name.

use super::names::Wanted;
use super::{Look, NEAREST, categories, nearest};
use crate::EngineError;
use scent_index::graph::{Definition, Edge, FileNo, Reason};
use scent_index::{Snapshot, State};
use scent_types::{FileClass, Fit, References, Role, Used};
use scent_words::names::is_identifier_char;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// Which uses are asked for.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Only these roles; empty means all.
    pub roles: Vec<Role>,
    /// Only tests, or none of them.
    pub tests: Option<bool>,
    /// Not in copies of others' code, nor in what is built.
    pub no_vendored: bool,
    /// Also lines that mention the name and use it in no way that is known.
    pub text: bool,
}

/// Who uses a name.
pub(crate) fn references(
    root: &Path,
    snapshot: &Snapshot,
    name: &str,
    wish: &Wish,
    limit: usize,
) -> Result<References, EngineError> {
    let look = Look::new(root, snapshot)?;
    let wanted = Wanted::new(name);
    let defined = look.defined(&wanted)?;
    let defined: Vec<_> = defined
        .into_iter()
        .filter(|(fit, _)| *fit <= Fit::Words)
        .collect();
    let mut found = look.referring(&wanted.name, &defined, wish, limit)?;
    if found.total == 0 && defined.is_empty() {
        found.nearest = nearest::nearest(snapshot, name, NEAREST)?;
    }
    Ok(References {
        name: name.to_owned(),
        ..found
    })
}

/// Who uses what is defined at a line of a file, or else what is used there.
pub(crate) fn references_at(
    root: &Path,
    snapshot: &Snapshot,
    (path, line): (&str, u32),
    wish: &Wish,
    limit: usize,
) -> Result<References, EngineError> {
    let look = Look::new(root, snapshot)?;
    let nowhere = || EngineError::NoSuchPlace {
        path: path.to_owned(),
        line,
    };
    let file = look.graph.file_at(path).ok_or_else(nowhere)?;
    let meant = look.meant_at(file, line)?;
    let [(name, defined)] = meant.as_slice() else {
        let names = meant.iter().map(|(name, _)| (*name).to_owned()).collect();
        return Err(EngineError::NoOneName {
            path: path.to_owned(),
            line,
            names,
        });
    };
    let found = look.referring(name, defined, wish, limit)?;
    Ok(References {
        name: (*name).to_owned(),
        ..found
    })
}

/// A name and its definitions.
type Meant<'s> = (&'s str, Vec<(Fit, Definition<'s>)>);

impl<'s> Look<'s> {
    /// What is defined at a line; where nothing is, what is used there of what
    /// the project defines, and where there is nothing of that, what else is.
    fn meant_at(&self, file: FileNo, line: u32) -> Result<Vec<Meant<'s>>, EngineError> {
        let facts = self.graph.facts(file)?;
        let here = facts.symbols().filter(|symbol| symbol.line == line);
        let here = here.map(|symbol| Definition { file, symbol });
        let mut meant: Vec<Meant> = here
            .map(|d| (d.symbol.name, vec![(Fit::Exact, d)]))
            .collect();
        if !meant.is_empty() {
            return Ok(meant);
        }
        for name in self.graph.names_at(file, line)? {
            let edges = self.graph.uses(name)?.into_iter();
            let edges = edges.filter(|edge| (edge.file, edge.used.line) == (file, line));
            let to = edges.flat_map(|edge| edge.to).map(|d| (Fit::Exact, d));
            meant.push((name, to.collect()));
        }
        if meant.iter().any(|(_, defined)| !defined.is_empty()) {
            meant.retain(|(_, defined)| !defined.is_empty());
        }
        Ok(meant)
    }

    /// The uses of what is defined so; without any definition, those of the
    /// name, which may be somebody else's.
    fn referring(
        &self,
        name: &str,
        defined: &[(Fit, Definition<'s>)],
        wish: &Wish,
        limit: usize,
    ) -> Result<References, EngineError> {
        let written: BTreeSet<&str> = defined.iter().map(|(_, d)| d.symbol.name).collect();
        let names = if written.is_empty() {
            BTreeSet::from([name])
        } else {
            written
        };
        let mut uses = Vec::new();
        for name in names {
            uses.extend(self.uses(name, defined, wish)?);
        }
        uses.sort_by(|a: &Used, b| (&a.path, a.line, a.role).cmp(&(&b.path, b.line, b.role)));
        uses.dedup_by(|b, a| a.path == b.path && a.line == b.line);
        let total = uses.len();
        uses.truncate(limit);
        self.read(
            uses.iter()
                .filter_map(|used| self.graph.file_at(&used.path)),
        );
        for used in &mut uses {
            let file = self.graph.file_at(&used.path);
            used.text = file.map_or(String::new(), |file| self.line(file, used.line));
        }
        let definitions = defined
            .iter()
            .map(|(fit, found)| self.told(found, *fit))
            .collect();
        Ok(References {
            definitions,
            uses,
            total,
            ..References::default()
        })
    }

    fn uses(
        &self,
        name: &str,
        defined: &[(Fit, Definition<'s>)],
        wish: &Wish,
    ) -> Result<Vec<Used>, EngineError> {
        let places: HashSet<(FileNo, u32)> = defined
            .iter()
            .map(|(_, d)| (d.file, d.symbol.line))
            .collect();
        let is_wanted = |to: &Definition| places.contains(&(to.file, to.symbol.line));
        let meant = |edge: &Edge| places.is_empty() || edge.to.iter().any(is_wanted);
        // A definition may hold its own name twice: `exports.f = function f() {}`.
        let is_definition =
            |edge: &Edge| is_rest(edge.used.role) && places.contains(&(edge.file, edge.used.line));
        let edges = self.graph.uses(name)?.into_iter();
        let edges = edges.filter(|edge| wish.allows(self, edge.file) && !is_definition(edge));
        let (known, others): (Vec<Edge>, Vec<Edge>) = edges.partition(meant);
        // To give a name to something is not to use it.
        let has_role = |edge: &&Edge| match wish.roles.as_slice() {
            [] => !edge.used.role.gives(),
            roles => roles.contains(&edge.used.role),
        };
        let mut uses: Vec<Used> = known
            .iter()
            .filter(has_role)
            .map(|e| self.used(e))
            .collect();
        if wish.text {
            let (bound, others): (Vec<Edge>, Vec<Edge>) = others
                .into_iter()
                .partition(|edge| edge.used.role == Role::Bind);
            uses.extend(others.iter().map(|edge| self.used(edge)));
            let told: Vec<Edge> = known.into_iter().chain(bound).chain(others).collect();
            uses.extend(self.mentions(name, defined, &told, wish)?);
            let is_bound = |used: &Used| {
                told.iter().any(|edge| {
                    let same = (self.path(edge.file), edge.used.line) == (&used.path, used.line);
                    same && edge.used.role == Role::Bind
                })
            };
            uses.retain(|used| !is_bound(used));
        }
        Ok(uses)
    }

    /// A use, but for the line as it is written.
    fn used(&self, edge: &Edge) -> Used {
        Used {
            path: self.path(edge.file).to_owned(),
            line: edge.used.line,
            role: Some(edge.used.role),
            within: edge.around.map_or("", |symbol| symbol.qualified).to_owned(),
            text: String::new(),
            reason: edge.reason.as_str(),
            confidence: edge.reason.confidence(),
            candidates: edge.to.len(),
            test: categories::is_test(self.path(edge.file)),
            parse_errors: self.record(edge.file).has_errors(),
        }
    }

    /// Lines of code files that hold a name as a word and are neither a
    /// definition nor a use that is known.
    fn mentions(
        &self,
        name: &str,
        defined: &[(Fit, Definition)],
        known: &[Edge],
        wish: &Wish,
    ) -> Result<Vec<Used>, EngineError> {
        let mut found = Vec::new();
        for file in self.graph.mentioning(name)? {
            let State::Indexed {
                class: FileClass::Code,
                ..
            } = self.record(file).state
            else {
                continue;
            };
            if !wish.allows(self, file) {
                continue;
            }
            let text = self.text(file);
            let facts = self.graph.facts(file)?;
            for (line, row) in (1..).zip(text.text().lines()) {
                let told = known.iter().any(|e| e.file == file && e.used.line == line)
                    || defined
                        .iter()
                        .any(|(_, d)| d.file == file && d.symbol.line == line);
                if !told && holds_word(row, name) {
                    found.push(Used {
                        path: self.path(file).to_owned(),
                        line,
                        role: None,
                        within: facts.around(line).map_or("", |s| s.qualified).to_owned(),
                        text: String::new(),
                        reason: Reason::Unlinked.as_str(),
                        confidence: 0.0,
                        candidates: 0,
                        test: categories::is_test(self.path(file)),
                        parse_errors: self.record(file).has_errors(),
                    });
                }
            }
        }
        Ok(found)
    }
}

impl Wish {
    fn allows(&self, look: &Look, file: FileNo) -> bool {
        let path = look.path(file);
        let vendored = self.no_vendored && categories::is_vendored(path);
        !vendored
            && self
                .tests
                .is_none_or(|tests| tests == categories::is_test(path))
    }
}

/// Whether a name merely stands there.
fn is_rest(role: Role) -> bool {
    matches!(role, Role::Read | Role::Write | Role::Use)
}

/// Whether a line holds a name and not only as part of another.
fn holds_word(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_identifier_char) && !after.is_some_and(is_identifier_char)
    })
}
