//! Dependencies and impacts as graphs for Graphviz and Mermaid.

use crate::paths::Paths;
use crate::text::Text;
use scent_types::{Affected, Dependencies, Impact};
use std::collections::BTreeSet;

/// From what uses to what is used.
type Edges = BTreeSet<(String, String)>;

/// Dependencies as a graph for Graphviz.
pub fn dependencies_dot(found: &Dependencies, paths: &Paths) -> Text {
    dot(&file_edges(found, paths))
}

/// Dependencies as a graph for Mermaid.
pub fn dependencies_mermaid(found: &Dependencies, paths: &Paths) -> Text {
    mermaid(&file_edges(found, paths))
}

/// An impact as a graph for Graphviz.
pub fn impact_dot(found: &Impact, paths: &Paths) -> Text {
    dot(&symbol_edges(found, paths))
}

/// An impact as a graph for Mermaid.
pub fn impact_mermaid(found: &Impact, paths: &Paths) -> Text {
    mermaid(&symbol_edges(found, paths))
}

fn file_edges(found: &Dependencies, paths: &Paths) -> Edges {
    let mut edges = Edges::new();
    for dependency in &found.dependencies {
        for to in &dependency.to {
            edges.insert((paths.shown(&dependency.from), paths.shown(to)));
        }
    }
    edges
}

fn symbol_edges(found: &Impact, paths: &Paths) -> Edges {
    let mut edges = Edges::new();
    for place in &found.affected {
        if let Some(used) = place.via.first() {
            edges.insert((node_name(place, paths), used.clone()));
        }
    }
    edges
}

fn node_name(place: &Affected, paths: &Paths) -> String {
    match place.name.as_str() {
        "" => paths.shown(&place.path),
        name => name.to_owned(),
    }
}

fn dot(edges: &Edges) -> Text {
    let mut out = Text::line("digraph scent {");
    for (from, to) in edges {
        out += Text::line(&format!("  {} -> {};", dot_name(from), dot_name(to)));
    }
    out + Text::line("}")
}

/// A name within quotes. What is written out for it, as `\u{1b}`, must not be
/// an escape of Graphviz, so that is done first.
fn dot_name(name: &str) -> String {
    let plain = Text::span(name);
    let escaped = plain.as_str().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

fn mermaid(edges: &Edges) -> Text {
    let names: BTreeSet<&String> = edges.iter().flat_map(|(from, to)| [from, to]).collect();
    let names: Vec<&String> = names.into_iter().collect();
    let mut out = Text::line("graph LR");
    for (nth, name) in names.iter().enumerate() {
        out += Text::line(&format!("  n{nth}[\"{}\"]", mermaid_name(name)));
    }
    let id = |name: &String| names.binary_search(&name).unwrap_or_default();
    for (from, to) in edges {
        out += Text::line(&format!("  n{} --> n{}", id(from), id(to)));
    }
    out
}

/// A name without what Mermaid reads as a quote, a tag or Markdown.
fn mermaid_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '"' | '#' | '&' | '<' | '>' | '`' => out += &format!("#{};", u32::from(c)),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_their_quotes() {
        for (name, dot, mermaid) in [
            ("a", r#""a""#, "a"),
            (r#"a"b\"#, r#""a\"b\\""#, "a#34;b\\"),
            ("a\n\x1b", r#""a\\u{a}\\u{1b}""#, "a\n\x1b"),
            ("A#b<i>", r#""A#b<i>""#, "A#35;b#60;i#62;"),
        ] {
            assert_eq!(dot_name(name), dot);
            assert_eq!(mermaid_name(name), mermaid);
        }
    }
}
