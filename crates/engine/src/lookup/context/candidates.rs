//! Definitions that code at a cursor may need, each with how likely that is.

use super::words::type_name;
use crate::EngineError;
use scent_graph::{FileNo, Graph};
use scent_index::SymbolRef;
use scent_types::{ContextReason, Kind};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What a definition gains by where it is.
const IMPORTED_BY_NAME: f32 = 0.5;
const IMPORTED: f32 = 0.2;
const SAME_FILE: f32 = 0.2;
const SAME_FOLDER: f32 = 0.05;
const SAME_TYPE: f32 = 0.35;

/// What a name gains by where it is used, at most.
const BEFORE: f32 = 1.0;
const AFTER: f32 = 0.6;
const BY_SIMILAR: f32 = 1.2;

/// What the members of a type gain by how much that is used.
const MEMBER: f32 = 0.4;

/// So many names are looked for in the whole project.
const MOST_NAMED: usize = 30;

/// A name with more definitions says too little about which is meant.
const MOST_DEFINITIONS: usize = 6;

/// So many types may be meant by what a receiver is called.
const MOST_TYPES: usize = 30;

/// A definition that may be needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'s> {
    pub file: FileNo,
    pub symbol: SymbolRef<'s>,
    pub reason: ContextReason,
    pub score: f32,
}

/// The definitions that may be needed.
pub(super) struct Candidates<'g, 's> {
    graph: &'g Graph<'s>,
    before: HashMap<&'g str, f32>,
    after: HashMap<&'g str, f32>,
    likely: HashMap<&'s str, f32>,
    /// The names that the own file uses as it is indexed.
    used: HashSet<&'s str>,
    found: BTreeMap<(FileNo, u32, &'s str), Candidate<'s>>,
}

impl<'g, 's> Candidates<'g, 's> {
    pub fn new(
        graph: &'g Graph<'s>,
        before: HashMap<&'g str, f32>,
        after: HashMap<&'g str, f32>,
        likely: HashMap<&'s str, f32>,
    ) -> Candidates<'g, 's> {
        Candidates {
            graph,
            before,
            after,
            likely,
            used: HashSet::new(),
            found: BTreeMap::new(),
        }
    }

    /// How likely a name is needed by where it is used.
    fn of_name(&self, name: &str) -> f32 {
        let of = |weights: &HashMap<&str, f32>| weights.get(name).copied().unwrap_or(0.0);
        BEFORE * of(&self.before) + AFTER * of(&self.after) + BY_SIMILAR * of(&self.likely)
    }

    /// Whether a word of the text is a name and not one of a comment: known as
    /// one in the file as it is indexed, or written as only names are.
    fn is_of_code(&self, word: &str) -> bool {
        let is_sign = |c: char| c == '_' || c.is_ascii_digit();
        let has_inner_capital = word.chars().skip(1).any(char::is_uppercase);
        self.used.contains(word) || has_inner_capital || word.contains(is_sign)
    }

    fn add(&mut self, file: FileNo, symbol: SymbolRef<'s>, (gain, why): (f32, ContextReason)) {
        // What a field is says little without its type, which has it in full.
        if symbol.kind == Kind::Module || !symbol.kind.is_unit() || symbol.name.len() < 2 {
            return;
        }
        let score = self.of_name(symbol.name) + gain;
        let reason = match why {
            ContextReason::Near if self.before.contains_key(symbol.name) => ContextReason::Used,
            ContextReason::Near if self.likely.contains_key(symbol.name) => {
                ContextReason::UsedBySimilar
            }
            why => why,
        };
        let candidate = Candidate {
            file,
            symbol,
            reason,
            score,
        };
        let known = self.found.entry((file, symbol.line, symbol.name));
        let known = known.or_insert(candidate);
        if known.score < score {
            *known = candidate;
        }
    }

    /// What the imports of a file bring: what they name, and the rest of the
    /// files they name.
    pub fn add_imported(
        &mut self,
        file: Option<FileNo>,
        imported: &[FileNo],
    ) -> Result<(), EngineError> {
        let mut named = Vec::new();
        if let Some(file) = file {
            let facts = self.graph.facts(file)?;
            self.used.extend(facts.used_names());
            for import in facts.imports() {
                named.extend([import.name, import.alias]);
                named.extend(import.module.rsplit(['.', ':', '/', '\\']).next());
            }
        }
        for &file in imported {
            for symbol in self.graph.facts(file)?.symbols() {
                let is_named = named.contains(&symbol.name);
                let gain = if is_named { IMPORTED_BY_NAME } else { IMPORTED };
                // What is inside of a type is only reached through it.
                if is_named || is_top(&symbol) || self.of_name(symbol.name) > 0.0 {
                    self.add(file, symbol, (gain, ContextReason::Imported));
                }
            }
        }
        Ok(())
    }

    /// What the own file and those beside it define.
    pub fn add_near(&mut self, file: Option<FileNo>, near: &[FileNo]) -> Result<(), EngineError> {
        for &other in near {
            let is_own = Some(other) == file;
            for symbol in self.graph.facts(other)?.symbols() {
                if is_own {
                    self.add(other, symbol, (SAME_FILE, ContextReason::Near));
                } else if self.of_name(symbol.name) > 0.0 {
                    self.add(other, symbol, (SAME_FOLDER, ContextReason::Near));
                }
            }
        }
        Ok(())
    }

    /// Definitions from elsewhere of names that are likely and have none so far.
    pub fn add_named(&mut self) -> Result<(), EngineError> {
        let known: HashSet<&str> = self.found.values().map(|f| f.symbol.name).collect();
        let written = self.before.keys().chain(self.after.keys()).copied();
        let written = written.filter(|word| self.is_of_code(word));
        let names: BTreeSet<&str> = written.chain(self.likely.keys().copied()).collect();
        let mut names: Vec<(String, f32)> = names
            .into_iter()
            .filter(|name| name.len() > 2 && !known.contains(name))
            .map(|name| (name.to_owned(), self.of_name(name)))
            .collect();
        names.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        names.truncate(MOST_NAMED);
        for (name, _) in names {
            let definitions = self.graph.declared(&name, MOST_DEFINITIONS)?;
            if definitions.len() > MOST_DEFINITIONS {
                continue;
            }
            // Of several, each is the less likely the one that is meant.
            let loss = -0.1 * (definitions.len() as f32 - 1.0);
            for definition in definitions {
                let gain = (loss, ContextReason::Near);
                self.add(definition.file, definition.symbol, gain);
            }
        }
        Ok(())
    }

    /// The members of the type around the cursor, of types that are used there,
    /// and of those that receivers are called after.
    pub fn add_members(
        &mut self,
        file: Option<FileNo>,
        line: u32,
        receivers: &[&str],
    ) -> Result<(), EngineError> {
        let mut types: Vec<(FileNo, &str, f32)> = Vec::new();
        let is_type = |symbol: &SymbolRef| symbol.kind.is_type() || symbol.kind == Kind::Type;
        for found in self.found.values().filter(|found| is_type(&found.symbol)) {
            let of = |weights: &HashMap<&str, f32>| {
                weights.get(found.symbol.name).copied().unwrap_or(0.0)
            };
            let used = of(&self.before).max(of(&self.after));
            if used > 0.0 {
                types.push((found.file, found.symbol.name, MEMBER * used));
            }
        }
        for receiver in receivers {
            for found in self.graph.declared(&type_name(receiver), MOST_TYPES)? {
                if is_type(&found.symbol) {
                    types.push((found.file, found.symbol.name, MEMBER));
                }
            }
        }
        if let Some(file) = file {
            let facts = self.graph.facts(file)?;
            let around = facts.enclosing(line);
            if let Some(own) = around.and_then(|symbol| holder(symbol.qualified)) {
                types.push((file, own, SAME_TYPE));
            }
        }
        for (file, name, gain) in types {
            for symbol in self.graph.facts(file)?.symbols() {
                if holder(symbol.qualified) == Some(name) {
                    self.add(file, symbol, (gain, ContextReason::Member));
                }
            }
        }
        Ok(())
    }

    /// All of them.
    pub fn into_ranked(self) -> Vec<Candidate<'s>> {
        self.found.into_values().collect()
    }
}

/// Whether something is defined in no type.
fn is_top(symbol: &SymbolRef) -> bool {
    symbol.kind != Kind::Method
}

/// The last name before that of the symbol itself: what holds it.
fn holder(qualified: &str) -> Option<&str> {
    let separators = ["::", ".", "#", "/"];
    let (at, _) = separators
        .iter()
        .filter_map(|sign| qualified.rfind(sign).map(|at| (at, sign.len())))
        .max()?;
    let before = &qualified[..at];
    let name = before.rsplit(['.', ':', '#', '/']).next()?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::holder;

    #[test]
    fn a_member_is_held_by_the_name_before_it() {
        for (qualified, want) in [
            ("Foo::bar", Some("Foo")),
            ("a.b.Foo.bar", Some("Foo")),
            ("Foo#bar", Some("Foo")),
            ("bar", None),
        ] {
            assert_eq!(holder(qualified), want, "{qualified}");
        }
    }
}
