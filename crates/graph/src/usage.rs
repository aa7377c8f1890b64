//! How much each definition is used: every use of every name resolved in one
//! pass, by the ladder that answers for one name.

use crate::context::FileContext;
use crate::importance::Nodes;
use crate::imports;
use crate::links::Links;
use crate::paths::{FileNo, PathIndex, RulesOf};
use crate::resolve::{Candidate, NameResolver};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use scent_index::{Result, Snapshot, SymbolRef, UseRef};
use scent_types::{Role, Typed};
use scent_words::names;
use std::sync::Arc;

/// A definition, and how sure it is that something uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage<'s> {
    /// The file that defines it.
    pub file: FileNo,
    /// The definition.
    pub symbol: SymbolRef<'s>,
    /// How sure the surest use is that stands outside of the definition itself;
    /// 0 where there is none.
    pub confidence: f32,
    /// How many uses of the same name are linked to no definition.
    pub unlinked: u32,
}

/// What a use says of a definition: its node, and how sure that is. An unlinked
/// one is 0 sure.
type Found = (u32, f32);

/// Every definition of a snapshot with its usage, in order of the files.
pub fn usages(snapshot: &Snapshot, rules_of: RulesOf) -> Result<Vec<Usage<'_>>> {
    let (table, facts) = (snapshot.table(), snapshot.facts());
    let index = PathIndex::new(table, facts, rules_of)?;
    let links = Links::new(table, Arc::new(index), facts);
    let files: Vec<FileNo> = links.paths.all().collect();
    let symbols: Vec<Vec<SymbolRef>> = files
        .par_iter()
        .map(|&file| facts.symbols(links.record(file)))
        .collect::<Result<_>>()?;
    let nodes = Nodes::new(&links, &files, &symbols);
    let found: Vec<Vec<Found>> = files
        .par_iter()
        .map(|&file| used_in(&links, &nodes, file))
        .collect::<Result<_>>()?;
    let mut usages = Vec::with_capacity(nodes.count - files.len());
    for (&file, symbols) in files.iter().zip(&symbols) {
        usages.extend(symbols.iter().map(|&symbol| Usage {
            file,
            symbol,
            confidence: 0.0,
            unlinked: 0,
        }));
    }
    for (node, confidence) in found.into_iter().flatten() {
        let usage = &mut usages[node as usize - files.len()];
        usage.confidence = usage.confidence.max(confidence);
        usage.unlinked += u32::from(confidence == 0.0);
    }
    Ok(usages)
}

/// What the uses in a file say of the definitions of their names.
fn used_in<'s>(links: &Links<'s>, nodes: &Nodes<'_, 's>, file: FileNo) -> Result<Vec<Found>> {
    let facts = links.facts(file)?;
    links.imports_in(file, &facts);
    let bound = links.bound(file, &facts);
    let context = links.context(file, facts, bound);
    let taken = context.bound.iter().map(|bound| bound.taken);
    let mut names: Vec<&str> = context.facts.used_names().chain(taken).collect();
    names.sort_unstable();
    names.dedup();
    let mut found = Vec::new();
    let extended = extended(&context);
    for name in names {
        used_as(links, nodes, (&context, &extended), name, &mut found);
    }
    Ok(found)
}

/// Where the file adds to types, as an `impl` does, and the names of these. That
/// is no use of them.
fn extended<'s>(context: &FileContext<'s>) -> FxHashSet<(u32, &'s str)> {
    let hints = context.facts.hints();
    let supers = hints.filter(|hint| hint.of == Typed::Super);
    supers.map(|hint| (hint.line, hint.name)).collect()
}

/// Whether a use stands in what it uses, or in one of its members elsewhere.
fn is_inside(context: &FileContext, candidate: &Candidate, used: &UseRef) -> bool {
    let is_here = candidate.file == context.file;
    if is_here && candidate.symbol.lines.contains(used.line) {
        return true;
    }
    let is_beside = context.rules.shared_folder && candidate.package == context.package;
    if !candidate.symbol.kind.is_type() || !(is_here || is_beside) {
        return false;
    }
    let around = context.enclosing(used.line);
    around.is_some_and(|symbol| {
        let parts: Vec<&str> = names::parts(symbol.qualified).collect();
        let (_, outer) = parts.split_last().unwrap_or((&"", &[]));
        outer.contains(&candidate.symbol.name)
    })
}

fn used_as<'s>(
    links: &Links<'s>,
    nodes: &Nodes<'_, 's>,
    (context, extended): (&FileContext<'s>, &FxHashSet<(u32, &'s str)>),
    name: &'s str,
    found: &mut Vec<Found>,
) {
    let Some(named) = nodes.by_name.get(&(context.rules.family, name)) else {
        return;
    };
    let resolver = NameResolver::new(links, context, name, &named.candidates);
    for used in imports::uses_of(&context.facts, &context.bound, name) {
        if used.role.gives() {
            continue;
        }
        let (reason, chosen) = resolver.resolve(&used);
        if used.role == Role::Type && extended.contains(&(used.line, name)) {
            continue;
        }
        let plain_local = used.qualifier.is_empty() && resolver.is_local(&used);
        if chosen.is_empty() && !plain_local && used.role != Role::Import {
            found.extend(named.nodes.iter().map(|&node| (node, 0.0)));
        }
        for at in chosen {
            let candidate = &named.candidates[at];
            if !is_inside(context, candidate, &used) {
                found.push((named.nodes[at], reason.confidence()));
            }
        }
    }
}
