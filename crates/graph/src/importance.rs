//! How much of a repository leads to each of its symbols and files: PageRank
//! over what uses mean and over what files import.
//!
//! Everything is resolved in one pass, file by file, by the same ladder that
//! answers for one name. The sums are made in the order of the files, so the
//! same facts give the same numbers to the bit.

use crate::context::{FileContext, encloses_uses};
use crate::imports;
use crate::links::Links;
use crate::paths::{FileNo, PathIndex, RulesOf};
use crate::resolve::{Candidate, NameResolver};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use scent_index::{FactsReader, FileRank, FileTable, Result, SymbolRef};
use scent_types::Kind;
use std::sync::Arc;

/// The share of a node's importance that it passes on to what it uses.
const DAMPING: f64 = 0.85;

/// After so many rounds the order hardly changes.
const ROUNDS: usize = 20;

/// What may mean any of more definitions than this says nothing of them.
const MANY: usize = 16;

/// A use, by the numbers of two nodes, and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    from: u32,
    to: u32,
    weight: f32,
}

/// How important every file and every symbol is, in order of the files.
pub fn importance(
    table: &FileTable,
    facts: &FactsReader,
    rules_of: RulesOf,
) -> Result<Vec<FileRank>> {
    let index = PathIndex::new(table, facts, rules_of)?;
    let links = Links::new(table, Arc::new(index), facts);
    let files: Vec<FileNo> = links.paths.all().collect();
    let symbols: Vec<Vec<SymbolRef>> = files
        .par_iter()
        .map(|&file| symbols_of(facts, &links, file))
        .collect::<Result<_>>()?;
    let nodes = Nodes::new(&links, &files, &symbols);
    let edges: Vec<Vec<Link>> = files
        .par_iter()
        .enumerate()
        .map(|(nth, &file)| nodes.links_of(nth, file))
        .collect::<Result<_>>()?;
    let ranks = page_rank(nodes.count, &edges.concat());
    Ok(by_file(&links, &files, &symbols, &ranks))
}

/// What a file defines, but for members: what leads to those leads to their type.
fn symbols_of<'s>(
    facts: &'s FactsReader,
    links: &Links,
    file: FileNo,
) -> Result<Vec<SymbolRef<'s>>> {
    let mut symbols = facts.symbols(links.record(file))?;
    symbols.retain(encloses_uses);
    Ok(symbols)
}

/// Files come first among the nodes, then symbols, file by file.
pub(crate) struct Nodes<'l, 's> {
    links: &'l Links<'s>,
    pub count: usize,
    /// The node of each file, by its number.
    files: FxHashMap<FileNo, u32>,
    /// The node of the first symbol of each file.
    first: Vec<u32>,
    /// The definitions of each name, by family and name.
    pub by_name: FxHashMap<(&'s str, &'s str), Named<'s>>,
}

/// The definitions of one name in languages that share names.
#[derive(Default)]
pub(crate) struct Named<'s> {
    pub candidates: Vec<Candidate<'s>>,
    pub nodes: Vec<u32>,
}

impl<'l, 's> Nodes<'l, 's> {
    pub fn new(
        links: &'l Links<'s>,
        files: &[FileNo],
        symbols: &[Vec<SymbolRef<'s>>],
    ) -> Nodes<'l, 's> {
        let mut count = files.len() as u32;
        let mut by_name: FxHashMap<(&str, &str), Named> = FxHashMap::default();
        let mut first = Vec::new();
        for (&file, symbols) in files.iter().zip(symbols) {
            first.push(count);
            for &symbol in symbols {
                // Nothing refers to the title of a test.
                if symbol.kind != Kind::Test {
                    let candidate = Candidate::new(links, file, symbol);
                    let named = by_name.entry((candidate.family, symbol.name)).or_default();
                    named.candidates.push(candidate);
                    named.nodes.push(count);
                }
                count += 1;
            }
        }
        let files = files.iter().copied().zip(0..).collect();
        Nodes {
            links,
            count: count as usize,
            files,
            first,
            by_name,
        }
    }

    /// The node of a symbol of a file, or of the file itself.
    fn node(&self, nth: usize, symbol: Option<usize>) -> u32 {
        match symbol {
            Some(at) => self.first[nth] + at as u32,
            None => nth as u32,
        }
    }

    /// What a file links to, each pair once.
    fn links_of(&self, nth: usize, file: FileNo) -> Result<Vec<Link>> {
        let facts = self.links.facts(file)?;
        // Others may pass names on from here, and need the same.
        self.links.imports_in(file, &facts);
        let bound = self.links.bound(file, &facts);
        let mut gathering = FileLinks {
            nodes: self,
            nth,
            context: self.links.context(file, facts, bound),
            found: Vec::new(),
        };
        gathering.add_imports();
        gathering.add_uses();
        Ok(merged(gathering.found))
    }
}

/// What one file links to, while it is gathered.
struct FileLinks<'n, 's> {
    nodes: &'n Nodes<'n, 's>,
    nth: usize,
    context: FileContext<'s>,
    found: Vec<Link>,
}

impl<'s> FileLinks<'_, 's> {
    fn add_imports(&mut self) {
        for bound in &self.context.bound {
            let files = self.nodes.links.files(&self.context, bound);
            let weight = 1.0 / files.len() as f32;
            let from = self.nth as u32;
            for &to in files.iter().filter_map(|file| self.nodes.files.get(file)) {
                self.found.push(Link { from, to, weight });
            }
        }
    }

    fn add_uses(&mut self) {
        let taken = self.context.bound.iter().map(|bound| bound.taken);
        let used = self.context.facts.used_names();
        let mut names: Vec<&str> = used.chain(taken).collect();
        names.sort_unstable();
        names.dedup();
        let family = self.context.rules.family;
        for name in names {
            if let Some(named) = self.nodes.by_name.get(&(family, name)) {
                self.add_uses_of(name, named);
            }
        }
    }

    /// Adds what the uses of a name link to. The same use in the same symbol
    /// counts once.
    fn add_uses_of(&mut self, name: &str, named: &Named<'s>) {
        let FileContext { facts, bound, .. } = &self.context;
        let links = self.nodes.links;
        let resolver = NameResolver::new(links, &self.context, name, &named.candidates);
        let mut seen = FxHashSet::default();
        for used in imports::uses_of(facts, bound, name) {
            let plain_local = used.qualifier.is_empty() && resolver.is_local(&used);
            if used.role.gives() || plain_local {
                continue;
            }
            let owner = self.context.owner(used.line);
            if !seen.insert((owner, used.role, used.qualifier)) {
                continue;
            }
            let from = self.nodes.node(self.nth, owner);
            let (reason, chosen) = resolver.resolve(&used);
            if chosen.len() <= MANY {
                let weight = reason.confidence() / chosen.len().max(1) as f32;
                let to = chosen.iter().map(|&at| named.nodes[at]);
                self.found.extend(to.map(|to| Link { from, to, weight }));
            }
        }
    }
}

/// Each pair once, with the sum of its weights, and none from a node to itself.
fn merged(mut links: Vec<Link>) -> Vec<Link> {
    links.retain(|link| link.from != link.to);
    links.sort_by_key(|link| (link.from, link.to));
    links.dedup_by(|next, kept| {
        let same = (next.from, next.to) == (kept.from, kept.to);
        if same {
            kept.weight += next.weight;
        }
        same
    });
    links
}

/// How important each node is, where the mean is 1. What leads nowhere passes
/// its importance on to all.
fn page_rank(count: usize, links: &[Link]) -> Vec<f64> {
    let mut out = vec![0.0f64; count];
    for link in links {
        out[link.from as usize] += f64::from(link.weight);
    }
    let mut into = links.to_vec();
    // Stable, so that equal ends stay in the order of their beginnings.
    into.sort_by_key(|link| link.to);
    let mut ranks = vec![1.0f64; count];
    for _ in 0..ROUNDS {
        let idle = ranks.iter().zip(&out).filter(|(_, out)| **out == 0.0);
        let idle: f64 = idle.map(|(rank, _)| rank).sum();
        let base = 1.0 - DAMPING + DAMPING * idle / count as f64;
        let mut next = vec![base; count];
        for link in &into {
            let (from, to) = (link.from as usize, link.to as usize);
            next[to] += DAMPING * ranks[from] * f64::from(link.weight) / out[from];
        }
        ranks = next;
    }
    ranks
}

/// The ranks of nodes as those of files and their symbols.
fn by_file(
    links: &Links,
    files: &[FileNo],
    symbols: &[Vec<SymbolRef>],
    ranks: &[f64],
) -> Vec<FileRank> {
    let (own, mut rest) = ranks.split_at(files.len());
    // The mean of all nodes is 1, so their sum is their number.
    let mean = ranks.len() as f64 / files.len().max(1) as f64;
    let mut found = Vec::new();
    for ((&file, symbols), own) in files.iter().zip(symbols).zip(own) {
        let (ranks, others) = rest.split_at(symbols.len());
        rest = others;
        let Some(id) = links.record(file).id() else {
            continue;
        };
        found.push(FileRank {
            file: id,
            whole: ((own + ranks.iter().sum::<f64>()) / mean) as f32,
            symbols: by_line(symbols, ranks),
        });
    }
    found
}

/// The ranks of the symbols of a file by their lines, the highest first.
fn by_line(symbols: &[SymbolRef], ranks: &[f64]) -> Vec<(u32, f32)> {
    let mut found = Vec::with_capacity(symbols.len());
    for (symbol, rank) in symbols.iter().zip(ranks) {
        found.push((symbol.line, *rank as f32));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(count: usize, links: &[(u32, u32, f32)]) -> Vec<f64> {
        let link = |&(from, to, weight): &(u32, u32, f32)| Link { from, to, weight };
        page_rank(count, &links.iter().map(link).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_used_more_is_more_important() {
        let found = ranks(4, &[(0, 3, 1.0), (1, 3, 1.0), (2, 1, 1.0)]);
        assert!(found[3] > found[1] && found[1] > found[0], "{found:?}");
        assert_eq!(found[0], found[2]);
        assert!(
            (found.iter().sum::<f64>() - 4.0).abs() < 1e-9,
            "the mean is 1: {found:?}"
        );
    }

    #[test]
    fn a_surer_use_counts_for_more() {
        let found = ranks(3, &[(0, 1, 0.9), (0, 2, 0.1)]);
        assert!(found[1] > found[2], "{found:?}");
        assert_eq!(ranks(2, &[]), [1.0, 1.0]);
        assert_eq!(ranks(0, &[]), [0.0; 0]);
    }
}
