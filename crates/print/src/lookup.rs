//! Answers about structure: definitions, references and dependencies.

use crate::{SCHEMA_VERSION, shortened};
use scent_types::{
    Affected, Defined, Definitions, Dependencies, Dependency, Impact, References, Used,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Any answer about structure as JSON, on one line.
pub fn lookup_json<T: Serialize>(answer: &T) -> String {
    #[derive(Serialize)]
    struct Versioned<'a, T> {
        schema: u32,
        #[serde(flatten)]
        answer: &'a T,
    }
    let versioned = Versioned { schema: SCHEMA_VERSION, answer };
    serde_json::to_string(&versioned).expect("plain values can be written") + "\n"
}

/// Where a name is defined, one line each.
pub fn definitions(found: &Definitions) -> String {
    found.definitions.iter().map(defined).collect()
}

fn defined(found: &Defined) -> String {
    let Defined { path, line, kind, qualified, text, .. } = found;
    format!("{path}:{line}  {kind} {qualified}\n    {}\n", shortened(text).0)
}

/// Who uses a name, file by file.
pub fn references(found: &References) -> String {
    let mut out = String::new();
    for Defined { path, line, kind, qualified, .. } in &found.definitions {
        let _ = writeln!(out, "{path}:{line}  {kind} {qualified} (defined here)");
    }
    for uses in found.uses.chunk_by(|a, b| a.path == b.path) {
        let test = if uses[0].test { "  (test)" } else { "" };
        let _ = writeln!(out, "{}{test}", uses[0].path);
        uses.iter().for_each(|used| out += &use_line(used));
    }
    out
}

fn use_line(used: &Used) -> String {
    let role = used.role.map_or("mention", |role| role.as_str());
    let within = if used.within.is_empty() { "" } else { "  in " };
    let doubt = match (used.role, used.candidates) {
        (None, _) | (_, 0) => String::new(),
        (_, 1) => format!("  [{}]", used.reason),
        (_, many) => format!("  [{}: {many}]", used.reason),
    };
    format!(
        "{:>7}  {role:<8} {}{within}{}{doubt}\n",
        used.line,
        shortened(&used.text).0,
        used.within
    )
}

/// What files depend on or what depends on them, one line each.
pub fn dependencies(found: &Dependencies, reverse: bool) -> String {
    found.dependencies.iter().map(|dependency| depends(dependency, reverse)).collect()
}

fn depends(dependency: &Dependency, reverse: bool) -> String {
    let Dependency { from, line, module, to, depth } = dependency;
    let indent = "  ".repeat(*depth as usize - 1);
    match (reverse, to.is_empty()) {
        (true, _) => format!("{indent}{from}:{line}  {module}\n"),
        (false, true) => format!("{indent}{from}:{line}  {module}  (from outside)\n"),
        (false, false) => format!("{indent}{from}:{line}  {module} -> {}\n", to.join(", ")),
    }
}

/// What a change may break, the nearest first; where that is too much, by
/// folder.
pub fn impact(found: &Impact) -> String {
    let mut out = String::new();
    for Affected { path, line, name, .. } in &found.changed {
        let _ = writeln!(out, "{path}:{line}  {name} (changed)");
    }
    found.affected.iter().for_each(|place| out += &affected(place));
    for folder in &found.folders {
        let _ = writeln!(out, "{:>7}  {}/", folder.count, folder.path);
    }
    out
}

fn affected(place: &Affected) -> String {
    let Affected { path, line, name, via, reason, confidence, depth, test } = place;
    let name = if name.is_empty() { "the file" } else { name };
    let test = if *test { "  (test)" } else { "" };
    let via = via.join(" < ");
    format!("{depth:>3}  {path}:{line}  {name} < {via}  [{reason}, {confidence:.2}]{test}\n")
}

/// How one symbol comes to use another, step by step.
pub fn way(steps: &[Affected]) -> String {
    let step = |step: &Affected| format!("{}:{}  {}\n", step.path, step.line, step.name);
    steps.iter().map(step).collect()
}

/// Dependencies as edges between files.
fn file_edges(found: &Dependencies) -> BTreeSet<(String, String)> {
    let edges = found.dependencies.iter();
    edges.flat_map(|d| d.to.iter().map(|to| (d.from.clone(), to.clone()))).collect()
}

/// An impact as edges from what uses to what is used.
fn symbol_edges(found: &Impact) -> BTreeSet<(String, String)> {
    let named = |place: &Affected| match place.name.as_str() {
        "" => place.path.clone(),
        name => name.to_owned(),
    };
    let edge = |place: &Affected| Some((named(place), place.via.first()?.clone()));
    found.affected.iter().filter_map(edge).collect()
}

fn dot(edges: &BTreeSet<(String, String)>) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let edge = |(from, to): &(String, String)| format!("  {} -> {};\n", quoted(from), quoted(to));
    format!("digraph scent {{\n{}}}\n", edges.iter().map(edge).collect::<String>())
}

fn mermaid(edges: &BTreeSet<(String, String)>) -> String {
    let names: BTreeSet<&String> = edges.iter().flat_map(|(from, to)| [from, to]).collect();
    let names: Vec<&String> = names.into_iter().collect();
    let id = |name: &String| names.binary_search(&name).unwrap_or_default();
    let mut out = "graph LR\n".to_owned();
    for (nth, name) in names.iter().enumerate() {
        let _ = writeln!(out, "  n{nth}[\"{}\"]", name.replace('"', "#quot;"));
    }
    for (from, to) in edges {
        let _ = writeln!(out, "  n{} --> n{}", id(from), id(to));
    }
    out
}

/// Dependencies as a graph for Graphviz.
pub fn dependencies_dot(found: &Dependencies) -> String {
    dot(&file_edges(found))
}

/// Dependencies as a graph for Mermaid.
pub fn dependencies_mermaid(found: &Dependencies) -> String {
    mermaid(&file_edges(found))
}

/// An impact as a graph for Graphviz.
pub fn impact_dot(found: &Impact) -> String {
    dot(&symbol_edges(found))
}

/// An impact as a graph for Mermaid.
pub fn impact_mermaid(found: &Impact) -> String {
    mermaid(&symbol_edges(found))
}
