//! Finds every place in a tree where a pattern fits.

use super::pattern::{Check, KindTest, Pattern, Predicate, Query, Step, Test};
use crate::work::Work;
use std::rc::Rc;
use tree_sitter::{Node, Tree, TreeCursor};

/// More ways to fit one pattern at one place than this are not followed: they
/// come from patterns over siblings in very wide nodes.
const MOST_WAYS: usize = 100_000;

/// How many nodes back the children of a node are remembered.
const KNOWN: usize = 16;

/// How many bytes of text an expression looks at in a step.
const BYTES_MATCHED: u64 = 256;

/// A place where a pattern fits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match<'t> {
    /// The number of the pattern.
    pub pattern: usize,
    /// The node that it begins with.
    pub root: Node<'t>,
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
        visit(
            [self],
            tree,
            text,
            &Work::up_to(u64::MAX),
            |visited| match visited {
                Visited::Match(_, found) => each(found),
                Visited::Node(..) | Visited::Leaf(_) => {}
            },
        )
    }
}

/// What comes up on the way through a tree.
pub(crate) enum Visited<'t> {
    /// A node, with the kind of its parent.
    Node(Node<'t>, Option<u16>),
    /// A match of one of the queries, by its position.
    Match(usize, Match<'t>),
    /// A node without children.
    Leaf(Node<'t>),
}

/// A node that one is inside of.
struct Enclosing<'t> {
    node: Node<'t>,
    /// Its children, once a pattern has needed them.
    children: Option<Rc<[Child<'t>]>>,
    /// Which of them one is at.
    at: usize,
}

/// Goes through a tree once, with every match of several queries, in order of
/// the nodes they begin with.
///
/// Stops with false where that is too much work: a pattern over siblings in a
/// very wide node can take the square of its width.
#[must_use]
pub(crate) fn visit<'t, const N: usize>(
    queries: [&Query; N],
    tree: &'t Tree,
    text: &[u8],
    work: &Work,
    mut each: impl FnMut(Visited<'t>),
) -> bool {
    let mut cursor = tree.walk();
    let mut enclosing: Vec<Enclosing> = Vec::new();
    let mut finder = Finder {
        text,
        work,
        scratch: tree.walk(),
        known: Vec::new(),
    };
    loop {
        if !work.goes_on(1) {
            return false;
        }
        let node = cursor.node();
        let parent = enclosing.last().map(|parent| parent.node.kind_id());
        each(Visited::Node(node, parent));
        finder.known.clear();
        for (nth, query) in queries.iter().enumerate() {
            for pattern in query.starting_with(node.kind_id()) {
                let steps = &query.patterns[pattern];
                for captures in finder.at(steps, &cursor, enclosing.last_mut()) {
                    let found = Match {
                        pattern,
                        root: node,
                        captures,
                    };
                    each(Visited::Match(nth, found));
                }
            }
        }
        if cursor.goto_first_child() {
            enclosing.push(Enclosing {
                node,
                children: None,
                at: 0,
            });
            continue;
        }
        each(Visited::Leaf(node));
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return work.goes_on(0);
            }
            enclosing.pop();
        }
        if let Some(parent) = enclosing.last_mut() {
            parent.at += 1;
        }
    }
}

struct Finder<'t, 's> {
    text: &'s [u8],
    work: &'s Work,
    scratch: TreeCursor<'t>,
    /// Children by node, as long as patterns are tried at one place: most
    /// look at the same few nodes.
    known: Vec<(usize, Rc<[Child<'t>]>)>,
}

impl<'t> Finder<'t, '_> {
    /// All ways in which a pattern fits with its first node at the cursor.
    fn at(
        &mut self,
        pattern: &Pattern,
        cursor: &TreeCursor<'t>,
        enclosing: Option<&mut Enclosing<'t>>,
    ) -> Vec<Captures<'t>> {
        let (first, rest) = (&pattern.steps[0], &pattern.steps[1..]);
        let here = (cursor.node(), cursor.field_id().map(|id| id.get()));
        let mut ways = self.step_at(first, here);
        if ways.is_empty() {
            return ways;
        }
        if !rest.is_empty() {
            let all = enclosing.map(|enclosing| self.siblings_at(enclosing));
            let later = all
                .as_ref()
                .map_or(&[][..], |(children, at)| &children[at + 1..]);
            let later = self.steps(rest, within_reach(later, rest), 0, false);
            ways = combine(&ways, &later);
        }
        let holds = |p: &Predicate, captures: &Captures| p.holds(captures, self.text, self.work);
        ways.retain(|captures| pattern.predicates.iter().all(|p| holds(p, captures)));
        ways.dedup();
        ways
    }

    /// The children of the parent of the cursor, and at which of them that is.
    /// Kept as long as one is inside: to find the siblings of each again takes as
    /// long as they are deep or many.
    fn siblings_at(&mut self, enclosing: &mut Enclosing<'t>) -> (Rc<[Child<'t>]>, usize) {
        let children = enclosing
            .children
            .get_or_insert_with(|| self.gather(enclosing.node));
        (Rc::clone(children), enclosing.at)
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
        self.work.goes_on(1);
        let kind = match &test.kind {
            KindTest::Anything => true,
            KindTest::AnyNamed => node.is_named(),
            KindTest::Kinds(kinds) => kinds.contains(&node.kind_id()),
        };
        if !kind || (test.field.is_some() && test.field != field) {
            return Vec::new();
        }
        if test
            .absent
            .iter()
            .any(|&field| node.child_by_field_id(field).is_some())
        {
            return Vec::new();
        }
        let own: Captures = test
            .captures
            .iter()
            .map(|&capture| (capture, node))
            .collect();
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
        let children = self.gather(node);
        self.known.push((node.id(), Rc::clone(&children)));
        children
    }

    fn gather(&mut self, node: Node<'t>) -> Rc<[Child<'t>]> {
        self.scratch.reset(node);
        let some = self.scratch.goto_first_child();
        let children = if some {
            siblings(&mut self.scratch)
        } else {
            Vec::new()
        };
        self.work.goes_on(children.len() as u64);
        children.into()
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
            let more = closed && children[from..].iter().any(|(node, _)| node.is_named());
            return if more { Vec::new() } else { vec![Vec::new()] };
        };
        if !step.group.is_empty() {
            let inside: Vec<Step> = step.group.iter().chain(rest).cloned().collect();
            let ways = self.steps(&inside, children, from, closed);
            if ways.is_empty() && step.optional {
                return self.steps(rest, children, from, closed);
            }
            return ways;
        }
        let mut ways = Vec::new();
        for at in from..children.len() {
            let here = self.step_at(step, children[at]);
            if !here.is_empty() {
                let later = self.steps(rest, children, at + 1, closed);
                ways.extend(combine(&here, &later));
            }
            let enough = ways.len() > MOST_WAYS || !self.work.goes_on(ways.len() as u64 / 64);
            if enough || (step.anchored && children[at].0.is_named()) {
                break;
            }
        }
        if ways.is_empty() && step.optional {
            return self.steps(rest, children, from, closed);
        }
        ways
    }
}

/// How many named siblings these steps can look at; all where there is no
/// limit. Anchored steps look at the next one each; to look further at every
/// node of a wide parent would take the square of its width.
fn reach(steps: &[Step]) -> Option<usize> {
    let is_near = |step: &Step| step.anchored && step.group.is_empty();
    steps.iter().all(is_near).then_some(steps.len())
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

/// As many of these as the steps can look at.
fn within_reach<'c, 't>(children: &'c [Child<'t>], steps: &[Step]) -> &'c [Child<'t>] {
    let Some(most) = reach(steps) else {
        return children;
    };
    let mut seen = 0;
    for (at, (node, _)) in children.iter().enumerate() {
        seen += usize::from(node.is_named());
        if seen == most {
            return &children[..=at];
        }
    }
    children
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
    fn holds(&self, captures: &[(u16, Node)], text: &[u8], work: &Work) -> bool {
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
                Check::Matches(regex) => {
                    work.goes_on(found.len() as u64 / BYTES_MATCHED);
                    regex.is_match(found)
                }
            };
            holds != self.negated
        })
    }
}
