//! The map of a project.

use crate::budget::Budget;
use crate::lookup::{Answer, Envelope, doc_text, wired};
use crate::markdown::span;
use crate::paths::Paths;
use crate::quantity::count;
use crate::style::shortened;
use crate::text::Text;
use crate::wire::{self, SCHEMA_VERSION};
use scent_types::{Entry, FileOutline, ProjectMap, Signature};
use std::collections::{BTreeMap, BTreeSet};

/// Longer signatures are cut in a map, in columns.
const SIGNATURE: usize = 120;

/// Longer documentation is cut in a map, in columns.
const DOC: usize = 90;

/// A map names so many languages.
const LANGUAGES: usize = 6;

impl Answer for ProjectMap {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = head_text(self, paths);
        for of_folder in self.files.chunk_by(|a, b| folder(a) == folder(b)) {
            out += Text::from("\n") + folder_text(paths, &of_folder[0]);
            for file in of_folder {
                out += file_text(paths, file);
                out += file.symbols.iter().map(symbol_text).collect();
            }
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        let (shown, total) = self.counts();
        let answer = wire::ProjectMap {
            schema: SCHEMA_VERSION,
            root: envelope.root,
            path: self.path.clone(),
            files: wired(&self.files),
            total,
            shown,
            total_files: self.total_files,
            lines: self.lines,
            entries: wired(&self.entries),
            languages: self.languages.iter().cloned().collect(),
            folders: wired(&self.folders),
            rest: envelope.rest,
            notes: wired(&envelope.notes),
        };
        Text::json_in(envelope.layout, &answer)
    }

    /// Keeps what is to be read first, and the headings that it needs.
    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let mut kept: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut folders = BTreeSet::new();
        budget.take(&head_text(self, paths));
        for &(nth, symbol) in &self.order {
            let file = &self.files[nth];
            let is_new = !kept.contains_key(&nth);
            let mut piece = Text::default();
            if is_new && folders.insert(folder(file)) {
                piece += folder_text(paths, file);
            }
            if is_new {
                piece += file_text(paths, file);
            }
            if budget.is_json() {
                piece += Text::json(&wire::Symbol::from(&file.symbols[symbol]));
            } else {
                piece += symbol_text(&file.symbols[symbol]);
            }
            // At least one, since an empty map helps nobody.
            if !budget.take(&piece) && !kept.is_empty() {
                break;
            }
            kept.entry(nth).or_default().insert(symbol);
        }
        self.keep(&kept);
    }

    fn counts(&self) -> (usize, usize) {
        let shown = self.files.iter().map(|file| file.symbols.len()).sum();
        (shown, self.total)
    }
}

/// A map as Markdown.
pub fn map_markdown(map: &ProjectMap, paths: &Paths) -> Text {
    let mut out = head_text(map, paths);
    for of_folder in map.files.chunk_by(|a, b| folder(a) == folder(b)) {
        let heading = span(&format!("{}/", paths.shown(folder(&of_folder[0]))));
        out += Text::from("\n") + Text::line(&format!("## {heading}")) + Text::from("\n");
        for file in of_folder {
            let (name, doc) = (span(file_name(file)), doc_span(&file.doc));
            out += Text::line(&format!("- **{name}**{doc}"));
            for symbol in &file.symbols {
                let indent = "  ".repeat(symbol.depth.min(4) as usize + 1);
                let (lines, code) = (lines(symbol), span(&code(symbol)));
                let doc = doc_span(&symbol.doc);
                out += Text::line(&format!("{indent}- {lines} {code}{doc}"));
            }
        }
    }
    out
}

/// Documentation in code, so that nothing in it is read as Markdown.
fn doc_span(doc: &str) -> String {
    match doc {
        "" => String::new(),
        doc => format!(" — {}", span(&cut(doc, DOC))),
    }
}

/// How large the project is, and what it is made of.
fn head_text(map: &ProjectMap, paths: &Paths) -> Text {
    let mut languages = Vec::new();
    for (language, count) in map.languages.iter().take(LANGUAGES) {
        languages.push(format!("{language} {count}"));
    }
    let files = count(map.total_files, "file");
    let languages = languages.join(", ");
    let mut out = Text::line(&format!("{files}, {} lines: {languages}", map.lines));
    let mut entries = Vec::new();
    for Entry { path, line, .. } in &map.entries {
        entries.push(format!("{}:{line}", paths.shown(path)));
    }
    if !entries.is_empty() {
        out += Text::line(&format!("begins in: {}", entries.join(", ")));
    }
    let mut folders = Vec::new();
    for folder in &map.folders {
        folders.push(format!("{}/ {}", paths.shown(&folder.path), folder.count));
    }
    if !folders.is_empty() {
        out += Text::line(&format!("folders: {}", folders.join(", ")));
    }
    out
}

/// The folder of a file; empty for the root.
fn folder(file: &FileOutline) -> &str {
    file.path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn folder_text(paths: &Paths, file: &FileOutline) -> Text {
    Text::line(&format!("{}/", paths.shown(folder(file))))
}

fn file_name(file: &FileOutline) -> &str {
    file.path.rsplit('/').next().unwrap_or(&file.path)
}

fn file_text(paths: &Paths, file: &FileOutline) -> Text {
    let name = paths.linked(&file.path, Text::span(file_name(file)));
    let doc = doc_text(&cut(&file.doc, DOC));
    Text::span("  ") + name + Text::line(&doc)
}

fn symbol_text(symbol: &Signature) -> Text {
    let indent = "  ".repeat(symbol.depth.min(4) as usize);
    let (lines, code) = (lines(symbol), code(symbol));
    let doc = doc_text(&cut(&symbol.doc, DOC));
    Text::line(&format!("{lines:>11} {indent}{code}{doc}"))
}

fn lines(symbol: &Signature) -> String {
    format!("{}-{}", symbol.start_line, symbol.end_line)
}

fn code(symbol: &Signature) -> String {
    match symbol.signature.as_str() {
        "" => shortened(&symbol.name).into_owned(),
        // Not a comment behind it.
        signature => cut(
            signature.split(" # ").next().unwrap_or(signature),
            SIGNATURE,
        ),
    }
}

fn cut(text: &str, columns: usize) -> String {
    let start = scent_types::cut(text, columns);
    match start.len() < text.len() {
        true => format!("{start}…"),
        false => text.to_owned(),
    }
}
