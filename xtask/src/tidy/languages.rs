//! Every language folder is complete.

use super::Problem;
use super::tree::{LANGUAGES, Tree};
use crate::languages;
use std::collections::{BTreeMap, BTreeSet};

const GRAMMARS: &str = "crates/syntax/src/grammars.rs";

/// What every folder holds.
const FILES: [&str; 3] = ["language.toml", "units.scm", "refs.scm"];

/// What stands beside every example.
const EXPECTED: [&str; 3] = [".units", ".members", ".refs"];

/// The page about languages says what the folders say.
pub(super) fn page_is_current(tree: &Tree) -> Vec<Problem> {
    let Some(page) = tree.files.iter().find(|file| file.path == languages::PAGE) else {
        return Vec::new();
    };
    let mut texts = BTreeMap::new();
    for file in &tree.files {
        let inside = file.path.strip_prefix(LANGUAGES);
        texts.extend(inside.map(|inside| (inside.to_owned(), file.text.clone())));
    }
    match languages::page(&texts) {
        Ok(want) if want == page.text => Vec::new(),
        Ok(_) => {
            let message = "out of date: run cargo run -p xtask -- languages";
            vec![Problem::new(&page.path, 1, message)]
        }
        Err(error) => vec![Problem::new(&page.path, 1, format!("{error:#}"))],
    }
}

/// README says how many languages and grammars there are.
pub(super) fn numbers_are_true(tree: &Tree) -> Vec<Problem> {
    let text = |path: &str| tree.files.iter().find(|file| file.path == path);
    let (Some(readme), Some(grammars)) = (text("README.md"), text(GRAMMARS)) else {
        return Vec::new();
    };
    let languages = named_in(&grammars.text).count();
    let parsers = grammars
        .text
        .lines()
        .filter_map(|line| line.split_once("\" => "));
    let parsers: BTreeSet<&str> = parsers.map(|(_, parser)| parser).collect();
    let mut problems = Vec::new();
    for want in [
        format!("parses {languages} languages"),
        format!("compiles {} grammars", parsers.len()),
        format!("| nothing | {languages} |"),
    ] {
        if !readme.text.contains(&want) {
            problems.push(Problem::new(
                &readme.path,
                1,
                format!("does not say: {want}"),
            ));
        }
    }
    problems
}

/// A folder without its queries, its examples or its parser is a language that
/// looks supported and is not.
pub(super) fn folders_are_complete(tree: &Tree) -> Vec<Problem> {
    let folders = folders(tree);
    let grammars = tree
        .files
        .iter()
        .find(|f| f.path == GRAMMARS)
        .map_or("", |f| f.text.as_str());
    let mut problems = Vec::new();
    for (name, files) in &folders {
        if name.starts_with('_') {
            problems.extend(unused(name, tree));
            continue;
        }
        problems.extend(missing(name, files));
        if !grammars.contains(&format!("\"{name}\" =>")) {
            let path = format!("{LANGUAGES}{name}/language.toml");
            problems.push(Problem::new(
                &path,
                1,
                format!("no line for {name:?} in {GRAMMARS}"),
            ));
        }
    }
    for (number, name) in named_in(grammars) {
        if !folders.contains_key(name) {
            let message = format!("there is no folder {LANGUAGES}{name}");
            problems.push(Problem::new(GRAMMARS, number, message));
        }
    }
    problems
}

/// A folder with a `_` before its name is there for others to inherit from.
fn unused(name: &str, tree: &Tree) -> Option<Problem> {
    let parents = |text: &str| -> Vec<String> {
        let named = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("; inherits: "));
        named
            .unwrap_or("")
            .split(',')
            .map(|parent| parent.trim().to_owned())
            .collect()
    };
    let mut queries = tree
        .files
        .iter()
        .filter(|f| f.path.starts_with(LANGUAGES) && f.path.ends_with(".scm"));
    let used = queries.any(|file| parents(&file.text).iter().any(|parent| parent == name));
    let message = || "no query inherits from this folder".to_owned();
    (!used).then(|| Problem::new(&format!("{LANGUAGES}{name}"), 1, message()))
}

/// The files of each folder, by their paths inside it.
fn folders(tree: &Tree) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let inside = tree
        .files
        .iter()
        .filter_map(|f| f.path.strip_prefix(LANGUAGES)?.split_once('/'));
    for (name, file) in inside {
        folders.entry(name).or_default().insert(file);
    }
    folders
}

fn missing(name: &str, files: &BTreeSet<&str>) -> Vec<Problem> {
    let problem = |file: &str, message: String| {
        Problem::new(&format!("{LANGUAGES}{name}/{file}"), 1, message)
    };
    let is_expected = |file: &str| EXPECTED.iter().any(|ending| file.ends_with(ending));
    let examples = || {
        files
            .iter()
            .copied()
            .filter(|file| file.starts_with("examples/"))
    };
    let mut problems: Vec<Problem> = FILES
        .into_iter()
        .filter(|file| !files.contains(file))
        .map(|file| problem(file, "this file is missing".into()))
        .collect();
    if !examples().any(|file| !is_expected(file)) {
        problems.push(problem("examples/", "there is no example".into()));
    }
    for example in examples().filter(|file| !is_expected(file)) {
        let absent = EXPECTED
            .into_iter()
            .filter(|e| !files.contains(&*format!("{example}{e}")));
        let beside = |ending| problem(example, format!("there is no {example}{ending} beside it"));
        problems.extend(absent.map(beside));
    }
    for file in examples().filter(|file| is_expected(file)) {
        let (example, _) = file.rsplit_once('.').unwrap_or((file, ""));
        if !files.contains(example) {
            problems.push(problem(file, format!("there is no {example} beside it")));
        }
    }
    problems
}

/// The languages that the table of parsers names, with their lines.
fn named_in(grammars: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(grammars.lines()).filter_map(|(number, line)| {
        let (name, _) = line.trim_start().strip_prefix('"')?.split_once("\" =>")?;
        Some((number, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = "crates/syntax/languages/zz/";

    fn check(files: &[&str], grammars: &str) -> Vec<String> {
        let paths: Vec<String> = files.iter().map(|file| format!("{FOLDER}{file}")).collect();
        let mut all: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
        all.push((GRAMMARS, grammars));
        folders_are_complete(&Tree::of(&all))
            .iter()
            .map(Problem::to_string)
            .collect()
    }

    const WHOLE: [&str; 7] = [
        "language.toml",
        "units.scm",
        "refs.scm",
        "examples/a.zz",
        "examples/a.zz.units",
        "examples/a.zz.members",
        "examples/a.zz.refs",
    ];

    #[test]
    fn a_complete_folder_passes() {
        assert_eq!(
            check(&WHOLE, "    \"zz\" => tree_sitter_zz::LANGUAGE,\n"),
            [""; 0]
        );
    }

    #[test]
    fn an_old_page_is_found() {
        let toml = "name = \"Zest\"\nclass = \"code\"\n";
        let path = format!("{FOLDER}language.toml");
        let texts = BTreeMap::from([("zz/language.toml".to_owned(), toml.to_owned())]);
        let page = languages::page(&texts).unwrap_or_default();
        for (page, want) in [(page.as_str(), 0), ("# Languages\n", 1)] {
            let tree = Tree::of(&[(&path, toml), (languages::PAGE, page)]);
            assert_eq!(page_is_current(&tree).len(), want, "{page}");
        }
    }

    #[test]
    fn wrong_numbers_are_found() {
        let grammars = "    \"a\" => ts_a::L,\n    \"b\" => ts_a::L,\n";
        for (readme, want) in [
            (
                "It parses 2 languages and compiles 1 grammars. | nothing | 2 |",
                0,
            ),
            ("It parses 3 languages and compiles 2 grammars.", 3),
        ] {
            let tree = Tree::of(&[("README.md", readme), (GRAMMARS, grammars)]);
            assert_eq!(numbers_are_true(&tree).len(), want, "{readme}");
        }
    }

    #[test]
    fn what_others_inherit_is_no_language() {
        let shared = format!("{LANGUAGES}_shared/units.scm");
        let query = format!("{LANGUAGES}_other/units.scm");
        let check = |first_line: &str| {
            let tree = Tree::of(&[(&shared, ""), (&query, first_line)]);
            let problems = folders_are_complete(&tree);
            problems
                .iter()
                .filter(|problem| problem.to_string().contains("_shared"))
                .count()
        };
        assert_eq!(check("; inherits: c, _shared\n"), 0);
        assert_eq!(check("; inherits: _shared_too\n"), 1);
        assert_eq!(check("\n; inherits: _shared\n"), 1);
    }

    #[test]
    fn whatever_is_missing_is_found() {
        for missing in WHOLE {
            let rest: Vec<&str> = WHOLE.into_iter().filter(|file| *file != missing).collect();
            assert_ne!(check(&rest, "\"zz\" => x,\n"), [""; 0], "{missing}");
        }
        assert_eq!(check(&WHOLE, "").len(), 1);
        let other = check(&WHOLE, "\"zz\" => x,\n\"yy\" => x,\n");
        assert_eq!(
            other,
            [format!("{GRAMMARS}:2: there is no folder {LANGUAGES}yy")]
        );
    }
}
