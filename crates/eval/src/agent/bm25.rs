//! The agent with BM25 over functions.

use super::Task;
use super::files::Files;
use super::reader::{Log, Reader};
use crate::bm25::Bm25;
use scent_engine::file_units;
use scent_types::Lines;
use std::path::Path;

/// Tokens of an answer.
const PAGE: usize = 2_000;

/// The units of a folder, as functions to search.
pub struct Functions {
    places: Vec<(String, Lines)>,
    index: Bm25,
}

impl Functions {
    /// The units of some files below a folder.
    pub fn new(folder: &Path, files: &Files) -> Functions {
        let mut functions = Functions {
            places: Vec::new(),
            index: Bm25::default(),
        };
        for (path, text) in files.each() {
            let Ok(found) = file_units(&folder.join(path)) else {
                continue;
            };
            let lines: Vec<&str> = text.lines().collect();
            for unit in &found.units {
                let range = unit.unit.lines;
                let end = (range.end as usize).min(lines.len());
                let start = (range.start as usize - 1).min(end);
                functions.index.add(&lines[start..end].join("\n"));
                functions.places.push((path.to_owned(), range));
            }
        }
        functions
    }

    /// Looks for an answer with the whole question.
    pub fn search(&self, files: &Files, task: &Task) -> Log {
        let mut reader = Reader::new(task);
        let mut page: Vec<(&str, Lines)> = Vec::new();
        let mut bytes = 0;
        for nth in self.index.search(&task.question) {
            let (path, lines) = &self.places[nth];
            let cost = files.cost(path, *lines);
            if !page.is_empty() && (bytes + cost).div_ceil(4) > PAGE {
                if !reader.read(bytes, &page) {
                    return reader.log();
                }
                page.clear();
                bytes = 0;
            }
            page.push((path, *lines));
            bytes += cost;
        }
        reader.read(bytes, &page);
        reader.log()
    }
}
