//! The files of a repository by what an import may call them.

use rustc_hash::{FxHashMap, FxHashSet};
use scent_index::{FactsReader, FileRecord, FileTable, Result, State};
use scent_types::ImportRules;
use scent_words::names;
use std::sync::{Arc, OnceLock};

/// The position of a file in the table.
pub type FileNo = u32;

/// The rules of imports of a language, by its id.
pub type RulesOf = fn(&str) -> &'static ImportRules;

/// The indexed files by parts of their paths, and what manifests say. It is made
/// once for a snapshot.
#[derive(Debug, Default)]
pub struct PathIndex {
    /// The rules of each file's language, by its number.
    rules: Vec<&'static ImportRules>,
    /// By the name without what follows its first dot.
    stems: Groups,
    /// By the folder.
    folders: Groups,
    /// One of each folder, by the last part of the folder.
    ends: Groups,
    /// What manifests call parts of the project.
    roots: Vec<Root>,
    /// Folders from which files are required by name, once that was needed.
    load_path: OnceLock<FxHashSet<String>>,
}

/// Files by a part of their paths, each group in order of the paths.
type Groups = FxHashMap<Box<str>, Vec<FileNo>>;

/// Files by path, by stem and by folder.
pub(crate) struct Paths<'t> {
    table: &'t FileTable,
    facts: &'t FactsReader,
    index: Arc<PathIndex>,
    learn: LearnFolders,
}

/// Learns from facts where files are required from by name.
pub(crate) type LearnFolders = fn(&Paths, &FactsReader) -> FxHashSet<String>;

/// What imports call a part of a project.
#[derive(Debug)]
struct Root {
    /// The folder of the manifest.
    folder: String,
    name: String,
    path: String,
}

/// How files that may declare roots are called.
const MANIFESTS: [&str; 8] = [
    "package", "tsconfig", "jsconfig", "composer", "Cargo", "go", "pubspec", "build",
];

impl PathIndex {
    /// The files of a table.
    pub fn new(table: &FileTable, facts: &FactsReader, rules_of: RulesOf) -> Result<PathIndex> {
        let mut index = PathIndex {
            rules: rules_of_files(table, rules_of),
            ..PathIndex::default()
        };
        for file in indexed(table) {
            let path = table.files[file as usize].path.as_str();
            add(&mut index.stems, stem(path), file);
            if add(&mut index.folders, folder(path), file) {
                add(&mut index.ends, file_name(folder(path)), file);
            }
        }
        for file in MANIFESTS
            .iter()
            .filter_map(|name| index.stems.get(*name))
            .flatten()
        {
            let record = &table.files[*file as usize];
            let read = facts.of(record)?;
            index.roots.extend(read.roots().map(|(name, path)| Root {
                folder: folder(&record.path).to_owned(),
                name: name.to_owned(),
                path: path.to_owned(),
            }));
        }
        Ok(index)
    }
}

/// The rules of each file. Most files follow one of the same language.
fn rules_of_files(table: &FileTable, rules_of: RulesOf) -> Vec<&'static ImportRules> {
    let mut rules = Vec::with_capacity(table.files.len());
    let mut last: (&str, &ImportRules) = ("", rules_of(""));
    for file in &table.files {
        let language = language(file);
        if language != last.0 {
            last = (language, rules_of(language));
        }
        rules.push(last.1);
    }
    rules
}

/// The language of a file, by its id; empty where it has none.
pub(crate) fn language(file: &FileRecord) -> &str {
    match &file.state {
        State::Indexed { language, .. } => language,
        State::Skipped(_) => "",
    }
}

/// Adds a file to a group; true where it is the first.
fn add(groups: &mut Groups, key: &str, file: FileNo) -> bool {
    match groups.get_mut(key) {
        Some(group) => group.push(file),
        None => {
            groups.insert(key.into(), vec![file]);
            return true;
        }
    }
    false
}

/// Every file that is indexed.
fn indexed(table: &FileTable) -> impl Iterator<Item = FileNo> {
    let files = table.files.iter().enumerate();
    files
        .filter(|(_, file)| file.id().is_some())
        .map(|(at, _)| at as FileNo)
}

impl<'t> Paths<'t> {
    pub fn new(
        table: &'t FileTable,
        facts: &'t FactsReader,
        index: Arc<PathIndex>,
        learn: LearnFolders,
    ) -> Paths<'t> {
        Paths {
            table,
            facts,
            index,
            learn,
        }
    }

    /// Folders from which files are required by name, as the project shows.
    pub fn load_path(&self) -> &FxHashSet<String> {
        let folders = &self.index.load_path;
        folders.get_or_init(|| (self.learn)(self, self.facts))
    }

    /// How the language of a file imports.
    pub fn rules(&self, file: FileNo) -> &'static ImportRules {
        self.index.rules[file as usize]
    }

    /// The paths that a name may stand for by what manifests say, those of the
    /// manifest nearest to a file first. `separator` ends the part of a name
    /// that a root without `*` stands for.
    pub fn named_by_manifests(&self, name: &str, separator: char, near: &str) -> Vec<String> {
        let mut found: Vec<(usize, usize, String)> = Vec::new();
        for root in &self.index.roots {
            let Some(rest) = root.rest_of(name, separator) else {
                continue;
            };
            let inside = match root.path.split_once('*') {
                Some((before, after)) => format!("{before}{rest}{after}"),
                None if rest.is_empty() => root.path.clone(),
                None => format!("{}/{rest}", root.path),
            };
            // Roots hold for what lies below their manifest, and a name of a
            // package for everybody.
            let path = joined(&root.folder, &inside.replace(separator, "/"));
            let depth = shared(&root.folder, near);
            found.extend(path.map(|path| (depth, root.name.len(), path)));
        }
        // Equal ones stay in the order of their manifest.
        found.sort_by_key(|(depth, length, _)| std::cmp::Reverse((*depth, *length)));
        found.into_iter().map(|(_, _, path)| path).collect()
    }

    /// What manifests call a file.
    pub fn names_of(&self, path: &str) -> impl Iterator<Item = &str> {
        let is_it = move |root: &&Root| joined(&root.folder, &root.path).as_deref() == Some(path);
        self.index
            .roots
            .iter()
            .filter(is_it)
            .map(|root| root.name.as_str())
    }

    /// Whether what a manifest calls a part of the project begins with a name.
    pub fn has_root(&self, name: &str) -> bool {
        let mut roots = self.index.roots.iter();
        roots.any(|root| names::parts(&root.name).next() == Some(name))
    }

    /// How many files there are, indexed or not.
    pub fn count(&self) -> usize {
        self.table.files.len()
    }

    pub fn record(&self, file: FileNo) -> &'t FileRecord {
        &self.table.files[file as usize]
    }

    pub fn path(&self, file: FileNo) -> &'t str {
        &self.record(file).path
    }

    /// The indexed file at a path.
    pub fn at(&self, path: &str) -> Option<FileNo> {
        let at = self
            .table
            .files
            .binary_search_by(|f| f.path.as_str().cmp(path))
            .ok()?;
        self.table.files[at].id().map(|_| at as FileNo)
    }

    /// Every file that is indexed.
    pub fn all(&self) -> impl Iterator<Item = FileNo> {
        indexed(self.table)
    }

    /// The files directly in a folder.
    pub fn in_folder(&self, folder: &str) -> &[FileNo] {
        self.index.folders.get(folder).map_or(&[], Vec::as_slice)
    }

    /// The files directly in some folders.
    pub fn in_folders(&self, folders: &[&str]) -> Vec<FileNo> {
        let mut files = Vec::new();
        for folder in folders {
            files.extend(self.in_folder(folder));
        }
        files
    }

    /// The folders whose path ends with these.
    pub fn folders_ending(&self, end: &str) -> Vec<&'t str> {
        let same = self.index.ends.get(file_name(end)).into_iter().flatten();
        let folders = same.map(|&file| folder(self.path(file)));
        folders.filter(|folder| ends_with(folder, end)).collect()
    }

    /// The first of these paths that there is.
    pub fn first(&self, candidates: impl IntoIterator<Item = String>) -> Option<FileNo> {
        candidates.into_iter().find_map(|path| self.at(&path))
    }

    /// The files below folders of this name.
    pub fn below(&self, name: &str) -> Vec<FileNo> {
        let mut files = Vec::new();
        for (folder, inside) in &self.index.folders {
            if folder.split('/').any(|part| part == name) {
                files.extend(inside);
            }
        }
        files.sort_unstable();
        files
    }

    /// The files whose path, less one of the extensions, ends with this; of
    /// several, those that lie nearest to a file.
    pub fn ending(&self, end: &str, extensions: &[&str], near: &str) -> Vec<FileNo> {
        self.ending_below(end, extensions, near, |_| true)
    }

    /// The same where what stands before the end is a folder that passes a test.
    pub fn ending_below(
        &self,
        end: &str,
        extensions: &[&str],
        near: &str,
        is_root: impl Fn(&str) -> bool,
    ) -> Vec<FileNo> {
        let found = self.all_ending(end, extensions, is_root);
        nearest(found, |file| shared(self.path(*file), near))
    }

    /// All of them, wherever they lie.
    pub fn all_ending(
        &self,
        end: &str,
        extensions: &[&str],
        is_root: impl Fn(&str) -> bool,
    ) -> Vec<FileNo> {
        let last = end.rsplit('/').next().unwrap_or(end);
        let has = |path: &str| {
            let rest = extensions
                .iter()
                .find_map(|e| path.strip_suffix(e)?.strip_suffix('.'));
            rest.filter(|rest| ends_with(rest, end))
                .is_some_and(|rest| is_root(rest[..rest.len() - end.len()].trim_end_matches('/')))
        };
        let same = self.index.stems.get(stem(last)).into_iter().flatten();
        same.copied().filter(|&file| has(self.path(file))).collect()
    }
}

impl Root {
    /// What of a name comes after the root.
    fn rest_of<'n>(&self, name: &'n str, separator: char) -> Option<&'n str> {
        match self.name.split_once('*') {
            Some((before, after)) => name.strip_prefix(before)?.strip_suffix(after),
            None => {
                let rest = name.strip_prefix(&self.name)?;
                match self.name.ends_with(separator) || rest.is_empty() {
                    true => Some(rest),
                    false => rest.strip_prefix(separator),
                }
            }
        }
    }
}

/// Those with the most in common.
fn nearest(files: Vec<FileNo>, common: impl Fn(&FileNo) -> usize) -> Vec<FileNo> {
    let most = files.iter().map(&common).max().unwrap_or(0);
    files
        .into_iter()
        .filter(|file| common(file) == most)
        .collect()
}

/// How many folders two paths share from the root.
fn shared(a: &str, b: &str) -> usize {
    a.split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}

/// Whether a path ends with whole parts.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of a file without what follows its first dot.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.split_once('.')
        .map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

/// A path with `.` and `..` gone; none where it leads out of the root.
pub(crate) fn joined(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_joined() {
        for (folder, relative, expected) in [
            ("lib/router", "./route", Some("lib/router/route")),
            ("lib/router", "../view.js", Some("lib/view.js")),
            ("", "./a/./b", Some("a/b")),
            ("lib", "../..", None),
        ] {
            assert_eq!(
                joined(folder, relative).as_deref(),
                expected,
                "{folder} {relative}"
            );
        }
    }

    #[test]
    fn names_of_files() {
        assert_eq!(stem("src/a.test.ts"), "a");
        assert_eq!(stem("src/.eslintrc"), ".eslintrc");
        assert_eq!(stem("Makefile"), "Makefile");
        assert_eq!(folder("a/b/c.rs"), "a/b");
        assert!(
            ends_with("src/a/b", "a/b") && ends_with("a/b", "a/b") && !ends_with("xa/b", "a/b")
        );
    }
}
