//! Functions in files around the cursor: the more a function has in common with
//! the code there, the more likely the code there needs what it uses.

use crate::EngineError;
use rayon::prelude::*;
use scent_graph::{FileNo, Graph};
use scent_index::StoredFacts;
use scent_types::{Kind, Lines};
use std::collections::{HashMap, HashSet};

/// A function, and the names that it uses.
pub(super) struct Neighbour<'s> {
    pub file: FileNo,
    pub lines: Lines,
    pub kind: Kind,
    pub qualified: &'s str,
    names: HashSet<&'s str>,
    /// How much it has in common with the code around the cursor.
    pub likeness: f32,
}

/// The functions of some files, each but what intersects `hidden` of the first,
/// compared with words from around a cursor, the likest first.
pub(super) fn neighbours<'s>(
    graph: &Graph<'s>,
    files: &[FileNo],
    hidden: Lines,
    words: &[&str],
) -> Result<Vec<Neighbour<'s>>, EngineError> {
    let of_file = |(nth, &file): (usize, &FileNo)| {
        let mut found = functions(file, &graph.facts(file)?);
        found.retain(|function| nth > 0 || !intersect(function.lines, hidden));
        Ok(found)
    };
    let found = files.par_iter().enumerate().map(of_file);
    let found: Vec<Vec<Neighbour>> = found.collect::<Result<_, EngineError>>()?;
    let mut all: Vec<Neighbour> = found.into_iter().flatten().collect();
    let rarity = rarity(&all, words);
    for function in &mut all {
        let shared = rarity
            .iter()
            .filter(|(word, _)| function.names.contains(*word));
        let sum: f32 = shared.map(|(_, rarity)| rarity).sum();
        function.likeness = sum / (4.0 + function.names.len() as f32).sqrt();
    }
    all.sort_by(|a, b| b.likeness.total_cmp(&a.likeness));
    Ok(all)
}

/// How rare each word is among functions; not those that no function has.
fn rarity<'w>(all: &[Neighbour], words: &[&'w str]) -> Vec<(&'w str, f32)> {
    let mut rarity = Vec::new();
    for &word in words {
        let count = all.iter().filter(|f| f.names.contains(word)).count();
        if count > 0 {
            rarity.push((word, (1.0 + all.len() as f32 / count as f32).ln()));
        }
    }
    rarity
}

/// How likely each name is needed by what its users have in common with the
/// code around the cursor, from 0 to 1.
pub(super) fn likely_names<'s>(neighbours: &[Neighbour<'s>]) -> HashMap<&'s str, f32> {
    let mut sums: HashMap<&str, f32> = HashMap::new();
    for function in neighbours.iter().filter(|function| function.likeness > 0.0) {
        for name in &function.names {
            // What is much alike counts for more than many that are a little.
            *sums.entry(name).or_default() += function.likeness * function.likeness;
        }
    }
    let most = sums.values().copied().fold(0.0, f32::max);
    for sum in sums.values_mut() {
        *sum = (*sum / most).sqrt();
    }
    sums
}

fn functions<'s>(file: FileNo, facts: &StoredFacts<'s>) -> Vec<Neighbour<'s>> {
    let mut found: Vec<Neighbour> = Vec::new();
    // The innermost function around each line.
    let mut owners: Vec<Option<usize>> = Vec::new();
    let is_function = |kind: Kind| matches!(kind, Kind::Function | Kind::Method | Kind::Macro);
    let mut symbols: Vec<_> = facts.symbols().filter(|s| is_function(s.kind)).collect();
    symbols.sort_by_key(|symbol| std::cmp::Reverse(symbol.lines.end - symbol.lines.start));
    for symbol in symbols {
        let end = symbol.lines.end as usize;
        if owners.len() <= end {
            owners.resize(end + 1, None);
        }
        owners[symbol.lines.start as usize..=end].fill(Some(found.len()));
        found.push(Neighbour {
            file,
            lines: symbol.lines,
            kind: symbol.kind,
            qualified: symbol.qualified,
            names: HashSet::new(),
            likeness: 0.0,
        });
    }
    for used in facts.uses() {
        let owner = owners.get(used.line as usize).copied().flatten();
        if let Some(owner) = owner
            && used.name.len() > 1
        {
            found[owner].names.insert(used.name);
        }
    }
    found
}

pub(super) fn intersect(a: Lines, b: Lines) -> bool {
    a.start <= b.end && b.start <= a.end
}
