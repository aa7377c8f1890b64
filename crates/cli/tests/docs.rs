//! Runs every command of README.md and docs/ on the sample project, and
//! compares what it prints with what the page shows.
//!
//! `SCENT_ACCEPT_DOCS=1 cargo test -p scent-cli --test docs` writes what the
//! commands print now into the pages.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a block may hold that is not run, by what its fence says.
const DATA: [&str; 3] = ["toml", "json", "text"];

/// Blocks marked `sh` are not run: they build, install or take hours. By page
/// and first line.
const NOT_RUN: [(&str, &str); 7] = [
    ("docs/query.md", "gh issue view 812 | scent -"),
    (
        "README.md",
        "cargo run --release -- \"where are ranked lists fused\"",
    ),
    (
        "README.md",
        "cargo install --locked --profile dist --path crates/cli",
    ),
    (
        "docs/guide.md",
        "scent completions bash > ~/.local/share/bash-completion/completions/scent",
    ),
    (
        "docs/evaluation.md",
        "cargo build --profile dist -p scent-cli -p scent-eval",
    ),
    (
        "docs/evaluation.md",
        "scent-eval run SUITE… --corpora DIR --out DIR    ask and score",
    ),
    (
        "docs/evaluation.md",
        "python3 -m venv peers && peers/bin/pip install semble==0.7.0     # and others: eval/peers/README.md",
    ),
];

/// Any number of lines that the page leaves out.
const LEFT_OUT: &str = "[…]";

#[test]
fn pages_show_what_the_program_prints() {
    let pages = pages();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(|| check_page(page)))
            .collect();
        runs.into_iter()
            .filter_map(|run| run.join().expect("a page's thread"))
            .collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_block_is_run_or_known() {
    let mut not_run = NOT_RUN.to_vec();
    for page in pages() {
        for block in blocks(&read(&page)) {
            let first = block.lines.first().map_or("", String::as_str);
            match block.info.as_str() {
                "console" => assert!(first.starts_with("$ "), "{page}: {first}"),
                "sh" => {
                    let known = not_run.iter().position(|known| *known == (&page, first));
                    let known = known.unwrap_or_else(|| panic!("{page}: not run: {first}"));
                    not_run.remove(known);
                }
                info => assert!(DATA.contains(&info), "{page}: {info}: {first}"),
            }
        }
    }
    assert_eq!(not_run, [], "these blocks are gone");
}

/// The repository's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).expect("a page")
}

/// README.md and the pages of docs, without its folders.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    for entry in fs::read_dir(root().join("docs")).expect("docs") {
        let name = entry
            .expect("docs")
            .file_name()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    pages
}

/// A code block.
#[derive(Debug, PartialEq)]
struct Block {
    info: String,
    /// The line of the page that its first line stands on, from 0.
    start: usize,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        let fence = line.strip_prefix("```");
        match (&mut open, fence) {
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some(block), _) => block.lines.push(line.to_owned()),
            (None, Some(info)) => {
                open = Some(Block {
                    info: info.to_owned(),
                    start: number + 1,
                    lines: Vec::new(),
                });
            }
            (None, None) => {}
        }
    }
    blocks
}

/// A command with the lines that it is to print.
struct Example<'b> {
    command: &'b str,
    output: &'b [String],
}

fn examples(block: &Block) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    let mut at = 0;
    while at < block.lines.len() {
        let after = &block.lines[at + 1..];
        let next = after.iter().position(|line| line.starts_with("$ "));
        let length = next.unwrap_or(after.len());
        examples.push(Example {
            command: block.lines[at].trim_start_matches("$ "),
            output: &after[..length],
        });
        at += 1 + length;
    }
    examples
}

/// Runs the commands of a page; says where it shows something else.
fn check_page(page: &str) -> Option<String> {
    let text = read(page);
    let world = World::new();
    let mut failures = Vec::new();
    let mut blocks = blocks(&text);
    blocks.retain(|block| block.info == "console");
    let mut accepted_blocks = Vec::new();
    for block in &blocks {
        let mut accepted = Vec::new();
        for example in examples(block) {
            let printed = world.run(example.command);
            accepted.push(format!("$ {}", example.command));
            if fits(example.output, &printed) {
                accepted.extend(example.output.iter().cloned());
                continue;
            }
            let want = example.output.join("\n");
            let found = printed.join("\n");
            failures.push(format!(
                "{page}: {}\n{want}\n--- prints\n{found}\n",
                example.command
            ));
            accepted.extend(printed);
        }
        accepted_blocks.push(accepted);
    }
    if std::env::var_os("SCENT_ACCEPT_DOCS").is_some() {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the end, so that no block moves before it is replaced.
        for (block, accepted) in blocks.iter().zip(accepted_blocks).rev() {
            lines.splice(block.start..block.start + block.lines.len(), accepted);
        }
        fs::write(root().join(page), lines.join("\n") + "\n").expect("a page");
        return None;
    }
    (!failures.is_empty()).then(|| failures.join("\n"))
}

/// Whether a page shows what is printed, but for times and what it leaves out.
fn fits(shown: &[String], printed: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [first, rest @ ..] if first == LEFT_OUT => {
            (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..]))
        }
        [first, rest @ ..] => match printed {
            [line, after @ ..] => without_times(first) == without_times(line) && fits(rest, after),
            [] => false,
        },
    }
}

/// A line with `0` for every time and size on disk, which differ from run to
/// run, and with two decimals of every number: the rest depends on the machine.
fn without_times(line: &str) -> String {
    let is_measured = line.contains(" µs") || line.starts_with("index size");
    if !is_measured {
        return with_two_decimals(line);
    }
    let mut words: Vec<&str> = line.split_whitespace().collect();
    for word in &mut words {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            *word = "0";
        }
    }
    words.join(" ")
}

fn with_two_decimals(line: &str) -> String {
    let mut short = String::new();
    let mut decimals = None;
    for c in line.chars() {
        decimals = match decimals {
            Some(count) if c.is_ascii_digit() => Some(count + 1),
            _ if c == '.' => Some(0),
            _ => None,
        };
        if decimals.is_none_or(|count| count <= 2) {
            short.push(c);
        }
    }
    short
}

/// A copy of the sample project, and a home for the program.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&root().join("docs/sample"), &folder.path().join("ferry"));
        World { folder }
    }

    /// What a command prints, with names of our own for the folders it runs in.
    fn run(&self, command: &str) -> Vec<String> {
        let home = self.folder.path().canonicalize().expect("a folder");
        let program = Path::new(env!("CARGO_BIN_EXE_scent"));
        let folder = program.parent().expect("a folder").display();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(home.join("ferry"))
            .env_clear()
            .env("PATH", format!("{folder}:{path}"))
            .env("HOME", &home)
            .output()
            .expect("a shell");
        let text = String::from_utf8(output.stdout).expect("text");
        let text = text.replace(&home.display().to_string(), "/home/you");
        text.lines().map(without_hash).collect()
    }
}

/// The index is called after a hash of the folder, which is another every time.
fn without_hash(line: &str) -> String {
    let line = line.trim_end();
    let Some((before, after)) = line.split_once("/scent/ferry-") else {
        return line.to_owned();
    };
    let rest = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    format!("{before}/scent/ferry-84dbb45718b0e0b4{rest}")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("a folder");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a file").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file");
        }
    }
}

#[test]
fn blocks_and_examples_are_found() {
    let text = "a\n```console\n$ one\nb\n\n$ two\n```\n```toml\nc\n```\n";
    let found = blocks(text);
    let infos: Vec<(&str, usize)> = found.iter().map(|b| (b.info.as_str(), b.start)).collect();
    assert_eq!(infos, [("console", 2), ("toml", 8)]);
    let examples: Vec<(&str, usize)> = examples(&found[0])
        .iter()
        .map(|example| (example.command, example.output.len()))
        .collect();
    assert_eq!(examples, [("one", 2), ("two", 0)]);
}

#[test]
fn what_is_left_out_fits() {
    let cases = [
        ("a\nb", "a\nb", true),
        ("a", "a\nb", false),
        ("a\n[…]", "a\nb\nc", true),
        ("[…]\nc", "a\nb\nc", true),
        ("[…]\nd", "a\nb\nc", false),
        ("  12 µs  text", "   7 µs  text", true),
        ("a 0.5687", "a 0.5512", false),
        ("a 0.5687, 1", "a 0.5661, 1", true),
        ("a 0.5687, 1", "a 0.5661, 2", false),
    ];
    for (shown, printed, want) in cases {
        let [shown, printed] = [shown, printed].map(|text| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines
        });
        assert_eq!(fits(&shown, &printed), want, "{shown:?} {printed:?}");
    }
}
