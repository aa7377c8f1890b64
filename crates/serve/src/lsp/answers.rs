//! What editors ask, answered from the index.

use super::place::{address, location, name_at, range_of_lines, range_of_name, symbol_kind};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    DocumentSymbol, DocumentSymbolParams, GotoDefinitionParams, Hover, HoverContents, HoverParams,
    Location, MarkupContent, MarkupKind, Position, Range, ReferenceParams, SymbolInformation, Uri,
    WorkspaceSymbolParams,
};
use scent_engine::{EngineError, Project, text_outline};
use scent_types::{Defined, References, Role, Signature, Used};
use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// More references than this are not listed.
const MOST_USES: usize = 5_000;

/// More symbols than this are not listed.
const MOST_SYMBOLS: usize = 200;

/// What is asked about a file.
pub(super) struct Asked<'a> {
    pub project: &'a Project,
    /// The file, relative to the root.
    pub inside: String,
    /// Its text, where the editor has it open.
    pub text: Option<&'a str>,
}

/// A request about a file.
pub(super) trait OfFile {
    /// Its address.
    fn file(&self) -> &Uri;
}

fn written(value: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}

fn failed(error: EngineError) -> String {
    error.to_string()
}

/// The texts of the files of an answer, each read once.
struct Texts<'p> {
    project: &'p Project,
    read: RefCell<HashMap<String, Rc<str>>>,
}

impl<'p> Texts<'p> {
    fn of(project: &'p Project) -> Texts<'p> {
        Texts {
            project,
            read: RefCell::default(),
        }
    }

    fn get(&self, path: &str) -> Rc<str> {
        if let Some(known) = self.read.borrow().get(path) {
            return Rc::clone(known);
        }
        let text: Rc<str> = self.project.text(path).unwrap_or_default().into();
        self.read
            .borrow_mut()
            .insert(path.to_owned(), Rc::clone(&text));
        text
    }

    fn location(&self, path: &str, line: u32, name: &str) -> Option<Location> {
        let range = range_of_name(&self.get(path), line, name);
        location(&self.project.root().join(path), range)
    }

    fn of_definition(&self, found: &Defined) -> Option<Location> {
        self.location(&found.path, found.line, &found.name)
    }
}

impl Asked<'_> {
    /// The name at a position.
    fn name_at(&self, position: Position) -> Option<String> {
        match self.text {
            Some(text) => name_at(text, position).map(str::to_owned),
            None => {
                let text = self.project.text(&self.inside).ok()?;
                name_at(&text, position).map(str::to_owned)
            }
        }
    }

    /// What the name at a position means, and so many of its uses.
    fn meaning(&self, position: Position, limit: usize) -> Result<Option<References>, String> {
        let Some(name) = self.name_at(position) else {
            return Ok(None);
        };
        let place = (self.inside.as_str(), position.line + 1);
        let found = self.project.meaning(place, &name, limit);
        found.map(Some).map_err(failed)
    }
}

pub(super) fn definition(asked: &Asked, params: &GotoDefinitionParams) -> Result<Value, String> {
    let position = params.text_document_position_params.position;
    let Some(found) = asked.meaning(position, 0)? else {
        return Ok(Value::Null);
    };
    let texts = Texts::of(asked.project);
    let places = found
        .definitions
        .iter()
        .filter_map(|one| texts.of_definition(one));
    written(places.collect::<Vec<Location>>())
}

pub(super) fn implementation(
    asked: &Asked,
    params: &GotoDefinitionParams,
) -> Result<Value, String> {
    let position = params.text_document_position_params.position;
    let Some(found) = asked.meaning(position, 0)? else {
        return Ok(Value::Null);
    };
    let heirs = asked
        .project
        .implementations(&found.definitions)
        .map_err(failed)?;
    let texts = Texts::of(asked.project);
    let places = heirs.iter().filter_map(|one| texts.of_definition(one));
    written(places.collect::<Vec<Location>>())
}

pub(super) fn references(asked: &Asked, params: &ReferenceParams) -> Result<Value, String> {
    let position = params.text_document_position.position;
    let Some(found) = asked.meaning(position, MOST_USES)? else {
        return Ok(Value::Null);
    };
    let texts = Texts::of(asked.project);
    let mut places = Vec::new();
    if params.context.include_declaration {
        places.extend(
            found
                .definitions
                .iter()
                .filter_map(|one| texts.of_definition(one)),
        );
    }
    let uses = found.uses.iter();
    places.extend(uses.filter_map(|used| texts.location(&used.path, used.line, &found.name)));
    written(places)
}

pub(super) fn hover(asked: &Asked, params: &HoverParams) -> Result<Value, String> {
    let position = params.text_document_position_params.position;
    let Some(found) = asked.meaning(position, MOST_USES)? else {
        return Ok(Value::Null);
    };
    let Some(first) = found.definitions.first() else {
        return Ok(Value::Null);
    };
    let described = asked
        .project
        .described(&first.path, first.line)
        .map_err(failed)?;
    let (signature, doc, language) = match described {
        Some(described) => (described.signature, described.doc, described.language),
        None => (first.text.clone(), String::new(), ""),
    };
    let signature = match signature.is_empty() {
        true => first.text.clone(),
        false => signature,
    };
    let mut text = fenced(&signature, language);
    if !doc.is_empty() {
        text += &format!("\n{doc}\n");
    }
    text += &format!(
        "\n---\n{} `{}:{}`",
        first.kind.as_str(),
        first.path,
        first.line
    );
    text += &uses_in_words(&found);
    if found.definitions.len() > 1 {
        text += &format!("; one of {} of this name", found.definitions.len());
    }
    let contents = MarkupContent {
        kind: MarkupKind::Markdown,
        value: text,
    };
    written(Hover {
        contents: HoverContents::Markup(contents),
        range: None,
    })
}

/// Code in Markdown, in a fence that nothing in it ends.
fn fenced(code: &str, language: &str) -> String {
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{language}\n{code}\n{fence}\n")
}

fn uses_in_words(found: &References) -> String {
    let tests = found.uses.iter().filter(|used| used.test).count();
    match (found.total, tests) {
        (0, _) => "; no use is known".to_owned(),
        (1, 0) => "; used in 1 place".to_owned(),
        (uses, 0) => format!("; used in {uses} places"),
        (uses, tests) => format!("; used in {uses} places, {tests} of them in tests"),
    }
}

pub(super) fn document_symbols(asked: &Asked, _: &DocumentSymbolParams) -> Result<Value, String> {
    let text = match asked.text {
        Some(text) => text.to_owned(),
        None => asked.project.text(&asked.inside).map_err(failed)?,
    };
    let outline = text_outline(&asked.inside, text.clone());
    let mut rest = outline.symbols.as_slice();
    written(nested(&mut rest, 0, &text))
}

/// Symbols of a depth, each with those that it encloses.
fn nested(rest: &mut &[Signature], depth: u32, text: &str) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    while let [first, others @ ..] = *rest {
        if first.depth < depth {
            break;
        }
        *rest = others;
        let children = nested(rest, first.depth + 1, text);
        symbols.push(document_symbol(first, children, text));
    }
    symbols
}

#[expect(deprecated, reason = "the field is part of the type")]
fn document_symbol(
    symbol: &Signature,
    children: Vec<DocumentSymbol>,
    text: &str,
) -> DocumentSymbol {
    let lines = scent_types::Lines::new(symbol.start_line, symbol.end_line.max(symbol.line));
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.signature.clone()),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range_of_lines(text, lines),
        selection_range: range_of_name(text, symbol.line, &symbol.name),
        children: Some(children),
    }
}

/// Symbols of all projects whose names begin like what is asked for, or have it
/// in them.
pub(super) fn workspace_symbols(
    projects: &[Project],
    params: &WorkspaceSymbolParams,
) -> Result<Value, String> {
    let query = params.query.trim();
    let mut symbols = Vec::new();
    if query.is_empty() {
        return written(symbols);
    }
    for project in projects {
        let texts = Texts::of(project);
        let mut found = project
            .definitions(query, MOST_SYMBOLS)
            .map_err(failed)?
            .definitions;
        if found.len() < MOST_SYMBOLS && !query.contains(['*', '?']) {
            let wide = format!("*{query}*");
            let more = project.definitions(&wide, MOST_SYMBOLS).map_err(failed)?;
            for one in more.definitions {
                let is_known = |known: &Defined| (&known.path, known.line) == (&one.path, one.line);
                if !found.iter().any(is_known) {
                    found.push(one);
                }
            }
        }
        found.truncate(MOST_SYMBOLS);
        symbols.extend(found.iter().filter_map(|one| information(&texts, one)));
    }
    written(symbols)
}

#[expect(deprecated, reason = "the field is part of the type")]
fn information(texts: &Texts, found: &Defined) -> Option<SymbolInformation> {
    let around = found
        .qualified
        .strip_suffix(&found.name)
        .unwrap_or_default();
    let around = around.trim_end_matches([':', '.', '#', '/']);
    Some(SymbolInformation {
        name: found.name.clone(),
        kind: symbol_kind(found.kind),
        tags: None,
        deprecated: None,
        location: texts.of_definition(found)?,
        container_name: (!around.is_empty()).then(|| around.to_owned()),
    })
}

pub(super) fn prepare_calls(
    asked: &Asked,
    params: &CallHierarchyPrepareParams,
) -> Result<Value, String> {
    let position = params.text_document_position_params.position;
    let Some(found) = asked.meaning(position, 0)? else {
        return Ok(Value::Null);
    };
    let texts = Texts::of(asked.project);
    let items = found.definitions.iter().filter_map(|one| item(&texts, one));
    written(items.collect::<Vec<_>>())
}

fn item(texts: &Texts, found: &Defined) -> Option<CallHierarchyItem> {
    let text = texts.get(&found.path);
    Some(CallHierarchyItem {
        name: found.name.clone(),
        kind: symbol_kind(found.kind),
        tags: None,
        detail: Some(found.qualified.clone()),
        uri: address(&texts.project.root().join(&found.path))?,
        range: range_of_lines(&text, found.lines),
        selection_range: range_of_name(&text, found.line, &found.name),
        data: None,
    })
}

pub(super) fn incoming_calls(
    asked: &Asked,
    params: &CallHierarchyIncomingCallsParams,
) -> Result<Value, String> {
    let item = &params.item;
    let place = (asked.inside.as_str(), item.selection_range.start.line + 1);
    let found = asked
        .project
        .meaning(place, &item.name, MOST_USES)
        .map_err(failed)?;
    let texts = Texts::of(asked.project);
    let mut callers: BTreeMap<(&str, &str), Vec<&Used>> = BTreeMap::new();
    for used in found
        .uses
        .iter()
        .filter(|used| used.role == Some(Role::Call))
    {
        callers
            .entry((&used.path, &used.within))
            .or_default()
            .push(used);
    }
    let mut calls = Vec::new();
    for ((path, within), uses) in callers {
        let Some(from) = caller(&texts, path, within, uses[0].line)? else {
            continue;
        };
        let text = texts.get(path);
        let ranges = uses
            .iter()
            .map(|used| range_of_name(&text, used.line, &item.name));
        calls.push(CallHierarchyIncomingCall {
            from,
            from_ranges: ranges.collect::<Vec<Range>>(),
        });
    }
    written(calls)
}

/// The symbol around a line; the file where there is none.
fn caller(
    texts: &Texts,
    path: &str,
    within: &str,
    line: u32,
) -> Result<Option<CallHierarchyItem>, String> {
    if !within.is_empty() {
        let found = texts
            .project
            .definitions(within, MOST_SYMBOLS)
            .map_err(failed)?;
        let is_it = |one: &&Defined| one.path == path && one.lines.contains(line);
        if let Some(around) = found.definitions.iter().find(is_it) {
            return Ok(item(texts, around));
        }
    }
    let range = range_of_name(&texts.get(path), line, "");
    let uri = address(&texts.project.root().join(path));
    Ok(uri.map(|uri| CallHierarchyItem {
        name: path.to_owned(),
        kind: lsp_types::SymbolKind::FILE,
        tags: None,
        detail: None,
        uri,
        range,
        selection_range: range,
        data: None,
    }))
}

pub(super) fn outgoing_calls(
    asked: &Asked,
    params: &CallHierarchyOutgoingCallsParams,
) -> Result<Value, String> {
    let Range { start, end } = params.item.range;
    let lines = scent_types::Lines::new(start.line + 1, end.line + 1);
    let found = asked
        .project
        .calls_from(&asked.inside, lines)
        .map_err(failed)?;
    let texts = Texts::of(asked.project);
    let here = texts.get(&asked.inside);
    let mut calls: Vec<CallHierarchyOutgoingCall> = Vec::new();
    for call in &found {
        let range = range_of_name(&here, call.line, &call.name);
        for to in call.to.iter().filter_map(|to| item(&texts, to)) {
            let is_same = |known: &&mut CallHierarchyOutgoingCall| {
                (&known.to.uri, known.to.selection_range) == (&to.uri, to.selection_range)
            };
            match calls.iter_mut().find(is_same) {
                Some(known) => known.from_ranges.push(range),
                None => calls.push(CallHierarchyOutgoingCall {
                    to,
                    from_ranges: vec![range],
                }),
            }
        }
    }
    written(calls)
}
