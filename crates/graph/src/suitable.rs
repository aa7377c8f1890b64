//! Which definitions a use can mean at all, by what they are and by how the name
//! is used.

use scent_index::{SymbolRef, UseRef};
use scent_types::{ImportRules, Kind, Role};

/// The candidates, by their numbers, that a use can mean. `symbol` knows what each
/// of them is.
pub(crate) fn suitable<'s>(
    symbol: impl Fn(usize) -> SymbolRef<'s>,
    candidates: &[usize],
    used: &UseRef,
    rules: &ImportRules,
) -> Vec<usize> {
    let is_field = |nth: &usize| symbol(*nth).kind == Kind::Field;
    if !candidates.iter().any(is_field) {
        return candidates.to_vec();
    }
    let (fields, others): (Vec<usize>, Vec<usize>) =
        candidates.iter().partition(|nth| is_field(nth));
    match used.role {
        Role::Type | Role::Inherit | Role::Import => others,
        // A field may hold a function.
        Role::Call if !others.is_empty() => others,
        // The name of a field stands alone in `Cart { limit: 3 }`.
        _ if used.qualifier.is_empty() && others.is_empty() && rules.explicit_names => fields,
        _ if used.qualifier.is_empty() && !rules.bare_members => others,
        _ => without_getters(symbol, candidates),
    }
}

/// The candidates without the methods that are called what a field of the same
/// type is: those would be called.
fn without_getters<'s>(
    symbol: impl Fn(usize) -> SymbolRef<'s>,
    candidates: &[usize],
) -> Vec<usize> {
    let name = |nth: usize| symbol(nth).qualified;
    let kind = |nth: usize| symbol(nth).kind;
    let has_field = |nth: usize| {
        let mut others = candidates.iter();
        others.any(|&other| kind(other) == Kind::Field && name(other) == name(nth))
    };
    let mut found = candidates.to_vec();
    found.retain(|&nth| kind(nth) != Kind::Method || !has_field(nth));
    found
}
