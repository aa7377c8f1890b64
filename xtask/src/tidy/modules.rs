//! Modules of a crate form no cycle: what is below can be read without what is
//! above.
//!
//! A module depends on another where its code, tests aside, names a path into
//! it. Where the name is a re-export, the module that it comes from counts, so
//! `lib.rs` may gather what the crate offers: passing a name on is no
//! dependency. Nor is what a module takes from one that encloses it: the file
//! of a parent holds what its children share.

use super::Problem;
use super::edges::reaches;
use super::tree::{File, Tree};
use crate::lexer::{Kind, pieces};
use std::collections::{BTreeMap, BTreeSet};

/// What the root of a crate is called here.
const ROOT: &str = "lib";

/// How many aliases of aliases are followed.
const STEPS: usize = 5;

/// The modules of a crate by path: `lib`, or `a::b` for `a/b.rs`.
type Modules<'t> = BTreeMap<String, Module<'t>>;

/// What a file says of modules.
#[derive(Default)]
struct Module<'t> {
    file: &'t str,
    /// Paths from the root that the code depends on, with their lines.
    paths: Vec<(usize, Vec<String>)>,
    /// Names that stand for others, imported or passed on. The path is empty
    /// for what another crate has.
    aliases: Vec<(&'t str, Vec<String>)>,
    defines: BTreeSet<&'t str>,
}

/// A word or a mark, with its line.
type Token<'t> = (usize, &'t str);

/// Finds the modules of every crate that use each other in a circle.
pub(super) fn no_module_cycles(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for modules in crates(tree).values() {
        let edges = edges(modules);
        let graph = graph(&edges);
        for ((from, to), line) in &edges {
            if reaches(&graph, to, from) {
                let message = format!("a cycle: {from} uses {to}, which leads back to it");
                problems.push(Problem::new(modules[from].file, *line, message));
            }
        }
    }
    problems
}

/// The modules of each crate, by the crate's folder.
fn crates(tree: &Tree) -> BTreeMap<&str, Modules<'_>> {
    let mut crates: BTreeMap<&str, Modules> = BTreeMap::new();
    let mut files = Vec::new();
    for file in tree.rust() {
        let Some((folder, inside)) = file.path.split_once("/src/") else {
            continue;
        };
        let Some(module) = module_of(inside) else {
            continue;
        };
        let name = folder.strip_prefix("crates/").unwrap_or(folder);
        let modules = crates.entry(name).or_default();
        modules.insert(module.clone(), Module::default());
        files.push((name, module, file));
    }
    for (name, path, file) in files {
        let names: BTreeSet<String> = crates[name].keys().cloned().collect();
        let module = read(file, &path, &names);
        crates.entry(name).or_default().insert(path, module);
    }
    crates
}

/// The path of the module that a file below `src` holds. Tests are none.
fn module_of(inside: &str) -> Option<String> {
    let path = inside.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" || path == "main" {
        return Some(ROOT.to_owned());
    }
    let is_test = path.split('/').any(|part| part == "tests");
    (!is_test).then(|| path.replace('/', "::"))
}

/// Who depends on whom, and the first line that says so.
fn edges(modules: &Modules) -> BTreeMap<(String, String), usize> {
    let mut edges = BTreeMap::new();
    for (from, module) in modules {
        for (line, path) in &module.paths {
            let to = resolve(modules, path, STEPS);
            if let Some(to) = to.filter(|to| !encloses(to, from)) {
                edges.entry((from.clone(), to)).or_insert(*line);
            }
        }
    }
    edges
}

/// Whether a module is another one, or the other lies in it.
fn encloses(outer: &str, inner: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    outer == ROOT || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn graph(edges: &BTreeMap<(String, String), usize>) -> BTreeMap<&str, BTreeSet<String>> {
    let mut graph: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        graph.entry(from).or_default().insert(to.clone());
    }
    graph
}

/// The module that a path leads into, `None` where it leads out of the crate.
fn resolve(modules: &Modules, path: &[String], steps: usize) -> Option<String> {
    let mut depth = 0;
    while depth < path.len() && modules.contains_key(&path[..=depth].join("::")) {
        depth += 1;
    }
    let module = if depth == 0 {
        ROOT.to_owned()
    } else {
        path[..depth].join("::")
    };
    let Some((name, rest)) = path[depth..].split_first() else {
        return Some(module);
    };
    let Some(found) = modules.get(&module) else {
        return Some(module);
    };
    if found.defines.contains(name.as_str()) || steps == 0 {
        return Some(module);
    }
    for (alias, target) in &found.aliases {
        if alias == name {
            if target.is_empty() {
                return None;
            }
            let target = [target, rest].concat();
            return resolve(modules, &target, steps - 1);
        }
    }
    for (_, target) in found.aliases.iter().filter(|(alias, _)| *alias == "*") {
        let from = resolve(modules, target, steps - 1);
        let defines = from.as_ref().and_then(|from| modules.get(from));
        if defines.is_some_and(|module| module.defines.contains(name.as_str())) {
            return from;
        }
    }
    Some(module)
}

/// Notes what the code of a file defines and names.
fn read<'t>(file: &'t File, path: &str, modules: &BTreeSet<String>) -> Module<'t> {
    let tokens = without_tests(&tokens(&file.text));
    let mut reader = Reader {
        here: path.split("::").filter(|part| *part != ROOT).collect(),
        modules,
        module: Module {
            file: &file.path,
            ..Module::default()
        },
    };
    let mut at = 0;
    while at < tokens.len() {
        at = reader.read(&tokens, at);
    }
    reader.module
}

/// Reads the tokens of one file.
struct Reader<'t, 'm> {
    /// The path of the module from the root.
    here: Vec<&'m str>,
    modules: &'m BTreeSet<String>,
    module: Module<'t>,
}

/// What is defined has its name after one of these.
const DEFINES: [&str; 9] = [
    "fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod",
];

impl<'t> Reader<'t, '_> {
    /// Reads what begins at a token, and says where to go on.
    fn read(&mut self, tokens: &[Token<'t>], at: usize) -> usize {
        let (line, word) = tokens[at];
        let before = at.checked_sub(1).map_or("", |before| tokens[before].1);
        let after = tokens.get(at + 1).map_or("", |after| after.1);
        if word == "use" && after != "<" {
            let end = self.read_use(tokens, at + 1, Vec::new(), is_public(&tokens[..at]));
            return end.max(at + 1);
        }
        if DEFINES.contains(&word) {
            self.module.defines.insert(after);
        }
        if after != "::" || before == "::" || before == "." {
            return at + 1;
        }
        let mut path = vec![word];
        let mut end = at + 1;
        while let [(_, "::"), (_, next), ..] = tokens[end..] {
            if !is_name(next) {
                break;
            }
            path.push(next);
            end += 2;
        }
        if let Some(path) = self.path_from_root(&path) {
            self.module.paths.push((line, path));
        }
        end
    }

    /// Reads a tree of imports up to its `;`, `,` or `}`.
    fn read_use(
        &mut self,
        tokens: &[Token<'t>],
        mut at: usize,
        mut path: Vec<&'t str>,
        is_public: bool,
    ) -> usize {
        let mut alias = None;
        while let Some((line, token)) = tokens.get(at) {
            match *token {
                "::" => {}
                "{" => {
                    at += 1;
                    while !matches!(tokens.get(at), None | Some((_, "}"))) {
                        at = self.read_use(tokens, at, path.clone(), is_public);
                        // What is no tree of imports must not hold us up.
                        at += usize::from(!matches!(tokens.get(at), Some((_, "}"))));
                    }
                    return at + 1;
                }
                ";" | "," | "}" => {
                    self.import(*line, path, alias, is_public);
                    return at;
                }
                "as" => {
                    alias = tokens.get(at + 1).map(|(_, name)| *name);
                    at += 1;
                }
                name => path.push(name),
            }
            at += 1;
        }
        at
    }

    fn import(
        &mut self,
        line: usize,
        mut path: Vec<&'t str>,
        alias: Option<&'t str>,
        public: bool,
    ) {
        if path.len() > 1 && path.last() == Some(&"self") {
            path.pop();
        }
        let Some(last) = path.last() else {
            return;
        };
        let name = alias.unwrap_or(last);
        let from_root = self.path_from_root(&path);
        if let Some(path) = from_root.clone().filter(|_| !public) {
            self.module.paths.push((line, path));
        }
        let mut target = from_root.unwrap_or_default();
        if name == "*" {
            target.pop();
            if target.is_empty() {
                return;
            }
        }
        self.module.aliases.push((name, target));
    }

    /// A path as seen from the root, where it begins in this crate.
    fn path_from_root(&self, path: &[&str]) -> Option<Vec<String>> {
        let (first, mut rest) = path.split_first()?;
        let mut base = self.here.clone();
        match *first {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                base.pop();
                while let Some(("super" | "self", after)) = rest.split_first().map(|(f, r)| (*f, r))
                {
                    base.pop();
                    rest = after;
                }
            }
            child => {
                base.push(child);
                self.modules.get(&base.join("::"))?;
            }
        }
        let whole = base.iter().chain(rest);
        let whole: Vec<String> = whole.map(|part| (*part).to_owned()).collect();
        (!whole.is_empty()).then_some(whole)
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether `pub`, or `pub(…)`, stands at the end.
fn is_public(before: &[Token]) -> bool {
    matches!(
        before,
        [.., (_, "pub")] | [.., (_, "pub"), (_, "("), _, (_, ")")]
    )
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut line = 1;
    for piece in pieces(text) {
        if matches!(piece.kind, Kind::Word | Kind::Mark) {
            tokens.push((line, piece.text));
        }
        line += piece.text.matches('\n').count();
    }
    tokens
}

/// The tokens without items that are compiled for tests only.
fn without_tests<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let texts: Vec<&str> = tokens[at..].iter().take(7).map(|(_, text)| *text).collect();
        if texts == ["#", "[", "cfg", "(", "test", ")", "]"] {
            at += 7 + item_length(&tokens[at + 7..]);
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

/// How many tokens the item at the beginning has: up to its `;` or body.
fn item_length(tokens: &[Token]) -> usize {
    let mut depth = 0;
    for (at, (_, token)) in tokens.iter().enumerate() {
        match *token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && (*token == ";" || *token == "}") {
            return at + 1;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let mut places = Vec::new();
        for problem in no_module_cycles(&Tree::of(files)) {
            let file = problem.path.rsplit('/').next().unwrap_or_default();
            places.push((file.to_owned(), problem.line));
        }
        places
    }

    #[test]
    fn modules_that_use_each_other_are_found() {
        let cases: [(&str, &str, bool); 9] = [
            ("use crate::b::B;", "use crate::a::A;", true),
            ("use crate::b::B;", "use super::{c, a::{A}};", true),
            ("fn f() { crate::b::g() }", "fn g() { super::a::f() }", true),
            ("use crate::b::B;", "use crate::c::C;", false),
            (
                "use crate::b::B;",
                "#[cfg(test)]\nmod tests { use crate::a::A; }",
                false,
            ),
            (
                "use crate::b::B;",
                "// crate::a::A\nfn f() { g(\"crate::a::A\") }",
                false,
            ),
            // lib.rs passes A and C on.
            ("use crate::b::B;", "use crate::A;", true),
            ("use crate::b::B;", "use crate::C;", false),
            ("use crate::b::B;", "use crate::Outside;", false),
        ];
        for (a, b, want) in cases {
            let lib = "mod a;\nmod b;\nmod c;\npub use a::A;\npub use c::{C, D as E};\n\
                       pub use std::Outside;\nfn f() { b::g() }\n";
            let files = [
                ("crates/x/src/lib.rs", lib),
                ("crates/x/src/a.rs", a),
                ("crates/x/src/b.rs", b),
                ("crates/x/src/c.rs", "pub struct C;"),
            ];
            let places = found(&files);
            let both = [("a.rs".to_owned(), 1), ("b.rs".to_owned(), 1)];
            assert_eq!(places, if want { &both[..] } else { &[] }, "{a} / {b}");
        }
    }

    #[test]
    fn a_parent_may_share_with_its_children() {
        for (child, want) in [
            ("use super::Shared;\n", 0),
            ("use crate::user::User;\n", 3),
            ("use crate::user::User;\nuse super::Shared;\n", 3),
        ] {
            let parent = "mod child;\npub struct Shared;\nfn f() {\n    child::g()\n}\n";
            let files = [
                ("crates/x/src/lib.rs", "mod parent;\nmod user;\n"),
                ("crates/x/src/parent/mod.rs", parent),
                ("crates/x/src/parent/child.rs", child),
                (
                    "crates/x/src/user.rs",
                    "use crate::parent::Shared;\npub struct User;\n",
                ),
            ];
            assert_eq!(found(&files).len(), want, "{child}");
        }
    }
}
