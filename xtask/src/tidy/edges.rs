//! Which crate may know which. The list of crates is the flow of the data, and
//! an edge that runs against it is how a pipeline turns into a knot.

use super::Problem;
use super::tree::{File, Tree};
use std::collections::{BTreeMap, BTreeSet};
use toml::de::{DeTable, DeValue};

/// The allowed edges, as in ARCHITECTURE.md.
const ALLOWED: [(&str, &[&str]); 16] = [
    ("types", &[]),
    ("words", &[]),
    ("syntax", &["types"]),
    ("model", &[]),
    ("embed", &["types", "words", "model"]),
    ("index", &["types", "words"]),
    ("graph", &["types", "words", "index"]),
    ("search", &["types", "words", "index", "embed"]),
    (
        "engine",
        &[
            "types", "words", "syntax", "embed", "index", "graph", "search",
        ],
    ),
    ("print", &["types"]),
    ("agents", &[]),
    ("serve", &["types", "engine", "print"]),
    ("cli", &["types", "engine", "print", "agents", "serve"]),
    ("eval", &["types", "engine"]),
    (
        "fuzz",
        &[
            "types", "words", "syntax", "embed", "index", "search", "engine", "cli",
        ],
    ),
    ("xtask", &[]),
];

/// The one crate that may be asynchronous.
pub(super) const ASYNC_CRATE: &str = "serve";

/// Crates that bring a runtime with them.
const RUNTIMES: [&str; 4] = ["tokio", "async-std", "smol", "futures"];

/// Outside crates with their owners among ours, by the beginning of their names.
const OWNED: [(&str, &[&str]); 15] = [
    ("tree-sitter", &["syntax"]),
    ("tantivy", &["index"]),
    ("ignore", &["engine"]),
    ("clap", &["cli", "eval"]),
    ("ureq", &["embed"]),
    ("ort", &["embed"]),
    ("tokenizers", &["embed"]),
    ("axum", &["serve"]),
    ("hyper", &["serve"]),
    ("rmcp", &["serve"]),
    ("notify", &["serve"]),
    ("lsp", &["serve"]),
    ("tower", &["serve"]),
    ("tracing", &["serve"]),
    ("utoipa", &["print", "serve"]),
];

/// A dependency as a manifest states it.
struct Dependency {
    /// The name of the package.
    package: String,
    line: usize,
    for_tests: bool,
}

impl Dependency {
    /// The crate of this workspace that it names, if it is one.
    fn ours(&self) -> Option<&str> {
        let name = self.package.strip_prefix("scent-");
        name.or((self.package == "xtask").then_some("xtask"))
    }
}

/// A crate depends on those of ours that the table names, and on no other.
pub(super) fn allowed_edges(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, manifest) in tree.manifests() {
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            let advice = "a new crate needs a line in xtask/src/tidy/edges.rs and ARCHITECTURE.md";
            problems.push(Problem::new(&manifest.path, 1, advice));
            continue;
        };
        problems.extend(wrong_package_name(name, manifest));
        let dependencies = match dependencies(manifest) {
            Ok(dependencies) => dependencies,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        for dependency in dependencies.iter().filter(|d| !d.for_tests) {
            let Some(other) = dependency.ours().filter(|other| !allowed.contains(other)) else {
                continue;
            };
            let message = format!("{name} may not depend on {other}");
            problems.push(Problem::new(&manifest.path, dependency.line, message));
        }
    }
    problems
}

/// Tests may use a crate from further up, unless that one is built from this.
pub(super) fn no_cycles(tree: &Tree) -> Vec<Problem> {
    let mut edges: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut for_tests = Vec::new();
    for (name, manifest) in tree.manifests() {
        for dependency in dependencies(manifest).unwrap_or_default() {
            let Some(other) = dependency.ours() else {
                continue;
            };
            edges.entry(name).or_default().insert(other.to_owned());
            if dependency.for_tests {
                for_tests.push((name, manifest, other.to_owned(), dependency.line));
            }
        }
    }
    let closes = |name: &str, other: &str| reaches(&edges, other, name);
    let cycles = for_tests
        .iter()
        .filter(|(name, _, other, _)| closes(name, other));
    cycles
        .map(|(name, manifest, other, line)| {
            let message = format!("a cycle: the tests of {name} use {other}, which uses {name}");
            Problem::new(&manifest.path, *line, message)
        })
        .collect()
}

/// No runtime below the one crate that serves.
pub(super) fn no_async_runtime(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, manifest) in tree.manifests().filter(|(name, _)| *name != ASYNC_CRATE) {
        for dependency in dependencies(manifest).unwrap_or_default() {
            if RUNTIMES.contains(&dependency.package.as_str()) {
                let message = format!("{name} uses {}; only {ASYNC_CRATE} may", dependency.package);
                problems.push(Problem::new(&manifest.path, dependency.line, message));
            }
        }
    }
    problems
}

/// What a crate is the only one to know can be replaced by changing that crate.
pub(super) fn owned_dependencies(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, manifest) in tree.manifests() {
        for dependency in dependencies(manifest).unwrap_or_default() {
            let owner = OWNED
                .iter()
                .find(|(prefix, _)| is_of(&dependency.package, prefix));
            let Some((_, owners)) = owner.filter(|(_, owners)| !owners.contains(&name)) else {
                continue;
            };
            let owners = owners.join(" and ");
            let message = format!("{} is the business of {owners}", dependency.package);
            problems.push(Problem::new(&manifest.path, dependency.line, message));
        }
    }
    problems
}

/// `tree-sitter` and `tree-sitter-rust` are of tree-sitter.
fn is_of(package: &str, prefix: &str) -> bool {
    let rest = package.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
}

/// Whether one crate is built from another, directly or not.
pub(super) fn reaches(edges: &BTreeMap<&str, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        if seen.insert(at) {
            open.extend(edges.get(at).into_iter().flatten().map(String::as_str));
        }
    }
    false
}

/// An edge is only seen where the package is called after its folder.
fn wrong_package_name(folder: &str, manifest: &File) -> Option<Problem> {
    let want = if folder == "xtask" {
        "xtask".to_owned()
    } else {
        format!("scent-{folder}")
    };
    let table = DeTable::parse(&manifest.text).ok()?;
    let name = table.get_ref().get("package")?.get_ref().get("name")?;
    let wrong = name.get_ref().as_str() != Some(want.as_str());
    let line = line_at(&manifest.text, name.span().start);
    wrong.then(|| {
        Problem::new(
            &manifest.path,
            line,
            format!("the package is to be called {want}"),
        )
    })
}

fn dependencies(manifest: &File) -> Result<Vec<Dependency>, Problem> {
    let parsed = DeTable::parse(&manifest.text).map_err(|e| {
        let line = e
            .span()
            .map_or(1, |span| line_at(&manifest.text, span.start));
        Problem::new(&manifest.path, line, e.message())
    })?;
    let table = parsed.get_ref();
    let mut found = Vec::new();
    in_sections(table, &manifest.text, &mut found);
    let targets = table.get("target").and_then(|t| t.get_ref().as_table());
    for target in targets.into_iter().flat_map(|targets| targets.values()) {
        if let Some(table) = target.get_ref().as_table() {
            in_sections(table, &manifest.text, &mut found);
        }
    }
    Ok(found)
}

fn in_sections(table: &DeTable, text: &str, found: &mut Vec<Dependency>) {
    for section in ["dependencies", "build-dependencies", "dev-dependencies"] {
        let entries = table.get(section).and_then(|s| s.get_ref().as_table());
        for (key, value) in entries.into_iter().flatten() {
            found.push(Dependency {
                package: renamed(value.get_ref()).unwrap_or(key.get_ref()).to_owned(),
                line: line_at(text, key.span().start),
                for_tests: section == "dev-dependencies",
            });
        }
    }
}

/// `x = { package = "y" }` depends on y.
fn renamed<'v>(value: &'v DeValue) -> Option<&'v str> {
    value.as_table()?.get("package")?.get_ref().as_str()
}

fn line_at(text: &str, byte: usize) -> usize {
    text[..byte.min(text.len())].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(name: &str, rest: &str) -> String {
        format!("[package]\nname = \"scent-{name}\"\n{rest}")
    }

    fn places(problems: Vec<Problem>) -> Vec<(String, usize)> {
        problems.into_iter().map(|p| (p.path, p.line)).collect()
    }

    fn at(path: &str, line: usize) -> Vec<(String, usize)> {
        vec![(path.to_owned(), line)]
    }

    #[test]
    fn the_table_itself_has_no_cycle() {
        let edges: BTreeMap<&str, BTreeSet<String>> = ALLOWED
            .iter()
            .map(|(name, others)| (*name, others.iter().map(|o| (*o).to_owned()).collect()))
            .collect();
        for (name, others) in ALLOWED {
            assert!(
                others.iter().all(|other| !reaches(&edges, other, name)),
                "{name}"
            );
        }
    }

    #[test]
    fn an_edge_against_the_flow_is_found() {
        let path = "crates/index/Cargo.toml";
        let check = |rest: &str| {
            places(allowed_edges(&Tree::of(&[(
                path,
                manifest("index", rest).as_str(),
            )])))
        };
        assert_eq!(check("[dependencies]\nscent-types.workspace = true\n"), []);
        assert_eq!(
            check("[dependencies]\nserde = \"1\"\nscent-syntax = \"0\"\n"),
            at(path, 5)
        );
        assert_eq!(
            check("[build-dependencies]\nscent-engine = { path = \"x\" }\n"),
            at(path, 4)
        );
        assert_eq!(
            check("[target.'cfg(unix)'.dependencies]\nscent-cli = \"0\"\n"),
            at(path, 4)
        );
        assert_eq!(
            check("[dependencies]\nx = { package = \"scent-engine\", path = \"x\" }\n"),
            at(path, 4)
        );
        assert_eq!(check("[dependencies\n").len(), 1);
    }

    #[test]
    fn a_crate_outside_the_table_is_found() {
        let tree = Tree::of(&[("crates/extra/Cargo.toml", &manifest("extra", ""))]);
        assert_eq!(
            places(allowed_edges(&tree)),
            at("crates/extra/Cargo.toml", 1)
        );
        let tree = Tree::of(&[("crates/index/Cargo.toml", &manifest("store", ""))]);
        assert_eq!(
            places(allowed_edges(&tree)),
            at("crates/index/Cargo.toml", 2)
        );
    }

    #[test]
    fn tests_may_look_up_but_not_in_a_circle() {
        let dev = |other: &str| format!("[dev-dependencies]\nscent-{other} = \"0\"\n");
        let types = manifest("types", &dev("print"));
        let print = manifest("print", "[dependencies]\nscent-types = \"0\"\n");
        let tree = Tree::of(&[
            ("crates/types/Cargo.toml", types.as_str()),
            ("crates/print/Cargo.toml", print.as_str()),
        ]);
        assert_eq!(places(no_cycles(&tree)), at("crates/types/Cargo.toml", 4));
        let print = manifest("print", &dev("engine"));
        let tree = Tree::of(&[("crates/print/Cargo.toml", print.as_str())]);
        assert_eq!(places(no_cycles(&tree)), []);
    }

    #[test]
    fn a_dependency_in_the_wrong_crate_is_found() {
        let text = "[dependencies]\ntree-sitter-go = \"0\"\nignored = \"1\"\n";
        let tree = Tree::of(&[
            ("crates/index/Cargo.toml", manifest("index", text).as_str()),
            (
                "crates/syntax/Cargo.toml",
                manifest("syntax", text).as_str(),
            ),
        ]);
        assert_eq!(
            places(owned_dependencies(&tree)),
            at("crates/index/Cargo.toml", 4)
        );
    }

    #[test]
    fn a_runtime_is_found_everywhere_but_in_serve() {
        let text = "[dependencies]\ntokio = \"1\"\n";
        let tree = Tree::of(&[
            (
                "crates/engine/Cargo.toml",
                manifest("engine", text).as_str(),
            ),
            ("crates/serve/Cargo.toml", manifest("serve", text).as_str()),
        ]);
        assert_eq!(
            places(no_async_runtime(&tree)),
            at("crates/engine/Cargo.toml", 4)
        );
    }
}
