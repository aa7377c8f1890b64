//! What the tools answer: what the commands of the same names print.

use crate::client::{Client, ERAS, Era};
use crate::world::World;
use serde_json::{Value, json};
use std::fs;

/// The results of an answer, without the notes below them.
fn results(text: &str) -> &str {
    let notes = text.find("note: ").unwrap_or(text.len());
    text[..notes].trim_end()
}

/// A tool, its arguments, and the command that prints the same.
type Same = (&'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const SAME: [Same; 19] = [
    ("search", r#"{"query": "how long to wait"}"#, &["how long to wait"]),
    ("search", r#"{"query": "retry", "limit": 2}"#, &["retry", "-k", "2"]),
    ("search", r#"{"pattern": "fn \\w+", "paths": "src"}"#, &["-e", "fn \\w+", "src"]),
    ("search", r#"{"query": "a request", "only": "docs"}"#, &["a request", "--docs"]),
    ("search", r#"{"query": "retry", "context": "none"}"#, &["retry", "-C", "none"]),
    ("search", r#"{"query": "retry", "paths": ["**/*.py"]}"#, &["retry", "--path", "**/*.py"]),
    ("def", r#"{"name": "retry_delay"}"#, &["def", "retry_delay"]),
    ("def", r#"{"name": "retr*"}"#, &["def", "retr*"]),
    ("refs", r#"{"name": "retry_delay"}"#, &["refs", "retry_delay"]),
    ("refs", r#"{"name": "src/retry.rs:4"}"#, &["refs", "src/retry.rs:4"]),
    ("refs", r#"{"name": "src/retry.rs:4:8"}"#, &["refs", "src/retry.rs:4:8"]),
    ("def", r#"{"name": "src/retry.rs:4:8"}"#, &["def", "src/retry.rs:4:8"]),
    ("refs", r#"{"name": "retry", "role": "call"}"#, &["refs", "retry", "--role", "call"]),
    ("impact", r#"{"target": "retry_delay"}"#, &["impact", "retry_delay"]),
    ("impact", r#"{"target": "RetryPolicy::next", "to": "retry_delay"}"#, &["callpath", "RetryPolicy::next", "retry_delay"]),
    ("deps", r#"{"path": "src"}"#, &["deps", "src"]),
    ("outline", r#"{"paths": ["src/retry.rs", "docs"]}"#, &["outline", "src/retry.rs", "docs"]),
    ("outline", r#"{"paths": "src", "public": true}"#, &["outline", "src", "--public"]),
    ("outline", "{}", &["map"]),
];

#[test]
fn an_answer_is_what_the_command_prints() {
    let world = World::sample();
    assert_eq!(world.run(&["index"]).code, Some(0));
    for era in ERAS {
        let mut client = Client::met(&world, era, &[]);
        for (tool, arguments, command) in SAME {
            let tokens = if tool == "search" { "2000" } else { "1500" };
            let args = [command, &["--max-tokens", tokens, "-q"]].concat();
            let run = world.run(&args);
            let told = client.text(tool, serde_json::from_str(arguments).unwrap());
            assert_eq!(results(&told), run.out.trim_end(), "{tool} and {args:?}");
        }
        assert_eq!(client.leave().0, Some(0));
    }
}

#[test]
fn json_is_that_of_the_command() {
    let world = World::sample();
    assert_eq!(world.run(&["index"]).code, Some(0));
    let mut client = Client::met(&world, Era::Modern, &[]);
    let same: [(&str, Value, &[&str]); 4] = [
        (
            "search",
            json!({"query": "retry"}),
            &["retry", "--max-tokens", "2000"],
        ),
        (
            "def",
            json!({"name": "retry_delay"}),
            &["def", "retry_delay"],
        ),
        (
            "refs",
            json!({"name": "retry_delay"}),
            &["refs", "retry_delay"],
        ),
        ("outline", json!({"paths": "src"}), &["outline", "src"]),
    ];
    for (tool, mut arguments, command) in same {
        arguments["format"] = json!("json");
        let run = world.run(&[command, &["--json"]].concat());
        let told: Value = serde_json::from_str(&client.text(tool, arguments)).unwrap();
        let mut want: Value = serde_json::from_str(&run.out).unwrap();
        // How to see the rest is said in the words of each.
        if let Some(rest) = want.get_mut("rest") {
            assert!(told["rest"].is_string(), "{tool}");
            *rest = told["rest"].clone();
        }
        assert_eq!(told, want, "{tool}");
    }
}

#[test]
fn an_answer_knows_what_changed_since_the_last_one() {
    let world = World::sample();
    let mut client = Client::met(&world, Era::Modern, &[]);
    let before = client.text("def", json!({"name": "brand_new"}));
    assert!(before.contains("no symbol is named brand_new"), "{before}");
    world.write("src/new.rs", "pub fn brand_new() {}\n");
    let added = client.text("def", json!({"name": "brand_new"}));
    assert!(
        added.starts_with("src/new.rs:1  function brand_new"),
        "{added}"
    );
    world.write("src/new.rs", "\n\npub fn brand_new() {}\n");
    let edited = client.text("search", json!({"query": "brand_new"}));
    assert!(edited.starts_with("src/new.rs:3"), "{edited}");
    fs::remove_file(world.root.join("src/new.rs")).unwrap();
    let gone = client.text("def", json!({"name": "brand_new"}));
    assert!(gone.contains("no symbol is named brand_new"), "{gone}");
}

#[test]
fn pages_join_without_gap_or_repeat() {
    let world = World::sample();
    for n in 0..30 {
        world.write(
            &format!("src/user{n:02}.py"),
            format!("def use{n}(client):\n    return client.retry({n})\n"),
        );
    }
    let mut client = Client::met(&world, Era::Modern, &[]);
    for (tool, arguments) in [
        ("refs", json!({"name": "retry", "max_tokens": 200})),
        (
            "search",
            json!({"query": "client retry", "context": "none", "max_tokens": 200}),
        ),
        ("search", json!({"pattern": "client", "limit": 4})),
    ] {
        let mut offset = 0;
        let mut all = Vec::new();
        loop {
            let mut page = arguments.clone();
            page["offset"] = json!(offset);
            page["format"] = json!("json");
            let told: Value = serde_json::from_str(&client.text(tool, page)).unwrap();
            let list = if tool == "search" {
                "results"
            } else {
                "references"
            };
            let entries = told[list].as_array().unwrap();
            for entry in entries {
                let line = entry.get("line").or_else(|| entry.get("start_line"));
                all.push((entry["path"].to_string(), line.unwrap().as_u64()));
            }
            offset += entries.len();
            if offset as u64 >= told["total"].as_u64().unwrap() || entries.is_empty() {
                assert_eq!(all.len() as u64, told["total"].as_u64().unwrap(), "{tool}");
                break;
            }
        }
        let mut once = all.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), all.len(), "{tool}: {all:?}");
        assert!(all.len() > 20, "{tool}: {}", all.len());
    }
}

#[test]
fn an_answer_keeps_within_its_budget_and_says_what_it_left_out() {
    let world = World::sample();
    let many: String = (0..400)
        .map(|n| format!("def use{n}(c):\n    c.retry({n})\n\n"))
        .collect();
    world.write("src/many.py", many);
    let long: String = (0..300)
        .map(|n| format!("    wait_a_long_time_for({n})\n"))
        .collect();
    world.write("src/long.py", format!("def linger():\n{long}"));
    let mut client = Client::met(&world, Era::Modern, &[]);
    for budget in [200, 1_000, 8_000, 100_000] {
        for (tool, mut arguments) in [
            ("search", json!({"query": "retry"})),
            ("search", json!({"query": "linger", "context": "full"})),
            ("refs", json!({"name": "retry"})),
            ("outline", json!({"paths": ["src", "src/many.py"]})),
            ("impact", json!({"target": "retry"})),
        ] {
            arguments["max_tokens"] = json!(budget);
            let told = client.text(tool, arguments);
            let most = budget.min(8_000) * 11 / 10;
            assert!(
                told.len() / 4 <= most,
                "{tool} at {budget}: {}",
                told.len() / 4
            );
            let is_cut = told.contains("; more with ") || told.contains("raise max_tokens");
            assert!(is_cut || budget > 200, "{tool} at {budget}: {told}");
        }
    }
}
