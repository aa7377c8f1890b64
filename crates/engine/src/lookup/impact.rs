//! What a change may break: who uses it, who uses those, and so on.

use super::callpath::is_constructor;
use super::{Lookup, categories, place};
use crate::error::EngineError;
use crate::tree::Tree;
use scent_graph::{Definition, Edge, FileNo, Reason};
use scent_index::{Snapshot, SymbolRef};
use scent_search::code_rules;
use scent_types::{Affected, Folder, Impact, Kind, Lines, Role};
use std::collections::{BTreeMap, HashMap, HashSet};
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
    /// Only tests are listed, or none of them is followed.
    pub tests: Option<bool>,
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
    if options.tests == Some(true) {
        affected.retain(|place| place.test);
    }
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
    /// How it uses it.
    role: Option<Role>,
    reason: &'static str,
    hop: f32,
    confidence: f32,
    depth: u32,
}

impl Reached<'_> {
    /// A use says more than the mention of a type.
    fn is_surer_than(&self, other: &Reached) -> bool {
        let order = |reached: &Reached| (reached.confidence, reached.role != Some(Role::Type));
        order(self) > order(other)
    }
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
                for Definition { file, symbol } in self.lookup.named(name)? {
                    self.start((file, symbol.qualified, symbol.line));
                }
            }
            Changed::File(path) => self.all_of(path)?,
            // What git knows need not be indexed.
            Changed::Lines(path, lines) => {
                if let Some(file) = self.lookup.graph.file_at(path) {
                    self.innermost(file, lines)?;
                }
            }
        }
        Ok(())
    }

    /// Adds everything that a file defines.
    fn all_of(&mut self, path: &str) -> Result<(), EngineError> {
        let Some(file) = self.lookup.graph.file_at(path) else {
            return Err(EngineError::NoSuchPlace {
                path: path.to_owned(),
                line: 1,
            });
        };
        for symbol in self.lookup.graph.facts(file)?.symbols() {
            self.start((file, symbol.qualified, symbol.line));
        }
        Ok(())
    }

    /// Adds the innermost symbol around each of some lines. What holds others is
    /// changed only where a line of its own is that says something.
    fn innermost(&mut self, file: FileNo, lines: &[Lines]) -> Result<(), EngineError> {
        let symbols: Vec<SymbolRef> = self.lookup.graph.facts(file)?.symbols().collect();
        let text = self.lookup.text(file);
        for symbol in &symbols {
            let inside: Vec<Lines> = symbols
                .iter()
                .filter(|inner| is_inside(inner, symbol))
                .map(|inner| inner.lines)
                .collect();
            let is_own = |line: u32| !inside.iter().any(|inner| inner.contains(line));
            let says = |line: u32| inside.is_empty() || says_something(text.line(line));
            let mut changed = lines
                .iter()
                .filter_map(|lines| common(*lines, symbol.lines))
                .flat_map(|lines| lines.start..=lines.end);
            if changed.any(|line| is_own(line) && says(line)) {
                self.start((file, symbol.qualified, symbol.line));
            }
        }
        Ok(())
    }

    fn start(&mut self, node: Node<'s>) {
        if !self.found.iter().any(|found| found.node == node) {
            self.found.push(Reached {
                node,
                line: node.2,
                from: None,
                role: None,
                reason: "changed",
                hop: 1.0,
                confidence: 1.0,
                depth: 0,
            });
        }
    }

    /// Follows the uses of everything that was reached, step by step. A place
    /// that several lead to in as many steps hangs on the surest.
    fn spread(&mut self, options: ImpactOptions) -> Result<(), EngineError> {
        let mut seen: HashSet<Node> = self.found.iter().map(|found| found.node).collect();
        let mut layer = 0..self.found.len();
        for _ in 0..options.depth {
            let mut next: Vec<Reached> = Vec::new();
            let mut positions: HashMap<Node, usize> = HashMap::new();
            for at in layer.clone() {
                for reached in self.users(at)? {
                    let is_out = options.tests == Some(false) && self.is_test(&reached);
                    let is_unsure = reached.confidence < options.confidence;
                    if is_out || is_unsure || seen.contains(&reached.node) {
                        continue;
                    }
                    match positions.get(&reached.node) {
                        None => {
                            positions.insert(reached.node, next.len());
                            next.push(reached);
                        }
                        Some(&known) if reached.is_surer_than(&next[known]) => {
                            next[known] = reached;
                        }
                        Some(_) => {}
                    }
                }
            }
            seen.extend(next.iter().map(|reached| reached.node));
            layer = self.found.len()..self.found.len() + next.len();
            self.found.extend(next);
            if layer.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn is_test(&self, reached: &Reached) -> bool {
        categories::is_test(self.lookup.path(reached.node.0))
    }

    /// Who uses what was reached. What is in no symbol is used by nobody.
    fn users(&mut self, at: usize) -> Result<Vec<Reached<'s>>, EngineError> {
        let (file, qualified, line) = self.found[at].node;
        if qualified.is_empty() {
            return Ok(Vec::new());
        }
        let facts = self.lookup.graph.facts(file)?;
        let symbols: Vec<SymbolRef> = facts.symbols().collect();
        let mut named = symbols.iter();
        let symbol = named.find(|symbol| symbol.line == line && symbol.qualified == qualified);
        let Some(&symbol) = symbol else {
            return Ok(Vec::new());
        };
        let changed = Definition { file, symbol };
        let mut users = Vec::new();
        for edge in self.edges_of(symbol.name)?.iter() {
            if let Some(reason) = self.breaks(edge, &changed)? {
                users.push(self.reached(at, edge, reason));
            }
        }
        // Who makes one of a type runs its constructor.
        let owner = symbols
            .iter()
            .rev()
            .find(|owner| owner.kind.is_type() && owner.line < line && owner.lines.contains(line));
        if let Some(owner) = owner.filter(|owner| is_constructor(owner, &symbol)) {
            for edge in self.edges_of(owner.name)?.iter() {
                let makes = edge.used.role == Role::Call
                    && edge.to.iter().any(|to| place(to) == (file, owner.line));
                if makes && !self.lookup.is_documentation(edge.file) {
                    users.push(self.reached(at, edge, edge.reason));
                }
            }
        }
        Ok(users)
    }

    /// How it is known that a use may break, if it may: it means what changed, or
    /// what that may run for.
    fn breaks(
        &self,
        edge: &Edge<'s>,
        changed: &Definition<'s>,
    ) -> Result<Option<Reason>, EngineError> {
        // What calls itself changes anyway.
        let is_own = edge.file == changed.file && edge.enclosing == Some(changed.symbol);
        if is_own || !self.may_break(edge, changed) {
            return Ok(None);
        }
        if edge.to.iter().any(|to| place(to) == place(changed)) {
            return Ok(Some(edge.reason));
        }
        let is_definition = |to: &Definition| place(to) == (edge.file, edge.used.line);
        // What a type names itself is no other's.
        let is_its_own = !matches!(edge.reason, Reason::Value | Reason::SameScope);
        if is_its_own || edge.to.iter().any(is_definition) {
            return Ok(None);
        }
        for called in &edge.to {
            let reason = self.lookup.graph.runs_for(changed, called)?;
            if reason.is_some() {
                return Ok(reason);
            }
        }
        Ok(None)
    }

    /// A use of what was reached.
    fn reached(&self, at: usize, edge: &Edge<'s>, reason: Reason) -> Reached<'s> {
        let from = &self.found[at];
        let around = edge.enclosing;
        let (name, at_line) = around.map_or(("", 0), |symbol| (symbol.qualified, symbol.line));
        let hop = reason.confidence();
        Reached {
            node: (edge.file, name, at_line),
            line: edge.used.line,
            from: Some(at),
            role: Some(edge.used.role),
            reason: reason.as_str(),
            hop,
            confidence: from.confidence * hop,
            depth: from.depth + 1,
        }
    }

    /// Whether a use may break where what it uses changes. Documentation does
    /// not, nor does what names a function where a type stands.
    fn may_break(&self, edge: &Edge, to: &Definition) -> bool {
        let is_docs = self.lookup.is_documentation(edge.file);
        let is_function = matches!(to.symbol.kind, Kind::Function | Kind::Method | Kind::Macro);
        let is_mention = is_function && edge.used.role == Role::Type;
        !is_docs && !is_mention
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
        let reached = &self.found[at];
        let (file, name, _) = reached.node;
        let path = self.lookup.path(file);
        Affected {
            path: path.to_owned(),
            line: reached.line,
            name: name.to_owned(),
            via: self.chain(at),
            role: reached.role,
            reason: reached.reason,
            hop: reached.hop,
            confidence: reached.confidence,
            id: at,
            parent: reached.from,
            depth: reached.depth,
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

/// Whether a symbol lies inside of another one.
fn is_inside(inner: &SymbolRef, outer: &SymbolRef) -> bool {
    outer.lines.contains(inner.lines.start)
        && outer.lines.contains(inner.lines.end)
        && inner.lines.count() < outer.lines.count()
}

/// The lines that two have in common.
fn common(a: Lines, b: Lines) -> Option<Lines> {
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    (start <= end).then(|| Lines::new(start, end))
}

/// Whether a line is neither blank nor a comment as a whole.
fn says_something(line: Option<&str>) -> bool {
    let line = line.unwrap_or_default().trim();
    let mut marks = code_rules().comment_marks.iter();
    !line.is_empty() && !marks.any(|mark| line.starts_with(mark.as_str()))
}
