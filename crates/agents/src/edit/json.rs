//! Entries and list elements in JSON, with or without comments.

use super::items::{Brackets, Left, NewItem, insert, remove, splice};
use super::{Edited, Entry, NAME, Refusal, split_bom};
use crate::value::{Layout, Value, newline_of, quoted};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::ops::Range;

/// A parsed value with its place.
#[derive(Debug, Clone)]
struct Node {
    range: Range<usize>,
    value: Value,
    children: Vec<Child>,
}

/// A member of an object, or an element of an array, which has no key.
#[derive(Debug, Clone)]
struct Child {
    key: Option<String>,
    /// Where it begins: with its key.
    start: usize,
    node: Node,
}

impl Node {
    fn of(value: &ast::Value) -> Node {
        let children = match value {
            ast::Value::Object(object) => object.properties.iter().map(Child::of_member).collect(),
            ast::Value::Array(array) => array.elements.iter().map(Child::of_element).collect(),
            _ => Vec::new(),
        };
        Node {
            range: value.start()..value.end(),
            value: Value::from_ast(value),
            children,
        }
    }

    /// The place of a key among the members. A key that stands twice is refused.
    fn position(&self, key: &str) -> Result<Option<usize>, Refusal> {
        let has_key = |child: &Child| child.key.as_deref() == Some(key);
        let found = self.children.iter().position(has_key);
        if self.children.iter().filter(|child| has_key(child)).count() > 1 {
            return Err(Refusal::Shape(format!("the key {key:?} stands twice")));
        }
        Ok(found)
    }

    fn brackets(&self) -> Brackets {
        let items = self
            .children
            .iter()
            .map(|child| child.start..child.node.range.end);
        Brackets {
            range: self.range.clone(),
            items: items.collect(),
        }
    }

    fn is_object(&self) -> bool {
        matches!(self.value, Value::Object(_))
    }
}

impl Child {
    fn of_member(member: &ast::ObjectProp) -> Child {
        Child {
            key: Some(member.name.as_str().to_owned()),
            start: member.start(),
            node: Node::of(&member.value),
        }
    }

    fn of_element(element: &ast::Value) -> Child {
        Child {
            key: None,
            start: element.start(),
            node: Node::of(element),
        }
    }
}

/// Puts an entry in, or completes the one of ours that is there.
pub(super) fn install(text: Option<&str>, entry: &Entry) -> Edited {
    with_root(
        text,
        &nested(entry.keys, member(entry.name, entry.value)),
        false,
        |text, root| {
            let (at, missing) = deepest(root, entry.keys)?;
            if !missing.is_empty() {
                let added = nested(missing, member(entry.name, entry.value));
                return add_members(text, at, &added);
            }
            let Some(index) = object(at)?.position(entry.name)? else {
                return add_members(text, at, &member(entry.name, entry.value));
            };
            complete(text, &at.children[index].node, entry)
        },
    )
}

/// Puts an element into a list, in the place of one of ours if there is one.
pub(super) fn install_item(text: Option<&str>, keys: &[String], value: &Value) -> Edited {
    let list = Value::Array(vec![value.clone()]);
    with_root(text, &nested(keys, list.clone()), true, |text, root| {
        let (at, missing) = deepest(root, keys)?;
        if let [name, ..] = missing {
            let inner = nested(&missing[1..], list);
            let layout = Layout {
                open_lists: true,
                ..layout_of(text)
            };
            object(at)?;
            return Ok(insert(
                text,
                &at.brackets(),
                &NewItem {
                    key: Some(name),
                    value: &inner,
                },
                &layout,
            ));
        }
        let layout = layout_of(text);
        match same_item(at, value)? {
            Some(index) if at.children[index].node.value == *value => Ok(text.to_owned()),
            Some(index) => {
                let node = &at.children[index].node;
                let indent = super::items::indentation(text, node.range.start);
                Ok(splice(
                    text,
                    node.range.clone(),
                    &value.to_json(&layout, indent),
                ))
            }
            None => {
                let item = NewItem { key: None, value };
                Ok(insert(text, &at.brackets(), &item, &layout))
            }
        }
    })
}

/// Takes an entry of ours out.
pub(super) fn uninstall(text: &str, keys: &[String], name: &str) -> Edited {
    let mut path = keys.to_vec();
    path.push(name.to_owned());
    without(text, keys, |at| match at.position(name)? {
        Some(index) if at.children[index].node.value.is_ours() => Ok(Some(index)),
        Some(_) => Err(Refusal::Foreign(name.to_owned())),
        None => Ok(None),
    })
}

/// Takes an element of ours out of a list.
pub(super) fn uninstall_item(text: &str, keys: &[String], value: &Value) -> Edited {
    without(text, keys, |at| same_item(at, value))
}

/// What is there as an entry, ours or not.
pub(crate) fn entry(text: &str, keys: &[String], name: &str) -> Result<Option<Value>, Refusal> {
    let Some(root) = parse(split_bom(text).1)? else {
        return Ok(None);
    };
    let (at, missing) = deepest(&root, keys)?;
    if !missing.is_empty() {
        return Ok(None);
    }
    let index = at.position(name)?;
    Ok(index.map(|index| at.children[index].node.value.clone()))
}

/// What to paste where the file is not edited.
pub(super) fn snippet(keys: &[String], name: &str, value: &Value) -> String {
    let whole = nested(keys, member(name, value));
    format!("{}\n", whole.to_json(&Layout::of(""), ""))
}

/// The same for an element of a list.
pub(super) fn item_snippet(keys: &[String], value: &Value) -> String {
    let whole = nested(keys, Value::Array(vec![value.clone()]));
    format!("{}\n", whole.to_json(&Layout::of(""), ""))
}

/// Parses a text and hands it to an edit; a text without a value gets `whole`.
fn with_root(
    text: Option<&str>,
    whole: &Value,
    open_lists: bool,
    edit: impl FnOnce(&str, &Node) -> Result<String, Refusal>,
) -> Edited {
    let (bom, current) = split_bom(text.unwrap_or_default());
    let layout = Layout {
        open_lists,
        ..Layout::of(current)
    };
    let json = || whole.to_json(&layout, "");
    if text.is_none() {
        return Ok(Some(format!("{}\n", json())));
    }
    let text = current;
    let Some(root) = parse(text)? else {
        let newline = layout.newline;
        // What was empty begins with a line end; see the module's page.
        let end = if text.is_empty() { newline } else { "" };
        return Ok(Some(format!("{bom}{text}{newline}{}{end}", json())));
    };
    let edited = edit(text, &root)?;
    parse(&edited).map_err(|_| Refusal::Shape("its layout is not known".to_owned()))?;
    Ok(Some(format!("{bom}{edited}")))
}

/// Takes the child that is found at `keys` out, and with it the brackets
/// around it that are ours.
fn without(
    text: &str,
    keys: &[String],
    find: impl FnOnce(&Node) -> Result<Option<usize>, Refusal>,
) -> Edited {
    let (bom, text) = split_bom(text);
    let unchanged = || Ok(Some(format!("{bom}{text}")));
    let Some(root) = parse(text)? else {
        return unchanged();
    };
    let mut chain: Vec<(&Node, usize)> = Vec::new();
    let mut at = &root;
    for key in keys {
        let Some(index) = below(at, key)? else {
            return unchanged();
        };
        chain.push((at, index));
        at = &at.children[index].node;
    }
    let Some(index) = find(at)? else {
        return unchanged();
    };
    chain.push((at, index));
    while let Some((node, index)) = chain.pop() {
        if let Left::Text(left) = remove(text, &node.brackets(), index) {
            return Ok(Some(format!("{bom}{left}")));
        }
    }
    Ok(without_root(bom, text, &root.range))
}

/// What is left where the whole value was ours; no file where nothing was
/// there before it.
fn without_root(bom: &str, text: &str, root: &Range<usize>) -> Option<String> {
    let newline = newline_of(text);
    let (before, after) = (&text[..root.start], &text[root.end..]);
    if before.is_empty() && after.trim().is_empty() && bom.is_empty() {
        return None;
    }
    let before = before.strip_suffix(newline).unwrap_or(before);
    let after = if before.is_empty() {
        after.trim_start()
    } else {
        after
    };
    Some(format!("{bom}{before}{after}"))
}

fn parse(text: &str) -> Result<Option<Node>, Refusal> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    match parsed {
        Ok(parsed) => Ok(parsed.value.as_ref().map(Node::of)),
        Err(error) => Err(Refusal::Broken(error.to_string())),
    }
}

/// The innermost node on a path that is there, and the keys that are not.
fn deepest<'n, 'k>(
    root: &'n Node,
    keys: &'k [String],
) -> Result<(&'n Node, &'k [String]), Refusal> {
    let mut at = root;
    for (depth, key) in keys.iter().enumerate() {
        let Some(index) = below(object(at)?, key)? else {
            return Ok((at, &keys[depth..]));
        };
        at = &at.children[index].node;
    }
    Ok((at, &[]))
}

/// The place of a key on the way to a list. What lies below our name belongs to
/// an entry, which has to be ours.
fn below(node: &Node, key: &str) -> Result<Option<usize>, Refusal> {
    let found = node.position(key)?;
    let is_foreign = |index: usize| !node.children[index].node.value.is_ours();
    if key == NAME && found.is_some_and(is_foreign) {
        return Err(Refusal::Foreign(key.to_owned()));
    }
    Ok(found)
}

fn object(node: &Node) -> Result<&Node, Refusal> {
    if node.is_object() {
        return Ok(node);
    }
    Err(Refusal::Shape(
        "an object is expected where another value stands".to_owned(),
    ))
}

/// The element of a list that is the same as a value, or the hook of ours
/// that it replaces.
fn same_item(list: &Node, value: &Value) -> Result<Option<usize>, Refusal> {
    if !matches!(list.value, Value::Array(_)) {
        return Err(Refusal::Shape(
            "a list is expected where another value stands".to_owned(),
        ));
    }
    let is_same = |child: &Child| {
        child.node.value == *value || (value.runs_our_hook() && child.node.value.runs_our_hook())
    };
    Ok(list.children.iter().position(is_same))
}

/// An object with one member.
fn member(name: &str, value: &Value) -> Value {
    Value::Object(vec![(name.to_owned(), value.clone())])
}

/// A value below a path of keys.
fn nested(keys: &[String], value: Value) -> Value {
    keys.iter()
        .rev()
        .fold(value, |inner, key| member(key, &inner))
}

/// Adds the members of an object to an object of the text.
fn add_members(text: &str, node: &Node, members: &Value) -> Result<String, Refusal> {
    let Value::Object(members) = members else {
        return Ok(text.to_owned());
    };
    object(node)?;
    let mut edited = text.to_owned();
    let mut brackets = node.brackets();
    let layout = layout_of(text);
    for (key, value) in members {
        let item = NewItem {
            key: Some(key),
            value,
        };
        edited = insert(&edited, &brackets, &item, &layout);
        if members.len() > 1 {
            brackets = at_place(&edited, node.range.start)?.brackets();
        }
    }
    Ok(edited)
}

/// The object that begins at a place, after an edit behind that place.
fn at_place(text: &str, start: usize) -> Result<Node, Refusal> {
    let mut open = parse(text)?.into_iter().collect::<Vec<Node>>();
    while let Some(node) = open.pop() {
        if node.range.start == start {
            return Ok(node);
        }
        open.extend(node.children.into_iter().map(|child| child.node));
    }
    Err(Refusal::Shape("its layout is not known".to_owned()))
}

/// Adds what an entry of ours lacks, and puts the path of the program right.
/// All else in it stays as the user has it.
fn complete(text: &str, node: &Node, entry: &Entry) -> Result<String, Refusal> {
    if !node.value.is_ours() {
        return Err(Refusal::Foreign(entry.name.to_owned()));
    }
    let Value::Object(wanted) = entry.value else {
        return Ok(text.to_owned());
    };
    let is_missing = |(key, _): &&(String, Value)| node.value.get(key).is_none();
    let missing: Vec<_> = wanted.iter().filter(is_missing).cloned().collect();
    let edited = add_members(text, node, &Value::Object(missing))?;
    // What was added stands behind the path of the program, or was the path itself.
    Ok(match program_of(node) {
        Some(place) if place.value.as_str() != Some(entry.program) => {
            let node = at_place(&edited, node.range.start)?;
            let place = program_of(&node).map_or(0..0, |p| p.range.clone());
            splice(&edited, place, &quoted(entry.program))
        }
        _ => edited,
    })
}

/// Where the program stands in an entry.
fn program_of(entry: &Node) -> Option<&Node> {
    let is_command = |child: &&Child| matches!(child.key.as_deref(), Some("command" | "cmd"));
    let command = &entry.children.iter().find(is_command)?.node;
    Some(
        command
            .children
            .first()
            .map_or(command, |first| &first.node),
    )
}

/// The layout of a text: one step of indentation is what the first line has
/// more than the one before it.
fn layout_of(text: &str) -> Layout {
    let mut layout = Layout::of(text);
    let is_content = |line: &&str| line.trim_start().starts_with(['"', '{', '[']);
    let mut outer: Option<&str> = None;
    for line in text.lines().filter(is_content) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let deeper = outer.and_then(|outer| indent.strip_prefix(outer));
        if let Some(unit) = deeper.filter(|unit| !unit.is_empty()) {
            layout.unit = unit.to_owned();
            return layout;
        }
        outer = Some(indent);
    }
    layout
}
