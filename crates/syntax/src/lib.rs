//! Source text in; units and references out.
//!
//! Nothing here touches a disk and nothing fails: any text gives units that
//! cover each of its lines once, and a [`Health`] that says how well the text
//! was understood. What a language looks like is data: `languages/<name>/`.

mod definitions;
mod grammars;
mod language;
mod layout;
mod lines;
mod passages;
mod queries;
mod query;
mod references;
mod source;
mod words;

pub use language::{Language, detect, find, languages};
pub use queries::{Queries, QueryError};
pub use source::decode;

use lines::LineTable;
use scent_types::{Health, Outline, Reference};

/// Changes when the languages, the grammars or this crate's code change:
/// what was parsed by another version is parsed anew.
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
    let lines = LineTable::new(text);
    let Some(found) = definitions::find(language, queries, text, &lines) else {
        let plain = outline_plain(Some(language), text);
        return Outline { health: Health::Error, ..plain };
    };
    let health = found.health;
    let units = layout::units(language, text, &lines, found);
    Outline { units, health }
}

/// The names a text uses, in order of their lines.
pub fn references(language: &'static Language, text: &str) -> Vec<Reference> {
    match language.queries() {
        Some(queries) => references::find(queries, text),
        None => Vec::new(),
    }
}

/// The names a text uses by the given queries.
pub fn references_with(queries: &Queries, text: &str) -> Vec<Reference> {
    references::find(queries, text)
}

fn outline_plain(language: Option<&'static Language>, text: &str) -> Outline {
    let lines = LineTable::new(text);
    let units = layout::paragraphs(language, text, &lines);
    Outline { units, health: Health::NoGrammar }
}

/// The syntax tree of a text as an S-expression, for writing queries.
pub fn tree(language: &'static Language, text: &str) -> String {
    let Some(queries) = language.queries() else { return "no grammar".into() };
    let tree = definitions::parse(queries, text, None);
    tree.map_or_else(|| "not parsed".into(), |tree| tree.root_node().to_sexp())
}
