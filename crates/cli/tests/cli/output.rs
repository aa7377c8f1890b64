//! What answers look like.

use crate::world::*;
use serde_json::Value;
use std::process::Stdio;

#[test]
fn json_keeps_its_contract() {
    let world = World::sample();
    // The first run indexes; still nothing but JSON may be on the output.
    let answer = world.json(&["retry", "-k", "3"]);
    let has = |value: &Value, fields: &[&str]| {
        for field in fields {
            assert!(!value[field].is_null(), "{field} is missing in {value}");
        }
    };
    has(
        &answer,
        &["query", "root", "generation", "total", "shown", "results"],
    );
    assert_eq!(answer["query"], "retry");
    assert_eq!(
        answer["root"],
        world.root.to_str().unwrap().replace('\\', "/")
    );
    assert_eq!(answer["shown"], 3);
    assert_eq!(results(&answer).len(), 3);
    assert!(answer["total"].as_u64() > Some(3), "{}", answer["total"]);
    for result in results(&answer) {
        has(
            result,
            &[
                "path",
                "start_line",
                "end_line",
                "kind",
                "name",
                "qualified_name",
            ],
        );
        has(
            result,
            &["signature", "language", "score", "lanes", "snippet"],
        );
        assert!(
            result["start_line"].as_u64() <= result["end_line"].as_u64(),
            "{result}"
        );
        assert!(
            result["lanes"]
                .as_object()
                .is_some_and(|lanes| !lanes.is_empty()),
            "{result}"
        );
    }
    let first = &world.json(&["retry_delay"])["results"][0];
    let want = serde_json::json!({
        "path": "src/retry.rs", "start_line": 3, "end_line": 7, "kind": "function",
        "name": "retry_delay", "qualified_name": "retry_delay",
        "signature": "pub fn retry_delay(attempt: u32) -> u64", "language": "rust",
        "snippet": "/// How long to wait before the next attempt.\npub fn retry_delay(attempt: u32) -> u64 {\n    let base = 100;\n    base << attempt\n}",
    });
    for (field, value) in want.as_object().unwrap() {
        assert_eq!(&first[field], value, "{field}");
    }
    let none = world.json(&["xylophone"]);
    assert_eq!((&none["total"], &none["shown"]), (&0.into(), &0.into()));
    assert_eq!(world.json(&["retry", "--format", "json"])["query"], "retry");
}

/// How many units hold the word `retry`.
fn total(world: &World) -> u64 {
    world.json(&["retry", "-k", "1"])["total"].as_u64().unwrap()
}

#[test]
fn output_is_as_long_as_asked() {
    let world = World::sample();
    let total = total(&world);
    for limit in ["1", "2", "4", "1000000"] {
        let shown = world.json(&["retry", "-k", limit])["shown"]
            .as_u64()
            .unwrap();
        assert_eq!(
            shown,
            limit.parse::<u64>().unwrap().min(total),
            "-k {limit}"
        );
    }
    let files = world.found(&["retry", "-l"]);
    let lines: Vec<String> = files.lines().map(str::to_owned).collect();
    assert_eq!(sorted(lines.clone()).len(), lines.len(), "each file once");
    let want = [
        "config/app.toml",
        "docs/guide.md",
        "src/client.py",
        "src/retry.rs",
        "web/app.ts",
    ];
    assert_eq!(sorted(lines), want);
    let few = world.run(&["retry", "-l", "-k", "2"]);
    assert_eq!((few.code, few.out.lines().count()), (Some(0), 2));
    assert_holds(&few.err, &["2 of 5 files"], "a note names the rest");

    let full = world.found(&["retry_delay", "-k", "1", "--full"]);
    for line in RETRY_RS.lines().skip(2).take(5) {
        assert!(full.contains(line), "{line} in:\n{full}");
    }
    let plain = world.found(&["retry_delay", "-k", "1", "--full", "-N"]);
    assert!(plain.contains("\n    let base = 100;\n"), "{plain}");
    assert_holds(&full, &["   5      let base = 100;\n"], "-n is the default");
}

#[test]
fn context_is_shown_around_lines() {
    let world = World::sample();
    // The declaration is on line 4, the match on line 6.
    let cases: [(&[&str], &[u64]); 7] = [
        (&[], &[4, 6]),
        (&["-A", "1"], &[4, 5, 6, 7]),
        (&["-B", "1"], &[3, 4, 5, 6]),
        (&["-C", "1"], &[3, 4, 5, 6, 7]),
        (&["-C", "2", "-A", "0"], &[2, 3, 4, 5, 6]),
        (&["-B", "100"], &[1, 2, 3, 4, 5, 6]),
        (&["--full"], &[3, 4, 5, 6, 7]),
    ];
    for (flags, want) in cases {
        let answer = world.json(&[&["-F", "base << attempt"], flags].concat());
        assert_eq!(
            results(&answer)[0]["snippet_lines"],
            serde_json::json!(want),
            "{flags:?}"
        );
    }
}

#[test]
fn a_budget_is_kept_and_the_rest_is_listed() {
    let world = World::sample();
    let total = total(&world);
    for budget in [40, 80, 160] {
        let Run { out, err, .. } = world.run(&["retry", "--max-tokens", &budget.to_string()]);
        let (before, rest) = err.split_once(&format!(" of {total} shown")).unwrap();
        let shown: u64 = before.trim_start_matches("scent: ").parse().unwrap();
        assert_eq!(rest, format!("; more with --offset {shown}\n"));
        let listed = out.split_once("\nalso:\n").map_or("", |(_, listed)| listed);
        let listed = listed.lines().count() as u64;
        assert!(shown >= 1 && shown + listed <= total, "{out}");
        // About four characters are a token; the line between is not counted.
        assert!(
            out.len() <= 4 * (budget + 15),
            "{} of {budget}:\n{out}",
            out.len() / 4
        );
    }
    let all = world.run(&["retry", "--max-tokens", "100000"]);
    assert_eq!(all.err, "");
    // An empty answer helps nobody.
    let least = world.run(&["retry", "--max-tokens", "0"]);
    assert_holds(
        &least.err,
        &[&format!("scent: 1 of {total} shown")],
        "least",
    );
    assert!(!least.out.contains("also:"), "{}", least.out);
    let answer = world.json(&["retry", "--max-tokens", "200"]);
    let left_out = answer["left_out"].as_array().unwrap().len() as u64;
    let shown = answer["shown"].as_u64().unwrap();
    assert!(
        shown >= 1 && left_out >= 1 && shown + left_out <= total,
        "{answer}"
    );
    let markdown = world.found(&["retry", "--max-tokens", "100", "--format", "markdown"]);
    assert_holds(&markdown, &["```\n\nAlso:\n\n- `"], "markdown");
}

/// Every part of a list begins where the one before it ended.
#[test]
fn a_list_is_read_in_parts() {
    let world = World::sample();
    let all = world.names(&["retry", "-k", "1000"]);
    let mut read = Vec::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let answer = world.json(&["retry", "-k", "2", "--offset", &offset.to_string()]);
        for result in results(&answer) {
            read.push(result["qualified_name"].as_str().unwrap().to_owned());
        }
        assert_eq!(answer["offset"].as_u64().unwrap_or(0), offset);
        assert_eq!(answer["certainty"].is_null(), offset > 0);
        next = answer["next_offset"].as_u64();
    }
    assert_eq!(read, all);
    let total = total(&world);
    let last = total.to_string();
    for (args, want) in [
        (
            &["-k", "2"][..],
            format!("2 of {total} shown; more with --offset 2"),
        ),
        (
            &["-k", "2", "--offset", "1"],
            format!("2 to 3 of {total} shown; more with --offset 3"),
        ),
        (&["--offset", &last], format!("none of {total} shown")),
        (
            &["-l", "-k", "2"],
            "2 of 5 files shown; more with --offset 2".to_owned(),
        ),
    ] {
        let run = world.run(&[&["retry"], args].concat());
        assert_eq!(run.err, format!("scent: {want}\n"), "{args:?}");
        let quiet = world.run(&[&["retry", "-q"], args].concat());
        assert_eq!((quiet.err.as_str(), quiet.out), ("", run.out), "{args:?}");
    }
    let similar = |args: &[&str]| {
        let run = world.run(&[&["similar", "src/retry.rs:4", "--json"], args].concat());
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        let names = results(&answer).iter().map(|result| result["name"].clone());
        names.collect::<Vec<_>>()
    };
    let second = similar(&["-k", "1", "--offset", "1"]);
    assert_eq!(second, similar(&["-k", "2"])[1..]);
}

#[test]
fn json_is_compact_where_a_program_reads_it() {
    let world = World::sample();
    for args in [
        &["retry"][..],
        &["def", "retry_delay"],
        &["status"],
        &["languages"],
        &["config", "show"],
    ] {
        let out = world.found(&[args, &["--json"]].concat());
        assert_eq!(out.lines().count(), 1, "{args:?}: {out}");
    }
}

#[test]
fn markdown_is_for_reports() {
    let world = World::sample();
    world.write("docs/code.md", "# Fences\n\n```\nxylophone\n```\n");
    let out = world.found(&["retry_delay", "-k", "1", "--format", "markdown"]);
    let want = "### `src/retry.rs:3-7` function `retry_delay`\n\n```rust\n   3  /// How long to wait before the next attempt.\n   4  pub fn retry_delay(attempt: u32) -> u64 {\n";
    assert!(out.starts_with(want), "{out}");
    // A fence in the text does not end the block that shows it.
    let out = world.found(&["xylophone", "--full", "--format", "markdown"]);
    assert_holds(&out, &["````markdown\n", "\n````\n"], "fences");
    assert_eq!(
        world.found(&["xylophone", "-l", "--format", "markdown"]),
        "- `docs/code.md`\n"
    );
}

#[test]
fn colours_only_where_they_are_wanted() {
    let world = World::sample();
    assert!(!world.found(&["retry"]).contains('\x1b'));
    let colored = world.found(&["retry", "--color", "always"]);
    assert_holds(&colored, &["\x1b[1m\x1b[31mretry\x1b[0m"], "always");
    let plain = strip_colors(&colored);
    assert_eq!(plain, world.found(&["retry", "--color", "never"]));
    let pattern = world.found(&["-e", "base|max", "--color", "always"]);
    assert_holds(&pattern, &["\x1b[1m\x1b[31mbase\x1b[0m"], "a pattern");
    assert!(
        !world
            .found(&["retry", "--json", "--color", "always"])
            .contains('\x1b')
    );
}

fn strip_colors(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').unwrap().1;
    }
    plain + rest
}

/// Whoever reads may stop reading.
#[test]
fn a_closed_pipe_is_no_error() {
    let world = World::sample();
    world.found(&["retry"]);
    let mut process = world.process();
    process
        .args(["retry", "--full"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = process.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
