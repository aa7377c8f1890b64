//! What decides the order, and how it is explained.

mod world;

use serde_json::Value;
use std::fs;
use world::*;

const TEST_RS: &str = "#[test]\nfn retry_delay_grows() {\n    assert!(retry_delay(2) > 1);\n}\n";

fn world() -> World {
    let world = World::sample();
    world.write("tests/retry_test.rs", TEST_RS);
    world
}

#[test]
fn a_score_is_the_sum_of_its_parts() {
    let world = world();
    let answer = world.json(&["how long to wait before the next attempt", "--explain"]);
    for result in results(&answer) {
        let amount = |part: &Value| part["amount"].as_f64().unwrap();
        let sum: f64 = result["parts"].as_array().unwrap().iter().map(amount).sum();
        assert!(
            (sum - result["score"].as_f64().unwrap()).abs() < 1e-4,
            "{result}"
        );
    }
    assert!(
        answer["certainty"]
            .as_f64()
            .is_some_and(|sure| (0.0..=1.0).contains(&sure))
    );
    let steps = answer["steps"].as_array().unwrap();
    assert!(
        steps.iter().any(|step| step["name"] == "ordered"),
        "{steps:?}"
    );
    assert!(
        world.json(&["wait"])["results"][0]["parts"].is_null(),
        "free when off"
    );

    let told = world.run(&["explain", "how long to wait", "-k", "1"]);
    for says in ["number 1 with", "in all", "how rare", "% sure", "µs  text"] {
        assert!(told.out.contains(says), "{says}: {}", told.out);
    }
    let told = world.run(&[
        "explain",
        "how long to wait",
        "-k",
        "1",
        "--format",
        "markdown",
    ]);
    assert!(told.out.contains("in all"), "{}", told.out);
}

#[test]
fn every_step_can_be_written_down() {
    let world = world();
    let file = world.home.join("trace.jsonl");
    world.run(&["retry delay", "--trace", file.to_str().unwrap()]);
    let lines = fs::read_to_string(&file).unwrap();
    let steps: Vec<Value> = lines
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let names: Vec<&str> = steps
        .iter()
        .map(|step| step["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "path", "text", "vector", "symbol", "late", "fused", "ordered"
        ]
    );
    let first = &steps[6]["units"][0];
    for key in ["id", "path", "start_line", "score"] {
        assert!(!first[key].is_null(), "{key}: {first}");
    }
    let err = world.refused(&["retry", "--trace", "/no/such/folder/x"]);
    assert!(err.contains("/no/such/folder/x"), "{err}");
}

#[test]
fn tests_come_behind_unless_they_are_asked_for() {
    let world = world();
    assert_eq!(world.paths(&["retry delay"])[0], "src/retry.rs");
    assert_eq!(
        world.paths(&["test that the retry delay grows"])[0],
        "tests/retry_test.rs"
    );
    let has_test = |args: &[&str]| world.paths(args).iter().any(|p| p.starts_with("tests/"));
    assert!(has_test(&["retry delay"]));
    assert!(!has_test(&["retry delay", "--no-tests"]));
    assert!(!has_test(&["retry delay -test"]));
    assert_eq!(
        world.paths(&["retry delay", "--tests"]),
        ["tests/retry_test.rs"]
    );
    assert_eq!(
        world.paths(&["retry delay is:test"]),
        ["tests/retry_test.rs"]
    );
}

#[test]
fn a_query_may_hold_filters_and_quotes() {
    let world = world();
    let paths = |query: &str| sorted(world.paths(&[query, "--keyword-only"]));
    assert_eq!(paths("retry lang:python"), ["src/client.py"]);
    assert_eq!(paths("retry path:web/"), ["web/app.ts"]);
    assert_eq!(paths("retry kind:section"), ["docs/guide.md"]);
    assert_eq!(paths("\"base << attempt\""), ["src/retry.rs"]);
    // Beside other words, a quoted text is preferred.
    let found = world.paths(&["how \"base << attempt\" retry", "--keyword-only"]);
    assert!(found.len() > 1 && found[0] == "src/retry.rs", "{found:?}");
    for (query, says) in [
        ("retry lang:klingon", "no such language"),
        ("retry kind:thing", "there are: function"),
        ("lang:rust", "the query is empty"),
    ] {
        let run = world.run(&[query]);
        let fine = run.code == Some(0) && query == "lang:rust";
        assert!(
            fine || run.code == Some(2) && run.err.contains(says),
            "{query}: {run:?}"
        );
    }
    for (query, says) in [
        ("retry file:x", "file:x is no filter"),
        ("retry \"delay", "a quote is open"),
    ] {
        let run = world.run(&[query]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.err.contains(says), "{query}: {}", run.err);
    }
}

#[test]
fn odd_queries_are_answered_at_once() {
    let world = world();
    let long = "retry ".repeat(10_000);
    for query in [
        long.as_str(),
        "retry\u{7}\u{1b}[31m",
        "-",
        "\"\"",
        "::",
        "path:",
        "\u{202e}retry",
    ] {
        let run = world.run(&["search", "--", query]);
        assert!(
            run.code != Some(101) && run.code.is_some(),
            "{query:.20}: {run:?}"
        );
        assert!(!run.out.contains('\u{1b}'), "{query:.20}");
    }
    assert!(world.refused(&["retry", "-k", "0"]).contains("from 1 on"));
    let run = world.run(&["retry path:no/such/folder"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
}

#[test]
fn a_path_finds_its_file() {
    let world = world();
    for query in ["src/client.py", "client.py", "what does src/client.py do"] {
        assert_eq!(world.paths(&[query])[0], "src/client.py", "{query}");
    }
    let lanes = &world.json(&["client.py"])["results"][0]["lanes"];
    assert!(lanes["path"].is_number(), "{lanes}");
}

#[test]
fn every_lane_answers_alone() {
    let world = world();
    for lane in ["text", "symbol", "vector", "late"] {
        assert!(
            !world.paths(&["retry_delay", "--lanes", lane]).is_empty(),
            "{lane}"
        );
    }
}

#[test]
fn what_is_near_comes_first() {
    let world = World::new(&[
        (
            "a/one/handler.rs",
            "pub fn handle(x: u32) -> u32 {\n    x\n}\n",
        ),
        (
            "b/two/handler.rs",
            "pub fn handle(x: u32) -> u32 {\n    x\n}\n",
        ),
    ]);
    assert_eq!(
        world.paths(&["handle", "--near", "a/one"])[0],
        "a/one/handler.rs"
    );
    assert_eq!(
        world.paths(&["handle", "--near", "b/two/handler.rs"])[0],
        "b/two/handler.rs"
    );
    let err = world.refused(&["handle", "--near", "/"]);
    assert!(err.contains("--near"), "{err}");
}

#[test]
fn one_file_may_be_kept_from_filling_the_page() {
    let world = world();
    let of = |args: &[&str]| {
        world
            .paths(args)
            .iter()
            .filter(|p| *p == "src/retry.rs")
            .count()
    };
    assert!(of(&["retry delay"]) > 1);
    assert_eq!(of(&["retry delay", "--per-file", "1"]), 1);
}

#[test]
fn a_result_is_shown_as_far_as_it_is_asked_for() {
    let body: String = (0..80).map(|n| format!("    step_{n}(x);\n")).collect();
    let long = format!("fn long_walk(x: u32) {{\n{body}}}\n");
    let world = World::new(&[("a.rs", RETRY_RS), ("b.rs", &long)]);
    let lines = |args: &[&str]| {
        world
            .found(&[args, &["-q", "-k", "1"]].concat())
            .lines()
            .count()
    };
    assert_eq!(lines(&["retry_delay", "-C", "none"]), 1);
    assert!(lines(&["retry_delay", "-C", "smart"]) > 5);
    assert!(lines(&["long_walk step_70", "-C", "smart"]) <= 1 + 50 + 4);
    assert!(
        world
            .refused(&["retry", "-C", "much"])
            .contains("windows, lines, smart, none")
    );
    fs::write(
        world.root.join("scent.toml"),
        "[output]\nmax_lines = 4\ncontext = \"smart\"\n",
    )
    .unwrap();
    assert!(lines(&["long_walk step_70"]) <= 1 + 5 + 4);
}

#[test]
fn linked_projects_are_searched_along() {
    let world = world();
    let other = world.home.join("other");
    fs::create_dir_all(&other).unwrap();
    fs::write(
        other.join("backoff.rs"),
        "/// Waits longer each time.\npub fn backoff_wait() {}\n",
    )
    .unwrap();
    world.write(
        "scent.toml",
        "[search]\nlinked = [\"../home/other\", \"../gone\"]\n",
    );
    let run = world.run(&["backoff_wait", "--json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let path = answer["results"][0]["path"].as_str().unwrap();
    assert!(path.ends_with("other/backoff.rs"), "{answer}");
    assert!(
        run.err.contains("gone") && run.err.contains("not searched"),
        "{}",
        run.err
    );
    // Whoever names a folder means that folder.
    assert!(
        world
            .paths(&["backoff_wait", "src"])
            .iter()
            .all(|p| !p.ends_with("backoff.rs"))
    );
}
