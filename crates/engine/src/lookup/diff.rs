//! Which lines changed since a commit: the files that are indexed, as they are
//! on disk, against what git has of them.

use super::Changed;
use super::line_diff::changed_lines;
use crate::error::EngineError;
use crate::git::{self, Contents, Entry};
use crate::tree::{Tree, read_record};
use rayon::prelude::*;
use scent_index::{FileRecord, Snapshot};
use scent_types::{Files, NotCompared, Note};
use scent_types::{Lines, Source};
use std::collections::BTreeSet;
use std::path::Path;

/// How the contents of a file begin that git-lfs keeps elsewhere.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

/// What changed since a commit.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// The lines, file by file in order of the paths.
    pub changed: Vec<Changed>,
    /// What could not be compared.
    pub notes: Vec<Note>,
}

/// What changed below a root since a commit, the working tree included.
pub(crate) fn changed_since(
    files: &dyn Tree,
    root: &Path,
    snapshot: &Snapshot,
    commit: &str,
) -> Result<Since, EngineError> {
    let refused = |why: String| EngineError::Git {
        commit: commit.to_owned(),
        why,
    };
    let commit_tree = git::tree_of(root, commit).map_err(refused)?;
    let indexed = snapshot
        .table()
        .files
        .par_iter()
        .filter(|file| file.id().is_some());
    let found: Vec<Found> = indexed
        .filter_map(|file| found(files, file, &commit_tree))
        .collect();
    let known: Vec<(&FileRecord, &str)> = found.iter().filter_map(Found::known).collect();
    let ids: Vec<&str> = known.iter().map(|(_, id)| *id).collect();
    let mut apart = Apart::default();
    let mut compared = Vec::with_capacity(known.len());
    let compare = |nth: usize, before: Contents| {
        let file = known[nth].0;
        compared.push(apart.lines(
            &file.path,
            before,
            &read_record(files, file).unwrap_or_default(),
        ));
    };
    git::contents(root, &ids, compare).map_err(refused)?;
    let mut compared = compared.into_iter();
    let lines_of = |found: &Found| match found {
        Found::Known(file, _) => Some((file.path.clone(), compared.next()?)),
        Found::New(file) => Some((
            file.path.clone(),
            all_lines(&read_record(files, file).ok()?),
        )),
        Found::InSubmodule(_) => None,
    };
    let lines: Vec<(String, Vec<Lines>)> = found.iter().filter_map(lines_of).collect();
    let lines = lines.into_iter().filter(|(_, lines)| !lines.is_empty());
    let changed = lines
        .map(|(path, lines)| Changed::Lines(path, lines))
        .collect();
    let submodules: BTreeSet<&str> = found.iter().filter_map(Found::submodule).collect();
    Ok(Since {
        changed,
        notes: apart.notes(commit, submodules),
    })
}

/// A file that is not what the commit has.
enum Found<'t> {
    /// The commit has other contents, by their id.
    Known(&'t FileRecord, &'t str),
    /// The commit does not have it.
    New(&'t FileRecord),
    /// It belongs to another repository, at this path.
    InSubmodule(String),
}

impl<'t> Found<'t> {
    fn known(&self) -> Option<(&'t FileRecord, &'t str)> {
        match self {
            Found::Known(file, id) => Some((file, id)),
            _ => None,
        }
    }

    fn submodule(&self) -> Option<&str> {
        match self {
            Found::InSubmodule(path) => Some(path),
            _ => None,
        }
    }
}

fn found<'t>(files: &dyn Tree, file: &'t FileRecord, tree: &'t git::Tree) -> Option<Found<'t>> {
    let path = file.raw_path.as_deref().unwrap_or(file.path.as_bytes());
    match tree.get(path) {
        Some(Entry::Blob(id)) => {
            let differs = read_record(files, file).is_ok_and(|now| !is_blob(&now, id));
            differs.then_some(Found::Known(file, id))
        }
        Some(Entry::Submodule) => Some(Found::New(file)),
        // git leaves it out and `.scentignore` brings it back: no commit has it.
        None if file.included => None,
        None => Some(submodule(path, tree).map_or(Found::New(file), Found::InSubmodule)),
    }
}

/// Whether these are the contents with an id, be it with other line ends. An id
/// of another length is of another kind and says nothing.
fn is_blob(now: &[u8], id: &str) -> bool {
    let is_same = |bytes: &[u8]| git::blob_id(bytes) == id;
    let has_returns = || memchr::memchr(b'\r', now).is_some();
    id.len() == 40 && (is_same(now) || has_returns() && is_same(&with_plain_ends(now)))
}

fn with_plain_ends(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => plain.extend(line.iter().chain(b"\n")),
            None => plain.extend(line),
        }
    }
    plain
}

/// The submodule that a path is in.
fn submodule(path: &[u8], tree: &git::Tree) -> Option<String> {
    let mut folders = memchr::memchr_iter(b'/', path).map(|at| &path[..at]);
    let folder = folders.find(|folder| tree.get(*folder) == Some(&Entry::Submodule))?;
    Some(String::from_utf8_lossy(folder).into_owned())
}

fn text(bytes: &[u8]) -> Source {
    Source::new(scent_syntax::decode(bytes).into_owned())
}

fn all_lines(bytes: &[u8]) -> Vec<Lines> {
    changed_lines(&Source::default(), &text(bytes))
}

/// What cannot be compared line by line.
#[derive(Default)]
struct Apart {
    /// Files that git-lfs keeps elsewhere.
    lfs: Vec<String>,
    /// Files whose contents the repository lacks.
    missing: Vec<String>,
}

impl Apart {
    /// The lines of a file that are not what they were.
    fn lines(&mut self, path: &str, before: Contents, now: &[u8]) -> Vec<Lines> {
        match before {
            Contents::Bytes(before) if before.starts_with(LFS) && !now.starts_with(LFS) => {
                self.lfs.push(path.to_owned());
                if lfs_size(&before) == Some(now.len()) {
                    Vec::new()
                } else {
                    all_lines(now)
                }
            }
            Contents::Bytes(before) => changed_lines(&text(&before), &text(now)),
            Contents::TooLarge => all_lines(now),
            Contents::Missing => {
                self.missing.push(path.to_owned());
                all_lines(now)
            }
        }
    }

    fn notes(&self, commit: &str, submodules: BTreeSet<&str>) -> Vec<Note> {
        let found = [
            (NotCompared::InLfs, Files::new(strs(&self.lfs))),
            (NotCompared::Missing, Files::new(strs(&self.missing))),
            (NotCompared::Submodule, Files::new(submodules)),
        ];
        let mut notes = Vec::new();
        for (reason, files) in found {
            notes.extend(files.map(|files| Note::NotCompared {
                files,
                commit: commit.to_owned(),
                reason,
            }));
        }
        notes
    }
}

fn strs(paths: &[String]) -> impl Iterator<Item = &str> {
    paths.iter().map(String::as_str)
}

/// How large the file is that stands behind a pointer.
fn lfs_size(pointer: &[u8]) -> Option<usize> {
    let pointer = std::str::from_utf8(pointer).ok()?;
    pointer
        .lines()
        .find_map(|line| line.strip_prefix("size "))?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_make_no_other_contents() {
        let id = git::blob_id(b"a\nb\n");
        for (now, same) in [
            (b"a\nb\n".as_slice(), true),
            (b"a\r\nb\r\n", true),
            (b"a\r\nb\n", true),
            (b"a\nb", false),
            (b"a\rb\n", false),
        ] {
            assert_eq!(is_blob(now, &id), same, "{now:?}");
        }
    }

    #[test]
    fn a_pointer_is_compared_by_size() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n";
        for (now, changed) in [(b"a\nb\n".as_slice(), 0), (b"a\nb\nc\n", 1), (pointer, 0)] {
            let lines = Apart::default().lines("a", Contents::Bytes(pointer.to_vec()), now);
            assert_eq!(lines.len(), changed, "{now:?}");
        }
    }
}
