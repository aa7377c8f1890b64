//! Rules about lines, whatever is in them.

use super::Problem;
use super::tree::{FUZZ_INPUTS, File, Tree};

/// Files end with a line end, lines do not end with blanks, Rust has no tabs.
/// Examples and inputs of fuzzing are left alone: some are odd on purpose.
pub(super) fn clean_lines(tree: &Tree) -> Vec<Problem> {
    let is_input = |file: &File| FUZZ_INPUTS.iter().any(|place| file.path.starts_with(place));
    let is_ours = |file: &&File| !is_example(file) && !is_input(file) && !file.text.contains('\0');
    tree.files.iter().filter(is_ours).flat_map(check).collect()
}

/// Whether a file is an example of a language, or what is expected of one.
fn is_example(file: &File) -> bool {
    file.path.starts_with(super::tree::LANGUAGES) && file.path.contains("/examples/")
}

fn check(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(file.text.split('\n')) {
        if line.ends_with([' ', '\t', '\r']) {
            problems.push(Problem::new(
                &file.path,
                number,
                "white space at the end of the line",
            ));
        }
        if file.path.ends_with(".rs") && line.contains('\t') {
            problems.push(Problem::new(&file.path, number, "a tab"));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        let last = file.text.split('\n').count();
        problems.push(Problem::new(
            &file.path,
            last,
            "no line end at the end of the file",
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclean_lines_are_found() {
        let cases: [(&str, &str, &[usize]); 11] = [
            ("a.md", "one\ntwo\n", &[]),
            ("a.md", "one \ntwo\n", &[1]),
            ("a.md", "one\r\ntwo\n", &[1]),
            ("a.md", "one\ntwo", &[2]),
            ("a.md", "", &[]),
            ("Makefile", "a:\n\tb\n", &[]),
            ("xtask/src/a.rs", "fn a() {\n\tb()\n}\n", &[2]),
            ("crates/syntax/languages/c/examples/a.c", "a \r\n\tb", &[]),
            ("fuzz/seeds/query/words", "a \r\n\tb", &[]),
            ("fuzz/README.md", "a ", &[1, 1]),
            ("logo.png", "a\0 \nb", &[]),
        ];
        for (path, text, want) in cases {
            let found = clean_lines(&Tree::of(&[(path, text)]));
            let lines: Vec<usize> = found.iter().map(|problem| problem.line).collect();
            assert_eq!(lines, want, "{path}: {text:?}");
        }
    }
}
