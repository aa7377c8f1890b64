//! Rules about Rust sources.

use super::Problem;
use super::edges::ASYNC_CRATE;
use super::tree::{File, Tree, has_word, places_of_word};

/// What writes to the terminal: the two programs, not what they call, and
/// `scent` in one file only, where everything loses what a terminal obeys.
const PRINTING: [&str; 4] = [
    "crates/cli/src/output.rs",
    "crates/eval/src/commands/",
    "crates/eval/src/main.rs",
    "crates/eval/src/progress.rs",
];

/// The files that ask which system they run on: one for the index on disk, one
/// for everything above it.
const SYSTEMS: [&str; 2] = ["crates/engine/src/os.rs", "crates/index/src/os.rs"];

/// Crates that compute and leave reading and writing to others.
const NO_DISK: [&str; 5] = ["types", "syntax", "search", "print", "agents"];

const PRINTING_MACROS: [&str; 5] = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];

/// A file says what it is for before anything else.
pub(super) fn module_docs(tree: &Tree) -> Vec<Problem> {
    let own = tree.rust().filter(|f| f.path.starts_with("xtask/src/"));
    let all = tree.sources().map(|(_, file)| file).chain(own);
    let without = all.filter(|file| !file.text.starts_with("//!"));
    without
        .map(|file| Problem::new(&file.path, 1, "begin with a `//!` module doc"))
        .collect()
}

/// Results go through `print`, and only the command line writes them out:
/// anything else would end up in the middle of somebody's JSON.
pub(super) fn no_printing(tree: &Tree) -> Vec<Problem> {
    let prints_here = |file: &File| PRINTING.iter().any(|place| file.path.starts_with(place));
    let silent = tree
        .sources()
        .map(|(_, file)| file)
        .filter(|file| !prints_here(file));
    lines(
        silent,
        prints,
        "only a program's own commands may write to the terminal",
    )
}

fn prints(line: &str) -> bool {
    let own = |name: &str| {
        // A `.stdout` belongs to a process that was started.
        places_of_word(line, name).any(|at| !line[..at].trim_end().ends_with('.'))
    };
    PRINTING_MACROS.iter().any(|name| has_word(line, name)) || own("stdout") || own("stderr")
}

/// What only computes is handed its texts, so that any text can be tried on it.
pub(super) fn no_disk(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, file) in tree.sources().filter(|(name, _)| NO_DISK.contains(name)) {
        let until_tests = file
            .code_lines()
            .take_while(|(_, line)| !line.contains("#[cfg(test)]"));
        let uses_disk = |line: &str| ["std::fs", "fs::", "File::"].iter().any(|u| uses(line, u));
        for (number, _) in until_tests.filter(|(_, line)| uses_disk(line)) {
            let message = format!("{name} does not touch the disk");
            problems.push(Problem::new(&file.path, number, message));
        }
    }
    problems
}

/// The files of `index` that may open others.
const STORAGE: [&str; 4] = ["/local.rs", "/os.rs", "/usage.rs", "/fuzzing.rs"];

/// What opens, makes or removes a file.
const OPENING: [&str; 8] = [
    "fs::read",
    "fs::write",
    "fs::remove",
    "fs::rename",
    "fs::metadata",
    "File::open",
    "File::create",
    "OpenOptions",
];

/// An index is reached through its storage, so that it can be kept elsewhere.
pub(super) fn storage_alone(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, file) in tree.sources() {
        if name != "index" || STORAGE.iter().any(|own| file.path.ends_with(own)) {
            continue;
        }
        let lines = file.code_lines();
        for (number, line) in lines.take_while(|(_, line)| !line.contains("#[cfg(test)]")) {
            if OPENING.iter().any(|path| uses(line, path)) {
                let message = "files of an index are reached through Storage";
                problems.push(Problem::new(&file.path, number, message));
            }
        }
    }
    problems
}

/// Whether a line holds a path that does not begin in the middle of a word.
fn uses(line: &str, path: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(path)
        .any(|(at, _)| !line[..at].ends_with(in_word))
}

/// No test is switched off, nothing is left for later, and memory is handled
/// by hand only where a file says that it does.
pub(super) fn nothing_unfinished(tree: &Tree) -> Vec<Problem> {
    let mut problems = lines(tree.rust(), is_unfinished, "finish it or leave it out");
    for file in tree
        .rust()
        .filter(|f| !f.code.contains("#[allow(unsafe_code)]"))
    {
        let message = "unsafe needs #[allow(unsafe_code)] and a reason beside it";
        let found = file.lines_with_word("unsafe");
        problems.extend(found.map(|line| Problem::new(&file.path, line, message)));
    }
    problems
}

fn is_unfinished(line: &str) -> bool {
    let macros = ["todo!", "unimplemented!"];
    macros.iter().any(|name| has_word(line, name)) || has_word(line, "#[ignore")
}

/// What differs between systems stands in one file, where it can be read and
/// tested as a whole.
pub(super) fn one_place_for_systems(tree: &Tree) -> Vec<Problem> {
    let is_other = |file: &&File| !SYSTEMS.contains(&file.path.as_str());
    let others = tree.sources().map(|(_, file)| file).filter(is_other);
    let message = format!("only {} may depend on the system", SYSTEMS.join(" and "));
    let mut problems = Vec::new();
    for file in others {
        let asks = conditions(&file.code).filter(|(_, condition)| names_system(condition));
        let uses = file.code.match_indices("std::os::").map(|(at, _)| at);
        for at in asks.map(|(at, _)| at).chain(uses) {
            let line = file.code[..at].matches('\n').count() + 1;
            problems.push(Problem::new(&file.path, line, &message));
        }
    }
    problems
}

/// What stands in the parentheses of each `cfg`, with its place. It may go
/// over several lines.
fn conditions(code: &str) -> impl Iterator<Item = (usize, &str)> {
    ["cfg", "cfg!", "cfg_attr"]
        .into_iter()
        .flat_map(move |name| {
            let opened = move |at: usize| Some((at, code[at + name.len()..].strip_prefix('(')?));
            places_of_word(code, name)
                .filter_map(opened)
                .map(|(at, rest)| (at, parenthesized(rest)))
        })
}

/// The text up to the parenthesis that closes the one before it.
fn parenthesized(text: &str) -> &str {
    let mut depth = 1;
    let closes = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    };
    text.find(closes).map_or(text, |end| &text[..end])
}

fn names_system(condition: &str) -> bool {
    let systems = ["unix", "windows", "target_os", "target_family"];
    systems.iter().any(|name| has_word(condition, name))
}

/// Work on files and processors is not waiting: threads do it better.
pub(super) fn no_async(tree: &Tree) -> Vec<Problem> {
    let others = tree
        .sources()
        .filter(|(name, _)| *name != ASYNC_CRATE)
        .map(|(_, file)| file);
    let message = format!("only crates/{ASYNC_CRATE} may be asynchronous");
    lines(
        others,
        |line| {
            ["async", "await", "tokio"]
                .iter()
                .any(|w| has_word(line, w))
        },
        &message,
    )
}

/// A problem for every line of code that a test finds bad.
fn lines<'t>(
    files: impl Iterator<Item = &'t File>,
    is_bad: impl Fn(&str) -> bool,
    message: &str,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        let bad = file.code_lines().filter(|(_, line)| is_bad(line));
        problems.extend(bad.map(|(number, _)| Problem::new(&file.path, number, message)));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = fn(&Tree) -> Vec<Problem>;

    /// Each case: a path, a text, and the lines where the rule objects.
    fn check(rule: Rule, cases: &[(&str, &str, &[usize])]) {
        for (path, text, want) in cases {
            let found: Vec<usize> = rule(&Tree::of(&[(path, text)]))
                .iter()
                .map(|problem| problem.line)
                .collect();
            assert_eq!(found, *want, "{path}: {text}");
        }
    }

    #[test]
    fn files_without_a_doc_are_found() {
        check(
            module_docs,
            &[
                ("crates/index/src/lib.rs", "//! The index.\n", &[]),
                ("crates/index/src/lib.rs", "use a;\n", &[1]),
                (
                    "crates/index/src/lib.rs",
                    "/// Not of the module.\nfn a() {}\n",
                    &[1],
                ),
                ("xtask/src/main.rs", "", &[1]),
                ("crates/index/tests/a.rs", "", &[]),
                ("crates/syntax/languages/rust/examples/a.rs", "", &[]),
            ],
        );
    }

    #[test]
    fn printing_is_found_outside_the_command_line() {
        check(
            no_printing,
            &[
                (
                    "crates/print/src/lib.rs",
                    "fn a() {\n    println!(\"x\");\n}\n",
                    &[2],
                ),
                (
                    "crates/index/src/lib.rs",
                    "eprint!(\"a\");\ndbg!(x);\n",
                    &[1, 2],
                ),
                (
                    "crates/engine/src/lib.rs",
                    "use std::io::{Write, stdout};\n",
                    &[1],
                ),
                (
                    "crates/engine/src/lib.rs",
                    "std::io::stderr().flush()\n",
                    &[1],
                ),
                (
                    "crates/engine/src/lib.rs",
                    "let text = output.stdout;\n",
                    &[],
                ),
                ("crates/engine/src/lib.rs", "// println! is for cli\n", &[]),
                (
                    "crates/engine/src/lib.rs",
                    "pretty_println!(a); sprint!(b);\n",
                    &[],
                ),
                ("crates/cli/src/main.rs", "println!();\n", &[1]),
                ("crates/cli/src/output.rs", "println!();\n", &[]),
                ("crates/syntax/examples/a.rs", "println!();\n", &[]),
                ("crates/engine/tests/a.rs", "println!();\n", &[]),
            ],
        );
    }

    #[test]
    fn files_of_an_index_are_reached_through_its_storage() {
        let reads = "fn a() { fs::read(b) }\n";
        check(
            storage_alone,
            &[
                ("crates/index/src/a.rs", reads, &[1]),
                ("crates/index/src/vectors/a.rs", "File::open(a)\n", &[1]),
                ("crates/index/src/local.rs", reads, &[]),
                ("crates/engine/src/a.rs", reads, &[]),
                ("crates/index/src/a.rs", "use std::fs::File;\n", &[]),
            ],
        );
    }

    #[test]
    fn reading_is_found_where_only_computing_belongs() {
        check(
            no_disk,
            &[
                (
                    "crates/syntax/src/a.rs",
                    "use std::fs;\nfn a() { fs::read(b) }\n",
                    &[1, 2],
                ),
                (
                    "crates/search/src/a.rs",
                    "let file = File::open(path);\n",
                    &[1],
                ),
                (
                    "crates/syntax/src/a.rs",
                    "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n",
                    &[],
                ),
                (
                    "crates/syntax/src/a.rs",
                    "let tuffs::B = SomeFile::new();\n",
                    &[],
                ),
                ("crates/syntax/tests/a.rs", "use std::fs;\n", &[]),
                ("crates/engine/src/a.rs", "use std::fs;\n", &[]),
            ],
        );
    }

    #[test]
    fn what_is_left_for_later_is_found() {
        check(
            nothing_unfinished,
            &[
                (
                    "crates/engine/tests/a.rs",
                    "#[test]\n#[ignore]\nfn a() {}\n",
                    &[2],
                ),
                (
                    "crates/engine/tests/a.rs",
                    "#[ignore = \"slow\"]\nfn a() {}\n",
                    &[1],
                ),
                (
                    "crates/engine/src/a.rs",
                    "fn a() { todo!() }\nunimplemented!(\"b\")\n",
                    &[1, 2],
                ),
                (
                    "crates/engine/src/a.rs",
                    "use ignore::Walk; // todo!()\n",
                    &[],
                ),
                ("crates/engine/src/a.rs", "unsafe { f() }\n", &[1]),
                (
                    "crates/engine/src/a.rs",
                    "#[allow(unsafe_code)]\nunsafe { f() }\n",
                    &[],
                ),
                (
                    "crates/engine/src/a.rs",
                    "// #[allow(unsafe_code)]\nunsafe { f() }\n",
                    &[2],
                ),
                (
                    "crates/syntax/languages/rust/examples/a.rs",
                    "unsafe { todo!() }\n",
                    &[],
                ),
            ],
        );
    }

    #[test]
    fn questions_about_the_system_are_found() {
        check(
            one_place_for_systems,
            &[
                (
                    "crates/index/src/lock.rs",
                    "#[cfg(unix)]\nfn a() {}\n",
                    &[1],
                ),
                ("crates/index/src/lock.rs", "if cfg!(windows) {}\n", &[1]),
                (
                    "crates/index/src/lock.rs",
                    "#[cfg(not(target_os = \"macos\"))]\n",
                    &[1],
                ),
                (
                    "crates/index/src/lock.rs",
                    "use std::os::unix::fs::MetadataExt;\n",
                    &[1],
                ),
                (
                    "crates/index/src/lock.rs",
                    "\n#[cfg(any(\n    unix,\n    a,\n))]\n",
                    &[2],
                ),
                (
                    "crates/index/src/lock.rs",
                    "#[cfg(test)]\nmod tests { windows(unix); }\n",
                    &[],
                ),
                ("crates/index/src/sketch.rs", "bytes.windows(3)\n", &[]),
                ("crates/engine/src/os.rs", "#[cfg(unix)]\nfn a() {}\n", &[]),
                (
                    "crates/engine/tests/walk.rs",
                    "#[cfg(unix)]\nfn a() {}\n",
                    &[],
                ),
            ],
        );
    }

    #[test]
    fn asynchronous_code_is_found_outside_serve() {
        check(
            no_async,
            &[
                ("crates/engine/src/lib.rs", "pub async fn a() {}\n", &[1]),
                (
                    "crates/cli/src/main.rs",
                    "#[tokio::main]\nfn a() {}\n",
                    &[1],
                ),
                ("crates/engine/src/lib.rs", "fn a() {}\nb.await;\n", &[2]),
                ("crates/serve/src/lib.rs", "pub async fn a() {}\n", &[]),
                ("crates/engine/src/lib.rs", "// async is for serve\n", &[]),
            ],
        );
    }
}
