//! The files that all tools see.

use scent_engine::{EngineError, Project};
use scent_types::Lines;
use std::collections::BTreeMap;

/// A number stands before each line that is read.
const NUMBER: usize = 6;

/// The texts of indexed files, by path.
#[derive(Debug, Default)]
pub struct Files {
    texts: BTreeMap<String, String>,
    /// The same in lower case, for words in any case.
    lower: BTreeMap<String, String>,
}

impl Files {
    /// The files of the generation that a project holds.
    pub fn of(project: &Project) -> Result<Files, EngineError> {
        let mut files = Files::default();
        for file in project
            .files()?
            .into_iter()
            .filter(|file| file.skipped.is_none())
        {
            if let Some(text) = project.file_text(&file.path)? {
                files.add(&file.path, text);
            }
        }
        Ok(files)
    }

    pub(super) fn add(&mut self, path: &str, text: String) {
        self.lower.insert(path.to_owned(), text.to_lowercase());
        self.texts.insert(path.to_owned(), text);
    }

    /// All files, by path.
    pub fn each(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// All files in lower case.
    pub fn each_lower(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lower
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// How many bytes it is to read lines of a file.
    pub fn cost(&self, path: &str, lines: Lines) -> usize {
        let text = self.texts.get(path).map_or("", String::as_str);
        let first = lines.start.max(1) as usize - 1;
        let all = text.lines().skip(first).take(lines.end as usize - first);
        path.len() + 1 + all.map(|line| line.len() + 1 + NUMBER).sum::<usize>()
    }

    /// How many lines a file has.
    pub fn count(&self, path: &str) -> u32 {
        self.texts
            .get(path)
            .map_or(0, |text| text.lines().count() as u32)
    }
}
