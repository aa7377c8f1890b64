//! Rules about Markdown: fences close and say what is in them, links lead
//! somewhere.

use super::Problem;
use super::tree::{File, LANGUAGES, Tree};
use std::collections::{BTreeSet, HashMap};

/// A block without a language cannot be told from the gap between two blocks,
/// so a lost fence would turn the rest of the page inside out unnoticed.
pub(super) fn fences_are_closed(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in pages(tree) {
        for line in page(&file.text) {
            if let Line::Opens { number, info: "" } = line {
                let message = "say what is in this code block: console, rust, text, …";
                problems.push(Problem::new(&file.path, number, message));
            }
        }
        if let Some(number) = unclosed(&file.text) {
            let message = "this code block is never closed";
            problems.push(Problem::new(&file.path, number, message));
        }
    }
    problems
}

/// Every link names a file of the repository, and a heading that is there.
pub(super) fn links_lead_somewhere(tree: &Tree) -> Vec<Problem> {
    let paths: BTreeSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    let mut anchors: HashMap<&str, BTreeSet<String>> = HashMap::new();
    for file in pages(tree) {
        anchors.insert(&file.path, anchors_of(&file.text));
    }
    let mut problems = Vec::new();
    for file in pages(tree) {
        for line in page(&file.text) {
            let Line::Prose { number, text } = line else {
                continue;
            };
            for target in targets(&without_code(text)) {
                if let Some(message) = broken(&file.path, &target, &paths, &anchors) {
                    problems.push(Problem::new(&file.path, number, message));
                }
            }
        }
    }
    problems
}

/// The Markdown files that are pages of ours, not examples of the language.
fn pages(tree: &Tree) -> impl Iterator<Item = &File> {
    tree.files
        .iter()
        .filter(|file| file.path.ends_with(".md") && !file.path.starts_with(LANGUAGES))
}

/// A line of a page, by what it is to a reader.
enum Line<'p> {
    Prose {
        number: usize,
        text: &'p str,
    },
    /// A code block begins, with what its fence says of it.
    Opens {
        number: usize,
        info: &'p str,
    },
    /// A line of a code block, or its last fence.
    Code,
}

fn page(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut open: Option<&str> = None;
    (1..).zip(text.lines()).map(move |(number, text)| {
        let fence = fence_of(text);
        if let Some(opened) = open {
            if fence.is_some_and(|(marks, info)| closes(opened, marks, info)) {
                open = None;
            }
            return Line::Code;
        }
        let Some((marks, info)) = fence else {
            return Line::Prose { number, text };
        };
        open = Some(marks);
        Line::Opens { number, info }
    })
}

/// The line of the last fence, if what it opens stays open.
fn unclosed(text: &str) -> Option<usize> {
    let mut open: Option<(usize, &str)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let Some((marks, info)) = fence_of(line) else {
            continue;
        };
        match open {
            None => open = Some((number, marks)),
            Some((_, opened)) if closes(opened, marks, info) => open = None,
            Some(_) => {}
        }
    }
    open.map(|(number, _)| number)
}

/// The marks of a fence and what stands after them. Fences may be indented, as
/// in a list.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|mark| "`~".contains(*mark))?;
    let info = line.trim_start_matches(mark);
    let marks = &line[..line.len() - info.len()];
    let is_inline = mark == '`' && info.contains('`');
    (marks.len() >= 3 && !is_inline).then_some((marks, info.trim()))
}

fn closes(opened: &str, marks: &str, info: &str) -> bool {
    info.is_empty() && marks.starts_with(opened)
}

/// What is wrong with the target of a link, if something is.
fn broken(
    page: &str,
    target: &str,
    paths: &BTreeSet<&str>,
    anchors: &HashMap<&str, BTreeSet<String>>,
) -> Option<String> {
    if ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| target.starts_with(scheme))
    {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match path {
        "" => page.to_owned(),
        path => resolve(page, path)?,
    };
    let folder = format!("{path}/");
    let in_folder = paths.range(folder.as_str()..).next();
    if !paths.contains(path.as_str()) && !in_folder.is_some_and(|p| p.starts_with(&folder)) {
        return Some(format!("no such file: {target}"));
    }
    let headings = anchors.get(path.as_str());
    if !anchor.is_empty() && !headings.is_some_and(|headings| headings.contains(anchor)) {
        return Some(format!("no such heading: {target}"));
    }
    None
}

/// The path from the root that a relative path means, `None` for the root.
fn resolve(page: &str, path: &str) -> Option<String> {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Where the links in a line lead: `[text](target "title")`, `[label]: target`.
fn targets(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("](") {
        let inside = parenthesized(&line[at + 2..]);
        found.extend(first_word(inside));
    }
    let label = line.trim_start().strip_prefix('[');
    if let Some((_, target)) = label.and_then(|label| label.split_once("]: ")) {
        found.extend(first_word(target));
    }
    found
}

fn first_word(text: &str) -> Option<String> {
    let word = text.split_whitespace().next()?;
    Some(word.trim_matches(['<', '>']).to_owned())
}

/// The text up to the parenthesis that closes the one before it.
fn parenthesized(text: &str) -> &str {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    let mut prose = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let after = rest[at..].trim_start_matches('`');
        let marks = &rest[at..rest.len() - after.len()];
        let Some(end) = after.find(marks) else {
            break;
        };
        prose.push_str(&rest[..at]);
        rest = &after[end + marks.len()..];
    }
    prose + rest
}

/// The anchors that a page's headings get, as GitHub makes them.
fn anchors_of(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in page(text) {
        let Line::Prose { text, .. } = line else {
            continue;
        };
        let Some(heading) = heading_of(text) else {
            continue;
        };
        let anchor = anchor_of(heading);
        let mut numbered = anchor.clone();
        let mut times = 0;
        while !anchors.insert(numbered.clone()) {
            times += 1;
            numbered = format!("{anchor}-{times}");
        }
    }
    anchors
}

fn heading_of(line: &str) -> Option<&str> {
    let heading = line.trim_start_matches('#');
    let level = line.len() - heading.len();
    let is_heading = (1..=6).contains(&level) && heading.starts_with(' ');
    is_heading.then(|| heading.trim().trim_end_matches('#').trim_end())
}

/// Letters, digits, `-` and `_` stay, blanks become `-`. Of a link its text
/// counts.
fn anchor_of(heading: &str) -> String {
    let mut anchor = String::new();
    let mut rest = heading;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            ' ' => anchor.push('-'),
            '-' | '_' => anchor.push(c),
            ']' if rest.starts_with('(') => rest = &rest[parenthesized(&rest[1..]).len() + 1..],
            _ if c.is_alphanumeric() => anchor.extend(c.to_lowercase()),
            _ => {}
        }
    }
    anchor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(problems: &[Problem]) -> Vec<usize> {
        problems.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn open_and_unnamed_fences_are_found() {
        let cases: [(&str, &[usize]); 9] = [
            ("a\n```sh\nb\n```\n", &[]),
            ("```sh\na\n", &[1]),
            ("```\na\n```\n", &[1]),
            // A heading and a fence were lost: the next block is read as text.
            ("```sh\na\n\n```sh\nb\n```\nc\n```\n", &[8, 8]),
            ("~~~text\n```\n~~~\n", &[]),
            ("````text\n```\n````\n", &[]),
            ("````text\n```\n", &[1]),
            ("- a\n\n  ```sh\n  b\n  ```\n", &[]),
            ("```a``` b\n", &[]),
        ];
        for (text, want) in cases {
            let found = fences_are_closed(&Tree::of(&[("a.md", text)]));
            assert_eq!(lines(&found), want, "{text:?}");
        }
        let example = format!("{LANGUAGES}markdown/examples/a.md");
        let found = fences_are_closed(&Tree::of(&[(&example, "```\n")]));
        assert_eq!(found, []);
    }

    #[test]
    fn links_to_nowhere_are_found() {
        let cases: [(&str, &[usize]); 14] = [
            ("[a](README.md) [b](../README.md)", &[1]),
            ("[a](https://example.com/x#y)", &[]),
            ("[a](#two-words) [b](#two)", &[1]),
            ("[a](page.md#two-words \"title\")", &[]),
            ("[a](other.md#its-own) [b](other.md#no)", &[1]),
            ("[a](other.md#its-own-1)", &[]),
            ("\n![a](no.svg)", &[2]),
            ("[a](src) [b](src/) [c](sr)", &[1]),
            ("[a](src/lib.rs#L3)", &[1]),
            ("`[a](no.md)` [b](no.md)", &[1]),
            ("```text\n[a](no.md)\n```", &[]),
            ("[label]: no.md", &[1]),
            ("[a](<no.md>) f(x)[0](y)", &[1, 1]),
            ("[a](other.md#code-and-link)", &[]),
        ];
        for (text, want) in cases {
            let page = format!("{text}\n## Two words\n");
            let other = "# Its own\n# Its own\n# `code` and [link](page.md)\n";
            let files = [
                ("docs/page.md", page.as_str()),
                ("docs/other.md", other),
                ("docs/src/lib.rs", ""),
                ("README.md", ""),
            ];
            let found = links_lead_somewhere(&Tree::of(&files));
            assert_eq!(lines(&found), want, "{text}");
        }
    }
}
