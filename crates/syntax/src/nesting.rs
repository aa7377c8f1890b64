//! Which definition encloses which.

use crate::definitions::{Definition, Leading};
use scent_types::Kind;
use std::ops::Range;

/// Definitions nested deeper than this stay part of what encloses them.
const DEEPEST: usize = 48;

/// A definition among the others.
pub(crate) struct Node {
    pub definition: Definition,
    /// The first row, leading comments and attributes included.
    pub first: usize,
    pub children: Vec<usize>,
}

impl Node {
    pub fn rows(&self) -> Range<usize> {
        self.first..self.definition.rows.end
    }

    fn is_one_line_constant(&self) -> bool {
        let kinds = [Kind::Constant, Kind::Macro, Kind::Type, Kind::Rule];
        self.definition.kind.is_some_and(|k| kinds.contains(&k)) && self.definition.rows.len() == 1
    }

    /// Whether this and the next node are constants of one kind in a row.
    pub fn is_grouped_with(&self, next: &Node) -> bool {
        let is_adjacent = self.rows().end == next.definition.rows.start;
        let is_same_kind = self.definition.kind == next.definition.kind;
        let are_constants = self.is_one_line_constant() && next.is_one_line_constant();
        is_adjacent && is_same_kind && are_constants
    }
}

/// The definitions as nodes, and which of them nothing encloses.
pub(crate) fn nest(definitions: Vec<Definition>, leading: &[Leading]) -> (Vec<Node>, Vec<usize>) {
    let mut nodes: Vec<Node> = Vec::with_capacity(definitions.len());
    let mut roots = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let above = leading_above(leading);
    for definition in definitions {
        while open
            .last()
            .is_some_and(|&at| !nodes[at].definition.encloses(&definition))
        {
            open.pop();
        }
        if open.len() >= DEEPEST {
            continue;
        }
        let at = nodes.len();
        let first = first_row(&definition, leading, &above);
        nodes.push(Node {
            first,
            definition,
            children: Vec::new(),
        });
        match open.last() {
            Some(&parent) => nodes[parent].children.push(at),
            None => roots.push(at),
        }
        open.push(at);
    }
    (nodes, roots)
}

/// Joins the clauses of one function, which the grammar has as siblings of
/// the same name with nothing between them.
pub(crate) fn join_clauses(
    nodes: &mut [Node],
    siblings: &mut Vec<usize>,
    blank: &dyn Fn(usize) -> bool,
) {
    let mut joined: Vec<usize> = Vec::with_capacity(siblings.len());
    for at in siblings.drain(..) {
        let mut units = joined.iter().rev().copied();
        let same = units
            .find(|&before| !nodes[before].definition.standing.is_member())
            .filter(|&last| is_next_clause(&nodes[last], &nodes[at], blank));
        match same {
            Some(first) => {
                nodes[first].definition.rows.end = nodes[at].definition.rows.end;
                let children = std::mem::take(&mut nodes[at].children);
                nodes[first].children.extend(children);
            }
            None => joined.push(at),
        }
    }
    *siblings = joined;
    for &at in siblings.iter() {
        let mut children = std::mem::take(&mut nodes[at].children);
        join_clauses(nodes, &mut children, blank);
        nodes[at].children = children;
    }
}

fn is_next_clause(a: &Node, b: &Node, blank: &dyn Fn(usize) -> bool) -> bool {
    let function = matches!(
        a.definition.kind,
        Some(Kind::Function | Kind::Method | Kind::Macro)
    );
    let same = a.definition.kind == b.definition.kind && a.definition.name == b.definition.name;
    let apart = a.definition.rows.end..b.first;
    function && same && b.first >= a.definition.rows.end && apart.into_iter().all(blank)
}

/// How many rows in a row lead to the row at each position, the end included.
/// Many definitions may stand in one row, so they are counted once.
fn leading_above(leading: &[Leading]) -> Vec<usize> {
    let mut above = Vec::with_capacity(leading.len() + 1);
    above.push(0);
    let mut count = 0;
    for row in leading {
        count = if row.leads() { count + 1 } else { 0 };
        above.push(count);
    }
    above
}

/// The first row of a definition with the comments and attributes above it.
/// A documentation block may be followed by one blank line.
fn first_row(definition: &Definition, leading: &[Leading], above: &[usize]) -> usize {
    let start = definition.rows.start.min(leading.len());
    match above[start] {
        0 if start > 1
            && leading[start - 1] == Leading::No
            && leading[start - 2] == Leading::DocEnd =>
        {
            start - 1 - above[start - 1]
        }
        above => start - above,
    }
}
