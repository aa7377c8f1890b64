//! What a client may read by an address, and what completes the words in one.
//!
//! An address stands for a call of a tool, so that what is read is what the tool
//! answers, from the same project and with the same limits.

use super::catalogue::{Catalogue, ResourceRow, Row};
use crate::projects::decoded;
use rmcp::model::{CompletionInfo, JsonObject, Resource, ResourceTemplate};
use scent_engine::Project;
use serde_json::Value;

/// The addresses that stand for one thing.
pub(super) fn fixed() -> Vec<Resource> {
    let rows = rows(false).map(|row| {
        Resource::new(&row.uri, &row.name)
            .with_title(&row.title)
            .with_description(&row.about)
            .with_mime_type("text/plain")
    });
    rows.collect()
}

/// The addresses with a word to fill in.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let rows = rows(true).map(|row| {
        ResourceTemplate::new(&row.uri, &row.name)
            .with_title(&row.title)
            .with_description(&row.about)
            .with_mime_type("text/plain")
    });
    rows.collect()
}

fn rows(templates: bool) -> impl Iterator<Item = &'static ResourceRow> {
    let all = Catalogue::get().resources.iter();
    all.filter(move |row| row.argument.is_some() == templates)
}

/// The call that an address stands for.
pub(super) fn call_of(uri: &str) -> Option<(&'static Row, JsonObject)> {
    let catalogue = Catalogue::get();
    for resource in &catalogue.resources {
        let fixed = resource.uri.split('{').next().unwrap_or_default();
        let Some(word) = uri.strip_prefix(fixed) else {
            continue;
        };
        let mut given = JsonObject::new();
        match (&resource.argument, word) {
            (None, "") => {}
            (None, _) | (Some(_), "") => continue,
            (Some(name), word) => {
                given.insert(name.clone(), Value::String(decoded(word)));
            }
        }
        return Some((catalogue.row(&resource.tool)?, given));
    }
    None
}

/// What may be meant by the beginning of a path or a name, from the index as it
/// is; nothing where there is none.
pub(super) fn completions(
    project: &Project,
    argument: &str,
    begun: &str,
) -> Option<CompletionInfo> {
    if !project.is_indexed() {
        return None;
    }
    let project = project.clone().as_is();
    let (mut values, total) = match argument {
        "path" => paths(&project, begun)?,
        "name" => names(&project, begun)?,
        _ => return None,
    };
    values.truncate(CompletionInfo::MAX_VALUES);
    let has_more = total > values.len();
    let total = u32::try_from(total).ok();
    CompletionInfo::with_pagination(values, total, has_more).ok()
}

/// Files by their paths: those that begin so, then those that have it in them.
fn paths(project: &Project, begun: &str) -> Option<(Vec<String>, usize)> {
    let files = project.files().ok()?.into_iter();
    let indexed = files.filter(|file| file.skipped.is_none() && file.is_unicode);
    let (begins, others): (Vec<String>, Vec<String>) = indexed
        .map(|file| file.path)
        .filter(|path| path.contains(begun))
        .partition(|path| path.starts_with(begun));
    let total = begins.len() + others.len();
    Some(([begins, others].concat(), total))
}

/// Names of symbols that begin so, the most important first.
fn names(project: &Project, begun: &str) -> Option<(Vec<String>, usize)> {
    if begun.is_empty() {
        return None;
    }
    let plain: String = begun.chars().filter(|c| !"*?".contains(*c)).collect();
    let found = project
        .definitions(&format!("{plain}*"), 2 * CompletionInfo::MAX_VALUES)
        .ok()?;
    let mut names: Vec<String> = Vec::new();
    for definition in found.definitions {
        if !names.contains(&definition.name) {
            names.push(definition.name);
        }
    }
    let total = found.total.max(names.len());
    Some((names, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stands_for_a_call() {
        for (uri, want) in [
            ("scent://map", Some(("outline", "{}"))),
            ("scent://status", Some(("status", "{}"))),
            (
                "scent://file/src/a%20b.rs",
                Some(("file", r#"{"path":"src/a b.rs"}"#)),
            ),
            (
                "scent://def/Foo::bar",
                Some(("def", r#"{"name":"Foo::bar"}"#)),
            ),
            (
                "scent://search/where%3F",
                Some(("search", r#"{"query":"where?"}"#)),
            ),
            (
                "scent://outline/src",
                Some(("outline", r#"{"paths":"src"}"#)),
            ),
            ("scent://file/", None),
            ("scent://mapped", None),
            ("file:///etc/passwd", None),
        ] {
            let found = call_of(uri).map(|(row, given)| {
                let given = Value::Object(given).to_string();
                (row.name.as_str(), given)
            });
            let want = want.map(|(tool, given)| (tool, given.to_owned()));
            assert_eq!(found, want, "{uri}");
        }
    }
}
