//! What is known of code beyond its grammar: `data/code.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The lists of `data/code.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeRules {
    /// Members that run when one of a type is made, beside those that have its
    /// name.
    pub constructors: Vec<String>,
    /// How lines begin that hold nothing but a comment.
    pub comment_marks: Vec<String>,
    /// Names of what a language or its runtime runs, by family of languages.
    hooks: BTreeMap<String, Vec<String>>,
    /// Attributes that register nothing.
    plain_attributes: Vec<String>,
    /// What says of a definition, or of a file, that it may be unused.
    pub kept: Vec<String>,
    entry_files: Vec<String>,
    entry_folders: Vec<String>,
    /// Blocks whose members are called through something else.
    pub implementing: Vec<Implementing>,
    /// Files beside which what is public may be used by others.
    pub libraries: Vec<Library>,
    /// How sure it is that nothing uses what has no use.
    pub unused: Unused,
    /// By what that is multiplied where something speaks against it.
    pub doubt: Doubt,
}

/// What makes a folder a library.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// The file, from the folder.
    pub file: String,
    /// Of which it has to have one, if any stands here.
    #[serde(default)]
    pub having: Vec<String>,
}

/// A block whose members are called through something else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implementing {
    /// The language, by its id.
    pub language: String,
    /// How the heading begins.
    pub starts: Vec<String>,
    /// What it holds.
    pub holds: String,
}

/// How sure it is that nothing uses what has no use, by who may use it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Unused {
    pub private: f32,
    pub internal: f32,
    /// Nothing says who may use it.
    pub unknown: f32,
    /// In a program.
    pub public: f32,
    /// What others may use of a library.
    pub api: f32,
}

/// What speaks against that nothing uses a definition.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doubt {
    /// Uses of the same name that mean none of its definitions.
    pub same_word: f32,
    /// The word stands in strings, comments or documents.
    pub mentioned: f32,
    /// Its type inherits from others, which may call it.
    pub inherits: f32,
    /// Another definition of the same name is used.
    pub namesake: f32,
    /// The file was not parsed cleanly.
    pub errors: f32,
}

impl CodeRules {
    /// Whether a language or its runtime may run what has this name.
    pub fn is_hook(&self, family: &str, name: &str) -> bool {
        let lists = [self.hooks.get("any"), self.hooks.get(family)];
        let mut patterns = lists.into_iter().flatten().flatten();
        patterns.any(|pattern| fits(pattern, name))
    }

    /// Whether an attribute, decorator or annotation registers nothing.
    pub fn is_plain_attribute(&self, name: &str) -> bool {
        self.plain_attributes.iter().any(|plain| plain == name)
    }

    /// Whether somebody else runs or reads a file by its name or its folder.
    pub fn is_entry_file(&self, path: &str) -> bool {
        let mut parts: Vec<&str> = path.split('/').collect();
        let file = parts.pop().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let is_folder = |part: &&str| self.entry_folders.iter().any(|folder| folder == part);
        self.entry_files.iter().any(|pattern| fits(pattern, stem)) || parts.iter().any(is_folder)
    }
}

/// Whether a name fits a pattern, in which `*` stands for any rest.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(rest) = name.strip_prefix(before) else {
        return false;
    };
    match after.strip_suffix('*') {
        Some(middle) => rest.contains(middle),
        None => rest.ends_with(after),
    }
}

/// The lists, read once.
pub fn code_rules() -> &'static CodeRules {
    static RULES: OnceLock<CodeRules> = OnceLock::new();
    let read = || toml::from_str(include_str!("../data/code.toml")).expect("checked");
    RULES.get_or_init(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_found_by_family() {
        let rules = code_rules();
        for (family, name, want) in [
            ("python", "__len__", true),
            ("python", "setUpClass", true),
            ("rust", "setUpClass", false),
            ("go", "ServeHTTP", true),
            ("rust", "ServeHTTP", false),
            ("python", "total", false),
            ("go", "main", true),
            ("go", "mainly", false),
        ] {
            assert_eq!(rules.is_hook(family, name), want, "{family} {name}");
        }
    }

    #[test]
    fn files_that_are_run_by_name() {
        let rules = code_rules();
        for (path, want) in [
            ("vite.config.ts", true),
            ("scripts/build/one.py", true),
            ("src/shop.py", false),
            ("src/lib.rs", true),
        ] {
            assert_eq!(rules.is_entry_file(path), want, "{path}");
        }
    }
}
