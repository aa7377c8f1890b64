//! A table in a TOML file. It is appended as lines; the parser only says where
//! things are.

use super::items::splice;
use super::{Edited, Entry, Refusal, block, split_bom};
use crate::value::{Value, newline_of, quoted, toml_key};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Appends the table, or completes the one of ours that is there.
pub(super) fn install(text: Option<&str>, entry: &Entry) -> Edited {
    let Some(whole) = text else {
        let block = self::block(entry.keys, entry.name, entry.value, "\n");
        return Ok(Some(block));
    };
    let (bom, text) = split_bom(whole);
    let root = parse(text)?;
    if let Some(found) = find(root.get_ref(), entry.keys, entry.name)? {
        return Ok(Some(format!("{bom}{}", complete(text, found, entry)?)));
    }
    let lines = block(entry.keys, entry.name, entry.value, newline_of(text));
    let edited = block::append(Some(text), lines.trim_end());
    let parsed = parse(&edited).map_err(|_| inline_refusal(entry.keys))?;
    match find(parsed.get_ref(), entry.keys, entry.name)? {
        Some(_) => Ok(Some(format!("{bom}{edited}"))),
        None => Err(inline_refusal(entry.keys)),
    }
}

/// Takes a table of ours out, with the tables below it.
pub(super) fn uninstall(whole: &str, keys: &[String], name: &str) -> Edited {
    let (bom, text) = split_bom(whole);
    let root = parse(text)?;
    let Some(found) = find(root.get_ref(), keys, name)? else {
        return Ok(Some(whole.to_owned()));
    };
    if !value_of(found.get_ref()).is_ours() {
        return Err(Refusal::Foreign(name.to_owned()));
    }
    let mut regions = Vec::new();
    if !text[found.span()].starts_with('[') {
        return Err(inline_refusal(keys));
    }
    tables_below(text, found, &mut regions);
    regions.sort_by_key(|region| region.start);
    let mut left = Some(text.to_owned());
    for region in regions.iter().rev() {
        let Some(current) = left else { break };
        left = block::cut(&current, region.start, region.end);
    }
    if bom.is_empty() {
        return Ok(left);
    }
    Ok(Some(format!("{bom}{}", left.unwrap_or_default())))
}

/// What is there as an entry, ours or not.
pub(crate) fn entry(text: &str, keys: &[String], name: &str) -> Result<Option<Value>, Refusal> {
    let root = parse(split_bom(text).1)?;
    let found = find(root.get_ref(), keys, name)?;
    Ok(found.map(|value| value_of(value.get_ref())))
}

/// The table as lines.
pub(super) fn block(keys: &[String], name: &str, value: &Value, newline: &str) -> String {
    let path: Vec<String> = keys.iter().map(|key| toml_key(key)).collect();
    let mut lines = vec![format!("[{}.{}]", path.join("."), toml_key(name))];
    if let Value::Object(members) = value {
        lines.extend(members.iter().map(|(key, value)| line(key, value)));
    }
    lines.push(String::new());
    lines.join(newline)
}

fn line(key: &str, value: &Value) -> String {
    format!("{} = {}", toml_key(key), value.to_toml())
}

fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, Refusal> {
    DeTable::parse(text).map_err(|error| Refusal::Broken(error.message().to_owned()))
}

fn inline_refusal(keys: &[String]) -> Refusal {
    let key = keys.join(".");
    Refusal::Shape(format!("{key:?} is not written as tables with headers"))
}

fn find<'t, 'i>(
    root: &'t DeTable<'i>,
    keys: &[String],
    name: &str,
) -> Result<Option<&'t Spanned<DeValue<'i>>>, Refusal> {
    let mut table = root;
    for key in keys {
        match table.get(key.as_str()).map(Spanned::get_ref) {
            None => return Ok(None),
            Some(DeValue::Table(inner)) => table = inner,
            Some(_) => return Err(inline_refusal(keys)),
        }
    }
    Ok(table.get(name))
}

fn value_of(value: &DeValue) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| value_of(item.get_ref())).collect())
        }
        DeValue::Table(table) => {
            let member = |(key, value): (&Spanned<_>, &Spanned<DeValue>)| {
                (toml_text(key), value_of(value.get_ref()))
            };
            Value::Object(table.iter().map(member).collect())
        }
        DeValue::Integer(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Datetime(date) => Value::String(date.to_string()),
    }
}

fn toml_text(key: &Spanned<std::borrow::Cow<'_, str>>) -> String {
    key.get_ref().to_string()
}

/// The lines of a table and of those below it, each from its header to the end
/// of its last value.
fn tables_below(text: &str, value: &Spanned<DeValue>, regions: &mut Vec<Range<usize>>) {
    let span = value.span();
    let mut end = span.end;
    match value.get_ref() {
        DeValue::Table(table) => {
            for inner in table.values() {
                if has_header(text, inner) {
                    tables_below(text, inner, regions);
                } else {
                    end = end.max(end_of(inner));
                }
            }
        }
        DeValue::Array(items) => {
            items
                .iter()
                .for_each(|item| tables_below(text, item, regions));
            return;
        }
        _ => {}
    }
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let line_end = text[..line_end].trim_end_matches('\r').len();
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    regions.push(start..line_end.max(end));
}

/// Where a value ends; keys with dots make tables whose place is that of the key.
fn end_of(value: &Spanned<DeValue>) -> usize {
    let inner = match value.get_ref() {
        DeValue::Table(table) => table.values().map(end_of).max(),
        _ => None,
    };
    inner.unwrap_or(0).max(value.span().end)
}

/// Whether a table, or a list of tables, stands under a header of its own.
fn has_header(text: &str, value: &Spanned<DeValue>) -> bool {
    let begins_line = |at: usize| {
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        text[start..at].trim().is_empty() && text[at..].starts_with('[')
    };
    match value.get_ref() {
        DeValue::Table(_) => begins_line(value.span().start),
        DeValue::Array(items) => {
            let is_header = |item: &Spanned<DeValue>| {
                matches!(item.get_ref(), DeValue::Table(_)) && begins_line(item.span().start)
            };
            !items.is_empty() && items.iter().all(is_header)
        }
        _ => false,
    }
}

/// Adds what a table of ours lacks, and puts the path of the program right.
fn complete(text: &str, found: &Spanned<DeValue>, entry: &Entry) -> Result<String, Refusal> {
    let current = value_of(found.get_ref());
    let (true, DeValue::Table(table)) = (current.is_ours(), found.get_ref()) else {
        return Err(Refusal::Foreign(entry.name.to_owned()));
    };
    let Some(command) = table.get("command") else {
        return Ok(text.to_owned());
    };
    let place = command.span();
    let mut edited = text.to_owned();
    if text[found.span()].starts_with('[') {
        let line_end = text[place.end..]
            .find('\n')
            .map_or(text.len(), |at| place.end + at);
        let line_end = text[..line_end].trim_end_matches('\r').len();
        let lines: String = missing(&current, entry.value)
            .map(|(key, value)| format!("{}{}", newline_of(text), line(key, value)))
            .collect();
        edited = splice(&edited, line_end..line_end, &lines);
    }
    if command.get_ref().as_str() != Some(entry.program) {
        edited = splice(&edited, place, &quoted(entry.program));
    }
    Ok(edited)
}

fn missing<'v>(
    current: &'v Value,
    wanted: &'v Value,
) -> impl Iterator<Item = (&'v str, &'v Value)> {
    let members = match wanted {
        Value::Object(members) => members.as_slice(),
        _ => &[],
    };
    let members = members.iter().map(|(key, value)| (key.as_str(), value));
    members.filter(|(key, _)| current.get(key).is_none())
}
