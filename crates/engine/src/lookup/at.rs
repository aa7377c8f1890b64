//! What stands at a place in a file, for editors: they know the name under the
//! cursor, and show one symbol with what it uses and who uses it.

use super::Lookup;
use super::names::SymbolQuery;
use super::references::ReferenceFilter;
use crate::EngineError;
use crate::tree::Tree;
use scent_graph::Definition;
use scent_index::Snapshot;
use scent_types::{Defined, Fit, Lines, References, Role};
use std::collections::BTreeSet;

/// A use of something, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The line of the use.
    pub line: u32,
    /// How it is used.
    pub role: Role,
    /// The name as it stands there.
    pub name: String,
    /// What it means; several where that cannot be told.
    pub to: Vec<Defined>,
}

/// What a name at a line of a file means, and who uses that. Where the line is
/// not known to hold the name, as after an edit, the name alone decides.
pub(crate) fn meaning(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    (path, line): (&str, u32),
    name: &str,
    limit: usize,
) -> Result<References, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let mut defined: Vec<(Fit, Definition)> = Vec::new();
    if let Some(file) = lookup.graph.file_at(path) {
        for symbol in lookup.graph.facts(file)?.symbols() {
            if symbol.line == line && symbol.name == name {
                defined.push((Fit::Exact, Definition { file, symbol }));
            }
        }
        if defined.is_empty() {
            for edge in lookup.graph.uses(name)? {
                if (edge.file, edge.used.line) == (file, line) {
                    defined.extend(edge.to.into_iter().map(|to| (Fit::Exact, to)));
                }
            }
        }
    }
    if defined.is_empty() {
        defined = lookup.defined(&SymbolQuery::new(name))?;
        defined.retain(|(fit, _)| *fit == Fit::Exact);
    }
    let found = lookup.referring(name, &defined, &ReferenceFilter::default(), limit)?;
    Ok(References {
        name: name.to_owned(),
        ..found
    })
}

/// What the lines of a file use of what the project defines, in their order.
pub(crate) fn calls_from(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    path: &str,
    lines: Lines,
) -> Result<Vec<Call>, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let Some(file) = lookup.graph.file_at(path) else {
        return Ok(Vec::new());
    };
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for used in lookup.graph.facts(file)?.uses() {
        if used.role == Role::Call && lines.contains(used.line) {
            names.insert(used.name);
        }
    }
    let mut calls = Vec::new();
    for name in names {
        for edge in lookup.graph.uses(name)? {
            let is_here = edge.file == file && lines.contains(edge.used.line);
            if is_here && edge.used.role == Role::Call && !edge.to.is_empty() {
                let to: Vec<_> = edge.to.iter().map(|to| (Fit::Exact, *to)).collect();
                calls.push(Call {
                    line: edge.used.line,
                    role: edge.used.role,
                    name: name.to_owned(),
                    to: lookup.to_defined(&to),
                });
            }
        }
    }
    calls.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    Ok(calls)
}

/// The definitions that take the place of others: types that inherit from a
/// type, and in them what has the name of a member.
pub(crate) fn implementations(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    of: &[Defined],
) -> Result<Vec<Defined>, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let mut found = Vec::new();
    for defined in of {
        let (owner, member) = match defined.kind.is_type() {
            true => (defined.name.as_str(), None),
            false => match owner_of(&defined.qualified, &defined.name) {
                Some(owner) => (owner, Some(defined.name.as_str())),
                None => continue,
            },
        };
        let mut heirs = lookup.heirs(owner)?;
        heirs.extend(lookup.implementing(owner)?);
        for heir in heirs {
            match member {
                None => found.push(heir.place),
                Some(name) => {
                    let inside = format!("{}.{name}", heir.name);
                    let members = lookup.defined(&SymbolQuery::new(&inside))?;
                    let exact = members.into_iter().filter(|(fit, _)| *fit == Fit::Exact);
                    let members: Vec<_> = exact.collect();
                    found.extend(lookup.to_defined(&members));
                }
            }
        }
    }
    found.retain(|one| {
        !of.iter()
            .any(|of| (&of.path, of.line) == (&one.path, one.line))
    });
    found.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    found.dedup_by(|b, a| (&a.path, a.line) == (&b.path, b.line));
    Ok(found)
}

/// The last name around a member.
fn owner_of<'q>(qualified: &'q str, name: &str) -> Option<&'q str> {
    let around = qualified.strip_suffix(name)?;
    let around = around.trim_end_matches([':', '.', '#', '/', '\\']);
    let owner = around.rsplit([':', '.', '#', '/', '\\']).next()?;
    (!owner.is_empty()).then_some(owner)
}

/// A type that inherits from another, and where that is said.
struct Heir {
    place: Defined,
    name: String,
}

impl Lookup<'_> {
    /// The types that implement an interface of this name by having its methods.
    fn implementing(&self, name: &str) -> Result<Vec<Heir>, EngineError> {
        let mut heirs = Vec::new();
        for interface in self.graph.definitions(name)? {
            for one in self.graph.implementing(&interface)? {
                let place = self.defined_as(&one, Fit::Exact);
                let name = one.symbol.name.to_owned();
                heirs.push(Heir { place, name });
            }
        }
        Ok(heirs)
    }

    /// The types that inherit from one of this name.
    fn heirs(&self, name: &str) -> Result<Vec<Heir>, EngineError> {
        let mut heirs = Vec::new();
        for edge in self.graph.uses(name)? {
            if edge.used.role != Role::Inherit {
                continue;
            }
            let (file, line) = (edge.file, edge.used.line);
            let facts = self.graph.facts(file)?;
            let mut on_line = facts.symbols().filter(|symbol| symbol.line == line);
            if let Some(symbol) = on_line.next().or(edge.enclosing) {
                let place = self.defined_as(&Definition { file, symbol }, Fit::Exact);
                let name = symbol.name.to_owned();
                heirs.push(Heir { place, name });
                continue;
            }
            // Where a type says elsewhere what it inherits, both names stand in
            // one line.
            let others = self.graph.names_at(file, line)?.into_iter();
            for other in others.filter(|other| *other != name) {
                let types = self.graph.definitions(other)?.into_iter();
                if let Some(found) = { types }.find(|found| found.symbol.kind.is_type()) {
                    let place = Defined {
                        path: self.path(file).to_owned(),
                        line,
                        lines: Lines::new(line, line),
                        text: self.line(file, line),
                        ..self.defined_as(&found, Fit::Exact)
                    };
                    let name = found.symbol.name.to_owned();
                    heirs.push(Heir { place, name });
                }
            }
        }
        Ok(heirs)
    }
}
