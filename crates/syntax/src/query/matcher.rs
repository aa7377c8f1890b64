//! Finds every place in a tree where a pattern fits.

use super::pattern::{Check, KindTest, Pattern, Predicate, Query, Step, Test, Times};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tree_sitter::{Node, Tree, TreeCursor};

/// More ways to fit one pattern at one place than this are not followed: they
/// come from patterns over siblings in very wide nodes.
const MOST_WAYS: usize = 100_000;

/// How many nodes back the children of a node are remembered.
const KNOWN: usize = 16;

/// Matching the patterns of a language in one file takes at most about this.
const LIMIT: Duration = Duration::from_secs(8);

/// A place where a pattern fits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match<'t> {
    /// The number of the pattern.
    pub pattern: usize,
    /// Captures by number, in the order of the pattern.
    pub captures: Vec<(u16, Node<'t>)>,
}

type Captures<'t> = Vec<(u16, Node<'t>)>;

/// A node with the field it has in its parent.
type Child<'t> = (Node<'t>, Option<u16>);

impl Query {
    /// Calls `each` with every match, in order of the nodes they begin with.
    #[cfg(test)]
    pub fn matches<'t>(
        &self,
        tree: &'t Tree,
        text: &[u8],
        mut each: impl FnMut(Match<'t>),
    ) -> bool {
        visit([self], tree, text, |visited| match visited {
            Visited::Match(_, found) => each(found),
            Visited::Leaf(_) => {}
        })
    }
}

/// What comes up on the way through a tree.
pub(crate) enum Visited<'t> {
    /// A match of one of the queries, by its position.
    Match(usize, Match<'t>),
    /// A node without children.
    Leaf(Node<'t>),
}

/// Goes through a tree once, with every match of several queries, in order of
/// the nodes they begin with.
///
/// Stops with false where that takes too long: a pattern over siblings in a very
/// wide node can take the square of its width.
#[must_use]
pub(crate) fn visit<'t, const N: usize>(
    queries: [&Query; N],
    tree: &'t Tree,
    text: &[u8],
    mut each: impl FnMut(Visited<'t>),
) -> bool {
    let started = Instant::now();
    let mut visited = 0u32;
    let mut cursor = tree.walk();
    let mut finder = Finder { text, scratch: tree.walk(), known: Vec::new() };
    loop {
        visited = visited.wrapping_add(1);
        if visited.is_multiple_of(64) && started.elapsed() > LIMIT {
            return false;
        }
        let kind = cursor.node().kind_id();
        finder.known.clear();
        for (nth, query) in queries.iter().enumerate() {
            let by_kind = query.by_kind.get(kind as usize).map_or(&[][..], Vec::as_slice);
            for &number in by_kind.iter().chain(&query.anywhere) {
                for captures in finder.at(&query.patterns[number as usize], &cursor) {
                    each(Visited::Match(nth, Match { pattern: number as usize, captures }));
                }
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        each(Visited::Leaf(cursor.node()));
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return true;
            }
        }
    }
}

struct Finder<'t, 's> {
    text: &'s [u8],
    scratch: TreeCursor<'t>,
    /// Children by node, as long as patterns are tried at one place: most
    /// look at the same few nodes.
    known: Vec<(usize, Rc<[Child<'t>]>)>,
}

impl<'t> Finder<'t, '_> {
    /// All ways in which a pattern fits with its first node at the cursor.
    fn at(&mut self, pattern: &Pattern, cursor: &TreeCursor<'t>) -> Vec<Captures<'t>> {
        let (first, rest) = (&pattern.steps[0], &pattern.steps[1..]);
        let here = (cursor.node(), cursor.field_id().map(|id| id.get()));
        let mut ways = self.step_at(first, here);
        if ways.is_empty() {
            return ways;
        }
        if !rest.is_empty() {
            let siblings = later_siblings(cursor, reach(rest));
            let later = self.steps(rest, &siblings, 0, false);
            ways = combine(&ways, &later);
        }
        ways.retain(|captures| pattern.predicates.iter().all(|p| p.holds(captures, self.text)));
        ways.dedup();
        ways
    }

    /// All ways in which one of a step's tests fits a node.
    fn step_at(&mut self, step: &Step, child: Child<'t>) -> Vec<Captures<'t>> {
        let mut ways = Vec::new();
        for test in &step.tests {
            ways.extend(self.node(test, child));
        }
        ways
    }

    fn node(&mut self, test: &Test, (node, field): Child<'t>) -> Vec<Captures<'t>> {
        let kind = match &test.kind {
            KindTest::Anything => true,
            KindTest::AnyNamed => node.is_named(),
            KindTest::Kinds(kinds) => kinds.contains(&node.kind_id()),
        };
        if !kind || (test.field.is_some() && test.field != field) {
            return Vec::new();
        }
        if test.absent.iter().any(|&field| node.child_by_field_id(field).is_some()) {
            return Vec::new();
        }
        let own: Captures = test.captures.iter().map(|&capture| (capture, node)).collect();
        if test.children.is_empty() {
            return vec![own];
        }
        let children = self.children(node);
        let inside = self.steps(&test.children, &children, 0, test.closed);
        combine(&[own], &inside)
    }

    fn children(&mut self, node: Node<'t>) -> Rc<[Child<'t>]> {
        let near = self.known.iter().rev().take(KNOWN);
        if let Some((_, known)) = near.into_iter().find(|(id, _)| *id == node.id()) {
            return Rc::clone(known);
        }
        self.scratch.reset(node);
        let some = self.scratch.goto_first_child();
        let children: Rc<[Child]> =
            if some { siblings(&mut self.scratch) } else { Vec::new() }.into();
        self.known.push((node.id(), Rc::clone(&children)));
        children
    }

    /// All ways in which steps fit children from a position on, in order.
    fn steps(
        &mut self,
        steps: &[Step],
        children: &[Child<'t>],
        from: usize,
        closed: bool,
    ) -> Vec<Captures<'t>> {
        let Some((step, rest)) = steps.split_first() else {
            let more = children[from..].iter().any(|(node, _)| node.is_named());
            return if closed && more { Vec::new() } else { vec![Vec::new()] };
        };
        if !step.group.is_empty() {
            let inside: Vec<Step> = step.group.iter().chain(rest).cloned().collect();
            let ways = self.steps(&inside, children, from, closed);
            let optional = ways.is_empty() && step.times == Times::AtMostOnce;
            return if optional { self.steps(rest, children, from, closed) } else { ways };
        }
        let mut ways = Vec::new();
        for at in from..children.len() {
            let here = self.step_at(step, children[at]);
            if !here.is_empty() {
                let later = self.after(step, rest, children, at + 1, closed);
                ways.extend(combine(&here, &later));
            }
            if (step.anchored && children[at].0.is_named()) || ways.len() > MOST_WAYS {
                break;
            }
        }
        let optional = matches!(step.times, Times::AtMostOnce | Times::Any);
        if ways.is_empty() && optional {
            return self.steps(rest, children, from, closed);
        }
        ways
    }

    /// What may follow a step: for a repeated one, itself first.
    fn after(
        &mut self,
        step: &Step,
        rest: &[Step],
        children: &[Child<'t>],
        from: usize,
        closed: bool,
    ) -> Vec<Captures<'t>> {
        if matches!(step.times, Times::Any | Times::AtLeastOnce) {
            let again = Step { times: Times::Any, ..step.clone() };
            let steps: Vec<Step> = std::iter::once(again).chain(rest.iter().cloned()).collect();
            return self.steps(&steps, children, from, closed);
        }
        self.steps(rest, children, from, closed)
    }
}

/// How many named siblings these steps can look at. Anchored steps look at the
/// next one each; to look further at every node of a wide parent would take
/// the square of its width.
fn reach(steps: &[Step]) -> usize {
    let near = |step: &Step| {
        step.anchored
            && step.group.is_empty()
            && matches!(step.times, Times::Once | Times::AtMostOnce)
    };
    if steps.iter().all(near) { steps.len() } else { usize::MAX }
}

/// The node at the cursor and all siblings after it.
fn siblings<'t>(cursor: &mut TreeCursor<'t>) -> Vec<Child<'t>> {
    let mut all = Vec::new();
    loop {
        all.push((cursor.node(), cursor.field_id().map(|id| id.get())));
        if !cursor.goto_next_sibling() {
            return all;
        }
    }
}

/// The siblings after the node at the cursor, up to this many named ones.
fn later_siblings<'t>(cursor: &TreeCursor<'t>, reach: usize) -> Vec<Child<'t>> {
    let mut cursor = cursor.clone();
    let mut all = Vec::new();
    let mut named = 0;
    while named < reach && cursor.goto_next_sibling() {
        let node = cursor.node();
        named += usize::from(node.is_named());
        all.push((node, cursor.field_id().map(|id| id.get())));
    }
    all
}

/// Every first way with every second.
fn combine<'t>(first: &[Captures<'t>], second: &[Captures<'t>]) -> Vec<Captures<'t>> {
    let mut ways = Vec::with_capacity(first.len() * second.len());
    for a in first {
        ways.extend(second.iter().map(|b| [a.as_slice(), b.as_slice()].concat()));
    }
    ways
}

impl Predicate {
    fn holds(&self, captures: &[(u16, Node)], text: &[u8]) -> bool {
        let of = |capture: u16| {
            captures
                .iter()
                .filter(move |(c, _)| *c == capture)
                .map(|(_, node)| &text[node.byte_range()])
        };
        of(self.capture).all(|found| {
            let holds = match &self.check {
                Check::OneOf(wanted) => wanted.iter().any(|w| w.as_bytes() == found),
                Check::SameAs(other) => of(*other).all(|other| other == found),
                Check::Matches(regex) => regex.is_match(found),
            };
            holds != self.negated
        })
    }
}
