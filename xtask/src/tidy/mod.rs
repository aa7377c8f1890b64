//! Checks what the compiler does not: which crate may know which, where
//! printing is allowed, that every language folder is complete, and so on.
//!
//! A rule is a function from the files of the repository to problems. It reads
//! nothing itself, so that a test can show it failing.

mod edges;
mod languages;
mod markdown;
mod mask;
mod modules;
mod names;
mod source;
mod sources;
mod text;
mod toolchain;
mod tree;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use tree::Tree;

/// Something that is not as it should be.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    path: String,
    line: usize,
    message: String,
}

impl Problem {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Problem {
        Problem {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

const RULES: [fn(&Tree) -> Vec<Problem>; 21] = [
    edges::allowed_edges,
    edges::no_cycles,
    edges::owned_dependencies,
    edges::no_async_runtime,
    markdown::fences_are_closed,
    markdown::links_lead_somewhere,
    modules::no_module_cycles,
    names::no_vague_names,
    languages::folders_are_complete,
    languages::page_is_current,
    languages::numbers_are_true,
    source::module_docs,
    source::no_printing,
    source::no_disk,
    source::storage_alone,
    source::nothing_unfinished,
    source::one_place_for_systems,
    source::no_async,
    sources::only_the_registry,
    text::clean_lines,
    toolchain::one_declared_version,
];

/// Runs every rule; fails where one finds something.
pub(crate) fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let tree = Tree::read(root)?;
    let mut problems: Vec<Problem> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    problems.sort();
    for problem in &problems {
        eprintln!("{problem}");
    }
    match problems.len() {
        0 => println!("tidy: {} files, no problem", tree.files.len()),
        many => eprintln!("tidy: {many} problems in {} files", tree.files.len()),
    }
    Ok(ExitCode::from(u8::from(!problems.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_its_place() {
        let problem = Problem::new("crates/a/src/lib.rs", 3, "prints");
        assert_eq!(problem.to_string(), "crates/a/src/lib.rs:3: prints");
    }
}
