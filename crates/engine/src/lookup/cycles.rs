//! Files that import each other in a circle.

use super::Lookup;
use crate::error::EngineError;
use crate::tree::Tree;
use rayon::prelude::*;
use scent_graph::{Dependency, FileNo};
use scent_index::Snapshot;
use scent_types::{Cycle, Cycles, Dependency as Import};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// An import, by the file that it names.
type Imports<'s> = BTreeMap<FileNo, BTreeMap<FileNo, Dependency<'s>>>;

/// The cycles of imports that touch a path, the shortest first: of each file that
/// is in one, the shortest.
pub(crate) fn cycles(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    path: &str,
    limit: usize,
) -> Result<Cycles, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let wanted: BTreeSet<FileNo> = lookup.files_below(path)?.into_iter().collect();
    let imports = lookup.imports_of_all()?;
    let parts = components(&imports);
    let starts: Vec<FileNo> = parts.keys().copied().collect();
    let shortest = starts
        .into_par_iter()
        .filter_map(|file| shortest_from(file, &imports, &parts));
    let mut found: Vec<Vec<FileNo>> = shortest.map(from_first).collect();
    found.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    found.dedup();
    found.retain(|cycle| cycle.iter().any(|file| wanted.contains(file)));
    let total = found.len();
    found.truncate(limit);
    let cycles = found.iter().map(|cycle| lookup.to_cycle(cycle, &imports));
    Ok(Cycles {
        cycles: cycles.collect(),
        total,
    })
}

impl<'s> Lookup<'s> {
    /// What every file imports of other files. An import that names several
    /// files, such as that of a package, says of none of them that it is needed.
    fn imports_of_all(&self) -> Result<Imports<'s>, EngineError> {
        let mut imports = Imports::new();
        for file in self.files_below("")? {
            for dependency in self.graph.dependencies(file)? {
                if let [to] = dependency.to[..] {
                    let known = imports.entry(file).or_default();
                    known.entry(to).or_insert(dependency);
                }
            }
        }
        Ok(imports)
    }

    fn to_cycle(&self, files: &[FileNo], imports: &Imports<'s>) -> Cycle {
        let next = files.iter().cycle().skip(1);
        let steps = files
            .iter()
            .zip(next)
            .filter_map(|(from, to)| imports.get(from)?.get(to))
            .map(|dependency| self.to_dependency(dependency, 1));
        Cycle {
            imports: steps.collect::<Vec<Import>>(),
        }
    }
}

/// A cycle from its first file on, so that the same one is always written alike.
fn from_first(mut cycle: Vec<FileNo>) -> Vec<FileNo> {
    let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
    cycle.rotate_left(first);
    cycle
}

/// The shortest way from a file back to itself.
fn shortest_from(
    start: FileNo,
    imports: &Imports,
    parts: &HashMap<FileNo, usize>,
) -> Option<Vec<FileNo>> {
    let part = parts.get(&start)?;
    let mut before: HashMap<FileNo, FileNo> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for &to in imports.get(&file).into_iter().flat_map(BTreeMap::keys) {
            if to == start {
                let way = std::iter::successors(Some(file), |at| before.get(at).copied());
                let mut cycle: Vec<FileNo> = way.collect();
                cycle.reverse();
                return Some(cycle);
            }
            if parts.get(&to) == Some(part) && !before.contains_key(&to) {
                before.insert(to, file);
                queue.push_back(to);
            }
        }
    }
    None
}

/// The files that reach each other, by the number of their component; those that
/// are alone are left out. Tarjan's algorithm without recursion.
fn components(imports: &Imports) -> HashMap<FileNo, usize> {
    let mut walk = Walk::default();
    for &file in imports.keys() {
        if !walk.order.contains_key(&file) {
            walk.from(file, imports);
        }
    }
    walk.parts
}

/// A walk in depth.
#[derive(Default)]
struct Walk {
    /// When each file was met.
    order: HashMap<FileNo, usize>,
    /// The earliest file that each one reaches.
    low: HashMap<FileNo, usize>,
    stack: Vec<FileNo>,
    on_stack: BTreeSet<FileNo>,
    parts: HashMap<FileNo, usize>,
    count: usize,
}

impl Walk {
    fn meet(&mut self, file: FileNo) {
        let nth = self.order.len();
        self.order.insert(file, nth);
        self.low.insert(file, nth);
        self.stack.push(file);
        self.on_stack.insert(file);
    }

    fn from(&mut self, start: FileNo, imports: &Imports) {
        let targets = |file: FileNo| -> Vec<FileNo> {
            let known = imports.get(&file);
            known
                .into_iter()
                .flat_map(|to| to.keys().copied())
                .collect()
        };
        self.meet(start);
        let mut open = vec![(start, targets(start))];
        while let Some((file, left)) = open.last_mut() {
            let file = *file;
            match left.pop() {
                Some(to) if !self.order.contains_key(&to) => {
                    self.meet(to);
                    open.push((to, targets(to)));
                }
                Some(to) if self.on_stack.contains(&to) => {
                    let low = self.low[&file].min(self.order[&to]);
                    self.low.insert(file, low);
                }
                Some(_) => {}
                None => {
                    open.pop();
                    self.leave(file);
                    if let Some((above, _)) = open.last() {
                        let low = self.low[above].min(self.low[&file]);
                        self.low.insert(*above, low);
                    }
                }
            }
        }
    }

    /// Where a file reaches nothing before itself, what was met since is a
    /// component.
    fn leave(&mut self, file: FileNo) {
        if self.low[&file] != self.order[&file] {
            return;
        }
        let at = self.stack.iter().rposition(|&met| met == file);
        let part = self.stack.split_off(at.unwrap_or(0));
        for met in &part {
            self.on_stack.remove(met);
        }
        if part.len() > 1 {
            self.parts
                .extend(part.into_iter().map(|met| (met, self.count)));
            self.count += 1;
        }
    }
}
