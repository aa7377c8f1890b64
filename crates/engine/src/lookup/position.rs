//! What a place in a file stands for: without a column the innermost definition
//! around the line, with one the name there.

use super::names::SymbolQuery;
use super::references::{ReferenceFilter, arrange};
use super::{Lookup, place};
use crate::tree::Tree;
use crate::{EngineError, crash};
use scent_graph::{Definition, FileNo, Reason};
use scent_index::{Snapshot, State};
use scent_syntax::{Local, NameAt, TextNames};
use scent_types::{Defined, Definitions, Fit, Kind, Lines, References, Subject, Used};

/// A line of a file, and a column in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'p> {
    /// The file, relative to the root.
    pub path: &'p str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in bytes, counted from 1.
    pub column: Option<u32>,
}

impl<'p> From<(&'p str, u32)> for Position<'p> {
    fn from((path, line): (&'p str, u32)) -> Position<'p> {
        Position {
            path,
            line,
            column: None,
        }
    }
}

/// What a position stands for.
enum Meant<'s> {
    /// What is defined under a name.
    Name(String, Vec<(Fit, Definition<'s>)>),
    /// A variable of a function.
    Local(FileNo, Local),
}

/// Who uses what a position stands for.
pub(crate) fn references_at(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    position: Position,
    filter: &ReferenceFilter,
    limit: usize,
) -> Result<References, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    match lookup.meant(position)? {
        Meant::Name(name, defined) => {
            let found = match (position.column, lookup.graph.file_at(position.path)) {
                (Some(_), Some(file)) if defined.is_empty() => {
                    lookup.unresolved_references(file, &name, filter, limit)?
                }
                _ => lookup.referring(&name, &defined, filter, limit)?,
            };
            Ok(References {
                subject: Some(lookup.subject(&name, &defined)),
                name,
                ..found
            })
        }
        Meant::Local(file, local) => lookup.local_references(file, &local, filter, limit),
    }
}

/// Where that is defined which a position stands for.
pub(crate) fn definitions_at(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    position: Position,
    limit: usize,
) -> Result<Definitions, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let (name, definitions) = match lookup.meant(position)? {
        Meant::Name(name, mut found) => {
            found.sort_by_key(|(_, definition)| place(definition));
            found.dedup_by_key(|(_, definition)| place(definition));
            (name, lookup.to_defined(&found))
        }
        Meant::Local(file, local) => {
            let found = vec![lookup.local_definition(file, &local.given)];
            (local.given.name, found)
        }
    };
    let total = definitions.len();
    let mut definitions = definitions;
    definitions.truncate(limit);
    Ok(Definitions {
        name,
        definitions,
        total,
        nearest: Vec::new(),
    })
}

impl<'s> Lookup<'s> {
    fn meant(&self, position: Position) -> Result<Meant<'s>, EngineError> {
        let Position { path, line, column } = position;
        let Some(file) = self.graph.file_at(path) else {
            return Err(EngineError::NoSuchPlace {
                path: path.to_owned(),
                line,
            });
        };
        let lines = self.text(file).count();
        if line > lines {
            return Err(EngineError::NoSuchLine {
                path: path.to_owned(),
                line,
                lines,
            });
        }
        match column {
            Some(column) => self.meant_at(file, line, column),
            None => self.defined_around(file, line),
        }
    }

    /// What a line defines, or else the innermost definition around it.
    fn defined_around(&self, file: FileNo, line: u32) -> Result<Meant<'s>, EngineError> {
        let facts = self.graph.facts(file)?;
        // Nothing refers to the title of a test.
        let symbols = facts.symbols().filter(|symbol| symbol.kind != Kind::Test);
        let around: Vec<_> = symbols.filter(|s| s.lines.contains(line)).collect();
        let mut named: Vec<_> = around.iter().filter(|s| s.line == line).copied().collect();
        // A line that defines a type defines it, whatever members stand there too.
        if named.iter().any(|symbol| !symbol.kind.is_member()) {
            named.retain(|symbol| !symbol.kind.is_member());
        }
        if named.is_empty() {
            named.extend(around.iter().min_by_key(|symbol| symbol.lines.count()));
        }
        let Some(first) = named.first() else {
            return Err(EngineError::NoDefinition {
                path: self.path(file).to_owned(),
                line,
                names: self.names_in_line(file, line),
            });
        };
        if named.iter().any(|symbol| symbol.name != first.name) {
            return Err(EngineError::NoOneName {
                path: self.path(file).to_owned(),
                line,
                names: named.iter().map(|symbol| symbol.name.to_owned()).collect(),
            });
        }
        let defined = named
            .iter()
            .map(|&symbol| (Fit::Exact, Definition { file, symbol }));
        Ok(Meant::Name(first.name.to_owned(), defined.collect()))
    }

    /// What the name at a column means.
    fn meant_at(&self, file: FileNo, line: u32, column: u32) -> Result<Meant<'s>, EngineError> {
        let names = self.text_names(file);
        let at = names.as_ref().and_then(|names| names.at(line, column));
        let Some((names, at)) = names.as_ref().zip(at) else {
            return Err(EngineError::NoNameAt {
                path: self.path(file).to_owned(),
                line,
                column,
                names: self.names_in_line(file, line),
            });
        };
        if let Some(local) = names.local(line, column)
            && !self.is_imported(file, &local)?
        {
            return Ok(Meant::Local(file, local));
        }
        let name = match at.qualifier.as_str() {
            "" => self.graph.defined_name(file, &at.name)?,
            _ => at.name.clone(),
        };
        let mut defined = self.used_as(file, &name, &at)?;
        if defined.is_empty() {
            defined = self.defined_at(file, &at)?;
        }
        Ok(Meant::Name(name, defined))
    }

    /// What a use of a name means.
    fn used_as(
        &self,
        file: FileNo,
        name: &str,
        at: &NameAt,
    ) -> Result<Vec<(Fit, Definition<'s>)>, EngineError> {
        let Some(role) = at.role else {
            return Ok(Vec::new());
        };
        let edges = self.graph.uses(name)?;
        let here = edges
            .iter()
            .filter(|edge| (edge.file, edge.used.line) == (file, at.line));
        let here: Vec<_> = here.collect();
        let is_same = |role_too: bool| {
            let mut same = here.clone();
            same.retain(|edge| {
                edge.used.qualifier == at.qualifier && (!role_too || edge.used.role == role)
            });
            same
        };
        let exact = is_same(true);
        let same = if exact.is_empty() {
            is_same(false)
        } else {
            exact
        };
        let mut defined: Vec<(Fit, Definition)> = Vec::new();
        for to in same.iter().flat_map(|edge| &edge.to) {
            if !defined.iter().any(|(_, known)| place(known) == place(to)) {
                defined.push((Fit::Exact, *to));
            }
        }
        Ok(defined)
    }

    /// What a name that is no use defines.
    fn defined_at(
        &self,
        file: FileNo,
        at: &NameAt,
    ) -> Result<Vec<(Fit, Definition<'s>)>, EngineError> {
        let facts = self.graph.facts(file)?;
        let here = facts
            .symbols()
            .filter(|symbol| symbol.line == at.line && symbol.name == at.name);
        let here: Vec<_> = here
            .map(|symbol| (Fit::Exact, Definition { file, symbol }))
            .collect();
        if !here.is_empty() || at.role.is_some() {
            return Ok(here);
        }
        let mut named = self.defined(&SymbolQuery::new(&at.name))?;
        named.retain(|(fit, _)| *fit == Fit::Exact);
        Ok(named)
    }

    /// Whether a name that a function gives is one that it imports.
    fn is_imported(&self, file: FileNo, local: &Local) -> Result<bool, EngineError> {
        let facts = self.graph.facts(file)?;
        let mut imports = facts.imports();
        let given = &local.given;
        Ok(imports.any(|import| {
            import.line == given.line && [import.alias, import.name].contains(&given.name.as_str())
        }))
    }

    fn subject(&self, name: &str, defined: &[(Fit, Definition<'s>)]) -> Subject {
        let mut subject = Subject {
            name: name.to_owned(),
            definitions: defined.len(),
            ..Subject::default()
        };
        if let [(_, one)] = defined {
            one.symbol.qualified.clone_into(&mut subject.name);
            self.path(one.file).clone_into(&mut subject.path);
            subject.line = one.symbol.line;
        }
        subject
    }

    /// The uses of a name that nothing in the project is known to define, in
    /// languages that share names with a file.
    fn unresolved_references(
        &self,
        file: FileNo,
        name: &str,
        filter: &ReferenceFilter,
        limit: usize,
    ) -> Result<References, EngineError> {
        let family = self.graph.family(file);
        let mut uses = Vec::new();
        for edge in self.graph.uses(name)? {
            let is_same = edge.to.is_empty() && self.graph.family(edge.file) == family;
            if is_same && filter.allows(self, edge.file) && filter.allows_role(edge.used.role) {
                uses.push(self.used(&edge));
            }
        }
        arrange(&mut uses);
        Ok(self.listed(uses, limit))
    }

    /// The uses of a variable of a function.
    fn local_references(
        &self,
        file: FileNo,
        local: &Local,
        filter: &ReferenceFilter,
        limit: usize,
    ) -> Result<References, EngineError> {
        let facts = self.graph.facts(file)?;
        let within = |line| facts.enclosing(line).map_or("", |s| s.qualified).to_owned();
        let mut uses = Vec::new();
        for used in &local.uses {
            let is_wanted = filter.roles.is_empty()
                || used.role.is_some_and(|role| filter.roles.contains(&role));
            let is_known = |known: &Used| known.line == used.line;
            if !is_wanted || !filter.allows(self, file) || uses.last().is_some_and(is_known) {
                continue;
            }
            uses.push(Used {
                path: self.path(file).to_owned(),
                line: used.line,
                role: used.role,
                within: within(used.line),
                text: self.line(file, used.line),
                reason: Reason::SameScope.as_str(),
                confidence: Reason::SameScope.confidence(),
                candidates: 1,
                test: super::categories::is_test(self.path(file)),
                parse_errors: self.record(file).has_errors(),
            });
        }
        let total = uses.len();
        uses.truncate(limit);
        Ok(References {
            name: local.given.name.clone(),
            subject: Some(Subject {
                name: local.given.name.clone(),
                within: within(local.given.line),
                is_local: true,
                path: self.path(file).to_owned(),
                line: local.given.line,
                definitions: 1,
            }),
            uses,
            total,
            ..References::default()
        })
    }

    /// Where a variable of a function is given its name.
    fn local_definition(&self, file: FileNo, given: &NameAt) -> Defined {
        Defined {
            path: self.path(file).to_owned(),
            line: given.line,
            lines: Lines::new(given.line, given.line),
            kind: Kind::Constant,
            name: given.name.clone(),
            qualified: given.name.clone(),
            text: self.line(file, given.line),
            visibility: None,
            fit: Fit::Exact,
            importance: 0.0,
            parse_errors: self.record(file).has_errors(),
        }
    }

    /// The names of a file where they stand; none where it is not parsed.
    fn text_names(&self, file: FileNo) -> Option<TextNames> {
        let record = self.record(file);
        let State::Indexed { language, .. } = &record.state else {
            return None;
        };
        let language = scent_syntax::find(language)?;
        let text = self.text(file);
        let parse = || TextNames::new(language, text.text());
        crash::guarded(&record.path, record.hash, parse).flatten()
    }

    fn names_in_line(&self, file: FileNo, line: u32) -> Vec<(String, u32)> {
        let names = self.text_names(file);
        let names = names.map_or_else(Vec::new, |names| names.in_line(line));
        names.into_iter().map(|at| (at.name, at.column)).collect()
    }
}
