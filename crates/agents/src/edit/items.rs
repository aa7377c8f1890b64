//! Items put into, and taken out of, the brackets of a JSON text.

use crate::value::{Layout, Value, quoted};
use std::ops::Range;

/// A pair of brackets with the places of what is between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Brackets {
    /// From the opening to behind the closing bracket.
    pub range: Range<usize>,
    pub items: Vec<Range<usize>>,
}

/// A new item: a member of an object, or an element of a list, which has no key.
pub(crate) struct NewItem<'a> {
    pub key: Option<&'a str>,
    pub value: &'a Value,
}

impl NewItem<'_> {
    /// Over several lines, for the indentation of the line it begins on.
    fn lines(&self, layout: &Layout, indent: &str) -> String {
        self.with_key(&self.value.to_json(layout, indent))
    }

    fn with_key(&self, value: &str) -> String {
        match self.key {
            Some(key) => format!("{}: {value}", quoted(key)),
            None => value.to_owned(),
        }
    }
}

/// The text with one more item behind the last.
pub(crate) fn insert(text: &str, brackets: &Brackets, item: &NewItem, layout: &Layout) -> String {
    let outer = indentation(text, brackets.range.start);
    let Some(last) = brackets.items.last() else {
        let open = brackets.range.start + 1;
        return splice(text, open..open, &item.lines(layout, outer));
    };
    let comma = comma_after(text, last.end);
    let behind = comma.map_or(last.end, |at| at + 1);
    let (place, ends_in_line_comment) = same_line_comments(text, behind);
    let own_line = begins_line(text, last.start);
    let mut added = if own_line || ends_in_line_comment {
        let inner = if own_line {
            indentation(text, last.start).to_owned()
        } else {
            format!("{outer}{}", layout.unit)
        };
        format!("{}{inner}{}", layout.newline, item.lines(layout, &inner))
    } else {
        format!(" {}", item.with_key(&item.value.to_inline_json(layout)))
    };
    if comma.is_some() {
        added.push(',');
        return splice(text, place..place, &added);
    }
    let with_item = splice(text, place..place, &added);
    splice(&with_item, last.end..last.end, ",")
}

/// What taking an item out leaves of its brackets.
pub(crate) enum Left {
    /// The text without the item.
    Text(String),
    /// Nothing but brackets that are ours too.
    Nothing,
}

/// The text without an item.
pub(crate) fn remove(text: &str, brackets: &Brackets, index: usize) -> Left {
    let item = &brackets.items[index];
    let comma = comma_after(text, item.end);
    let end = comma.map_or(item.end, |at| at + 1);
    let from = match index {
        0 => brackets.range.start + 1,
        _ => brackets.items[index - 1].end,
    };
    if brackets.items.len() == 1 {
        let lead = &text[from..item.start];
        let tail = &text[end..brackets.range.end - 1];
        if lead.is_empty() {
            return Left::Text(splice(text, item.start..end, ""));
        }
        if lead.trim().is_empty() && tail.trim().is_empty() {
            return Left::Nothing;
        }
        return Left::Text(cut(text, from, item.start..end));
    }
    let is_last = index + 1 == brackets.items.len();
    let without = cut(text, from, item.start..end);
    if !is_last || comma.is_some() {
        return Left::Text(without);
    }
    // No comma follows, so the one before stands there for this item alone.
    let comma = comma_after(text, from).expect("items are separated by commas");
    Left::Text(splice(&without, comma..comma + 1, ""))
}

/// Takes out an item with the blanks and line ends before it, but keeps the
/// line end that closes a comment. `from` is where the item before it ends.
fn cut(text: &str, from: usize, item: Range<usize>) -> String {
    let kept = from + text[from..item.start].trim_end().len();
    let rest = text[item.end..].trim_start_matches([' ', '\t']);
    let last_line = text[from..kept].rsplit('\n').next().unwrap_or_default();
    let needs_line_end = last_line.contains("//") && !rest.starts_with(['\r', '\n']);
    let line_end = text[kept..item.start].find('\n').filter(|_| needs_line_end);
    let start = line_end.map_or(kept, |at| kept + at + 1);
    splice(text, start..item.end, "")
}

/// The text with a range of it replaced.
pub(crate) fn splice(text: &str, range: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// Where the comma behind an item stands, if there is one.
fn comma_after(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        let comment = comment_length(&text[at..]);
        if comment == 0 {
            return text[at..].starts_with(',').then_some(at);
        }
        at += comment;
    }
}

/// How long the comment is that a text begins with; 0 where it begins with none.
fn comment_length(text: &str) -> usize {
    if text.starts_with("//") {
        let line = text.find('\n').unwrap_or(text.len());
        return text[..line].trim_end_matches('\r').len();
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |at| at + 2);
    }
    0
}

/// Behind the comments that follow on the same line, and whether the last of
/// them goes up to the end of the line.
fn same_line_comments(text: &str, from: usize) -> (usize, bool) {
    let mut end = from;
    loop {
        let rest = &text[end..];
        let start = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let length = comment_length(&text[start..]);
        if length == 0 || text[start..start + length].contains('\n') {
            return (end, false);
        }
        end = start + length;
        if text[start..].starts_with("//") {
            return (end, true);
        }
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Whether only blanks stand before it in its line, and it is not the first line.
fn begins_line(text: &str, at: usize) -> bool {
    let start = line_start(text, at);
    start > 0 && text[start..at].trim().is_empty()
}

/// The blanks that the line of a place begins with.
pub(crate) fn indentation(text: &str, at: usize) -> &str {
    let start = line_start(text, at);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
