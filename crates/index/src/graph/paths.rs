//! The files of a repository by what an import may call them.

use crate::error::Result;
use crate::files::{FileRecord, FileTable};
use crate::snapshot::Snapshot;
use std::collections::HashMap;

/// The position of a file in the table.
pub type FileNo = u32;

/// Files by path, by stem and by folder.
pub(super) struct Paths<'t> {
    table: &'t FileTable,
    /// The name without what follows its first dot.
    by_stem: HashMap<&'t str, Vec<FileNo>>,
    by_folder: HashMap<&'t str, Vec<FileNo>>,
    /// What manifests call parts of the project.
    roots: Vec<Root<'t>>,
}

/// What imports call a part of a project.
struct Root<'t> {
    /// The folder of the manifest.
    folder: &'t str,
    name: &'t str,
    path: &'t str,
}

/// How files that may declare roots are called.
const MANIFESTS: [&str; 7] =
    ["package", "tsconfig", "jsconfig", "composer", "Cargo", "go", "pubspec"];

impl<'t> Paths<'t> {
    pub fn new(snapshot: &'t Snapshot) -> Result<Paths<'t>> {
        let table = snapshot.table();
        let mut by_stem: HashMap<&str, Vec<FileNo>> = HashMap::new();
        let mut by_folder: HashMap<&str, Vec<FileNo>> = HashMap::new();
        for (at, file) in table.files.iter().enumerate().filter(|(_, file)| file.id().is_some()) {
            by_stem.entry(stem(&file.path)).or_default().push(at as FileNo);
            by_folder.entry(folder(&file.path)).or_default().push(at as FileNo);
        }
        let mut paths = Paths { table, by_stem, by_folder, roots: Vec::new() };
        let named = MANIFESTS.iter().filter_map(|stem| paths.by_stem.get(stem)).flatten();
        let manifests: Vec<&FileRecord> = named.map(|&file| paths.record(file)).collect();
        for file in manifests {
            let folder = folder(&file.path);
            let facts = snapshot.facts(file)?;
            paths.roots.extend(facts.roots().map(|(name, path)| Root { folder, name, path }));
        }
        Ok(paths)
    }

    /// The paths that a name may stand for by what manifests say, those of the
    /// manifest nearest to a file first. `separator` ends the part of a name
    /// that a root without `*` stands for.
    pub fn meant(&self, name: &str, separator: char, near: &str) -> Vec<String> {
        let mut found: Vec<(usize, usize, String)> = Vec::new();
        for root in &self.roots {
            let Some(rest) = root.rest_of(name, separator) else { continue };
            let inside = match root.path.split_once('*') {
                Some((before, after)) => format!("{before}{rest}{after}"),
                None if rest.is_empty() => root.path.to_owned(),
                None => format!("{}/{rest}", root.path),
            };
            // Roots hold for what lies below their manifest, and a name of a
            // package for everybody.
            let path = joined(root.folder, &inside.replace(separator, "/"));
            let depth = shared(root.folder, near);
            found.extend(path.map(|path| (depth, root.name.len(), path)));
        }
        // Equal ones stay in the order of their manifest.
        found.sort_by_key(|(depth, length, _)| std::cmp::Reverse((*depth, *length)));
        found.into_iter().map(|(_, _, path)| path).collect()
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

    /// Every file that is indexed.
    pub fn all(&self) -> impl Iterator<Item = FileNo> {
        let files = self.table.files.iter().enumerate();
        files.filter(|(_, file)| file.id().is_some()).map(|(at, _)| at as FileNo)
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

    /// The files below folders of this name.
    pub fn below(&self, name: &str) -> Vec<FileNo> {
        let is_below = |folder: &&str| folder.split('/').any(|part| part == name);
        let mut files: Vec<FileNo> = self
            .by_folder
            .iter()
            .filter(|(folder, _)| is_below(folder))
            .flat_map(|(_, files)| files.iter().copied())
            .collect();
        files.sort_unstable();
        files
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

impl Root<'_> {
    /// What of a name comes after the root.
    fn rest_of<'n>(&self, name: &'n str, separator: char) -> Option<&'n str> {
        match self.name.split_once('*') {
            Some((before, after)) => name.strip_prefix(before)?.strip_suffix(after),
            None => {
                let rest = name.strip_prefix(self.name)?;
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
