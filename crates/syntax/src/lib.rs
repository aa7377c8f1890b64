//! Source text in; units, symbols, references and imports out.
//!
//! Nothing here touches a disk and nothing fails: any text gives units that
//! cover each of its lines once, and a [`Health`] that says how well the text
//! was understood. What a language looks like is data: `languages/<name>/`.

mod arity;
mod blocks;
mod chain;
mod definitions;
mod grammars;
mod language;
mod layout;
mod lines;
mod locals;
mod manifest;
mod memory;
mod nesting;
mod notebook;
mod passages;
mod queries;
mod query;
mod references;
mod scanner;
mod source;
mod spans;
mod symbols;
mod visibility;
mod words;
mod work;

pub use language::{Language, detect, find, import_rules, languages};
pub use locals::{Local, NameAt, TextNames};
pub use manifest::roots;
pub use queries::{Queries, QueryError};
pub use source::{decode, is_notebook, text_of};

use lines::LineTable;
use references::Uses;
use scent_types::{Health, Outline};
use std::borrow::Cow;
use std::collections::HashSet;
use work::Work;

/// Changes when the languages, the grammars or this crate's code change:
/// what was parsed by another version is parsed again.
pub fn fingerprint() -> u64 {
    language::DATA_HASH
}

/// The units of a text. Without a language, or without a grammar for it, the
/// text is split into paragraphs.
pub fn outline(language: Option<&'static Language>, text: &str) -> Outline {
    match language.and_then(|language| Some((language, language.queries()?))) {
        Some((language, queries)) => outline_with(language, queries, text),
        None => outline_plain(language, text),
    }
}

/// The units of a text by the given queries, for trying out a query that is
/// not built in.
pub fn outline_with(language: &'static Language, queries: &Queries, text: &str) -> Outline {
    let text = &*with_last_newline(text);
    let lines = LineTable::new(text);
    let Some(mut found) = definitions::find(language, queries, text, &lines) else {
        let plain = outline_plain(Some(language), text);
        return Outline {
            health: Health::Error,
            ..plain
        };
    };
    let health = found.health;
    let Uses {
        references,
        imports,
        hints,
        ..
    } = std::mem::take(&mut found.uses);
    let (units, mut symbols) = layout::units(language, text, &lines, found);
    // What an import calls something is not where it is defined.
    let aliases: HashSet<(u32, &str)> = imports
        .iter()
        .map(|import| (import.line, import.alias.as_str()))
        .collect();
    symbols.retain(|symbol| !aliases.contains(&(symbol.line, symbol.name.as_str())));
    Outline {
        units,
        symbols,
        references,
        imports,
        hints,
        health,
    }
}

/// The same lines, the last one ended as well. Some grammars look for its end
/// without a thought of the end of the text: that of Perl for ever, where a
/// here-document is open.
fn with_last_newline(text: &str) -> Cow<'_, str> {
    match text.is_empty() || text.ends_with('\n') {
        true => text.into(),
        false => format!("{text}\n").into(),
    }
}

/// The units of a text by its paragraphs, whatever its language.
pub fn paragraphs(language: Option<&'static Language>, text: &str) -> Outline {
    outline_plain(language, text)
}

fn outline_plain(language: Option<&'static Language>, text: &str) -> Outline {
    let lines = LineTable::new(text);
    let units = layout::paragraphs(language, text, &lines);
    let (symbols, references, imports) = (Vec::new(), Vec::new(), Vec::new());
    Outline {
        units,
        symbols,
        references,
        imports,
        hints: Vec::new(),
        health: Health::NoGrammar,
    }
}

/// The syntax tree of a text as an S-expression, for writing queries.
pub fn tree(language: &'static Language, text: &str) -> String {
    let Some(queries) = language.queries() else {
        return "no grammar".into();
    };
    let tree = definitions::parse(
        queries,
        &with_last_newline(text),
        None,
        &Work::to_parse(text),
    );
    tree.map_or_else(|| "not parsed".into(), |tree| tree.root_node().to_sexp())
}
