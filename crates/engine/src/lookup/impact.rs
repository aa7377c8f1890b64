//! What a change may break: who uses it, who uses those, and so on.

use super::names::SymbolQuery;
use super::{Lookup, categories, place};
use crate::error::EngineError;
use crate::tree::Tree;
use scent_graph::{Edge, FileNo};
use scent_index::Snapshot;
use scent_types::{Affected, CallPath, Folder, Impact, Lines};
use scent_words::names;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Something of this name.
    Name(String),
    /// Everything in a file, given relative to the root.
    File(String),
    /// Some lines of a file.
    Lines(String, Vec<Lines>),
}

/// How options the consequences are followed.
#[derive(Clone, Copy, Debug)]
pub struct ImpactOptions {
    /// How many steps.
    pub depth: u32,
    /// How many places are listed; of more, only how many each folder has.
    pub limit: usize,
    /// Chains that are less sure than this are not followed.
    pub confidence: f32,
}

/// A symbol, or what of a file is in none.
type Node<'s> = (FileNo, &'s str, u32);

/// What a change may break.
pub(crate) fn impact(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    changed: &[Changed],
    options: ImpactOptions,
) -> Result<Impact, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let mut search = Search {
        lookup: &lookup,
        edges: HashMap::new(),
        found: Vec::new(),
    };
    let mut nearest = Vec::new();
    for change in changed {
        search.begin(change)?;
        if let (true, Changed::Name(name)) = (search.found.is_empty(), change) {
            nearest.extend(lookup.nearest(name)?);
        }
    }
    let starts = search.found.len();
    search.spread(options)?;
    let changed = search.to_affected(0..starts);
    let mut affected = search.to_affected(starts..search.found.len());
    let total = affected.len();
    let mut folders = Vec::new();
    if total > options.limit {
        folders = count_by_folder(&affected);
        affected.clear();
    }
    Ok(Impact {
        changed,
        affected,
        total,
        folders,
        nearest,
    })
}

/// How a symbol reaches another one that it uses, directly or through others.
pub(crate) fn callpath(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    from: &str,
    to: &str,
) -> Result<CallPath, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let mut search = Search {
        lookup: &lookup,
        edges: HashMap::new(),
        found: Vec::new(),
    };
    search.begin(&Changed::Name(to.to_owned()))?;
    search.spread(ImpactOptions {
        depth: u32::MAX,
        limit: usize::MAX,
        confidence: 0.0,
    })?;
    let wanted = SymbolQuery::new(from);
    let is_start = |reached: &Reached| {
        let (_, qualified, _) = reached.node;
        let name = names::parts(qualified).last().unwrap_or(qualified);
        wanted.fit(name).is_some() && wanted.is_inside(qualified)
    };
    let start = search.found.iter().position(is_start);
    let steps = std::iter::successors(start, |&at| search.found[at].from);
    let steps = search.to_affected(steps);
    Ok(CallPath {
        total: steps.len(),
        steps,
    })
}

/// How many places each folder has, most first.
fn count_by_folder(affected: &[Affected]) -> Vec<Folder> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for place in affected {
        let folder = place
            .path
            .rsplit_once('/')
            .map_or(".", |(folder, _)| folder);
        *counts.entry(folder).or_default() += 1;
    }
    let folder = |(path, count): (&str, usize)| Folder {
        path: path.to_owned(),
        count,
    };
    let mut folders: Vec<Folder> = counts.into_iter().map(folder).collect();
    folders.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.path.cmp(&b.path)));
    folders
}

/// A place that was reached.
struct Reached<'s> {
    node: Node<'s>,
    /// The line that uses what was reached before it.
    line: u32,
    /// What was reached before it, by its position.
    from: Option<usize>,
    reason: &'static str,
    confidence: f32,
    depth: u32,
}

struct Search<'l, 's> {
    lookup: &'l Lookup<'s>,
    /// The uses of a name, once they were looked up.
    edges: HashMap<&'s str, Rc<Vec<Edge<'s>>>>,
    found: Vec<Reached<'s>>,
}

impl<'s> Search<'_, 's> {
    /// Adds what is changed.
    fn begin(&mut self, change: &Changed) -> Result<(), EngineError> {
        match change {
            Changed::Name(name) => {
                let defined = self.lookup.defined(&SymbolQuery::new(name))?;
                for (_, definition) in defined {
                    self.start((
                        definition.file,
                        definition.symbol.qualified,
                        definition.symbol.line,
                    ));
                }
            }
            Changed::File(path) => self.lines_of(path, &[Lines::new(1, u32::MAX)])?,
            // What git knows need not be indexed.
            Changed::Lines(path, _) if self.lookup.graph.file_at(path).is_none() => {}
            Changed::Lines(path, lines) => self.lines_of(path, lines)?,
        }
        Ok(())
    }

    /// Adds the innermost symbols that some lines belong to.
    fn lines_of(&mut self, path: &str, lines: &[Lines]) -> Result<(), EngineError> {
        let Some(file) = self.lookup.graph.file_at(path) else {
            return Err(EngineError::NoSuchPlace {
                path: path.to_owned(),
                line: 1,
            });
        };
        let facts = self.lookup.graph.facts(file)?;
        let touched = |symbol: &Lines| lines.iter().any(|lines| lines.overlaps(*symbol));
        let symbols: Vec<_> = facts
            .symbols()
            .filter(|symbol| touched(&symbol.lines))
            .collect();
        for symbol in symbols {
            self.start((file, symbol.qualified, symbol.line));
        }
        Ok(())
    }

    fn start(&mut self, node: Node<'s>) {
        if !self.found.iter().any(|found| found.node == node) {
            let (line, reason) = (node.2, "changed");
            self.found.push(Reached {
                node,
                line,
                from: None,
                reason,
                confidence: 1.0,
                depth: 0,
            });
        }
    }

    /// Follows the uses of everything that was reached.
    fn spread(&mut self, options: ImpactOptions) -> Result<(), EngineError> {
        let mut seen: HashSet<Node> = self.found.iter().map(|found| found.node).collect();
        let mut queue: VecDeque<usize> = (0..self.found.len()).collect();
        while let Some(at) = queue.pop_front() {
            let (node, depth, sure) = (
                self.found[at].node,
                self.found[at].depth,
                self.found[at].confidence,
            );
            if depth >= options.depth || node.1.is_empty() {
                continue;
            }
            for reached in self.users(at, node, depth, sure)? {
                if reached.confidence >= options.confidence && seen.insert(reached.node) {
                    queue.push_back(self.found.len());
                    self.found.push(reached);
                }
            }
        }
        Ok(())
    }

    fn users(
        &mut self,
        at: usize,
        (file, qualified, line): Node<'s>,
        depth: u32,
        sure: f32,
    ) -> Result<Vec<Reached<'s>>, EngineError> {
        let name = names::parts(qualified).last().unwrap_or(qualified);
        let edges = self.edges_of(name)?;
        let mut users = Vec::new();
        for edge in edges.iter() {
            if !edge.to.iter().any(|to| place(to) == (file, line)) {
                continue;
            }
            let around = edge
                .enclosing
                .filter(|symbol| symbol.line != line || edge.file != file);
            let (name, at_line) = around.map_or(("", 0), |symbol| (symbol.qualified, symbol.line));
            users.push(Reached {
                node: (edge.file, name, at_line),
                line: edge.used.line,
                from: Some(at),
                reason: edge.reason.as_str(),
                confidence: sure * edge.reason.confidence(),
                depth: depth + 1,
            });
        }
        Ok(users)
    }

    fn edges_of(&mut self, name: &'s str) -> Result<Rc<Vec<Edge<'s>>>, EngineError> {
        if let Some(known) = self.edges.get(name) {
            return Ok(Rc::clone(known));
        }
        let edges = Rc::new(self.lookup.graph.uses(name)?);
        self.edges.insert(name, Rc::clone(&edges));
        Ok(edges)
    }

    fn to_affected(&self, places: impl Iterator<Item = usize>) -> Vec<Affected> {
        places.map(|at| self.affected(at)).collect()
    }

    fn affected(&self, at: usize) -> Affected {
        let Reached {
            node: (file, name, _),
            line,
            reason,
            confidence,
            depth,
            ..
        } = self.found[at];
        let path = self.lookup.path(file);
        Affected {
            path: path.to_owned(),
            line,
            name: name.to_owned(),
            via: self.chain(at),
            reason,
            confidence,
            depth,
            test: categories::is_test(path),
            parse_errors: self.lookup.record(file).has_errors(),
        }
    }

    /// The names on the way from what was changed, the nearest first.
    fn chain(&self, at: usize) -> Vec<String> {
        let steps = std::iter::successors(self.found[at].from, |&at| self.found[at].from);
        steps.map(|at| self.found[at].node.1.to_owned()).collect()
    }
}
