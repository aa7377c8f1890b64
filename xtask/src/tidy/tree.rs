//! The files of the repository, read once for all rules.

use super::mask::mask;
use anyhow::Context;
use std::fs;
use std::path::Path;

/// Folders that are no part of the source, by name.
const NOT_SOURCE: [&str; 6] = [
    ".git",
    "target",
    "node_modules",
    "__pycache__",
    ".venv",
    "corpus",
];

/// Inputs of fuzzing, which are odd on purpose.
pub(super) const FUZZ_INPUTS: [&str; 2] = ["fuzz/seeds/", "fuzz/findings/"];

/// Where the languages are described.
pub(super) const LANGUAGES: &str = "crates/syntax/languages/";

/// All files, in order of their paths.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub files: Vec<File>,
}

/// A file, with its path from the root written with `/`.
#[derive(Debug)]
pub(super) struct File {
    pub path: String,
    pub text: String,
    /// For Rust, the text without its comments and literals.
    pub code: String,
}

impl Tree {
    pub fn read(root: &Path) -> anyhow::Result<Tree> {
        let mut tree = Tree::default();
        tree.read_folder(root, "")?;
        tree.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> anyhow::Result<()> {
        let about = || folder.display().to_string();
        for entry in fs::read_dir(folder).with_context(about)? {
            let entry = entry.with_context(about)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let (path, inside) = (entry.path(), format!("{prefix}{name}"));
            let kind = entry.file_type().with_context(about)?;
            if kind.is_dir() && !NOT_SOURCE.contains(&name.as_str()) {
                self.read_folder(&path, &format!("{inside}/"))?;
            } else if kind.is_file() {
                let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
                self.files.push(File::new(
                    inside,
                    String::from_utf8_lossy(&bytes).into_owned(),
                ));
            }
        }
        Ok(())
    }

    /// The Rust files that are compiled: not the examples of the language.
    pub fn rust(&self) -> impl Iterator<Item = &File> {
        self.files
            .iter()
            .filter(|f| f.path.ends_with(".rs") && !f.path.starts_with(LANGUAGES))
    }

    /// The Rust files in the `src` folders of the crates, with the crate.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &File)> {
        self.rust().filter_map(|f| Some((f.source_of()?, f)))
    }

    /// The manifests of the crates and of `xtask`, with the crate.
    pub fn manifests(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().filter_map(|file| {
            let folder = file.path.strip_suffix("/Cargo.toml")?;
            let own = (folder == "xtask").then_some(folder);
            let name = folder.strip_prefix("crates/").or(own)?;
            (!name.contains('/')).then_some((name, file))
        })
    }

    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Tree {
        let file = |(path, text): &(&str, &str)| File::new((*path).into(), (*text).into());
        Tree {
            files: files.iter().map(file).collect(),
        }
    }
}

impl File {
    fn new(path: String, text: String) -> File {
        let code = if path.ends_with(".rs") {
            mask(&text)
        } else {
            String::new()
        };
        File { path, text, code }
    }

    /// The crate in whose `src` folder this file lies.
    fn source_of(&self) -> Option<&str> {
        let (name, inside) = self.path.strip_prefix("crates/")?.split_once('/')?;
        inside.starts_with("src/").then_some(name)
    }

    /// The lines of the code, counted from 1.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.code.lines())
    }

    /// The lines of the code in which a word stands for itself.
    pub fn lines_with_word(&self, word: &str) -> impl Iterator<Item = usize> {
        self.code_lines()
            .filter(move |(_, line)| has_word(line, word))
            .map(|(number, _)| number)
    }
}

/// Whether a line holds a word that is no part of a longer one.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    places_of_word(line, word).next().is_some()
}

/// Where a word that is no part of a longer one begins.
pub(super) fn places_of_word<'l>(line: &'l str, word: &'l str) -> impl Iterator<Item = usize> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| {
            let (before, after) = (&line[..at], &line[at + word.len()..]);
            !before.ends_with(in_word) && !after.starts_with(in_word)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_into_crates() {
        let tree = Tree::of(&[
            ("crates/index/src/lib.rs", ""),
            ("crates/index/tests/a.rs", ""),
            ("crates/index/Cargo.toml", ""),
            ("crates/syntax/languages/rust/examples/a.rs", ""),
            ("xtask/Cargo.toml", ""),
            ("fuzz/Cargo.toml", ""),
            ("Cargo.toml", ""),
        ]);
        let sources: Vec<_> = tree
            .sources()
            .map(|(name, f)| (name, f.path.as_str()))
            .collect();
        assert_eq!(sources, [("index", "crates/index/src/lib.rs")]);
        assert_eq!(tree.rust().count(), 2);
        let manifests: Vec<_> = tree.manifests().map(|(name, _)| name).collect();
        assert_eq!(manifests, ["index", "xtask"]);
    }

    #[test]
    fn words_stand_for_themselves() {
        assert!(has_word("unsafe { }", "unsafe"));
        assert!(!has_word("unsafe_code", "unsafe"));
        assert!(!has_word("an_unsafe", "unsafe"));
    }
}
