//! Who uses a name.

use super::names::SymbolQuery;
use super::{Lookup, categories, place};
use crate::EngineError;
use crate::tree::Tree;
use scent_graph::{Definition, Edge, FileNo, Reason};
use scent_index::{Snapshot, State};
use scent_types::{FileClass, Fit, References, Role, Used};
use scent_words::names::holds_word;
use std::collections::{BTreeSet, HashSet};

/// Which uses are asked for.
#[derive(Clone, Debug, Default)]
pub struct ReferenceFilter {
    /// Only these roles; empty means all.
    pub roles: Vec<Role>,
    /// Only tests, or none of them.
    pub tests: Option<bool>,
    /// Not in copies of others' code, nor in what is built.
    pub no_vendored: bool,
    /// Also lines that mention the name and use it in no way that is known.
    pub text: bool,
    /// Also uses that may as well mean something else of the name, and lines of
    /// documentation.
    pub ambiguous: bool,
}

/// Who uses a name.
pub(crate) fn references(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    name: &str,
    filter: &ReferenceFilter,
    limit: usize,
) -> Result<References, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let wanted = SymbolQuery::new(name);
    let defined = lookup.defined(&wanted)?;
    let mut found = lookup.referring(&wanted.name, &defined, filter, limit)?;
    if found.total == 0 && defined.is_empty() {
        found.nearest = lookup.nearest(name)?;
    }
    Ok(References {
        name: name.to_owned(),
        ..found
    })
}

/// The uses of a name, by how they are told.
#[derive(Default)]
struct Sorted {
    uses: Vec<Used>,
    /// What may as well mean something else.
    ambiguous: Vec<Used>,
    /// How many lines of documentation speak of it.
    documentation: usize,
}

impl<'s> Lookup<'s> {
    /// The uses of what is defined so; without any definition, those of the
    /// name, which may be somebody else's.
    pub(super) fn referring(
        &self,
        name: &str,
        defined: &[(Fit, Definition<'s>)],
        filter: &ReferenceFilter,
        limit: usize,
    ) -> Result<References, EngineError> {
        let mut names: BTreeSet<&str> = defined.iter().map(|(_, d)| d.symbol.name).collect();
        if names.is_empty() {
            names.insert(name);
        }
        let mut sorted = Sorted::default();
        for name in names {
            self.uses(name, defined, filter, &mut sorted)?;
        }
        let Sorted {
            mut uses,
            mut ambiguous,
            documentation,
        } = sorted;
        arrange(&mut uses);
        let known: HashSet<(&str, u32)> = uses.iter().map(|u| (u.path.as_str(), u.line)).collect();
        ambiguous.retain(|used: &Used| !known.contains(&(used.path.as_str(), used.line)));
        arrange(&mut ambiguous);
        let left_out = if filter.ambiguous || filter.text {
            uses.append(&mut ambiguous);
            0
        } else {
            ambiguous.len()
        };
        Ok(References {
            definitions: self.to_defined(defined),
            ambiguous: left_out,
            documentation,
            ..self.listed(uses, limit)
        })
    }

    /// Some uses, the first with their lines.
    pub(super) fn listed(&self, mut uses: Vec<Used>, limit: usize) -> References {
        let total = uses.len();
        uses.truncate(limit);
        let files = uses.iter();
        self.read(files.filter_map(|used| self.graph.file_at(&used.path)));
        for used in &mut uses {
            if let Some(file) = self.graph.file_at(&used.path) {
                used.text = self.line(file, used.line);
            }
        }
        References {
            uses,
            total,
            ..References::default()
        }
    }

    /// Adds the uses of a name: those that are known, and those that may as well
    /// mean something else.
    fn uses(
        &self,
        name: &str,
        defined: &[(Fit, Definition<'s>)],
        filter: &ReferenceFilter,
        sorted: &mut Sorted,
    ) -> Result<(), EngineError> {
        let places: HashSet<(FileNo, u32)> = defined.iter().map(|(_, d)| place(d)).collect();
        let mut known = Vec::new();
        let mut others = Vec::new();
        for mut edge in self.graph.uses(name)? {
            // A definition may hold its own name twice: `exports.f = function f() {}`.
            // `{ total = prices.total }` uses another one, though.
            let at = (edge.file, edge.used.line);
            let means_itself = edge.to.is_empty() || edge.to.iter().any(|to| place(to) == at);
            let is_definition = is_rest(edge.used.role) && places.contains(&at) && means_itself;
            if is_definition || !filter.allows(self, edge.file) {
                continue;
            }
            let is_asked = |to| places.contains(&place(to));
            if places.is_empty() || edge.to.iter().any(is_asked) {
                known.push(edge);
            } else if let Some(reason) = self.overrides(&edge, defined)? {
                edge.reason = reason;
                known.push(edge);
            } else {
                others.push(edge);
            }
        }
        for edge in &known {
            if !filter.allows_role(edge.used.role) {
                continue;
            }
            // A page that speaks of something does not use it.
            if self.is_documentation(edge.file) && !filter.ambiguous {
                sorted.documentation += 1;
                continue;
            }
            // A stub declares what is defined elsewhere.
            let may_be_other = edge
                .to
                .iter()
                .any(|to| !places.contains(&place(to)) && !categories::is_stub(self.path(to.file)));
            let is_doubtful = match edge.reason {
                Reason::Ambiguous => may_be_other,
                reason => reason == Reason::Unlikely,
            };
            if is_doubtful && !places.is_empty() {
                sorted.ambiguous.push(self.used(edge));
            } else {
                sorted.uses.push(self.used(edge));
            }
        }
        if filter.text {
            self.add_mentions(name, defined, filter, known, others, &mut sorted.uses)?;
        }
        Ok(())
    }

    /// How it is known that what a use means may be one of these as the program
    /// runs, if it may.
    pub(super) fn overrides(
        &self,
        edge: &Edge<'s>,
        defined: &[(Fit, Definition<'s>)],
    ) -> Result<Option<Reason>, EngineError> {
        // What a type names itself is no other's.
        if !matches!(edge.reason, Reason::Value | Reason::SameScope) {
            return Ok(None);
        }
        for to in &edge.to {
            for (_, definition) in defined {
                let reason = self.graph.overrides(to, definition)?;
                if reason.is_some() {
                    return Ok(reason);
                }
            }
        }
        Ok(None)
    }

    /// Adds uses of the name that are not linked to its definitions, and lines
    /// that merely mention it.
    fn add_mentions(
        &self,
        name: &str,
        defined: &[(Fit, Definition<'s>)],
        filter: &ReferenceFilter,
        known: Vec<Edge<'s>>,
        others: Vec<Edge<'s>>,
        uses: &mut Vec<Used>,
    ) -> Result<(), EngineError> {
        for edge in &others {
            if edge.used.role != Role::Bind {
                uses.push(self.used(edge));
            }
        }
        let mut edges = known;
        edges.extend(others);
        uses.extend(self.mentions(name, defined, &edges, filter)?);
        let mut bound = HashSet::new();
        for edge in &edges {
            if edge.used.role == Role::Bind {
                bound.insert((self.path(edge.file), edge.used.line));
            }
        }
        uses.retain(|used| !bound.contains(&(used.path.as_str(), used.line)));
        Ok(())
    }

    /// A use, but for the line as it is written.
    pub(super) fn used(&self, edge: &Edge) -> Used {
        Used {
            path: self.path(edge.file).to_owned(),
            line: edge.used.line,
            role: Some(edge.used.role),
            within: edge
                .enclosing
                .map_or("", |symbol| symbol.qualified)
                .to_owned(),
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
        filter: &ReferenceFilter,
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
            if !filter.allows(self, file) {
                continue;
            }
            let text = self.text(file);
            let facts = self.graph.facts(file)?;
            for (line, row) in (1..).zip(text.text().lines()) {
                let is_use = known.iter().any(|e| (e.file, e.used.line) == (file, line));
                let is_definition = defined.iter().any(|(_, d)| place(d) == (file, line));
                if !is_use && !is_definition && holds_word(row, name) {
                    found.push(Used {
                        path: self.path(file).to_owned(),
                        line,
                        role: None,
                        within: facts.enclosing(line).map_or("", |s| s.qualified).to_owned(),
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

impl ReferenceFilter {
    pub(super) fn allows(&self, lookup: &Lookup, file: FileNo) -> bool {
        let path = lookup.path(file);
        let vendored = self.no_vendored && categories::is_vendored(path);
        !vendored
            && self
                .tests
                .is_none_or(|tests| tests == categories::is_test(path))
    }

    /// To give a name to something is not to use it.
    pub(super) fn allows_role(&self, role: Role) -> bool {
        if self.roles.is_empty() {
            !role.gives()
        } else {
            self.roles.contains(&role)
        }
    }
}

/// Product code first, each line once.
pub(super) fn arrange(uses: &mut Vec<Used>) {
    uses.sort_by_cached_key(|used| {
        let rank = categories::rank(&used.path);
        (rank, used.path.clone(), used.line, used.role)
    });
    uses.dedup_by(|b, a| a.path == b.path && a.line == b.line);
}

/// Whether a name merely stands there.
fn is_rest(role: Role) -> bool {
    matches!(role, Role::Read | Role::Write | Role::Use)
}
