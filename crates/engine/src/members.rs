//! The members of types in an outline: fields, variants and what else is a symbol
//! without being a unit.

use scent_types::{Kind, Member, Outline, Signature, Symbol};
use scent_words::names;

/// Adds to each type of a file the members that are not listed by themselves.
pub(crate) fn add(signatures: &mut [Signature], outline: &Outline) {
    for symbol in &outline.symbols {
        let is_listed = |one: &Signature| {
            one.line == symbol.line
                && (one.name == symbol.name || one.qualified == symbol.qualified)
        };
        if signatures.iter().any(is_listed) {
            continue;
        }
        if let Some(owner) = owner_of(symbol, signatures) {
            signatures[owner].members.push(Member {
                kind: symbol.kind,
                name: symbol.name.clone(),
                line: symbol.line,
                visibility: symbol.visibility,
            });
        }
    }
}

/// The type that a symbol is listed with, by its position: the one that its
/// qualified name says, or the enum around a variant.
fn owner_of(symbol: &Symbol, signatures: &[Signature]) -> Option<usize> {
    let mut around: Vec<(usize, &Signature)> = signatures.iter().enumerate().collect();
    around.retain(|(_, one)| (one.start_line..=one.end_line).contains(&symbol.line));
    if symbol.kind == Kind::Variant {
        let enums = around.iter().rev();
        let innermost = enums.clone().find(|(_, one)| one.kind == Kind::Enum);
        if let Some((at, _)) = innermost {
            return Some(*at);
        }
    }
    let scope: Vec<&str> = names::parts(&symbol.qualified).collect();
    let scope = &scope[..scope.len().saturating_sub(1)];
    let is_owner = |one: &Signature| {
        let holds = one.kind.is_type() || one.kind == Kind::Constant;
        holds && names::parts(&one.qualified).eq(scope.iter().copied())
    };
    let owner = around.iter().rev().find(|(_, one)| is_owner(one));
    owner.map(|(at, _)| *at)
}
