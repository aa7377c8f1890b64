//! An entry in a block mapping of a YAML file. Lines are put in and taken out;
//! the parser only says where things are and whether the text is valid.

use super::items::splice;
use super::{Edited, Entry, Refusal, block as lines, split_bom};
use crate::value::{Layout, Value, newline_of, quoted};
use saphyr_parser::{Event, Parser, Span};

/// A node with the place where it begins, in characters, and the line where it ends.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    start: usize,
    end: usize,
    /// Counted from 1.
    line: usize,
    last_line: usize,
    column: usize,
    content: Content,
}

#[derive(Debug, Clone, PartialEq)]
enum Content {
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
    Alias,
}

/// Puts an entry in, or puts the path of the program right in the one of ours.
pub(super) fn install(text: Option<&str>, entry: &Entry) -> Edited {
    let Some(whole) = text else {
        return Ok(Some(block(entry.keys, entry.name, entry.value, "\n")));
    };
    let (bom, text) = split_bom(whole);
    let newline = newline_of(text);
    let append = || {
        let block = block(entry.keys, entry.name, entry.value, newline);
        lines::append(Some(text), block.trim_end())
    };
    let edited = match (parse(text)?, entry.keys) {
        (None, _) => append(),
        (Some(root), []) => match member(&root, entry.name)? {
            Some((_, value)) if holds(value, entry.value) => text.to_owned(),
            Some(_) => return Err(Refusal::Foreign(entry.name.to_owned())),
            None => append(),
        },
        (Some(root), [key]) => match member(&root, key)? {
            Some((at, table)) => in_table(text, at, table, entry)?,
            None => append(),
        },
        _ => return Err(Refusal::Shape("it is nested too deeply".to_owned())),
    };
    let valid = parse(&edited).ok().flatten();
    match valid.map(|root| find(&root, entry.keys, entry.name)) {
        Some(Ok(Some(_))) => Ok(Some(format!("{bom}{edited}"))),
        _ => Err(Refusal::Shape("its layout is not known".to_owned())),
    }
}

/// Takes an entry of ours out, and the key above it where that is ours too.
pub(super) fn uninstall(whole: &str, keys: &[String], name: &str, value: &Value) -> Edited {
    let (bom, text) = split_bom(whole);
    let Some(root) = parse(text)? else {
        return Ok(Some(whole.to_owned()));
    };
    let Some((key, found)) = find(&root, keys, name)? else {
        return Ok(Some(whole.to_owned()));
    };
    let is_ours = value_of(&found).is_ours();
    if keys.is_empty() && value_of(&found) != *value {
        return Ok(Some(whole.to_owned()));
    }
    if !keys.is_empty() && !is_ours {
        return Err(Refusal::Foreign(name.to_owned()));
    }
    if let [above] = keys
        && let Some((at, table)) = member(&root, above)?
    {
        let is_alone = matches!(&table.content, Content::Map(members) if members.len() == 1);
        if !is_alone || key.column != OURS {
            return Ok(Some(format!(
                "{bom}{}",
                without_lines(text, key.line, found.last_line)
            )));
        }
        return Ok(cut(bom, text, at.line, found.last_line));
    }
    Ok(cut(bom, text, key.line, found.last_line))
}

/// What is there as an entry, ours or not.
pub(crate) fn entry(text: &str, keys: &[String], name: &str) -> Result<Option<Value>, Refusal> {
    let Some(root) = parse(split_bom(text).1)? else {
        return Ok(None);
    };
    let found = find(&root, keys, name)?;
    Ok(found.map(|(_, value)| value_of(&value)))
}

/// The indentation of an entry below a key that is ours. Where the key was
/// there and had no value, it is twice that.
const OURS: usize = 2;

/// The entry as lines, with the keys above it.
pub(super) fn block(keys: &[String], name: &str, value: &Value, newline: &str) -> String {
    let mut found: Vec<String> = keys.iter().map(|key| format!("{key}:")).collect();
    found.extend(entry_lines(
        name,
        value,
        if keys.is_empty() { 0 } else { OURS },
    ));
    found.push(String::new());
    found.join(newline)
}

fn entry_lines(name: &str, value: &Value, indent: usize) -> Vec<String> {
    let blanks = " ".repeat(indent);
    let Value::Object(members) = value else {
        return vec![format!("{blanks}{name}: {}", plain(value))];
    };
    let mut found = vec![format!("{blanks}{name}:")];
    let inner = " ".repeat(indent + 2);
    found.extend(
        members
            .iter()
            .map(|(key, value)| format!("{inner}{key}: {}", plain(value))),
    );
    found
}

/// A value on one line; words that YAML takes as they are stand without quotes.
fn plain(value: &Value) -> String {
    let is_plain = |text: &str| {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
        let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
            && text.chars().all(is_word)
            && !reserved.contains(&text.to_ascii_lowercase().as_str())
    };
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_inline_json(&Layout::of("")),
    }
}

/// Puts the entry into the table below `key`.
fn in_table(text: &str, key: &Node, table: &Node, entry: &Entry) -> Result<String, Refusal> {
    let unknown = || {
        Refusal::Shape(format!(
            "{:?} is not written as lines below it",
            entry.keys[0]
        ))
    };
    let newline = newline_of(text);
    let indent = match &table.content {
        Content::Map(members) => {
            if let Some((_, found)) = pair(members, entry.name)? {
                return complete(text, found, entry);
            }
            match members.first() {
                Some((first, _)) if first.line > key.line => first.column,
                _ => return Err(unknown()),
            }
        }
        Content::Scalar(value) if value.is_empty() || value == "~" || value == "null" => {
            if table.end > table.start {
                return Err(unknown());
            }
            2 * OURS
        }
        _ => return Err(unknown()),
    };
    let added = entry_lines(entry.name, entry.value, indent).join(newline);
    let place = line_start(text, key.line + 1);
    if place == text.len() && !text.ends_with('\n') {
        return Ok(format!("{text}{newline}{added}"));
    }
    Ok(splice(text, place..place, &format!("{added}{newline}")))
}

/// Puts the path of the program right in an entry of ours.
fn complete(text: &str, found: &Node, entry: &Entry) -> Result<String, Refusal> {
    if !value_of(found).is_ours() {
        return Err(Refusal::Foreign(entry.name.to_owned()));
    }
    let Content::Map(members) = &found.content else {
        return Ok(text.to_owned());
    };
    match pair(members, "cmd")? {
        Some((_, cmd)) if cmd.content != Content::Scalar(entry.program.to_owned()) => {
            let range = byte(text, cmd.start)..byte(text, cmd.end);
            Ok(splice(text, range, &quoted(entry.program)))
        }
        _ => Ok(text.to_owned()),
    }
}

/// Whether a value is the one wanted, or a list with it.
fn holds(found: &Node, wanted: &Value) -> bool {
    match value_of(found) {
        Value::Array(items) => items.contains(wanted),
        value => value == *wanted,
    }
}

fn find(root: &Node, keys: &[String], name: &str) -> Result<Option<(Node, Node)>, Refusal> {
    let mut at = root.clone();
    for key in keys {
        match member(&at, key)? {
            Some((_, value)) => at = value.clone(),
            None => return Ok(None),
        }
    }
    match &at.content {
        Content::Map(members) => Ok(pair(members, name)?.cloned()),
        _ => Ok(None),
    }
}

/// A member of the outermost mapping, which has to be one in lines.
fn member<'n>(root: &'n Node, key: &str) -> Result<Option<&'n (Node, Node)>, Refusal> {
    match &root.content {
        Content::Map(members)
            if members
                .first()
                .is_some_and(|(first, _)| first.start == root.start) =>
        {
            pair(members, key)
        }
        _ => Err(Refusal::Shape("it is not a mapping in lines".to_owned())),
    }
}

fn pair<'n>(members: &'n [(Node, Node)], key: &str) -> Result<Option<&'n (Node, Node)>, Refusal> {
    let mut found = members
        .iter()
        .filter(|(k, _)| k.content == Content::Scalar(key.to_owned()));
    let first = found.next();
    if found.next().is_some() {
        return Err(Refusal::Shape(format!("the key {key:?} stands twice")));
    }
    Ok(first)
}

fn value_of(node: &Node) -> Value {
    match &node.content {
        Content::Scalar(text) => Value::String(text.clone()),
        Content::List(items) => Value::Array(items.iter().map(value_of).collect()),
        Content::Map(members) => {
            let member = |(key, value): &(Node, Node)| match &key.content {
                Content::Scalar(key) => (key.clone(), value_of(value)),
                _ => (String::new(), value_of(value)),
            };
            Value::Object(members.iter().map(member).collect())
        }
        Content::Alias => Value::Null,
    }
}

/// Takes lines out that were appended.
fn cut(bom: &str, text: &str, first: usize, last: usize) -> Option<String> {
    let start = line_start(text, first);
    let end = line_start(text, last + 1);
    let left = lines::cut(
        text,
        start,
        text[..end].trim_end_matches(['\r', '\n']).len(),
    );
    if bom.is_empty() {
        return left;
    }
    Some(format!("{bom}{}", left.unwrap_or_default()))
}

/// Takes lines out that were put in below a key.
fn without_lines(text: &str, first: usize, last: usize) -> String {
    let end = line_start(text, last + 1);
    let kept = &text[..line_start(text, first)];
    if end < text.len() || text.ends_with('\n') {
        return format!("{kept}{}", &text[end..]);
    }
    // The line before them was the last, and had no line end.
    kept.strip_suffix(newline_of(text))
        .unwrap_or(kept)
        .to_owned()
}

/// Where a line begins, counted from 1; the end of the text where there is none.
fn line_start(text: &str, line: usize) -> usize {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    if line <= 1 {
        return 0;
    }
    ends.nth(line - 2).unwrap_or(text.len())
}

fn byte(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(at, _)| at)
}

/// The one document of a text; none where it is empty.
fn parse(text: &str) -> Result<Option<Node>, Refusal> {
    let mut documents = Vec::new();
    // Collections that are open: where each began, and the nodes in it so far.
    let mut open: Vec<(Span, bool, Vec<Node>)> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| Refusal::Broken(error.to_string()))?;
        let node = match event {
            Event::SequenceStart(..) => {
                open.push((span, false, Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push((span, true, Vec::new()));
                continue;
            }
            Event::Scalar(value, ..) => leaf(span, Content::Scalar(value.into_owned())),
            Event::Alias(_) => leaf(span, Content::Alias),
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some((start, is_map, nodes)) => collection(start, is_map, nodes),
                None => continue,
            },
            _ => continue,
        };
        match open.last_mut() {
            Some((_, _, nodes)) => nodes.push(node),
            None => documents.push(node),
        }
    }
    if documents.len() > 1 {
        return Err(Refusal::Shape("it has several documents".to_owned()));
    }
    let is_empty =
        |node: &Node| matches!(node.content, Content::Scalar(_)) && node.start == node.end;
    Ok(documents.pop().filter(|node| !is_empty(node)))
}

fn leaf(span: Span, content: Content) -> Node {
    // A block of text ends where the next line begins.
    let ends_before = span.end.col() == 0 && span.end.line() > span.start.line();
    Node {
        start: span.start.index(),
        end: span.end.index(),
        line: span.start.line(),
        last_line: span.end.line() - usize::from(ends_before),
        column: span.start.col(),
        content,
    }
}

fn collection(span: Span, is_map: bool, nodes: Vec<Node>) -> Node {
    let mut node = leaf(span, Content::List(Vec::new()));
    node.last_line = nodes
        .iter()
        .map(|n| n.last_line)
        .max()
        .unwrap_or(node.last_line);
    node.end = nodes.iter().map(|n| n.end).max().unwrap_or(node.end);
    node.content = if is_map {
        let mut members = Vec::new();
        let mut nodes = nodes.into_iter();
        while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
            members.push((key, value));
        }
        Content::Map(members)
    } else {
        Content::List(nodes)
    };
    node
}
