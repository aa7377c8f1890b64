//! The map of a project: its most important files, and what they define.

use crate::{FileOutline, Folder};
use std::collections::{BTreeMap, BTreeSet};

/// The most important files of a project, or of a part of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectMap {
    /// The folder or file that is mapped, relative to the root; empty for the
    /// whole project.
    pub path: String,
    /// The files, the most important folder first, and in it the most important
    /// file. A symbol that encloses another comes before it.
    pub files: Vec<FileOutline>,
    /// The symbols by the positions of file and symbol, in the order in which
    /// they are worth reading. One comes after those that enclose it.
    pub order: Vec<(usize, usize)>,
    /// Where programs begin.
    pub entries: Vec<Entry>,
    /// The languages of all files, the most frequent first.
    pub languages: Vec<(String, usize)>,
    /// The folders at the top and how many files they have, the fullest first.
    pub folders: Vec<Folder>,
    /// How many files there are, mapped or not.
    pub total_files: usize,
    /// How many lines they have.
    pub lines: u64,
    /// How many symbols `order` had before a budget cut it.
    pub total: usize,
}

/// Where a program begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file, relative to the root.
    pub path: String,
    /// The line of the name.
    pub line: u32,
    /// The name, such as `main`.
    pub name: String,
}

impl ProjectMap {
    /// Keeps some symbols of some files, by their positions.
    pub fn keep(&mut self, kept: &BTreeMap<usize, BTreeSet<usize>>) {
        let mut files = Vec::new();
        for (nth, symbols) in kept {
            let file = &self.files[*nth];
            let kept = symbols.iter().map(|at| file.symbols[*at].clone());
            files.push(FileOutline {
                symbols: kept.collect(),
                ..file.clone()
            });
        }
        self.files = files;
        self.order.clear();
    }
}
