//! How much of a repository leads to each of its symbols and files: PageRank
//! over what uses mean and over what files import.
//!
//! Everything is resolved in one pass, file by file, by the same ladder that
//! answers for one name. The sums are made in the order of the files, so the
//! same facts give the same numbers to the bit.

use crate::links::{self, Here, Links};
use crate::paths::{FileNo, PathIndex, RulesOf};
use crate::resolve::{Asked, Candidate};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use scent_index::{FactsReader, FileRank, FileTable, Result, StoredFacts, SymbolRef};
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
        .map(|&file| facts.symbols(links.record(file)))
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

/// Files come first among the nodes, then symbols, file by file.
struct Nodes<'l, 's> {
    links: &'l Links<'s>,
    count: usize,
    /// The node of each file, by its number.
    files: FxHashMap<FileNo, u32>,
    /// The node of the first symbol of each file.
    first: Vec<u32>,
    by_name: FxHashMap<(&'s str, &'s str), Named<'s>>,
}

/// The definitions of one name in languages that share names.
#[derive(Default)]
struct Named<'s> {
    candidates: Vec<Candidate<'s>>,
    nodes: Vec<u32>,
}

impl<'l, 's> Nodes<'l, 's> {
    fn new(
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
                let candidate = Candidate::new(links, file, symbol);
                let named = by_name.entry((candidate.family, symbol.name)).or_default();
                named.candidates.push(candidate);
                named.nodes.push(count);
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

    /// What a file links to, each pair once.
    fn links_of(&self, nth: usize, file: FileNo) -> Result<Vec<Link>> {
        let facts = self.links.facts(file)?;
        // Others may pass names on from here, and ask for the same.
        self.links.imports_in(file, &facts);
        let here = self.links.here(file, &facts);
        let mut found = self.imports_of(nth, &here);
        let taken = here.bound.iter().map(|bound| bound.taken);
        let mut names: Vec<&str> = facts.used_names().chain(taken).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            if let Some(named) = self.by_name.get(&(here.rules.family, name)) {
                self.uses_of(nth, name, named, &facts, &here, &mut found);
            }
        }
        found.retain(|link| link.from != link.to);
        found.sort_by_key(|link| (link.from, link.to));
        found.dedup_by(|next, kept| {
            let same = (next.from, next.to) == (kept.from, kept.to);
            if same {
                kept.weight += next.weight;
            }
            same
        });
        Ok(found)
    }

    fn imports_of(&self, nth: usize, here: &Here<'s>) -> Vec<Link> {
        let mut found = Vec::new();
        for bound in &here.bound {
            let files = self.links.files(here, bound);
            let weight = 1.0 / files.len() as f32;
            let to = files.iter().filter_map(|file| self.files.get(file));
            found.extend(to.map(|&to| Link {
                from: nth as u32,
                to,
                weight,
            }));
        }
        found
    }

    /// What the uses of a name in a file link to. The same use in the same
    /// symbol counts once.
    fn uses_of(
        &self,
        nth: usize,
        name: &str,
        named: &Named<'s>,
        facts: &StoredFacts<'s>,
        here: &Here<'s>,
        found: &mut Vec<Link>,
    ) {
        let locals = here.locals(facts, name);
        let asked = Asked::new(self.links, here, name, &locals, &named.candidates);
        let mut seen = FxHashSet::default();
        for used in links::uses_of(facts, name) {
            let owner = here.owner(used.line);
            let plain_local = used.qualifier.is_empty() && asked.is_local(used.line);
            if used.role.gives() || plain_local || !seen.insert((owner, used.role, used.qualifier))
            {
                continue;
            }
            let from = owner.map_or(nth as u32, |at| self.first[nth] + at as u32);
            let (reason, chosen) = asked.resolve(&used);
            if chosen.len() <= MANY {
                let weight = reason.confidence() / chosen.len().max(1) as f32;
                let to = chosen.iter().map(|&at| named.nodes[at]);
                found.extend(to.map(|to| Link { from, to, weight }));
            }
        }
    }
}

/// How important each node is, where the mean is 1. What leads nowhere passes
/// its importance on to all.
fn page_rank(count: usize, links: &[Link]) -> Vec<f64> {
    let mut out = vec![0.0f64; count];
    links
        .iter()
        .for_each(|link| out[link.from as usize] += f64::from(link.weight));
    let mut into = links.to_vec();
    // Stable, so that equal ends stay in the order of their beginnings.
    into.sort_by_key(|link| link.to);
    let mut ranks = vec![1.0f64; count];
    for _ in 0..ROUNDS {
        let idle: f64 = ranks
            .iter()
            .zip(&out)
            .filter(|(_, out)| **out == 0.0)
            .map(|(r, _)| r)
            .sum();
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
        let whole = ((own + ranks.iter().sum::<f64>()) / mean) as f32;
        let named = symbols
            .iter()
            .zip(ranks)
            .map(|(symbol, rank)| (symbol.line, *rank as f32));
        let mut symbols: Vec<(u32, f32)> = named.collect();
        symbols.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let id = links.record(file).id();
        found.extend(id.map(|id| FileRank {
            file: id,
            whole,
            symbols,
        }));
    }
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
