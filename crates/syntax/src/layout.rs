//! Lays units over the lines of a file, so that each line is in exactly one.
//!
//! Definitions nest; units do not. A type becomes its header (with the
//! signatures of its members) followed by its members; a long function becomes
//! passages; what lies between definitions becomes units of its own.

use crate::definitions::{Definition, Found, Leading};
use crate::language::Language;
use crate::lines::LineTable;
use crate::passages::{Breaks, WHOLE};
use crate::words;
use scent_types::{FileClass, Kind, Lines, Symbol, Unit};
use std::ops::Range;
use tree_sitter::Tree;

/// Definitions nested deeper than this stay part of what encloses them.
const DEEPEST: usize = 48;

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
    let mut symbols = Vec::new();
    layout.symbols(&roots, None, "", false, &mut symbols);
    symbols.sort_by_key(|symbol| symbol.line);
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

/// A definition among the others.
struct Node {
    definition: Definition,
    /// The first row, leading comments and attributes included.
    first: usize,
    children: Vec<usize>,
}

impl Node {
    fn rows(&self) -> Range<usize> {
        self.first..self.definition.rows.end
    }

    fn is_one_line_constant(&self) -> bool {
        let kinds = [Kind::Constant, Kind::Macro, Kind::Type, Kind::Rule];
        self.definition.kind.is_some_and(|k| kinds.contains(&k)) && self.definition.rows.len() == 1
    }

    /// Whether this and the next node are constants of one kind in a row.
    fn is_grouped_with(&self, next: &Node) -> bool {
        let is_adjacent = self.rows().end == next.definition.rows.start;
        let is_same_kind = self.definition.kind == next.definition.kind;
        let are_constants = self.is_one_line_constant() && next.is_one_line_constant();
        is_adjacent && is_same_kind && are_constants
    }
}

fn nest(definitions: Vec<Definition>, leading: &[Leading]) -> (Vec<Node>, Vec<usize>) {
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
fn join_clauses(nodes: &mut [Node], siblings: &mut Vec<usize>, blank: &dyn Fn(usize) -> bool) {
    let mut joined: Vec<usize> = Vec::with_capacity(siblings.len());
    for at in siblings.drain(..) {
        let same = joined
            .last()
            .copied()
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

    /// Everything that is defined under a name, however deep.
    fn symbols(
        &self,
        nodes: &[usize],
        enclosing: Option<&Definition>,
        scope: &str,
        in_type: bool,
        found: &mut Vec<Symbol>,
    ) {
        let rules = self.language.map(|language| &language.visibility);
        let mut section = None;
        let mut row = enclosing.map_or(0, |enclosing| enclosing.rows.start + 1);
        for &at in nodes {
            let Node {
                definition,
                children,
                ..
            } = &self.nodes[at];
            if in_type {
                let opened = |row| rules?.section(self.lines.text(self.text, row));
                section = (row..definition.rows.start)
                    .rev()
                    .find_map(opened)
                    .or(section);
                row = definition.rows.end;
            }
            let qualified = self.qualify(scope, &definition.name);
            let kind = definition.kind.map(|kind| member_kind(kind, in_type));
            let is_title = kind == Some(Kind::Function) && is_title(&definition.name);
            let is_name = !definition.name.is_empty() && !is_title;
            let named = kind.filter(|kind| kind.is_symbol() && is_name);
            found.extend(named.map(|kind| Symbol {
                name: words::last_part(&definition.name).to_owned(),
                qualified: qualified.clone(),
                kind,
                line: definition.name_row as u32 + 1,
                lines: Lines::new(definition.rows.start as u32 + 1, definition.rows.end as u32),
                visibility:
                    rules.and_then(|rules| rules.visibility(definition, enclosing, section)),
            }));
            let in_type = kind.map_or(in_type, Kind::is_type);
            self.symbols(children, Some(definition), &qualified, in_type, found);
        }
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
        let separator = self.language.map_or(".", |l| l.separator);
        match (scope, name) {
            ("", name) => name.to_owned(),
            (scope, "") => scope.to_owned(),
            (scope, name) => format!("{scope}{separator}{name}"),
        }
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

/// A function in a type is a method.
fn member_kind(kind: Kind, in_type: bool) -> Kind {
    if in_type && kind == Kind::Function {
        Kind::Method
    } else {
        kind
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

/// Whether the name of a function is the title of tests of something: `describe
/// "#take"`.
fn is_title(name: &str) -> bool {
    let rest = name.trim_start_matches(['#', '.', ':']);
    rest.len() < name.len() && rest.starts_with(char::is_alphabetic)
}
