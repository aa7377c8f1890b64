//! Answers about structure: definitions, references and dependencies.

use crate::{SCHEMA_VERSION, Text, shortened, tokens};
use scent_types::{
    Affected, Defined, Definitions, Dependencies, Dependency, FileOutline, Folder, Impact,
    References, Signature, Used, Visibility, Way,
};
use serde::Serialize;
use std::collections::BTreeSet;

/// An answer about structure.
pub trait Answer: Serialize {
    /// The answer for people.
    fn text(&self) -> Text;

    /// Leaves what a budget has room for.
    fn cut(&mut self, budget: &mut Budget);

    /// How many results there are still, and how many there were.
    fn counts(&self) -> (usize, usize);

    /// The answer as JSON, with a line end. `rest` is the command that shows
    /// what was cut.
    fn json(&self, rest: Option<&str>) -> Text {
        json_line(self, rest)
    }
}

fn json_line<T: Serialize + ?Sized>(answer: &T, rest: Option<&str>) -> Text {
    #[derive(Serialize)]
    struct Versioned<'a, T: ?Sized> {
        schema: u32,
        #[serde(flatten)]
        answer: &'a T,
        #[serde(skip_serializing_if = "Option::is_none")]
        rest: Option<&'a str>,
    }
    Text::json(&Versioned {
        schema: SCHEMA_VERSION,
        answer,
        rest,
    })
}

/// How much of an answer may be written.
#[derive(Debug)]
pub struct Budget {
    left: usize,
    json: bool,
    is_empty: bool,
}

impl Budget {
    /// About so many tokens, for JSON or for people.
    pub fn new(tokens: usize, json: bool) -> Budget {
        Budget {
            left: tokens,
            json,
            is_empty: true,
        }
    }

    /// Leaves of a list what there is room for. The first of all is always left,
    /// since an empty answer helps nobody.
    fn keep<T: Serialize>(&mut self, items: &mut Vec<T>, mut text: impl FnMut(&T) -> Text) {
        let mut fits = |item: &T| {
            let written = if self.json {
                Text::json(item)
            } else {
                text(item)
            };
            let tokens = tokens(written.as_str().trim_end());
            let fits = tokens <= self.left || self.is_empty;
            self.is_empty = false;
            self.left = self.left.saturating_sub(tokens);
            fits
        };
        let kept = items.iter().take_while(|item| fits(item)).count();
        if kept < items.len() {
            self.left = 0;
        }
        items.truncate(kept);
    }
}

impl Answer for Definitions {
    fn text(&self) -> Text {
        self.definitions.iter().map(defined).collect()
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.definitions, defined);
    }

    fn counts(&self) -> (usize, usize) {
        (self.definitions.len(), self.total)
    }
}

impl Answer for References {
    fn text(&self) -> Text {
        let mut out: Text = self.definitions.iter().map(defined_here).collect();
        for uses in self.uses.chunk_by(|a, b| a.path == b.path) {
            out += using_file(&uses[0]);
            uses.iter().for_each(|used| out += use_line(used));
        }
        out
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.definitions, defined_here);
        let mut file = String::new();
        budget.keep(&mut self.uses, |used| {
            let is_same = std::mem::replace(&mut file, used.path.clone()) == used.path;
            let heading = if is_same {
                Text::default()
            } else {
                using_file(used)
            };
            heading + use_line(used)
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.uses.len(), self.total)
    }
}

impl Answer for Dependencies {
    fn text(&self) -> Text {
        self.dependencies
            .iter()
            .map(|dependency| depends(dependency, self.reverse))
            .collect()
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.of, |_| Text::default());
        budget.keep(&mut self.dependencies, |dependency| {
            depends(dependency, self.reverse)
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.dependencies.len(), self.total)
    }
}

impl Answer for Impact {
    fn text(&self) -> Text {
        let changed = self.changed.iter().map(changed);
        let affected = self.affected.iter().map(affected);
        changed
            .chain(affected)
            .chain(self.folders.iter().map(folder))
            .collect()
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.changed, changed);
        budget.keep(&mut self.affected, affected);
        budget.keep(&mut self.folders, folder);
    }

    fn counts(&self) -> (usize, usize) {
        (self.affected.len(), self.total)
    }
}

impl Answer for Way {
    fn text(&self) -> Text {
        self.path.iter().map(step).collect()
    }

    fn cut(&mut self, budget: &mut Budget) {
        budget.keep(&mut self.path, step);
    }

    fn counts(&self) -> (usize, usize) {
        (self.path.len(), self.total)
    }
}

/// Several files, one after the other.
impl Answer for Vec<FileOutline> {
    fn text(&self) -> Text {
        let file = |file: &FileOutline| {
            let symbols: Text = file.symbols.iter().map(signature).collect();
            outlined(file) + symbols
        };
        self.iter().map(file).collect()
    }

    fn cut(&mut self, budget: &mut Budget) {
        for file in self {
            let mut heading = Some(outlined(file));
            let mut line = |s: &Signature| heading.take().unwrap_or_default() + signature(s);
            budget.keep(&mut file.symbols, &mut line);
        }
    }

    fn counts(&self) -> (usize, usize) {
        let sum = |count: fn(&FileOutline) -> usize| self.iter().map(count).sum();
        (sum(|file| file.symbols.len()), sum(|file| file.total))
    }

    fn json(&self, rest: Option<&str>) -> Text {
        #[derive(Serialize)]
        struct Outline<'a> {
            files: &'a [FileOutline],
            total: usize,
        }
        json_line(
            &Outline {
                files: self,
                total: self.counts().1,
            },
            rest,
        )
    }
}

/// What is said of a file that was not parsed cleanly.
fn mark(parse_errors: bool) -> &'static str {
    if parse_errors { "  (parse errors)" } else { "" }
}

fn defined(found: &Defined) -> Text {
    let Defined {
        path,
        line,
        kind,
        qualified,
        text,
        parse_errors,
        ..
    } = found;
    let (name, mark) = (shortened(qualified), mark(*parse_errors));
    Text::line(&format!("{path}:{line}  {kind} {name}{mark}"))
        + Text::line(&format!("    {}", shortened(text)))
}

fn defined_here(found: &Defined) -> Text {
    let Defined {
        path,
        line,
        kind,
        qualified,
        parse_errors,
        ..
    } = found;
    let (name, mark) = (shortened(qualified), mark(*parse_errors));
    Text::line(&format!(
        "{path}:{line}  {kind} {name} (defined here){mark}"
    ))
}

/// The line above the uses of a file.
fn using_file(used: &Used) -> Text {
    let test = if used.test { "  (test)" } else { "" };
    Text::line(&format!("{}{test}{}", used.path, mark(used.parse_errors)))
}

fn use_line(used: &Used) -> Text {
    let role = used.role.map_or("mention", |role| role.as_str());
    let within = if used.within.is_empty() { "" } else { "  in " };
    let doubt = match (used.role, used.candidates) {
        (None, _) | (_, 0) => String::new(),
        (_, 1) => format!("  [{}]", used.reason),
        (_, many) => format!("  [{}: {many}]", used.reason),
    };
    let (text, inside) = (shortened(&used.text), shortened(&used.within));
    Text::line(&format!(
        "{:>7}  {role:<8} {text}{within}{inside}{doubt}",
        used.line
    ))
}

fn depends(dependency: &Dependency, reverse: bool) -> Text {
    let Dependency {
        from,
        line,
        module,
        to,
        depth,
        parse_errors,
    } = dependency;
    let indent = "  ".repeat(*depth as usize - 1);
    let to = match (reverse, to.is_empty()) {
        (true, _) => String::new(),
        (false, true) => "  (from outside)".to_owned(),
        (false, false) => format!(" -> {}", to.join(", ")),
    };
    let (module, mark) = (shortened(module), mark(*parse_errors));
    Text::line(&format!("{indent}{from}:{line}  {module}{to}{mark}"))
}

fn changed(place: &Affected) -> Text {
    let Affected {
        path,
        line,
        name,
        parse_errors,
        ..
    } = place;
    Text::line(&format!(
        "{path}:{line}  {} (changed){}",
        shortened(name),
        mark(*parse_errors)
    ))
}

fn folder(folder: &Folder) -> Text {
    Text::line(&format!("{:>7}  {}/", folder.count, folder.path))
}

fn affected(place: &Affected) -> Text {
    let Affected {
        path,
        line,
        name,
        via,
        reason,
        confidence,
        depth,
        test,
        parse_errors,
    } = place;
    let name = if name.is_empty() { "the file" } else { name };
    let test = if *test { "  (test)" } else { "" };
    let via: Vec<_> = via.iter().map(|name| shortened(name)).collect();
    let (name, via, mark) = (shortened(name), via.join(" < "), mark(*parse_errors));
    let how = format!("[{reason}, {confidence:.2}]");
    Text::line(&format!(
        "{depth:>3}  {path}:{line}  {name} < {via}  {how}{test}{mark}"
    ))
}

/// A step from one symbol to another that it uses.
fn step(step: &Affected) -> Text {
    Text::line(&format!(
        "{}:{}  {}",
        step.path,
        step.line,
        shortened(&step.name)
    ))
}

/// Who may use something, as it is drawn in diagrams of classes.
fn sign(visibility: Option<Visibility>) -> char {
    match visibility {
        Some(Visibility::Public) => '+',
        Some(Visibility::Protected) => '#',
        Some(Visibility::Internal) => '~',
        Some(Visibility::Private) => '-',
        None => ' ',
    }
}

/// The line above what a file defines.
fn outlined(file: &FileOutline) -> Text {
    Text::line(&format!("{}{}", file.path, mark(file.parse_errors)))
}

fn signature(symbol: &Signature) -> Text {
    let Signature {
        name,
        qualified,
        signature,
        doc,
        start_line,
        end_line,
        ..
    } = symbol;
    let sign = sign(symbol.visibility);
    let indent = "  ".repeat(qualified.matches(['.', ':', '#']).count().min(4));
    let signature = shortened(if signature.is_empty() {
        name
    } else {
        signature
    });
    let doc = if doc.is_empty() {
        String::new()
    } else {
        format!("  — {}", shortened(doc))
    };
    let lines = format!("{start_line}-{end_line}");
    Text::line(&format!("{lines:>11} {sign} {indent}{signature}{doc}"))
}

/// Dependencies as edges between files.
fn file_edges(found: &Dependencies) -> BTreeSet<(String, String)> {
    let edges = found.dependencies.iter();
    edges
        .flat_map(|d| d.to.iter().map(|to| (d.from.clone(), to.clone())))
        .collect()
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

fn dot(edges: &BTreeSet<(String, String)>) -> Text {
    let edge = |(from, to): &(String, String)| {
        Text::line(&format!("  {} -> {};", dot_name(from), dot_name(to)))
    };
    Text::line("digraph scent {") + edges.iter().map(edge).collect() + Text::line("}")
}

/// A name within quotes. What is written out for it, as `\u{1b}`, must not be
/// an escape of Graphviz, so that is done first.
fn dot_name(name: &str) -> String {
    let shown = Text::span(name);
    format!(
        "\"{}\"",
        shown.as_str().replace('\\', "\\\\").replace('"', "\\\"")
    )
}

fn mermaid(edges: &BTreeSet<(String, String)>) -> Text {
    let names: BTreeSet<&String> = edges.iter().flat_map(|(from, to)| [from, to]).collect();
    let names: Vec<&String> = names.into_iter().collect();
    let id = |name: &String| names.binary_search(&name).unwrap_or_default();
    let node = |(nth, name): (usize, &&String)| {
        Text::line(&format!("  n{nth}[\"{}\"]", mermaid_name(name)))
    };
    let edge =
        |(from, to): &(String, String)| Text::line(&format!("  n{} --> n{}", id(from), id(to)));
    let nodes: Text = names.iter().enumerate().map(node).collect();
    Text::line("graph LR") + nodes + edges.iter().map(edge).collect()
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

/// Dependencies as a graph for Graphviz.
pub fn dependencies_dot(found: &Dependencies) -> Text {
    dot(&file_edges(found))
}

/// Dependencies as a graph for Mermaid.
pub fn dependencies_mermaid(found: &Dependencies) -> Text {
    mermaid(&file_edges(found))
}

/// An impact as a graph for Graphviz.
pub fn impact_dot(found: &Impact) -> Text {
    dot(&symbol_edges(found))
}

/// An impact as a graph for Mermaid.
pub fn impact_mermaid(found: &Impact) -> Text {
    mermaid(&symbol_edges(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_cuts_a_list_and_what_comes_after_it() {
        let lists = |tokens: usize| {
            let (mut first, mut second) = (vec!["aaaaaaaa"; 3], vec!["bbbb"; 3]);
            let mut budget = Budget::new(tokens, false);
            budget.keep(&mut first, |text| Text::from(*text));
            budget.keep(&mut second, |text| Text::from(*text));
            (first.len(), second.len())
        };
        for (tokens, want) in [
            (0, (1, 0)),
            (5, (2, 0)),
            (6, (3, 0)),
            (8, (3, 2)),
            (99, (3, 3)),
        ] {
            assert_eq!(lists(tokens), want, "{tokens}");
        }
    }

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
