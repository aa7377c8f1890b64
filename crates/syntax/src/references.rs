//! Runs the references query: which names are used where, how, and what is
//! imported.

use crate::arity;
use crate::chain;
use crate::language::Language;
use crate::queries::{Queries, Use};
use crate::query::Match;
use crate::spans;
use crate::words;
use crate::work::Work;
use scent_types::{FileClass, Import, Reference, Role, ToldBy, TypeHint, Typed};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// Names are kept up to this many characters.
const LONGEST: usize = 120;

/// A line of a script names no more paths than this.
const MOST_PATHS: usize = 20;

/// Longer types than this are seldom those of what is called.
const LONGEST_TYPE: usize = 160;

/// What a text uses of itself and of others.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub references: Vec<Reference>,
    pub imports: Vec<Import>,
    pub hints: Vec<TypeHint>,
    /// Where each name stands, if that is kept.
    pub places: Option<Places>,
    /// The last line of the statement of each import.
    ends: Vec<u32>,
}

/// The names of a text where they stand, and what has variables of its own.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub names: Vec<Place>,
    pub functions: Vec<Function>,
}

/// Something with variables of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub bytes: Range<usize>,
    /// Whether an assignment to a variable of what is around it gives nothing a
    /// name.
    pub shares: bool,
}

/// A name where it stands in a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub bytes: Range<usize>,
    pub name: String,
    /// How it is used; none where it is that of a definition.
    pub role: Option<Role>,
    /// What stands before it.
    pub qualifier: String,
    /// Whether it is given to a variable here.
    pub gives: bool,
}

/// The names of a tree, while one goes through it.
pub(crate) struct Names<'u, 't> {
    language: &'u Language,
    queries: &'u Queries,
    text: &'u str,
    work: &'u Work,
    uses: &'u mut Uses,
    /// Where the tree begins.
    start: usize,
    /// Names that the query captures, by their first bytes in the tree.
    covered: Vec<bool>,
    /// What is used how, what is written, and all names.
    used: Vec<(Node<'t>, Role)>,
    written: Vec<Node<'t>>,
    all: Vec<Node<'t>>,
    /// First bytes of names that are those of variables where they are declared,
    /// if places are kept.
    variables: HashSet<usize>,
    /// Stretches that are read by themselves.
    left: Vec<Range<usize>>,
    /// How many arguments are passed behind a byte.
    passed: HashMap<usize, u8>,
    /// Nodes right in one that has to do with methods, after a `:` or `#`.
    in_methods: HashSet<usize>,
}

impl<'u, 't> Names<'u, 't> {
    pub fn new(
        language: &'u Language,
        queries: &'u Queries,
        tree: &Tree,
        text: &'u str,
        work: &'u Work,
        uses: &'u mut Uses,
    ) -> Names<'u, 't> {
        let root = tree.root_node().byte_range();
        Names {
            language,
            queries,
            text,
            work,
            uses,
            start: root.start,
            covered: vec![false; root.len() + 1],
            used: Vec::new(),
            written: Vec::new(),
            all: Vec::new(),
            variables: HashSet::new(),
            left: Vec::new(),
            passed: HashMap::new(),
            in_methods: HashSet::new(),
        }
    }

    /// Adds any node, with the kind of its parent. To look for that later
    /// would take as long as the tree is deep.
    pub fn node(&mut self, node: Node<'t>, parent: Option<u16>) {
        if let Some(places) = &mut self.uses.places {
            let mut kinds = self.queries.functions.iter();
            if let Some(&(_, shares)) = kinds.find(|(kind, _)| *kind == node.kind_id()) {
                let bytes = node.byte_range();
                places.functions.push(Function { bytes, shares });
            }
        }
        if self.queries.arguments.contains(&node.kind_id()) {
            let before = self.text[..node.start_byte()].trim_end().len();
            let count = arity::arguments(&self.language.arity, node, self.text);
            self.passed.extend(count.map(|count| (before, count)));
        }
        let in_method =
            parent.is_some_and(|kind| self.queries.methods.get(kind as usize) == Some(&true));
        if in_method && self.text[..node.start_byte()].ends_with([':', '#']) {
            self.in_methods.insert(node.id());
        }
    }

    /// Adds a match of the references query.
    pub fn add(&mut self, found: &Match<'t>) {
        self.uses
            .import(self.language, self.queries, found, self.text);
        self.uses.hint(self.queries, found, self.text);
        // A script is no name.
        let refs = &self.queries.refs;
        if refs.setting(found.pattern, "import.paths").is_some() {
            return;
        }
        if refs.setting(found.pattern, "code.spans").is_some() {
            return self.uses.spans(found, self.text);
        }
        for &(capture, node) in &found.captures {
            let of = self.queries.uses[capture as usize];
            if self.uses.places.is_some() && declares(of) {
                each_leaf(node, self.work, |leaf| {
                    self.variables.insert(leaf.start_byte());
                });
            }
            match of {
                Use::As(Role::Write) => self.written.push(node),
                Use::As(role) => self.used.push((node, role)),
                Use::Module => self.used.push((node, Role::Import)),
                Use::Alias => self.used.push((node, Role::Bind)),
                Use::Skipped => {}
                Use::Named(_) | Use::Told(_) | Use::Own | Use::Ignored => continue,
            }
            let (covered, start) = (&mut self.covered, self.start);
            each_leaf(node, self.work, |leaf| {
                covered[leaf.start_byte() - start] = true
            });
        }
    }

    /// Leaves out the names in a stretch that is read by itself.
    pub fn leave(&mut self, stretch: Range<usize>) {
        self.left.push(stretch);
    }

    /// Adds a node without children.
    pub fn leaf(&mut self, leaf: Node<'t>) {
        let is_name = self.queries.names.get(leaf.kind_id() as usize) == Some(&true);
        if is_name && self.language.class == FileClass::Code {
            self.all.push(leaf);
        }
    }

    /// Adds what only the whole tree tells. `named` are the first bytes of names
    /// that are defined there, `members` those of names of members.
    pub fn finish(mut self, named: &HashSet<usize>, members: &HashSet<usize>) {
        let mut used = std::mem::take(&mut self.used);
        // A member is no variable.
        used.retain(|(node, role)| !role.gives() || !members.contains(&node.start_byte()));
        // `Cart.prototype.pay = function …` defines it.
        let written = self
            .written
            .iter()
            .filter(|node| !named.contains(&node.start_byte()));
        used.extend(written.map(|node| (*node, Role::Write)));
        for &at in named {
            self.covered[at - self.start] = true;
        }
        // Where a query does not capture what is written, the rest may be that.
        let has_writes = self.queries.uses.contains(&Use::As(Role::Write));
        let rest = if has_writes { Role::Read } else { Role::Use };
        let uncovered = self
            .all
            .iter()
            .filter(|leaf| !self.covered[leaf.start_byte() - self.start]);
        let given = self.given(&used);
        used.extend(uncovered.map(|leaf| {
            let is_call = self.language.bare_calls
                && leaf.kind() == "identifier"
                && !given.contains(&self.text[leaf.byte_range()]);
            (*leaf, if is_call { Role::Call } else { rest })
        }));
        if !self.left.is_empty() {
            let left = &self.left;
            let is_left = |at: usize| left.iter().any(|stretch| stretch.contains(&at));
            used.retain(|(node, _)| !is_left(node.start_byte()));
        }
        self.keep_names(named);
        for (node, role) in used {
            let in_method = self.in_methods.contains(&node.id());
            let gives = role.gives() || self.variables.contains(&node.start_byte());
            let is_call = role == Role::Call;
            let passed = is_call.then(|| self.passed.get(&node.end_byte()));
            let how = How {
                in_method,
                gives,
                arguments: passed.flatten().copied(),
            };
            self.uses.refer(self.text, node, role, how);
        }
    }

    /// Keeps the places of names that are no use: those of definitions, and of
    /// variables where they are declared.
    fn keep_names(&mut self, named: &HashSet<usize>) {
        let Some(places) = &mut self.uses.places else {
            return;
        };
        for leaf in &self.all {
            let start = leaf.start_byte();
            let is_definition = named.contains(&start);
            let gives = self.variables.contains(&start) && !is_definition;
            if is_definition || gives {
                places.names.push(Place {
                    bytes: leaf.byte_range(),
                    name: name_of(self.text, *leaf, Role::Read),
                    role: gives.then_some(Role::Bind),
                    qualifier: String::new(),
                    gives,
                });
            }
        }
    }

    /// The names that variables are given, where a name alone may be a call.
    fn given(&self, used: &[(Node, Role)]) -> HashSet<&'u str> {
        if !self.language.bare_calls {
            return HashSet::new();
        }
        let is_variable = |role: &Role| role.gives() || *role == Role::Write;
        let given = used.iter().filter(|(_, role)| is_variable(role));
        given
            .map(|(node, _)| &self.text[node.byte_range()])
            .collect()
    }
}

/// What is known of a name beside its role.
struct How {
    /// Whether it stands right in what has to do with methods.
    in_method: bool,
    /// Whether it is given to a variable here.
    gives: bool,
    /// How many arguments it is called with.
    arguments: Option<u8>,
}

impl Uses {
    /// Nothing yet, with room for places.
    pub fn with_places() -> Uses {
        Uses {
            places: Some(Places::default()),
            ..Uses::default()
        }
    }

    /// What a match imports, if it is one of an import.
    fn import(&mut self, language: &Language, queries: &Queries, found: &Match, text: &str) {
        if queries
            .refs
            .setting(found.pattern, "import.paths")
            .is_some()
        {
            return self.import_paths(queries, found, text);
        }
        let mut import = Import::default();
        for &(capture, node) in &found.captures {
            let part = || name_of(text, node, Role::Import);
            match queries.uses[capture as usize] {
                Use::Alias => import.alias = part(),
                Use::As(Role::Import) => import.name = part(),
                Use::Module => {
                    if !import.module.is_empty() {
                        import.module += language.separator;
                    }
                    import.module += &part();
                }
                Use::As(_)
                | Use::Named(_)
                | Use::Told(_)
                | Use::Own
                | Use::Skipped
                | Use::Ignored => continue,
            }
            import.line = node.start_position().row as u32 + 1;
        }
        if import.module.is_empty() {
            import.module = std::mem::take(&mut import.name);
        }
        if !import.module.is_empty() {
            let prefix = queries.refs.setting(found.pattern, "import.prefix");
            if let Some(prefix) = prefix.filter(|_| !import.module.starts_with('.')) {
                import.module.insert_str(0, prefix);
            }
            if let Some(name) = queries.refs.setting(found.pattern, "import.name") {
                name.clone_into(&mut import.name);
            }
            import.statement = found.root.start_position().row as u32 + 1;
            self.ends.push(found.root.end_position().row as u32 + 1);
            self.imports.push(import);
        }
    }

    /// The paths in what a match imports, such as those in a script. Each is
    /// one from the folder.
    fn import_paths(&mut self, queries: &Queries, found: &Match, text: &str) {
        for &(capture, node) in &found.captures {
            if queries.uses[capture as usize] != Use::As(Role::Import) {
                continue;
            }
            let first = node.start_position().row as u32 + 1;
            for (line, row) in (first..).zip(text[node.byte_range()].lines()) {
                for path in row.split(is_path_end).filter_map(path_of).take(MOST_PATHS) {
                    self.import_path(line, path);
                }
            }
        }
    }

    /// A path from the folder of the file, on a line of its own.
    fn import_path(&mut self, line: u32, path: &str) {
        self.ends.push(line);
        self.imports.push(Import {
            line,
            statement: line,
            module: format!("./{path}"),
            ..Import::default()
        });
    }

    /// What a match of documentation names in backticks.
    fn spans(&mut self, found: &Match, text: &str) {
        for &(_, node) in &found.captures {
            let first = node.start_position().row as u32 + 1;
            for (line, row) in (first..).zip(text[node.byte_range()].lines()) {
                for span in spans::spans(row).take(MOST_PATHS) {
                    self.span(line, span);
                }
            }
        }
    }

    fn span(&mut self, line: u32, span: &str) {
        if let Some(path) = spans::path(span).and_then(path_of) {
            self.import_path(line, path);
        } else if let Some((before, name)) = spans::name(span) {
            self.references.push(Reference {
                line,
                role: Role::Use,
                arguments: None,
                name: words::one_line(name, LONGEST),
                qualifier: words::one_line(before, LONGEST),
            });
        }
    }

    /// One pattern matches a declaration with `require`, another the call in it:
    /// imports of the same module within the same lines are one statement.
    fn join_statements(&mut self) {
        let mut order: Vec<usize> = (0..self.imports.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.imports[a], &self.imports[b]);
            (&a.module, a.statement).cmp(&(&b.module, b.statement))
        });
        let mut last: Option<(usize, u32)> = None;
        for at in order {
            let before = last.filter(|&(before, end)| {
                let (before, import) = (&self.imports[before], &self.imports[at]);
                before.module == import.module && import.statement <= end
            });
            let end = self.ends[at].max(before.map_or(0, |(_, end)| end));
            if let Some((before, _)) = before {
                self.imports[at].statement = self.imports[before].statement;
            }
            last = Some((at, end));
        }
    }

    /// What a match tells of the type of a name, if it does.
    fn hint(&mut self, queries: &Queries, found: &Match, text: &str) {
        let (mut named, mut told) = (None, None);
        for &(capture, node) in &found.captures {
            let own_text = &text[node.byte_range()];
            match queries.uses[capture as usize] {
                Use::Named(of) => named = Some((of, node)),
                Use::Told(by) => told = Some((by, node, own_text)),
                Use::Own => told = Some((ToldBy::Type, node, "self")),
                _ => {}
            }
        }
        let Some((by, value, value_text)) = told else {
            return;
        };
        let Some(told) = told_by(by, value_text) else {
            return;
        };
        let (of, node) = named.unwrap_or((Typed::Return, value));
        let name = match named {
            Some((_, name)) => words::unquote(&text[name.byte_range()]),
            None => "",
        };
        self.hints.push(TypeHint {
            line: node.start_position().row as u32 + 1,
            of,
            by,
            name: words::one_line(name, LONGEST),
            text: told,
        });
    }

    fn refer(&mut self, text: &str, node: Node, role: Role, how: How) {
        let name = name_of(text, node, role);
        if name.contains(char::is_alphanumeric) {
            let line = node.start_position().row as u32 + 1;
            let mut qualifier = chain::receiver(&text[..node.start_byte()], how.in_method);
            // Julia's `walk()::Length` is no member of what is called.
            let is_type = matches!(role, Role::Type | Role::Inherit);
            if is_type && qualifier.ends_with(')') {
                qualifier.clear();
            }
            if let Some(places) = &mut self.places {
                places.names.push(Place {
                    bytes: node.byte_range(),
                    name: name.clone(),
                    role: Some(role),
                    qualifier: qualifier.clone(),
                    gives: how.gives,
                });
            }
            self.references.push(Reference {
                line,
                role,
                name,
                qualifier,
                arguments: how.arguments,
            });
        }
    }

    /// In order, each once.
    pub fn sorted(mut self) -> Uses {
        self.references.sort_unstable();
        self.references.dedup();
        self.references = without_doubles(self.references);
        self.join_statements();
        self.imports.sort_unstable();
        self.imports.dedup();
        self.hints.sort_unstable();
        self.hints.dedup();
        self
    }
}

/// What a type inherits from is a type as well, and what is given a name by an
/// assignment is written: what says more is enough. In order of the lines.
fn without_doubles(references: Vec<Reference>) -> Vec<Reference> {
    let mut kept = Vec::with_capacity(references.len());
    for line in references.chunk_by(|a, b| a.line == b.line) {
        let inherited = names_in(line, &[Role::Inherit]);
        let given = names_in(line, &[Role::Bind, Role::Param]);
        for reference in line {
            let name = reference.name.as_str();
            kept.push(match reference.role {
                Role::Type => !inherited.contains(name),
                Role::Write => !given.contains(name),
                _ => true,
            });
        }
    }
    let mut kept = kept.into_iter();
    references
        .into_iter()
        .filter(|_| kept.next().unwrap_or(true))
        .collect()
}

/// The names that are used in one of these roles.
fn names_in<'r>(references: &'r [Reference], roles: &[Role]) -> HashSet<&'r str> {
    let those = references.iter().filter(|r| roles.contains(&r.role));
    those.map(|r| r.name.as_str()).collect()
}

/// Whether a capture is the name of a variable where that is declared.
fn declares(capture: Use) -> bool {
    matches!(capture, Use::Skipped | Use::Named(Typed::Variable))
}

fn name_of(text: &str, node: Node, role: Role) -> String {
    let name = words::unquote(&text[node.byte_range()]);
    // Ruby's `&:name` calls `name`.
    let called = name.strip_prefix(':').filter(|_| role == Role::Call);
    let name = called.unwrap_or(name);
    // C's `<stdio.h>`; elsewhere brackets are part of an operator.
    let inner = name.strip_prefix('<').and_then(|n| n.strip_suffix('>'));
    words::one_line(
        inner.filter(|_| role == Role::Import).unwrap_or(name),
        LONGEST,
    )
}

/// A type as it is declared, or a value as a chain; none where that says nothing.
fn told_by(by: ToldBy, text: &str) -> Option<String> {
    if by != ToldBy::Type {
        return chain::value(text);
    }
    let text = text.trim_start_matches(':').trim();
    let is_short = text.len() <= LONGEST_TYPE && !text.is_empty();
    is_short.then(|| words::one_line(text, LONGEST_TYPE))
}

/// Whether a path in a script ends at a character.
fn is_path_end(c: char) -> bool {
    c.is_whitespace() || "\"'`;|&()[]{}<>=,".contains(c)
}

/// The path in a word of a script: it has a folder and no variable.
fn path_of(word: &str) -> Option<&str> {
    let word = word.strip_prefix("file://").unwrap_or(word);
    let path = word.trim_start_matches("./").trim_end_matches('/');
    let is_plain = |c: char| c.is_alphanumeric() || "._-/+".contains(c);
    let has_folder = word.starts_with('.') || path.contains('/');
    let is_path = has_folder && !word.starts_with('/') && path.chars().all(is_plain);
    (is_path && path.contains(char::is_alphanumeric) && path.len() <= LONGEST).then_some(path)
}

/// Every leaf of a subtree, as long as that is not too much work.
pub(crate) fn each_leaf<'t>(root: Node<'t>, work: &Work, mut each: impl FnMut(Node<'t>)) {
    // A cursor does not leave the node it began with.
    let mut cursor = root.walk();
    while work.goes_on(1) {
        if cursor.goto_first_child() {
            continue;
        }
        each(cursor.node());
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_scripts() {
        for (word, expected) in [
            ("./build.sh", Some("build.sh")),
            ("scripts/test", Some("scripts/test")),
            ("../shared/run.py", Some("../shared/run.py")),
            ("file://../charts/db", Some("../charts/db")),
            ("/usr/bin/env", None),
            ("build", None),
            ("$HOME/run", None),
            ("https://a.b/c", None),
            (".", None),
            ("--flag", None),
        ] {
            assert_eq!(path_of(word), expected, "{word}");
        }
    }
}
