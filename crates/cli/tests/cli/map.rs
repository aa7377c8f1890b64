//! `scent map`, and `scent outline` of a folder.

use crate::world::*;
use serde_json::Value;

/// A product, its tests, a copy, and what everything uses.
fn world() -> World {
    World::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (
            "src/server.rs",
            "//! Answers requests.\n\n/// Takes requests.\npub struct Server {\n    port: u16,\n    name: String,\n}\n\n\
             const PORT: u16 = 1;\n\nimpl Server {\n    pub fn port(&self) -> u16 {\n        self.port\n    }\n\n    \
             /// Runs until it is stopped.\n    pub fn run(&self, jobs: &[Job]) -> usize {\n        let mut sum = 0;\n        \
             for job in jobs {\n            sum += crate::jobs::start(job);\n        }\n        sum\n    }\n}\n",
        ),
        (
            "src/jobs.rs",
            "/// One job.\npub struct Job {\n    pub id: u64,\n}\n\n/// Starts a job.\npub fn start(job: &Job) -> usize {\n    \
             job.id as usize\n}\n",
        ),
        (
            "src/main.rs",
            "mod jobs;\nmod server;\n\nfn main() {\n    let server = server::Server::new();\n    server.run(&[]);\n}\n",
        ),
        (
            "tests/all.rs",
            "fn starts() {\n    let server = Server::new();\n    assert_eq!(start(&Job { id: 1 }), 1);\n}\n",
        ),
        (
            "vendor/copy.rs",
            "pub fn start_copy() -> usize {\n    1\n}\n",
        ),
        ("README.md", "# Jobs\n\nRuns jobs.\n"),
    ])
}

#[test]
fn a_map_shows_the_product_first_and_what_says_something() {
    let world = world();
    let map = world.found(&["map", "--max-tokens", "9000"]);
    let at = |text: &str| {
        map.find(text)
            .unwrap_or_else(|| panic!("{text} is not in:\n{map}"))
    };
    assert!(
        at("src/\n") < at("./\n") && at("./\n") < at("tests/\n"),
        "{map}"
    );
    assert!(at("tests/\n") < at("vendor/\n"), "{map}");
    assert_holds(
        &map,
        &[
            "begins in: src/main.rs:4",
            "Rust 5",
            "server.rs  — Answers requests.",
            "pub struct Server  — Takes requests.",
            "   pub fn run(&self, jobs: &[Job]) -> usize  — Runs until it is stopped.",
            "pub fn start(job: &Job) -> usize  — Starts a job.",
        ],
        "what there is",
    );
    for nothing in ["fn port", "PORT", "impl Server"] {
        assert!(!map.contains(nothing), "{nothing} is in:\n{map}");
    }
    assert_eq!(
        world.found(&["map", "--max-tokens", "9000"]),
        map,
        "the same again"
    );
}

#[test]
fn a_budget_holds_and_more_of_it_shows_more() {
    let world = world();
    let mut before: Vec<String> = Vec::new();
    for tokens in [1, 60, 120, 400] {
        for format in ["text", "markdown", "json"] {
            let run = world.run(&[
                "map",
                "--format",
                format,
                "--max-tokens",
                &tokens.to_string(),
            ]);
            assert_eq!(run.code, Some(0), "{format} {tokens}: {run:?}");
            // A heading, one symbol and what is around JSON are always there.
            let most = 4 * tokens + 1400;
            assert!(run.out.len() <= most, "{format} {tokens}: {}", run.out);
            let is_whole = !run.err.contains("shows more");
            assert!(
                is_whole || run.err.contains(&(2 * tokens).to_string()),
                "{}",
                run.err
            );
        }
        let run = world.run(&["map", "--max-tokens", &tokens.to_string()]);
        let lines: Vec<String> = run.out.lines().map(str::to_owned).collect();
        let lost: Vec<&String> = before.iter().filter(|line| !lines.contains(line)).collect();
        assert!(lost.is_empty(), "{tokens}: {lost:?} of:\n{}", run.out);
        before = lines;
    }
}

fn json(world: &World, path: &str) -> Value {
    let out = world.found(&["map", path, "--json"]);
    serde_json::from_str(&out).unwrap()
}

#[test]
fn a_part_of_a_project_is_mapped() {
    let world = world();
    let map = json(&world, "tests");
    assert_eq!(
        (&map["path"], &map["total_files"]),
        (&"tests".into(), &1.into())
    );
    assert_eq!(map["files"][0]["path"], "tests/all.rs");
    let map = json(&world, "src/jobs.rs");
    assert_eq!(map["files"][0]["symbols"].as_array().unwrap().len(), 2);
    let run = world.run(&["map", "nowhere"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let empty = World::new(&[(".git/HEAD", "x"), ("a.bin", "\0")]);
    assert_eq!(empty.run(&["map"]).code, Some(1));
}

#[test]
fn a_folder_is_outlined_by_its_most_important_symbols() {
    let world = world();
    let all = world.found(&["outline", "src"]);
    let files: Vec<&str> = all.lines().filter(|line| !line.starts_with(' ')).collect();
    let want = [
        "src/jobs.rs",
        "src/main.rs",
        "src/server.rs  — Answers requests.",
    ];
    assert_eq!(files, want);
    assert_holds(&all, &["pub struct Job", "pub fn run"], "what they define");
    let run = world.run(&["outline", "src", "-k", "1"]);
    assert_eq!(run.out.lines().count(), 6, "{}", run.out);
    assert_holds(
        &run.err,
        &["3 of", "scent outline src -k"],
        "what is left out",
    );
    // A folder without definitions.
    world.write("notes/todo.txt", "paint it\n");
    let run = world.run(&["outline", "notes"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert_eq!(run.err, "scent: nothing is defined in notes\n");
    // Files and folders together, from elsewhere in the project.
    let mut command = world.command();
    command.current_dir(world.root.join("tests"));
    let run = ended(command.args(["outline", "all.rs", "../src"]));
    assert_holds(
        &run.out,
        &["all.rs\n", "../src/jobs.rs\n"],
        "as they are called here",
    );
}
