//! The map of a project: the files and symbols to read first.

use crate::error::EngineError;
use crate::find_language;
use crate::tree::{Tree, read_record};
use crate::units::outline_of;
use rayon::prelude::*;
use scent_index::{FileRecord, Snapshot, State};
use scent_search::map::{self, Arranged, RankedFile};
use scent_types::{FileOutline, Lines, ProjectMap};
use std::collections::BTreeMap;

/// What to map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapOptions {
    /// A folder or a file, relative to the root; empty for the whole project.
    pub path: String,
    /// Maximum number of files.
    pub files: usize,
}

/// The most important files at a path, and what they define.
pub(crate) fn project_map(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    options: &MapOptions,
) -> Result<ProjectMap, EngineError> {
    let ranked = map::ranked_files(snapshot, &options.path);
    let chosen = &ranked[..ranked.len().min(options.files)];
    let outlines = chosen.par_iter().map(|file| outline(tree, snapshot, file));
    let Arranged { files, order } = map::arranged(chosen, outlines.collect());
    let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lines = 0;
    for file in &ranked {
        let (language, count) = language_and_lines(file.record);
        *languages.entry(language).or_default() += 1;
        lines += u64::from(count);
    }
    let records: Vec<&FileRecord> = ranked.iter().map(|file| file.record).collect();
    Ok(ProjectMap {
        path: options.path.clone(),
        total: order.len(),
        files,
        order,
        entries: map::entries(snapshot, &ranked)?,
        languages: most_first(languages),
        folders: map::folders(&records, &options.path),
        total_files: records.len(),
        lines,
    })
}

/// The files of a folder in order of their paths, each with its most important
/// symbols, at most so many of them.
pub(crate) fn folder_outline(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    folder: &str,
    symbols: usize,
) -> Vec<FileOutline> {
    let mut ranked = map::ranked_files(snapshot, folder);
    ranked.sort_by(|a, b| a.record.path.cmp(&b.record.path));
    let outlines = ranked.par_iter().map(|file| {
        let mut outline = outline(tree, snapshot, file);
        map::keep_first(&mut outline, symbols);
        outline
    });
    let mut outlines: Vec<FileOutline> = outlines.collect();
    outlines.retain(|outline| !outline.symbols.is_empty());
    outlines
}

/// What a file defines that is indexed.
pub(crate) fn indexed_outline(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    path: &str,
) -> Result<FileOutline, EngineError> {
    Ok(outline_of(path, indexed_bytes(tree, snapshot, path)?))
}

/// The text of a file that is indexed.
pub(crate) fn indexed_text(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    path: &str,
) -> Result<String, EngineError> {
    let bytes = indexed_bytes(tree, snapshot, path)?;
    Ok(scent_syntax::text_of(path, bytes))
}

fn indexed_bytes(tree: &dyn Tree, snapshot: &Snapshot, path: &str) -> Result<Vec<u8>, EngineError> {
    let record = snapshot.table().find(path);
    let record = record.filter(|record| record.id().is_some());
    let read = record.map(|record| read_record(tree, record));
    match read {
        Some(Ok(bytes)) => Ok(bytes),
        _ => Err(EngineError::NoSuchPath(path.into())),
    }
}

/// What a file defines, each with its importance.
fn outline(tree: &dyn Tree, snapshot: &Snapshot, file: &RankedFile) -> FileOutline {
    let record = file.record;
    let bytes = read_record(tree, record).unwrap_or_default();
    let mut outline = outline_of(&record.path, bytes);
    outline.importance = Some(file.importance);
    for symbol in &mut outline.symbols {
        // A map is of what is used from afar.
        symbol.members.clear();
        let line = Lines::new(symbol.line, symbol.line);
        symbol.importance = record.id().map(|id| snapshot.ranks().lines(id, line));
    }
    map::gather_members(&mut outline);
    outline
}

fn language_and_lines(record: &FileRecord) -> (&'static str, u32) {
    match &record.state {
        State::Indexed {
            language, lines, ..
        } => {
            let name = find_language(language).map_or("text", |language| language.name);
            (name, *lines)
        }
        State::Skipped(_) => ("text", 0),
    }
}

fn most_first(counts: BTreeMap<&str, usize>) -> Vec<(String, usize)> {
    let mut sorted = Vec::new();
    for (name, count) in counts {
        sorted.push((name.to_owned(), count));
    }
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    sorted
}
