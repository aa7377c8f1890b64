//! The files of a repository by what an import may call them.

use crate::files::{FileRecord, FileTable};
use std::collections::HashMap;

/// The position of a file in the table.
pub type FileNo = u32;

/// Files by path, by stem and by folder.
pub(super) struct Paths<'t> {
    table: &'t FileTable,
    /// The name without what follows its first dot.
    by_stem: HashMap<&'t str, Vec<FileNo>>,
    by_folder: HashMap<&'t str, Vec<FileNo>>,
}

impl<'t> Paths<'t> {
    pub fn new(table: &'t FileTable) -> Paths<'t> {
        let mut by_stem: HashMap<&str, Vec<FileNo>> = HashMap::new();
        let mut by_folder: HashMap<&str, Vec<FileNo>> = HashMap::new();
        for (at, file) in table.files.iter().enumerate().filter(|(_, file)| file.id().is_some()) {
            by_stem.entry(stem(&file.path)).or_default().push(at as FileNo);
            by_folder.entry(folder(&file.path)).or_default().push(at as FileNo);
        }
        Paths { table, by_stem, by_folder }
    }

    pub fn record(&self, file: FileNo) -> &'t FileRecord {
        &self.table.files[file as usize]
    }

    pub fn path(&self, file: FileNo) -> &'t str {
        &self.record(file).path
    }

    /// The indexed file at a path.
    pub fn at(&self, path: &str) -> Option<FileNo> {
        let at = self.table.files.binary_search_by(|f| f.path.as_str().cmp(path)).ok()?;
        self.table.files[at].id().map(|_| at as FileNo)
    }

    /// The files directly in a folder.
    pub fn in_folder(&self, folder: &str) -> &[FileNo] {
        self.by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// The folders whose path ends with these.
    pub fn folders_ending(&self, end: &str) -> Vec<&'t str> {
        let mut found: Vec<&str> =
            self.by_folder.keys().copied().filter(|folder| ends_with(folder, end)).collect();
        found.sort_unstable();
        found
    }

    /// The first of these paths that there is.
    pub fn first(&self, candidates: impl IntoIterator<Item = String>) -> Option<FileNo> {
        candidates.into_iter().find_map(|path| self.at(&path))
    }

    /// The files whose path, less one of the extensions, ends with this; of
    /// several, those that lie nearest to a file.
    pub fn ending(&self, end: &str, extensions: &[&str], near: &str) -> Vec<FileNo> {
        let last = end.rsplit('/').next().unwrap_or(end);
        let has = |path: &str| {
            let rest = extensions.iter().find_map(|e| path.strip_suffix(e)?.strip_suffix('.'));
            rest.is_some_and(|rest| ends_with(rest, end))
        };
        let same_stem = self.by_stem.get(stem(last)).into_iter().flatten().copied();
        let found: Vec<FileNo> = same_stem.filter(|&file| has(self.path(file))).collect();
        nearest(found, |file| shared(self.path(*file), near))
    }
}

/// Those with the most in common.
fn nearest(files: Vec<FileNo>, common: impl Fn(&FileNo) -> usize) -> Vec<FileNo> {
    let most = files.iter().map(&common).max().unwrap_or(0);
    files.into_iter().filter(|file| common(file) == most).collect()
}

/// How many folders two paths share from the root.
fn shared(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

/// Whether a path ends with whole parts.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of a file without what follows its first dot.
pub(super) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

/// A path with `.` and `..` gone; none where it leads out of the root.
pub(super) fn joined(folder: &str, relative: &str) -> Option<String> {
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
            assert_eq!(joined(folder, relative).as_deref(), expected, "{folder} {relative}");
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
