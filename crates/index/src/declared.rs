//! The names that a unit declares without being called so: those of the fields of
//! a struct, of the variants of an enum, of a function inside of another one.

use scent_types::{Kind, Symbol, Unit};
use scent_words::names::last_part;
use std::collections::HashMap;

/// Stands before a name that a unit declares without being called so.
const DECLARES: char = '\u{1}';

/// The term by which a unit is found that declares a name.
pub(crate) fn declared_term(name: &str) -> String {
    format!("{DECLARES}{}", name.to_lowercase())
}

/// Whether a term is not the name of a unit.
pub(crate) fn is_declared_term(term: &[u8]) -> bool {
    term.first() == Some(&(DECLARES as u8))
}

/// The names that each unit declares beside its own, as a struct its fields, by
/// the position of the unit.
pub(crate) fn declared<'s>(units: &[&Unit], symbols: &'s [Symbol]) -> HashMap<usize, Vec<&'s str>> {
    let mut declared: HashMap<usize, Vec<&str>> = HashMap::new();
    for symbol in symbols.iter().filter(|symbol| symbol.kind != Kind::Test) {
        let at = units.partition_point(|unit| unit.cover.end < symbol.line);
        let Some(unit) = units.get(at) else {
            continue;
        };
        let is_own = last_part(&unit.name) == symbol.name || unit.names.contains(&symbol.name);
        let names = declared.entry(at).or_default();
        if !is_own && !names.contains(&symbol.name.as_str()) {
            names.push(&symbol.name);
        }
    }
    declared
}
