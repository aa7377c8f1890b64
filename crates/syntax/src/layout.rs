//! Lays units over the lines of a file, so that each line is in exactly one.
//!
//! Definitions nest; units do not. A type becomes its header (with the
//! signatures of its members) followed by its members; a long function becomes
//! passages; what lies between definitions becomes units of its own.

use crate::definitions::{Found, Leading};
use crate::language::Language;
use crate::lines::LineTable;
use crate::nesting::{Node, join_clauses, nest};
use crate::passages::{Breaks, WHOLE};
use crate::symbols::{self, member_kind, qualified};
use crate::words;
use scent_types::{FileClass, Kind, Lines, Symbol, Unit};
use std::ops::Range;
use tree_sitter::Tree;

/// From this many one-line constants in a row on, they are one unit.
const GROUP: usize = 4;

/// A group of more is several units.
const LARGEST_GROUP: usize = 40;

/// A paragraph unit of plain text has at most this many lines.
const PARAGRAPH: usize = 30;

/// How much of a type's members its header lists.
const MEMBERS: usize = 100;

/// The units and the symbols of a parsed text.
pub(crate) fn units(
    language: &'static Language,
    text: &str,
    lines: &LineTable,
    found: Found,
) -> (Vec<Unit>, Vec<Symbol>) {
    let (mut nodes, mut roots) = nest(found.definitions, &found.leading);
    if language.clauses {
        let blank = |row: usize| lines.text(text, row).trim().is_empty();
        join_clauses(&mut nodes, &mut roots, &blank);
    }
    let mut layout = Layout::new(language.class, text, lines);
    layout.language = Some(language);
    layout.nodes = nodes;
    layout.leading = found.leading;
    layout.trees = found.trees;
    let symbols = symbols::symbols(language, text, lines, &layout.nodes, &roots);
    let roots = layout.without_members(roots);
    let scope = Scope {
        qualified: String::new(),
        parent: None,
        in_type: false,
        passages_of: None,
    };
    layout.fill(0..lines.count(), None, &roots, scope);
    (layout.finish(), symbols)
}

/// The units of a text that has no grammar.
pub(crate) fn paragraphs(
    language: Option<&'static Language>,
    text: &str,
    lines: &LineTable,
) -> Vec<Unit> {
    if lines.count() == 0 {
        return Vec::new();
    }
    let class = language.map_or(FileClass::Docs, |l| l.class);
    let mut layout = Layout::new(class, text, lines);
    let breaks = Breaks::from_blank_lines(text, lines);
    for rows in breaks.split_at(0..lines.count(), 1, PARAGRAPH) {
        let unit = layout.left_over(rows.clone(), None);
        layout.push(rows, unit);
    }
    layout.finish()
}

/// What encloses the rows that are being filled.
struct Scope {
    qualified: String,
    parent: Option<u32>,
    in_type: bool,
    /// Between the definitions inside a long function lie its own passages.
    passages_of: Option<Unit>,
}

struct Layout<'t> {
    language: Option<&'static Language>,
    class: FileClass,
    text: &'t str,
    lines: &'t LineTable,
    nodes: Vec<Node>,
    leading: Vec<Leading>,
    trees: Vec<Tree>,
    breaks: Option<Breaks>,
    /// The rows whose comments were last read, and what they say: those above a
    /// row are read again for every definition in it.
    commented: (Range<usize>, String),
    units: Vec<Unit>,
}

impl<'t> Layout<'t> {
    fn new(class: FileClass, text: &'t str, lines: &'t LineTable) -> Layout<'t> {
        Layout {
            language: None,
            class,
            text,
            lines,
            nodes: Vec::new(),
            leading: Vec::new(),
            trees: Vec::new(),
            breaks: None,
            commented: (0..0, String::new()),
            units: Vec::new(),
        }
    }

    /// The definitions of a list that are units, and the units in its members.
    fn without_members(&mut self, list: Vec<usize>) -> Vec<usize> {
        let mut units = Vec::with_capacity(list.len());
        for at in list {
            let children = std::mem::take(&mut self.nodes[at].children);
            let inside = self.without_members(children);
            if self.nodes[at].definition.standing.is_member() {
                units.extend(inside);
            } else {
                self.nodes[at].children = inside;
                units.push(at);
            }
        }
        units
    }

    /// Covers rows with the definitions in them and what lies between.
    fn fill(
        &mut self,
        rows: Range<usize>,
        header: Option<Unit>,
        children: &[usize],
        mut scope: Scope,
    ) {
        let mut header = header;
        let mut at = rows.start;
        let groups = self.groups(children);
        for (nth, group) in groups.iter().enumerate() {
            // A header keeps at least its first line.
            let free = at + usize::from(header.is_some());
            let first = self.nodes[group[0]].first.max(free);
            let next = groups
                .get(nth + 1)
                .map_or(rows.end, |next| self.nodes[next[0]].first);
            // A comment at its end may be the next definition's.
            let last = self
                .end_of(group, next)
                .min(next.max(first + 1))
                .min(rows.end);
            if first >= last {
                continue;
            }
            self.between(at..first, &mut header, &mut scope);
            match group {
                [one] => self.define(*one, first..last, &scope),
                many => self.define_group(many, first..last, &scope),
            }
            at = last;
        }
        self.between(at..rows.end, &mut header, &mut scope);
    }

    /// Neighbouring one-line constants together, everything else alone.
    fn groups<'c>(&self, children: &'c [usize]) -> Vec<&'c [usize]> {
        let mut groups = Vec::new();
        for run in children.chunk_by(|a, b| self.nodes[*a].is_grouped_with(&self.nodes[*b])) {
            let size = if run.len() >= GROUP { LARGEST_GROUP } else { 1 };
            groups.extend(run.chunks(size));
        }
        groups
    }

    /// The row after a group. Text after a heading belongs to it up to the
    /// next one, also where the grammar does not nest it.
    fn end_of(&self, group: &[usize], next: usize) -> usize {
        let node = &self.nodes[group[group.len() - 1]];
        let end = node.rows().end;
        if node.definition.kind == Some(Kind::Section) {
            end.max(next)
        } else {
            end
        }
    }

    fn between(&mut self, rows: Range<usize>, header: &mut Option<Unit>, scope: &mut Scope) {
        if rows.is_empty() {
            return;
        }
        if let Some(header) = header.take() {
            scope.parent = Some(self.push(rows, header));
        } else if let Some(function) = &scope.passages_of {
            let mut units = self.units.iter().rev();
            let last = units.find(|unit| unit.qualified == function.qualified);
            let unit = Unit {
                passage: last.map_or(1, |unit| unit.passage + 1),
                parent: scope.parent,
                ..function.clone()
            };
            self.push(rows, unit);
        } else {
            let mut unit = self.left_over(rows.clone(), scope.parent);
            unit.qualified.clone_from(&scope.qualified);
            self.push(rows, unit);
        }
    }

    fn define(&mut self, at: usize, rows: Range<usize>, scope: &Scope) {
        let node = &mut self.nodes[at];
        let children = std::mem::take(&mut node.children);
        let qualified = self.qualify(&scope.qualified, &self.nodes[at].definition.name);
        let Some(kind) = self.nodes[at].definition.kind else {
            let inner = Scope {
                qualified,
                parent: scope.parent,
                in_type: scope.in_type,
                passages_of: None,
            };
            return self.fill(rows, None, &children, inner);
        };
        let kind = member_kind(kind, scope.in_type);
        let mut unit = self.unit_of(at, kind, qualified, scope.parent);
        unit.extent_end = rows.end as u32;
        if children.is_empty() || self.stays_whole(kind, rows.len()) {
            self.push(rows, unit);
            return;
        }
        if kind.holds_members() {
            unit.members = self.member_signatures(&children);
        }
        let long_function = !kind.holds_members() && kind != Kind::Config;
        let passage = Unit {
            doc: String::new(),
            ..unit.clone()
        };
        let inner = Scope {
            qualified: unit.qualified.clone(),
            parent: scope.parent,
            in_type: kind.is_type(),
            passages_of: long_function.then_some(passage),
        };
        self.fill(rows, Some(unit), &children, inner);
    }

    fn stays_whole(&self, kind: Kind, rows: usize) -> bool {
        let limit = match (kind, self.language.and_then(|l| l.block_lines)) {
            (Kind::Config, Some(limit)) => limit as usize,
            _ => WHOLE,
        };
        rows <= limit && !kind.holds_members()
    }

    fn define_group(&mut self, group: &[usize], rows: Range<usize>, scope: &Scope) {
        let names: Vec<String> = group
            .iter()
            .map(|&at| self.nodes[at].definition.name.clone())
            .collect();
        let name = words::one_line(&names.join(", "), 120);
        let kind = self.nodes[group[0]]
            .definition
            .kind
            .unwrap_or(Kind::Constant);
        let qualified = self.qualify(&scope.qualified, &name);
        let mut unit = self.unit_of(group[0], kind, qualified, scope.parent);
        unit.extent_end = rows.end as u32;
        unit.name = name;
        unit.names = names;
        self.push(rows, unit);
    }

    fn unit_of(&mut self, at: usize, kind: Kind, qualified: String, parent: Option<u32>) -> Unit {
        let above = self.nodes[at].first..self.nodes[at].definition.rows.start;
        let mut doc = self.comments(above);
        let node = &self.nodes[at];
        if !doc.is_empty() && !node.definition.inner_doc.is_empty() {
            doc.push('\n');
        }
        doc.push_str(&node.definition.inner_doc);
        Unit {
            name: node.definition.name.clone(),
            signature: node.definition.signature.clone(),
            doc,
            ..blank_unit(kind, qualified, parent)
        }
    }

    /// A unit for rows that define nothing.
    fn left_over(&mut self, rows: Range<usize>, parent: Option<u32>) -> Unit {
        let kind = match self.class {
            FileClass::Docs => Kind::Text,
            FileClass::Config => Kind::Config,
            FileClass::Code if self.units.is_empty() => Kind::Module,
            FileClass::Code => Kind::Code,
        };
        let doc = self.comments(rows.clone());
        Unit {
            doc,
            extent_end: rows.end as u32,
            ..blank_unit(kind, String::new(), parent)
        }
    }

    fn comments(&mut self, rows: Range<usize>) -> String {
        if self.commented.0 == rows {
            return self.commented.1.clone();
        }
        let is_comment = |&row: &usize| {
            matches!(
                self.leading.get(row),
                Some(Leading::Comment | Leading::DocEnd)
            )
        };
        let commented = rows.clone().filter(is_comment);
        let prose = words::prose(commented.map(|row| self.line(row)));
        self.commented = (rows, prose.clone());
        prose
    }

    fn member_signatures(&self, children: &[usize]) -> Vec<String> {
        let mut signatures = Vec::new();
        for &at in children.iter().take(MEMBERS) {
            signatures.push(self.nodes[at].definition.signature.clone());
        }
        signatures
    }

    fn qualify(&self, scope: &str, name: &str) -> String {
        qualified(self.language, scope, name)
    }

    /// Adds a unit over rows, as passages where they are many; returns the
    /// position of the first.
    fn push(&mut self, rows: Range<usize>, unit: Unit) -> u32 {
        if rows.len() <= WHOLE {
            return self.push_piece(rows, unit);
        }
        let breaks = self
            .breaks
            .get_or_insert_with(|| match self.trees.as_slice() {
                [] => Breaks::from_blank_lines(self.text, self.lines),
                trees => Breaks::from_trees(trees, self.text, self.lines),
            });
        let mut pieces = breaks.split(rows).into_iter();
        let rest = Unit {
            doc: String::new(),
            members: Vec::new(),
            ..unit.clone()
        };
        let next = unit.passage + 1;
        let first = self.push_piece(pieces.next().unwrap_or(0..0), unit);
        for (passage, rows) in (next..).zip(pieces) {
            let unit = Unit {
                passage,
                parent: Some(first),
                ..rest.clone()
            };
            self.push_piece(rows, unit);
        }
        first
    }

    /// Adds one unit. Rows that say nothing go to the unit before them.
    fn push_piece(&mut self, rows: Range<usize>, mut unit: Unit) -> u32 {
        let starts_at = self.units.last().map_or(0, |u| u.cover.end as usize);
        debug_assert!(self.units.is_empty() || starts_at == rows.start);
        if rows.clone().all(|row| words::is_filler(self.line(row)))
            && let Some(before) = self.units.last_mut()
        {
            before.cover.end = rows.end as u32;
            return self.units.len() as u32 - 1;
        }
        let mut said = rows
            .clone()
            .filter(|row| !self.line(*row).trim().is_empty());
        let Some(first) = said.next() else {
            return 0;
        };
        let last = said.next_back().unwrap_or(first);
        unit.lines = Lines::new(first as u32 + 1, last as u32 + 1);
        unit.cover = Lines::new(starts_at as u32 + 1, rows.end as u32);
        unit.extent_end = unit.extent_end.max(unit.lines.end);
        self.units.push(unit);
        self.units.len() as u32 - 1
    }

    fn line(&self, row: usize) -> &'t str {
        self.lines.text(self.text, row)
    }

    fn finish(mut self) -> Vec<Unit> {
        let count = self.lines.count() as u32;
        if self.units.is_empty() && count > 0 {
            // Nothing but blank lines; they still have to be somewhere.
            let all = Lines::new(1, count);
            let blank = blank_unit(Kind::Text, String::new(), None);
            self.units.push(Unit {
                lines: all,
                cover: all,
                extent_end: count,
                ..blank
            });
        }
        set_wholes(&mut self.units);
        self.units
    }
}

fn blank_unit(kind: Kind, qualified: String, parent: Option<u32>) -> Unit {
    Unit {
        kind,
        name: String::new(),
        names: Vec::new(),
        qualified,
        signature: String::new(),
        doc: String::new(),
        members: Vec::new(),
        lines: Lines { start: 1, end: 1 },
        cover: Lines { start: 1, end: 1 },
        extent_end: 0,
        whole: Lines { start: 1, end: 1 },
        parent,
        passage: 0,
    }
}

/// Sets the whole that each unit is a part of.
fn set_wholes(units: &mut [Unit]) {
    for at in 0..units.len() {
        let head = head_of(units, at);
        let unit = &units[at];
        // What is left over is no definition, and a section is not those in it.
        let is_definition = !unit.name.is_empty() && unit.kind != Kind::Section;
        let end = if is_definition {
            unit.extent_end
        } else {
            unit.lines.end
        };
        let start = units[head].lines.start;
        units[at].whole = Lines::new(start, end);
        units[head].whole.end = units[head].whole.end.max(end);
    }
    for at in 0..units.len() {
        units[at].whole = units[head_of(units, at)].whole;
    }
}

/// The unit that a passage belongs to: the first of its definition. What has
/// no name stands for itself.
fn head_of(units: &[Unit], passage: usize) -> usize {
    let unit = &units[passage];
    let mut head = passage;
    while units[head].passage > 0 {
        let Some(parent) = units[head].parent else {
            return passage;
        };
        head = parent as usize;
    }
    let is_same = units[head].kind == unit.kind && units[head].qualified == unit.qualified;
    if is_same && !unit.name.is_empty() {
        head
    } else {
        passage
    }
}
