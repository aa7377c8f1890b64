//! No crate or module whose name says nothing of what is in it.

use super::Problem;
use super::tree::{Tree, places_of_word};

const VAGUE: [&str; 6] = ["common", "utils", "util", "helpers", "core", "manager"];

/// A drawer with such a name fills up with what belongs elsewhere.
pub(super) fn no_vague_names(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust() {
        let path = file.path.strip_suffix(".rs").unwrap_or(&file.path);
        if let Some(name) = path.split('/').find(|part| VAGUE.contains(part)) {
            problems.push(problem(&file.path, 1, name));
        }
        for (number, line) in file.code_lines() {
            let names = places_of_word(line, "mod").map(|at| declared(&line[at + 3..]));
            let vague = names.filter(|name| VAGUE.contains(name));
            problems.extend(vague.map(|name| problem(&file.path, number, name)));
        }
    }
    problems
}

fn problem(path: &str, line: usize, name: &str) -> Problem {
    Problem::new(
        path,
        line,
        format!("{name:?} says nothing; name it after what is in it"),
    )
}

/// The name that stands after `mod`.
fn declared(after: &str) -> &str {
    let after = after.trim_start();
    let end = after
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(after.len());
    &after[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vague_names_are_found_in_paths_and_in_code() {
        let cases = [
            ("crates/index/src/utils.rs", "", 1),
            ("crates/index/src/util/mod.rs", "", 1),
            ("crates/common/src/lib.rs", "", 1),
            ("crates/index/tests/helpers/mod.rs", "", 1),
            ("crates/index/src/lib.rs", "pub mod manager {}", 1),
            ("crates/index/src/lib.rs", "mod score; // not in core", 0),
            ("crates/index/src/utilities.rs", "mod corelation;", 0),
            ("xtask/src/main.rs", "mod core;", 1),
            (
                "crates/syntax/languages/rust/examples/utils.rs",
                "mod util;",
                0,
            ),
        ];
        for (path, text, want) in cases {
            assert_eq!(
                no_vague_names(&Tree::of(&[(path, text)])).len(),
                want,
                "{path}: {text}"
            );
        }
    }
}
