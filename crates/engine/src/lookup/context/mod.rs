//! What code at a cursor will need: signatures of what is in scope there, of
//! what its imports bring, of the members of types that it uses, and code like
//! it elsewhere. Never the lines around the cursor, which whoever asks has.
//!
//! Nothing is resolved for certain: a name is the more likely to be needed the
//! nearer it is used, the more functions like this one use it, and the nearer it
//! is defined. All of it is read from the facts of the index, without a model.

mod candidates;
mod neighbours;
mod words;

use super::Lookup;
use crate::EngineError;
use crate::tree::Tree;
use candidates::{Candidate, Candidates};
use neighbours::{Neighbour, intersect, likely_names, neighbours};
use scent_graph::{Definition, FileNo};
use scent_index::Snapshot;
use scent_types::{CodeContext, ContextReason, ContextSnippet, Fit, Lines, Source};
use std::collections::{BTreeSet, HashSet};
use words::Around;

/// Lines before and behind the cursor that are never shown.
const SEEN: u32 = 20;

/// Lines around the cursor that functions are compared with.
const COMPARED: (usize, usize) = (25, 10);

/// So many files of the folder, and of those that are imported, are looked at.
const MOST_NEAR: usize = 24;
const MOST_IMPORTED: usize = 16;

/// How much of the budget is for similar code: one part in so many.
const FOR_SIMILAR: usize = 6;

/// The most lines of similar code.
const MOST_LINES: u32 = 14;

/// A line of code that is longer says nothing more.
const LONGEST_LINE: usize = 160;

/// A place that something is written at.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    /// The file, relative to the root.
    pub path: String,
    /// The line that the cursor is on.
    pub line: u32,
    /// The text before the cursor and behind it, where that is not what is on
    /// disk.
    pub around: Option<(String, String)>,
}

/// What code at a cursor will need, within about so many tokens.
pub(crate) fn context(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    cursor: &Cursor,
    max_tokens: usize,
) -> Result<CodeContext, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let file = lookup.graph.file_at(&cursor.path);
    let around = around(&lookup, file, cursor);
    let site = Site::new(&lookup, file, cursor, &around)?;
    let mut ranked = site.ranked()?;
    ranked.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| place(a).cmp(&place(b)))
    });
    let total = ranked.len();
    let snippets = site.within(ranked, max_tokens);
    Ok(CodeContext {
        path: cursor.path.clone(),
        line: cursor.line,
        snippets,
        total,
    })
}

fn place(found: &Candidate) -> (FileNo, u32) {
    (found.file, found.symbol.line)
}

/// The text around the cursor: what whoever asks has, or what is on disk.
fn around(lookup: &Lookup, file: Option<FileNo>, cursor: &Cursor) -> Around {
    if let Some((before, after)) = &cursor.around {
        let (before, after) = (before.clone(), after.clone());
        return Around { before, after };
    }
    let text = file.map(|file| lookup.text(file));
    let text = text.as_deref().map_or("", Source::text);
    let mut lines = text.split_inclusive('\n');
    let before: String = lines.by_ref().take(cursor.line as usize).collect();
    Around {
        before,
        after: lines.collect(),
    }
}

/// A cursor in its project.
struct Site<'l, 's> {
    lookup: &'l Lookup<'s>,
    file: Option<FileNo>,
    line: u32,
    /// The lines that are not shown.
    seen: Lines,
    around: &'l Around,
    /// Files whose symbols are at hand, its own first.
    near: Vec<FileNo>,
    imported: Vec<FileNo>,
    neighbours: Vec<Neighbour<'s>>,
}

impl<'l, 's> Site<'l, 's> {
    fn new(
        lookup: &'l Lookup<'s>,
        file: Option<FileNo>,
        cursor: &Cursor,
        around: &'l Around,
    ) -> Result<Site<'l, 's>, EngineError> {
        let seen = Lines::new(cursor.line.saturating_sub(SEEN).max(1), cursor.line + SEEN);
        let imported = imported(lookup, file)?;
        let mut near: Vec<FileNo> = file.into_iter().collect();
        near.extend(in_folder(lookup, &cursor.path, file));
        let words = around.near(COMPARED.0, COMPARED.1);
        let mut compared = near.clone();
        compared.extend(imported.iter().filter(|file| !near.contains(file)));
        let hidden = match file {
            Some(_) => Lines::new(cursor.line, cursor.line + 1),
            // Then the first file is another one, of which nothing is hidden.
            None => Lines::new(u32::MAX, u32::MAX),
        };
        let neighbours = neighbours(&lookup.graph, &compared, hidden, &words)?;
        Ok(Site {
            lookup,
            file,
            line: cursor.line,
            seen,
            around,
            near,
            imported,
            neighbours,
        })
    }

    /// All that may be needed, but what is seen already.
    fn ranked(&self) -> Result<Vec<Candidate<'s>>, EngineError> {
        let likely = likely_names(&self.neighbours);
        let (before, after) = self.around.weights();
        let mut candidates = Candidates::new(&self.lookup.graph, before, after, likely);
        candidates.add_imported(self.file, &self.imported)?;
        candidates.add_near(self.file, &self.near)?;
        candidates.add_named()?;
        candidates.add_members(self.file, self.line, &self.around.receivers(COMPARED.0))?;
        let mut ranked = candidates.into_ranked();
        for candidate in &mut ranked {
            let definition = Definition {
                file: candidate.file,
                symbol: candidate.symbol,
            };
            candidate.score += 0.1 * self.lookup.importance(&definition);
        }
        ranked.retain(|candidate| !self.is_seen(candidate.file, candidate.symbol.line));
        Ok(ranked)
    }

    fn is_seen(&self, file: FileNo, line: u32) -> bool {
        Some(file) == self.file && self.seen.contains(line)
    }

    /// What fits into a budget.
    fn within(&self, ranked: Vec<Candidate<'s>>, max_tokens: usize) -> Vec<ContextSnippet> {
        let mut room = Room {
            left: max_tokens,
            files: HashSet::new(),
        };
        let similar = self.similar(max_tokens / FOR_SIMILAR);
        for snippet in &similar {
            room.take(snippet);
        }
        let mut snippets = Vec::new();
        // Files are read as they are needed, several at a time.
        let first = ranked.iter().take(max_tokens / 8);
        self.lookup.read(first.map(|candidate| candidate.file));
        for candidate in ranked {
            let snippet = self.signature(&candidate);
            if snippet.text.is_empty() || !room.take(&snippet) {
                continue;
            }
            snippets.push(snippet);
            if room.left < 4 {
                break;
            }
        }
        snippets.extend(similar);
        snippets
    }

    fn signature(&self, candidate: &Candidate) -> ContextSnippet {
        let Candidate { file, symbol, .. } = *candidate;
        let source = self.lookup.text(file);
        let end = symbol.lines.end.clamp(symbol.line, symbol.line + 3);
        let mut text = String::new();
        let mut last = symbol.line;
        for line in symbol.line..=end {
            let part = source.line(line).unwrap_or_default().trim();
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(part);
            last = line;
            if is_whole(&text) {
                break;
            }
        }
        ContextSnippet {
            path: self.lookup.path(file).to_owned(),
            lines: Lines::new(symbol.line, last),
            kind: symbol.kind,
            qualified: symbol.qualified.to_owned(),
            text: shortened(&text),
            reason: candidate.reason,
            score: candidate.score,
        }
    }

    /// The function that is most like the code around the cursor.
    fn similar(&self, max_tokens: usize) -> Vec<ContextSnippet> {
        let is_elsewhere = |function: &&Neighbour| {
            let seen = Some(function.file) == self.file && intersect(function.lines, self.seen);
            function.likeness > 0.0 && !seen
        };
        let Some(function) = self.neighbours.iter().find(is_elsewhere) else {
            return Vec::new();
        };
        let source = self.lookup.text(function.file);
        let mut text = String::new();
        let start = function.lines.start;
        let mut end = start;
        for line in start..=function.lines.end.min(start + MOST_LINES - 1) {
            let next = shortened(source.line(line).unwrap_or_default().trim_end());
            if (text.len() + next.len()).div_ceil(4) > max_tokens {
                break;
            }
            text.push_str(&next);
            text.push('\n');
            end = line;
        }
        if text.trim().is_empty() {
            return Vec::new();
        }
        vec![ContextSnippet {
            path: self.lookup.path(function.file).to_owned(),
            lines: Lines::new(start, end),
            kind: function.kind,
            qualified: function.qualified.to_owned(),
            text,
            reason: ContextReason::Similar,
            score: function.likeness,
        }]
    }
}

/// Whether a declaration goes on in the next line.
fn is_whole(text: &str) -> bool {
    let count = |signs: [char; 2]| text.matches(signs).count();
    count(['(', '[']) <= count([')', ']'])
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What is left of a budget.
struct Room {
    left: usize,
    files: HashSet<String>,
}

impl Room {
    /// Takes a snippet in if there is room for it, and for the path of its file
    /// where that is not written yet.
    fn take(&mut self, snippet: &ContextSnippet) -> bool {
        let lines = snippet.text.lines().count().max(1);
        // A number stands before each line.
        let mut cost = (snippet.text.len() + 6 * lines).div_ceil(4);
        if !self.files.contains(&snippet.path) {
            cost += (snippet.path.len() + 1).div_ceil(4);
        }
        if cost > self.left {
            return false;
        }
        self.left -= cost;
        self.files.insert(snippet.path.clone());
        true
    }
}

/// The files that the imports of a file mean.
fn imported(lookup: &Lookup, file: Option<FileNo>) -> Result<Vec<FileNo>, EngineError> {
    let mut files = Vec::new();
    if let Some(file) = file {
        for dependency in lookup.graph.dependencies(file)? {
            for to in dependency.to {
                if !files.contains(&to) {
                    files.push(to);
                }
            }
        }
    }
    files.truncate(MOST_IMPORTED);
    Ok(files)
}

/// Other files of the same folder and language; those whose names are like that
/// of the file first.
fn in_folder(lookup: &Lookup, path: &str, file: Option<FileNo>) -> Vec<FileNo> {
    let folder = |path: &str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    let ending = |path: &str| {
        path.rsplit_once('.')
            .map_or("", |(_, ending)| ending)
            .to_owned()
    };
    let (own, own_ending) = (&path[..folder(path)], ending(path));
    let mut found = Vec::new();
    for record in &lookup.snapshot.table().files {
        let other = &record.path;
        let is_near = record.id().is_some()
            && other.starts_with(own)
            && folder(other) == own.len()
            && ending(other) == own_ending;
        if is_near && other != path {
            found.push(other.as_str());
        }
    }
    let shared = |other: &str| {
        path.bytes()
            .zip(other.bytes())
            .take_while(|(a, b)| a == b)
            .count()
    };
    found.sort_by_key(|other| std::cmp::Reverse(shared(other)));
    found.truncate(MOST_NEAR);
    let files = found
        .into_iter()
        .filter_map(|path| lookup.graph.file_at(path));
    files.filter(|other| Some(*other) != file).collect()
}

/// A name that is used in some lines, and the definitions that it may mean.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedName {
    /// The name.
    pub name: String,
    /// The definitions.
    pub definitions: Vec<scent_types::Defined>,
}

/// The names of the project that are used in some lines of a file.
pub(crate) fn used_names(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    path: &str,
    lines: Lines,
) -> Result<Vec<UsedName>, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let nowhere = || EngineError::NoSuchPlace {
        path: path.to_owned(),
        line: lines.start,
    };
    let file = lookup.graph.file_at(path).ok_or_else(nowhere)?;
    let mut names = BTreeSet::new();
    for line in lines.start..=lines.end {
        names.extend(lookup.graph.names_at(file, line)?);
    }
    let mut used = Vec::new();
    for name in names {
        let mut definitions: Vec<Definition> = Vec::new();
        for edge in lookup.graph.uses(name)? {
            if edge.file == file && lines.contains(edge.used.line) {
                definitions.extend(edge.to);
            }
        }
        definitions.sort_by_key(super::place);
        definitions.dedup_by_key(|found| super::place(found));
        if !definitions.is_empty() {
            let found: Vec<_> = definitions.into_iter().map(|d| (Fit::Exact, d)).collect();
            used.push(UsedName {
                name: name.to_owned(),
                definitions: lookup.to_defined(&found),
            });
        }
    }
    Ok(used)
}
