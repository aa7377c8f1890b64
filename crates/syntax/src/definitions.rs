//! Runs the units query over a parsed text: what is defined where.

use crate::language::{self, Language};
use crate::lines::LineTable;
use crate::queries::{Capture, Queries, Standing};
use crate::query::{self, Match, Visited};
use crate::references::{self, Names, Uses};
use crate::work::{CHUNK, Work};
use crate::{arity, blocks, memory, scanner, words};
use scent_types::{Arity, FileClass, Health, Kind, ToldBy, TypeHint, Typed};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, Range};
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Range as TreeRange, Tree};

/// Room for a call for each byte of a text. Only what is used of it takes memory.
const DEEP_STACK: usize = 1 << 30;

/// Above this share of error nodes a tree says nothing worth using.
const BROKEN_SHARE: f32 = 0.6;

/// Something defined in the text.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// Its kind; none for a scope that only lends its name.
    pub kind: Option<Kind>,
    pub standing: Standing,
    pub name: String,
    pub signature: String,
    /// Documentation from inside the definition.
    pub inner_doc: String,
    /// Rows from the first to the last, leading comments not included.
    pub rows: Range<usize>,
    /// The row of the name.
    pub name_row: usize,
    /// How many arguments it takes, where that is known.
    pub arity: Option<Arity>,
    bytes: Range<usize>,
    /// The pattern that found it, by its place in the query.
    pattern: usize,
}

impl Definition {
    fn of_block(block: blocks::Found) -> Definition {
        Definition {
            kind: block.kind,
            standing: Standing::Unit,
            name: block.name.to_owned(),
            signature: words::signature(block.head),
            inner_doc: String::new(),
            name_row: block.rows.start,
            arity: None,
            rows: block.rows,
            bytes: block.bytes,
            pattern: 0,
        }
    }

    /// What an implementation or an extension says of the type that it is for:
    /// that it is that type.
    fn to_hint(&self) -> TypeHint {
        TypeHint {
            line: self.name_row as u32 + 1,
            of: Typed::Super,
            by: ToldBy::Type,
            name: self.name.clone(),
            text: self.name.clone(),
        }
    }

    /// At the same place a scope encloses what it lends its name to, and a unit
    /// its members.
    fn order(&self) -> (usize, Reverse<usize>, bool, Standing) {
        let Range { start, end } = self.bytes;
        (start, Reverse(end), self.kind.is_some(), self.standing)
    }

    /// Whether another definition lies inside this one. Members of one
    /// declaration, as of `int x, y;`, lie beside each other.
    pub fn encloses(&self, other: &Definition) -> bool {
        let is_inside = self.bytes.start <= other.bytes.start && other.bytes.end <= self.bytes.end;
        is_inside && (!self.standing.is_member() || self.bytes != other.bytes)
    }
}

/// What the query found in a text, and the trees it was found in.
#[derive(Debug)]
pub(crate) struct Found {
    /// In order of their beginnings, the larger first.
    pub definitions: Vec<Definition>,
    /// For each row: does it hold nothing but a comment or an attribute?
    pub leading: Vec<Leading>,
    pub trees: Vec<Tree>,
    pub uses: Uses,
    pub health: Health,
}

/// Whether a row belongs to the definition that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leading {
    No,
    Comment,
    /// The last row of a `/** … */` block that does not open the file, with
    /// a blank row after it.
    DocEnd,
    Attribute,
}

impl Leading {
    pub fn leads(self) -> bool {
        self != Leading::No
    }
}

/// All definitions of a text; none where the parser gave up.
pub(crate) fn find(
    language: &'static Language,
    queries: &Queries,
    text: &str,
    lines: &LineTable,
) -> Option<Found> {
    find_into(language, queries, text, lines, Uses::default())
}

/// The same, with the places of all names.
pub(crate) fn find_places(
    language: &'static Language,
    queries: &Queries,
    text: &str,
    lines: &LineTable,
) -> Option<Found> {
    find_into(language, queries, text, lines, Uses::with_places())
}

fn find_into(
    language: &'static Language,
    queries: &Queries,
    text: &str,
    lines: &LineTable,
    uses: Uses,
) -> Option<Found> {
    let parsing = Work::to_parse(text);
    let blocks = blocks::find(language, text, lines);
    let parsed = blocks::hide(text, &blocks, lines, &queries.hidden);
    let tree = parse(queries, &parsed, None, &parsing)?;
    let health = health(&tree, text.len());
    if health == Health::Error {
        return None;
    }
    let mut finder = Finder {
        text,
        lines,
        parsing,
        matching: Work::to_match(text),
        found: Found {
            definitions: blocks.into_iter().map(Definition::of_block).collect(),
            leading: vec![Leading::No; lines.count()],
            trees: Vec::new(),
            uses,
            health,
        },
    };
    let injected = finder.collect(language, queries, &tree)?;
    finder.found.trees.push(tree);
    for (name, range) in injected {
        finder.inject(language, &name, range);
    }
    let mut found = finder.found;
    found.definitions.sort_by_key(Definition::order);
    let impls = found.definitions.iter();
    let impls = impls.filter(|one| one.kind == Some(Kind::Impl));
    found.uses.hints.extend(impls.map(Definition::to_hint));
    found.uses = found.uses.sorted();
    Some(found)
}

/// A text, its stretches in other languages included: what may still be done
/// for it, and what was found.
struct Finder<'f> {
    text: &'f str,
    lines: &'f LineTable,
    parsing: Work,
    matching: Work,
    found: Found,
}

impl Finder<'_> {
    /// Runs both queries over one tree; returns the ranges in other languages,
    /// or nothing where it was too much work.
    fn collect(
        &mut self,
        language: &Language,
        queries: &Queries,
        tree: &Tree,
    ) -> Option<Vec<(String, TreeRange)>> {
        let (text, work) = (self.text, &self.matching);
        let mut names = Names::new(language, queries, tree, text, work, &mut self.found.uses);
        let mut defined = Defined {
            language,
            queries,
            text,
            lines: self.lines,
            work,
            definitions: &mut self.found.definitions,
            leading: &mut self.found.leading,
            by_name: HashMap::new(),
            named: HashSet::new(),
            members: HashSet::new(),
            injected: Vec::new(),
        };
        let both = [&queries.units, &queries.refs];
        let done = query::visit(both, tree, text.as_bytes(), work, |visited| match visited {
            Visited::Node(node, parent) => names.node(node, parent),
            Visited::Match(0, found) => {
                if let Some(stretch) = defined.add(&found) {
                    names.leave(stretch);
                }
            }
            Visited::Match(_, found) => names.add(&found),
            Visited::Leaf(leaf) => names.leaf(leaf),
        });
        names.finish(&defined.named, &defined.members);
        done.then_some(defined.injected)
    }

    /// Adds the definitions of a stretch in another language, at their place
    /// in the text.
    fn inject(&mut self, outer: &'static Language, name: &str, range: TreeRange) {
        let name = name.trim_matches(['"', '\'', ' ']);
        // Documentation may hold an example of itself, to which there is no end.
        let goes_deeper =
            |inner: &&Language| inner.id != outer.id || inner.class == FileClass::Code;
        let Some(inner) = language::find(name).filter(goes_deeper) else {
            return;
        };
        let Some(queries) = inner.queries() else {
            return;
        };
        let Some(tree) = parse(queries, self.text, Some(range), &self.parsing) else {
            return;
        };
        if inner.id == outer.id {
            // What was guessed of it is now known.
            let is_guessed = |one: &Definition| {
                one.standing.is_member()
                    && range.start_byte <= one.bytes.start
                    && one.bytes.end <= range.end_byte
            };
            self.found.definitions.retain(|one| !is_guessed(one));
        }
        self.collect(inner, queries, &tree);
        self.found.trees.push(tree);
    }
}

/// The definitions of a tree, while one goes through it.
struct Defined<'d> {
    language: &'d Language,
    queries: &'d Queries,
    text: &'d str,
    lines: &'d LineTable,
    work: &'d Work,
    definitions: &'d mut Vec<Definition>,
    leading: &'d mut [Leading],
    /// Definitions by the first bytes of their names.
    by_name: HashMap<usize, usize>,
    /// The first bytes of all names of definitions.
    named: HashSet<usize>,
    /// Those of members.
    members: HashSet<usize>,
    /// Stretches in other languages, each with the name of its language.
    injected: Vec<(String, TreeRange)>,
}

impl Defined<'_> {
    /// Adds a match of the units query. Returns a stretch in it that is read by
    /// itself in the same language.
    fn add(&mut self, found: &Match) -> Option<Range<usize>> {
        let parts = Parts::new(self.queries, found);
        mark_leading(&parts, self.text, self.lines, self.leading);
        let again = self.add_injected(&parts);
        self.add_definition(&parts);
        again
    }

    fn add_definition(&mut self, parts: &Parts) {
        let Some(mut definition) = parts.definition(self.text, self.lines, self.joiner()) else {
            return;
        };
        let rules = &self.language.arity;
        let is_function = matches!(definition.kind, Some(Kind::Function | Kind::Method));
        if is_function && !rules.arguments.is_empty() {
            let after = parts.names.last().map(|name| &self.text[name.end_byte()..]);
            let signature = definition.signature.as_str();
            let arity = after.and_then(|after| arity::parameters(rules, after));
            definition.arity = arity.map(|arity| arity::as_declared(rules, arity, signature));
        }
        // What is assigned is used as well.
        if definition.standing != Standing::Assigned {
            for name in &parts.names {
                references::each_leaf(*name, self.work, |leaf| {
                    self.named.insert(leaf.start_byte());
                    if definition.standing.is_member() {
                        self.members.insert(leaf.start_byte());
                    }
                });
            }
        }
        let start = definition.bytes.start;
        let key = parts.names.first().map_or(start, |name| name.start_byte());
        self.keep(key, definition);
    }

    /// Several patterns may match one name: with and without a wrapper such as
    /// `export` or a decorator. The widest is the definition.
    fn keep(&mut self, key: usize, definition: Definition) {
        let Some(&at) = self.by_name.get(&key) else {
            self.by_name.insert(key, self.definitions.len());
            self.definitions.push(definition);
            return;
        };
        if wider(&definition, &self.definitions[at]) {
            self.definitions[at] = definition;
        }
    }

    fn add_injected(&mut self, parts: &Parts) -> Option<Range<usize>> {
        let stretch = parts.inject?;
        let language = match parts.inject_language {
            Some(name) => Some(&self.text[name.byte_range()]),
            None => self.queries.units.setting(parts.pattern, "language"),
        };
        let language = language?;
        self.injected.push((language.to_owned(), stretch.range()));
        (language == self.language.id).then(|| stretch.byte_range())
    }

    /// `resource "aws_s3_bucket" "data"` is one name of three parts.
    fn joiner(&self) -> &'static str {
        if self.language.class == FileClass::Config {
            self.language.separator
        } else {
            " "
        }
    }
}

/// What is a unit is no member. Of two patterns that match the same node, the one
/// that stands first wins.
fn wider(a: &Definition, b: &Definition) -> bool {
    let worth = |definition: &Definition| {
        let is_unit = !definition.standing.is_member();
        (is_unit, definition.bytes.len(), Reverse(definition.pattern))
    };
    worth(a) > worth(b)
}

pub(crate) fn parse(
    queries: &Queries,
    text: &str,
    range: Option<TreeRange>,
    work: &Work,
) -> Option<Tree> {
    thread_local! {
        // A parser keeps its memory from one text to the next.
        static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
    }
    PARSER.with_borrow_mut(|parser| {
        parser.reset();
        parser.set_language(&queries.grammar).ok()?;
        parser.set_included_ranges(range.as_slice()).ok()?;
        work.begin(text);
        let mut progress = |_: &ParseState| {
            if work.operated() && !scanner::has_lost_state() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let bytes = text.as_bytes();
        // A text that has cost too much ends here for its parser.
        let mut read = |at: usize, _| {
            if work.read(CHUNK) {
                &bytes[at.min(bytes.len())..(at + CHUNK).min(bytes.len())]
            } else {
                &[]
            }
        };
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        memory::end();
        if tree.is_none() {
            forget(std::mem::take(parser));
        }
        let whole = !scanner::take_lost_state() && work.goes_on(0);
        tree.filter(|_| whole)
    })
}

/// Frees a parser that gave up, and what it holds. That goes as deep as its stack
/// is, which may be as deep as the text is long.
fn forget(parser: Parser) {
    let deep = std::thread::Builder::new().stack_size(DEEP_STACK);
    let freed = deep.spawn(move || drop(parser)).map(|thread| thread.join());
    debug_assert!(matches!(freed, Ok(Ok(()))));
}

/// The captures of one match, by what they stand for.
#[derive(Default)]
struct Parts<'t> {
    whole: Option<(Option<Kind>, Standing, Node<'t>)>,
    names: Vec<Node<'t>>,
    head: Option<Node<'t>>,
    body: Option<Node<'t>>,
    doc: Option<Node<'t>>,
    leading: Vec<(Leading, Node<'t>)>,
    inject: Option<Node<'t>>,
    inject_language: Option<Node<'t>>,
    pattern: usize,
}

impl<'t> Parts<'t> {
    fn new(queries: &Queries, found: &Match<'t>) -> Parts<'t> {
        let mut parts = Parts {
            pattern: found.pattern,
            ..Parts::default()
        };
        for &(capture, node) in &found.captures {
            match queries.captures[capture as usize] {
                Capture::Define(standing, kind) => {
                    parts.whole = Some((Some(kind), standing, node));
                }
                Capture::Scope => parts.whole = Some((None, Standing::Unit, node)),
                Capture::Name => parts.names.push(node),
                Capture::Head => parts.head = parts.head.or(Some(node)),
                Capture::Body => parts.body = parts.body.or(Some(node)),
                Capture::Doc => parts.doc = parts.doc.or(Some(node)),
                Capture::Comment => parts.leading.push((Leading::Comment, node)),
                Capture::Attribute => parts.leading.push((Leading::Attribute, node)),
                Capture::Inject => parts.inject = Some(node),
                Capture::InjectLanguage => parts.inject_language = Some(node),
                Capture::Ignored => {}
            }
        }
        parts
    }

    fn definition(&self, text: &str, lines: &LineTable, joiner: &str) -> Option<Definition> {
        let (kind, standing, node) = self.whole?;
        let bytes = node.byte_range();
        let names: Vec<&str> = self
            .names
            .iter()
            .map(|n| words::unquote(&text[n.byte_range()]))
            .collect();
        let head_start = self.head.map_or(bytes.start, |n| n.start_byte());
        let head_end = match self.body {
            Some(body) if body.start_byte() > head_start => body.start_byte(),
            _ => {
                head_start + words::declaration(&text[head_start..bytes.end.max(head_start)]).len()
            }
        };
        Some(Definition {
            kind,
            standing,
            arity: None,
            name: words::one_line(&names.join(joiner), 120),
            signature: words::signature(&text[head_start..head_end]),
            inner_doc: self
                .doc
                .map(|n| words::prose(text[n.byte_range()].lines()))
                .unwrap_or_default(),
            rows: without_blank_end(rows(node), text, lines),
            name_row: self.names.first().unwrap_or(&node).start_position().row,
            bytes,
            pattern: self.pattern,
        })
    }
}

/// The rows of a node, past-the-end exclusive. A node that ends at the start
/// of a row does not reach into it.
fn rows(node: Node) -> Range<usize> {
    let (start, end) = (node.start_position(), node.end_position());
    let last = if end.column == 0 && end.row > start.row {
        end.row
    } else {
        end.row + 1
    };
    start.row..last
}

/// Some grammars let a definition reach over the blank lines after it.
fn without_blank_end(mut rows: Range<usize>, text: &str, lines: &LineTable) -> Range<usize> {
    while rows.len() > 1 && lines.text(text, rows.end - 1).trim().is_empty() {
        rows.end -= 1;
    }
    rows
}

fn mark_leading(parts: &Parts, text: &str, lines: &LineTable, leading: &mut [Leading]) {
    for &(what, node) in &parts.leading {
        let rows = rows(node);
        let own_line =
            rows.start < lines.count() && lines.indent(text, rows.start) == node.start_byte();
        let end = rows.end.min(leading.len());
        if !own_line {
            continue;
        }
        leading[rows.start..end].fill(what);
        let blank_after = end < lines.count() && lines.text(text, end).trim().is_empty();
        if rows.start > 0 && blank_after && text[node.byte_range()].starts_with("/**") {
            leading[end - 1] = Leading::DocEnd;
        }
    }
}

fn health(tree: &Tree, bytes: usize) -> Health {
    let root = tree.root_node();
    if !root.has_error() {
        return Health::Ok;
    }
    let share = error_bytes(root) as f32 / bytes.max(1) as f32;
    if share > BROKEN_SHARE {
        Health::Error
    } else {
        Health::Partial(share)
    }
}

/// How many bytes lie in error nodes and in nothing well-formed inside them:
/// one bracket left open at the end wraps the whole file in an error node.
/// Visits only subtrees that hold one.
fn error_bytes(root: Node) -> usize {
    let mut cursor = root.walk();
    let mut sum = 0;
    loop {
        let node = cursor.node();
        if node.is_error() {
            let mut inside = node.walk();
            let sound = node
                .children(&mut inside)
                .filter(|n| n.is_named() && n.child_count() > 0);
            sum += node.byte_range().len() - sound.map(|n| n.byte_range().len()).sum::<usize>();
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return sum;
            }
        }
    }
}
