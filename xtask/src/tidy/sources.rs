//! Where dependencies come from.

use super::Problem;
use super::tree::Tree;

/// The one place: the public registry, where what was published stays as it is.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A dependency from elsewhere can change or go without a trace.
pub(super) fn only_the_registry(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.files.iter().filter(|file| file.path == "Cargo.lock") {
        for (number, line) in (1..).zip(file.text.lines()) {
            let source = line
                .strip_prefix("source = \"")
                .map(|rest| rest.trim_end_matches('"'));
            if let Some(other) = source.filter(|source| *source != REGISTRY) {
                let message = format!("a dependency from {other}, not from crates.io");
                problems.push(Problem::new(&file.path, number, message));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_from_elsewhere_are_found() {
        let own = "name = \"scent-index\"\n";
        let good = format!("{own}source = \"{REGISTRY}\"\n");
        let bad = format!("{good}source = \"git+https://example.com/x#1\"\n");
        let other = "source = \"registry+https://example.com/index\"\n";
        for (text, want) in [
            (own, vec![]),
            (&good, vec![]),
            (&bad, vec![3]),
            (other, vec![1]),
        ] {
            let found = only_the_registry(&Tree::of(&[("Cargo.lock", text)]));
            let lines: Vec<usize> = found.iter().map(|problem| problem.line).collect();
            assert_eq!(lines, want, "{text}");
        }
    }
}
