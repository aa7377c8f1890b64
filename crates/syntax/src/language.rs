//! The table of languages, and how a file finds its language.

use scent_types::{FileClass, ImportRules, ImportStyle, Visibility};
use std::collections::HashMap;
use std::sync::OnceLock;

/// What is known of a language: the contents of its folder.
#[derive(Debug)]
pub struct Language {
    /// The folder's name.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Code, documentation or configuration.
    pub class: FileClass,
    /// Other names that users type.
    pub aliases: &'static [&'static str],
    /// Endings of file names, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// Names that may have anything after a dot: `Dockerfile.dev`.
    pub file_stems: &'static [&'static str],
    /// Interpreters named in a first line that begins with `#!`.
    pub shebangs: &'static [&'static str],
    /// What stands between the parts of a qualified name.
    pub separator: &'static str,
    /// Where an extension is shared: beginnings of lines that only this
    /// language has.
    pub content_line_starts: &'static [&'static str],
    /// Blocks of up to this many lines stay whole (configuration).
    pub block_lines: Option<u32>,
    /// Whether a function may be written as several definitions in a row.
    pub clauses: bool,
    /// Whether its files are read by their structure, for which the grammar of
    /// another language does.
    pub structure: bool,
    /// Whether a name alone calls a method, where no variable is given it.
    pub bare_calls: bool,
    /// Kinds of nodes that have variables of their own: functions, lambdas.
    pub(crate) functions: &'static [&'static str],
    /// Those of them in which an assignment to a variable of what is around
    /// them gives nothing a name.
    pub(crate) sharing_functions: &'static [&'static str],
    /// How its functions take arguments, where calls have to agree.
    pub(crate) arity: ArityRules,
    /// Definitions beyond its grammar.
    pub(crate) blocks: &'static [Block],
    /// What is hidden from its parser: the first groups of these expressions.
    pub(crate) hidden: &'static [&'static str],
    /// What its scanner's states are made of, where they need to be looked at.
    pub(crate) scanner_state: &'static [StateList],
    /// What its imports name.
    pub imports: ImportRules,
    /// How it tells who may use a definition.
    pub(crate) visibility: VisibilityRules,
    pub(crate) units_query: &'static str,
    pub(crate) refs_query: &'static str,
}

/// A definition beyond the grammar, by how its lines look: a table of
/// `[[blocks]]`.
#[derive(Debug)]
pub(crate) struct Block {
    /// The word for its kind.
    pub kind: &'static str,
    /// How its first line begins; the name follows.
    pub starts: &'static [&'static str],
    /// The line that ends it, where it has more than one.
    pub end: &'static str,
}

/// One part of a scanner's state that is a list: a byte with the number of its
/// items, then the items.
#[derive(Debug)]
pub(crate) struct StateList {
    /// How many bytes each item has.
    pub item: usize,
    /// Whether a word follows each, after a byte with its length.
    pub word: bool,
}

/// How functions take arguments, in languages where calls have to pass as many.
#[derive(Debug)]
pub(crate) struct ArityRules {
    /// The kind of node that holds the arguments of a call; empty where calls
    /// need not agree with the definition.
    pub arguments: &'static str,
    /// Marks of parameters that may be left out.
    pub defaults: &'static [&'static str],
    /// Words of declarations whose defaults may stand elsewhere, as those of what
    /// is overridden; an empty one stands for every declaration.
    pub hidden_defaults: &'static [&'static str],
    /// Marks of those that take any number of arguments.
    pub rest: &'static [&'static str],
    /// Names of first parameters that calls seldom pass: `self`.
    pub own: &'static [&'static str],
    /// Parameters that are none: `void`.
    pub none: &'static [&'static str],
    /// Whether the results of one call may be all the arguments of another.
    pub many_results: bool,
    /// Whether the last argument may stand behind the others.
    pub trailing: bool,
}

/// A word, or a pattern for names, and what follows from it; none where that
/// is not known.
pub(crate) type VisibilityRule = (&'static str, Option<Visibility>);

/// How a language tells who may use a definition: the first of these that
/// applies, in this order.
#[derive(Debug)]
pub(crate) struct VisibilityRules {
    /// Words of the declaration before the name: `pub`, `private`.
    pub words: &'static [VisibilityRule],
    /// They may also stand after the name.
    pub anywhere: bool,
    /// Names, where `*` at an end stands for the rest: `_*`.
    pub names: &'static [VisibilityRule],
    /// Names that begin with a capital letter.
    pub capital: Option<Visibility>,
    /// Lines of a type that hold for the members after them: `private:`.
    pub sections: &'static [VisibilityRule],
    /// Words in the declaration of the type that encloses a member: `interface`.
    pub inside: &'static [VisibilityRule],
    /// Other members, where they differ from the rest.
    pub member: Option<Visibility>,
    /// The rest.
    pub default: Option<Visibility>,
}

/// A hash over the language folders and the code, made when this crate was
/// built.
pub(crate) const DATA_HASH: u64 = include!(concat!(env!("OUT_DIR"), "/data_hash.rs"));

static LANGUAGES: &[Language] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Every language, in order of the folders' names.
pub fn languages() -> &'static [Language] {
    LANGUAGES
}

/// The language with this id, name or alias, in any case.
pub fn find(name: &str) -> Option<&'static Language> {
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    let exact = LANGUAGES.iter().find(|l| same(l.id) || same(l.name));
    exact.or_else(|| LANGUAGES.iter().find(|l| l.aliases.iter().any(|a| same(a))))
}

/// The language with this id.
pub(crate) fn find_by_id(id: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.id == id)
}

/// What imports name in the language with this id.
pub fn import_rules(id: &str) -> &'static ImportRules {
    find_by_id(id).map_or(&ImportRules::UNKNOWN, |language| &language.imports)
}

/// The language of a file, by its name first, then by its first bytes.
pub fn detect(path: &str, head: &[u8]) -> Option<&'static Language> {
    let file_name = path.rsplit('/').next().unwrap_or(path);
    let named = by_name(file_name).or_else(|| by_extension(file_name, head));
    named.or_else(|| by_shebang(head))
}

fn by_name(file_name: &str) -> Option<&'static Language> {
    let whole = |l: &&Language| l.file_names.contains(&file_name);
    let found = LANGUAGES.iter().find(whole);
    // `Dockerfile.dev` and `Makefile.linux` are what they begin with.
    found.or_else(|| {
        let (stem, _) = file_name.split_once('.')?;
        LANGUAGES.iter().find(|l| l.file_stems.contains(&stem))
    })
}

fn by_extension(file_name: &str, head: &[u8]) -> Option<&'static Language> {
    static BY_EXTENSION: OnceLock<HashMap<&str, Vec<&'static Language>>> = OnceLock::new();
    let table = BY_EXTENSION.get_or_init(|| {
        let mut table: HashMap<&str, Vec<&Language>> = HashMap::new();
        for language in LANGUAGES {
            for extension in language.extensions {
                table.entry(extension).or_default().push(language);
            }
        }
        table
    });
    let (_, extension) = file_name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let candidates = table.get(extension.as_str())?;
    let by_content = |l: &&&Language| candidates.len() > 1 && has_line_start(head, l);
    let plain = |l: &&&Language| l.content_line_starts.is_empty();
    let chosen = candidates.iter().find(by_content);
    chosen
        .or_else(|| candidates.iter().find(plain))
        .or(candidates.first())
        .copied()
}

fn has_line_start(head: &[u8], language: &Language) -> bool {
    let starts = language.content_line_starts;
    head.split(|&b| b == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        starts
            .iter()
            .any(|start| line.starts_with(start.as_bytes()))
    })
}

fn by_shebang(head: &[u8]) -> Option<&'static Language> {
    let line = head.strip_prefix(b"#!")?.split(|&b| b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line
        .split_whitespace()
        .map(|w| w.rsplit('/').next().unwrap_or(w));
    let interpreter = words.find(|w| *w != "env" && !w.starts_with('-') && !w.contains('='))?;
    let bare = interpreter.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES
        .iter()
        .find(|l| l.shebangs.contains(&interpreter) || l.shebangs.contains(&bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(path: &str, head: &str) -> Option<&'static str> {
        detect(path, head.as_bytes()).map(|l| l.id)
    }

    #[test]
    fn languages_are_told_by_name_extension_content_and_first_line() {
        let cases = [
            ("src/a.py", "", Some("python")),
            ("a/B.TSX", "", Some("tsx")),
            ("Dockerfile", "", Some("dockerfile")),
            ("docker/Dockerfile.dev", "", Some("dockerfile")),
            ("CMakeLists.txt", "", Some("cmake")),
            ("x.h", "int f(void);\n/* class of its own */\n", Some("c")),
            ("x.h", "#pragma once\n  class A {\n", Some("cpp")),
            ("x.h", "namespace a {\n", Some("cpp")),
            ("run", "#!/usr/bin/env -S python3.11 -u\n", Some("python")),
            ("run", "#!/bin/sh\n", Some("bash")),
            ("notes.xyz", "hello", None),
            ("LICENSE", "MIT", None),
        ];
        for (path, head, want) in cases {
            assert_eq!(id(path, head), want, "{path}");
        }
    }

    #[test]
    fn aliases_find_their_language() {
        for (alias, want) in [
            ("ts", "typescript"),
            ("terraform", "hcl"),
            ("sh", "bash"),
            ("C++", "cpp"),
        ] {
            assert_eq!(find(alias).map(|l| l.id), Some(want), "{alias}");
        }
        assert!(find("klingon").is_none());
    }

    #[test]
    fn no_two_languages_claim_the_same_name() {
        let mut seen = HashMap::new();
        for language in LANGUAGES {
            for name in language.aliases.iter().chain([&language.id]) {
                if let Some(other) = seen.insert(name.to_lowercase(), language.id) {
                    assert_eq!(other, language.id, "{name}");
                }
            }
        }
    }
}
