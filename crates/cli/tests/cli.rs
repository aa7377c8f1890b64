//! The binary as it is used: what is typed, what comes out, and how it ends.

mod world;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;
use world::*;

#[test]
fn runs_end_as_those_of_grep() {
    let world = World::sample();
    let cases: [(i32, &[&str]); 19] = [
        (0, &["retry"]),
        (0, &["search", "retry"]),
        (0, &["retry", "--json"]),
        (0, &["-F", "base << attempt"]),
        (0, &["-e", "fn .*delay"]),
        (0, &["--help"]),
        (0, &["--version"]),
        (0, &["status"]),
        (1, &["xylophone"]),
        (1, &["xylophone", "--json"]),
        (1, &["-F", "xylophone"]),
        (1, &["retry", "--path", "nowhere/"]),
        (2, &[]),
        (2, &["--no-such-flag", "retry"]),
        (2, &["-e", "("]),
        (2, &["retry", "no/such/folder"]),
        (2, &["retry", "--path", "a[b"]),
        (2, &["retry", "-k", "many"]),
        (2, &["-s", "-i", "-e", "retry"]),
    ];
    for (code, args) in cases {
        assert_eq!(world.run(args).code, Some(code), "{args:?}");
    }
}

#[test]
fn the_first_search_indexes_and_the_next_agree() {
    let world = World::sample();
    let cold = world.found(&["retry delay"]);
    assert_holds(&cold, &["src/retry.rs:3-7", "function retry_delay", "   4  pub fn"], "cold");
    assert_eq!(world.found(&["retry delay"]), cold);
    assert_eq!(world.found(&["search", "retry delay"]), cold);
    world.write("src/new.rs", "fn retry_delay_new() {}\n");
    assert_holds(&world.found(&["retry delay"]), &["src/new.rs:1-1"], "after an edit");
    fs::remove_file(world.root.join("src/new.rs")).unwrap();
    assert_eq!(world.found(&["retry delay"]), cold);
}

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
    has(&answer, &["query", "root", "generation", "total", "shown", "results"]);
    assert_eq!(answer["query"], "retry");
    assert_eq!(answer["root"], world.root.to_str().unwrap().replace('\\', "/"));
    assert_eq!(answer["shown"], 3);
    assert_eq!(results(&answer).len(), 3);
    assert!(answer["total"].as_u64() > Some(3), "{}", answer["total"]);
    for result in results(&answer) {
        has(result, &["path", "start_line", "end_line", "kind", "name", "qualified_name"]);
        has(result, &["signature", "language", "score", "lanes", "snippet"]);
        assert!(result["start_line"].as_u64() <= result["end_line"].as_u64(), "{result}");
        assert!(result["lanes"].as_object().is_some_and(|lanes| !lanes.is_empty()), "{result}");
    }
    let first = &world.json(&["retry_delay"])["results"][0];
    let want = serde_json::json!({
        "path": "src/retry.rs", "start_line": 3, "end_line": 7, "kind": "function",
        "name": "retry_delay", "qualified_name": "retry_delay",
        "signature": "pub fn retry_delay(attempt: u32) -> u64", "language": "rust",
        "snippet": "pub fn retry_delay(attempt: u32) -> u64 {",
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
        let shown = world.json(&["retry", "-k", limit])["shown"].as_u64().unwrap();
        assert_eq!(shown, limit.parse::<u64>().unwrap().min(total), "-k {limit}");
    }
    let files = world.found(&["retry", "-l"]);
    let lines: Vec<String> = files.lines().map(str::to_owned).collect();
    assert_eq!(sorted(lines.clone()).len(), lines.len(), "each file once");
    let want = ["config/app.toml", "docs/guide.md", "src/client.py", "src/retry.rs", "web/app.ts"];
    assert_eq!(sorted(lines), want);
    let few = world.run(&["retry", "-l", "-k", "2"]);
    assert_eq!((few.code, few.out.lines().count()), (Some(0), 2));
    assert_holds(&few.err, &["2 of 5 files"], "the user is told of the rest");

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
        assert_eq!(results(&answer)[0]["snippet_lines"], serde_json::json!(want), "{flags:?}");
    }
}

#[test]
fn a_budget_is_kept_and_the_rest_is_listed() {
    let world = World::sample();
    let total = total(&world);
    for budget in [40, 80, 160] {
        let out = world.found(&["retry", "--max-tokens", &budget.to_string()]);
        let (before, rest) = out.split_once(&format!(" of {total} shown")).unwrap();
        let shown: u64 = before.rsplit('\n').next().unwrap().parse().unwrap();
        let listed = rest.lines().skip(1).count() as u64;
        assert!(shown >= 1 && shown + listed <= total, "{out}");
        // About four characters are a token; the line between is not counted.
        assert!(out.len() <= 4 * (budget + 15), "{} of {budget}:\n{out}", out.len() / 4);
    }
    let all = world.found(&["retry", "--max-tokens", "100000"]);
    assert!(!all.contains("shown"), "{all}");
    // An empty answer helps nobody.
    let least = world.found(&["retry", "--max-tokens", "0"]);
    assert_holds(&least, &[&format!("\n1 of {total} shown")], "least");
    let answer = world.json(&["retry", "--max-tokens", "200"]);
    let left_out = answer["left_out"].as_array().unwrap().len() as u64;
    let shown = answer["shown"].as_u64().unwrap();
    assert!(shown >= 1 && left_out >= 1 && shown + left_out <= total, "{answer}");
    let markdown = world.found(&["retry", "--max-tokens", "40", "--format", "markdown"]);
    assert_holds(&markdown, &[&format!(" of {total} shown.\n")], "markdown");
}

#[test]
fn markdown_is_for_reports() {
    let world = World::sample();
    world.write("docs/code.md", "# Fences\n\n```\nxylophone\n```\n");
    let out = world.found(&["retry_delay", "-k", "1", "--format", "markdown"]);
    let want = "### `src/retry.rs:3-7` function retry_delay\n\n```rust\npub fn retry_delay(attempt: u32) -> u64 {\n```\n";
    assert!(out.starts_with(want), "{out}");
    // A fence in the text does not end the block that shows it.
    let out = world.found(&["xylophone", "--full", "--format", "markdown"]);
    assert_holds(&out, &["````markdown\n", "\n````\n"], "fences");
    assert_eq!(world.found(&["xylophone", "-l", "--format", "markdown"]), "- `docs/code.md`\n");
}

#[test]
fn colours_only_where_they_are_wanted() {
    let world = World::sample();
    assert!(!world.found(&["retry"]).contains('\x1b'));
    let colored = world.found(&["retry", "--color", "always"]);
    assert_holds(&colored, &["\x1b[1;31mretry\x1b[0m"], "always");
    let plain = strip_colors(&colored);
    assert_eq!(plain, world.found(&["retry", "--color", "never"]));
    let pattern = world.found(&["-e", "base|max", "--color", "always"]);
    assert_holds(&pattern, &["\x1b[1;31mbase\x1b[0m"], "a pattern");
    assert!(!world.found(&["retry", "--json", "--color", "always"]).contains('\x1b'));
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

const LINES: &str = "\
Retry the retry
retrying
RETRY now
a.b(c)[d]{e}^f$g|h*i+j?k\\l
tab\there
ünïcode Straße
C:\\new\\table
--flag=value -e
100% \"quoted\" 'single' `tick`
re try
";

/// The numbers of the lines of `lines.txt` that a search shows.
fn lines_shown(world: &World, args: &[&str]) -> Vec<u64> {
    let answer = world.json(&[&["-k", "1000"], args].concat());
    let numbers = |result: &Value| result["snippet_lines"].as_array().unwrap().clone();
    let all = results(&answer).iter().flat_map(numbers);
    all.map(|number| number.as_u64().unwrap()).collect()
}

#[test]
fn patterns_find_every_line_that_matches() {
    let world = World::new(&[(".git/HEAD", "x\n"), ("lines.txt", LINES)]);
    let cases: [(&[&str], &[u64]); 22] = [
        (&["-e", "retry"], &[1, 2, 3]),
        (&["-e", "Retry"], &[1]),
        (&["-e", "retry", "-s"], &[1, 2]),
        (&["-e", "RETRY", "-s"], &[3]),
        (&["-e", "RETRY", "-i"], &[1, 2, 3]),
        (&["-e", "retry", "-w"], &[1, 3]),
        (&["-e", "retry", "-w", "-s"], &[1]),
        (&["-F", "retry", "-w"], &[1, 3]),
        (&["-e", "^re"], &[1, 2, 3, 10]),
        (&["-e", "y$"], &[1, 10]),
        (&["-e", "re.?try"], &[1, 2, 3, 10]),
        (&["-e", "retry (the|now)"], &[1, 3]),
        (&["-e", "now|tick"], &[3, 9]),
        (&["-e", "(?-i:retry)"], &[1, 2]),
        (&["-e", r"\d{3}%"], &[9]),
        (&["-e", "straße"], &[6]),
        (&["-e", "STRASSE"], &[]),
        (&["-F", "-e", "a.b("], &[4]),
        (&["-e", "--flag"], &[8]),
        (&["-e", r"C:\\new"], &[7]),
        (&["-F", r"\new\t"], &[7]),
        (&["-F", "a.c"], &[]),
    ];
    for (args, want) in cases {
        assert_eq!(lines_shown(&world, args), want, "{args:?}");
    }
}

#[test]
fn literals_that_exist_are_found() {
    let world = World::new(&[(".git/HEAD", "x\n"), ("lines.txt", LINES)]);
    for (nth, line) in (1..).zip(LINES.lines()) {
        let chars: Vec<char> = line.chars().collect();
        let half: String = chars[chars.len() / 2..].iter().collect();
        let first_three: String = chars[..3].iter().collect();
        for literal in [line.to_owned(), half, first_three] {
            let shown = lines_shown(&world, &["-F", "-s", "-e", &literal]);
            assert!(shown.contains(&nth), "{literal:?}: {shown:?}");
        }
    }
    // Without -e the query is the literal.
    assert_eq!(lines_shown(&world, &["-F", "^f$g|h*"]), [4]);
    assert_eq!(lines_shown(&world, &["-F", "--", "--flag=value -e"]), [8]);
}

/// A pattern narrows, and the words of the query order what is left.
#[test]
fn words_and_a_pattern_work_together() {
    let world = World::sample();
    assert_eq!(world.names(&["delay", "-e", "self"])[0], "RetryPolicy::next");
    assert_eq!(world.names(&["send", "-e", "self"])[0], "Client.send");
    assert!(world.names(&["policy", "-e", "xylophone"]).is_empty());
    // Every word after a pattern may be a path, as for grep.
    assert_eq!(sorted(world.paths(&["-e", "retry", "src", "docs"])).len(), 3);
    for flag in ["-w", "-s", "-i"] {
        assert_holds(&world.refused(&[flag, "retry"]), &["-e PATTERN"], flag);
    }
}

#[test]
fn filters_narrow() {
    let world = World::sample();
    let all = ["config/app.toml", "docs/guide.md", "src/client.py", "src/retry.rs", "web/app.ts"];
    let cases: [(&[&str], &[&str]); 18] = [
        (&[], &all),
        (&["--lang", "rust"], &["src/retry.rs"]),
        (&["--lang", "rs"], &["src/retry.rs"]),
        (&["--lang", "py,ts"], &["src/client.py", "web/app.ts"]),
        (&["--lang", "Python", "--lang", "RUST"], &["src/client.py", "src/retry.rs"]),
        (&["--path", "src"], &["src/client.py", "src/retry.rs"]),
        (&["--path", "./src/"], &["src/client.py", "src/retry.rs"]),
        (&["--path", "*.md"], &["docs/guide.md"]),
        (&["--path", "**/*.rs", "--path", "web/"], &["src/retry.rs", "web/app.ts"]),
        (&["--not-path", "src/", "--not-path", "*.md"], &["config/app.toml", "web/app.ts"]),
        (&["--path", "src", "--not-path", "*.py"], &["src/retry.rs"]),
        (&["--kind", "section"], &["docs/guide.md"]),
        (&["--kind", "method,struct"], &["src/client.py", "src/retry.rs"]),
        (&["--name", "retry*", "--code"], &["src/client.py", "src/retry.rs", "web/app.ts"]),
        (&["--name", "RetryPolicy*"], &["src/retry.rs"]),
        (&["--code"], &["src/client.py", "src/retry.rs", "web/app.ts"]),
        (&["--docs"], &["docs/guide.md"]),
        (&["--config", "--docs"], &["config/app.toml", "docs/guide.md"]),
    ];
    for (flags, want) in cases {
        assert_eq!(sorted(world.paths(&[&["retry"], flags].concat())), want, "{flags:?}");
        let with_pattern = world.paths(&[&["-e", "(?i)retry"], flags].concat());
        assert_eq!(sorted(with_pattern), want, "{flags:?} with a pattern");
    }
    // Without words or a pattern, filters list what there is.
    assert_eq!(world.names(&["--kind", "struct,class"]), ["Client", "RetryPolicy"]);
    assert_eq!(world.names(&["--name", "retry_*"]), ["retry_delay"]);
    assert_holds(&world.refused(&["retry", "--lang", "klingon"]), &["klingon", "rust, "], "lang");
    assert_holds(&world.refused(&["retry", "--kind", "thing"]), &["thing", "function, "], "kind");
    assert_holds(&world.refused(&["retry", "--path", "a[b"]), &["a[b"], "glob");
}

#[test]
fn without_an_update_the_old_state_answers() {
    let world = World::sample();
    assert_holds(&world.refused(&["retry", "--no-update"]), &["not indexed", "scent index"], "");
    let before = world.json(&["retry_delay"]);
    world.write("src/retry.rs", format!("\n\n{RETRY_RS}"));
    world.write("src/new.rs", "fn retry_delay() {}\n");
    let run = world.run(&["retry_delay", "--no-update"]);
    assert_eq!(run.code, Some(0));
    assert_holds(&run.out, &["src/retry.rs:3-7"], "the old lines");
    assert!(!run.out.contains("src/new.rs"), "{}", run.out);
    assert_holds(&run.err, &["changed since"], "the user is told");
    assert_eq!(world.run(&["retry_delay", "--no-update", "--quiet"]).err, "");
    let answer = world.json(&["retry_delay", "--no-update"]);
    assert_eq!(answer["generation"], before["generation"]);
    assert!(answer["notes"][0].as_str().is_some_and(|note| note.contains("changed")), "{answer}");
    let after = world.found(&["retry_delay"]);
    assert_holds(&after, &["src/retry.rs:5-9", "src/new.rs:1-1"], "after an update");
}

#[test]
fn several_projects_answer_as_one() {
    let world = World::sample();
    let other = world.root.with_file_name("other");
    fs::create_dir_all(other.join(".git")).unwrap();
    fs::write(other.join("lib.rs"), "fn retry_delay_of_other() {}\n").unwrap();
    let other_path = other.to_str().unwrap();

    let answer = world.json(&["retry_delay", ".", other_path]);
    let base = world.root.parent().unwrap();
    assert_eq!(answer["root"], base.to_str().unwrap().replace('\\', "/"));
    let paths = world.paths(&["retry_delay", ".", other_path]);
    let want = ["other/lib.rs", "project/src/retry.rs"].map(String::from);
    assert!(want.iter().all(|path| paths.contains(path)), "{paths:?}");
    assert!(want.iter().all(|path| base.join(path).is_file()));

    // A path in a project narrows the answer to it.
    assert_eq!(sorted(world.paths(&["retry", "src/client.py"])), ["src/client.py"]);
    assert_eq!(sorted(world.paths(&["retry", "src", "web"])).len(), 3);
    assert_eq!(sorted(world.paths(&["retry", "src", "."])).len(), 5);
    let both = sorted(world.paths(&["retry", "src/client.py", other_path]));
    assert_eq!(both, ["other/lib.rs", "project/src/client.py"]);
    // From a folder inside, names still open.
    let inside = world.root.join("docs");
    let run = ended(world.command().current_dir(&inside).args(["retry", "-l", ".."]));
    assert_eq!(run.out.lines().count(), 5);
    for name in run.out.lines() {
        assert!(inside.join(name).is_file(), "{name}");
    }
    // With --exact a folder is a project of its own.
    assert_eq!(sorted(world.paths(&["retry", "src", "--exact"])), ["client.py", "retry.rs"]);
}

#[test]
fn settings_rise_from_file_to_environment_to_flag() {
    let world = World::sample();
    let shown = |env: Option<&str>, flag: &[&str]| {
        let mut command = world.command();
        env.map(|value| command.env("SCENT_SEARCH_LIMIT", value));
        let run = ended(command.args(["retry", "-l"]).args(flag));
        run.out.lines().count()
    };
    let user = world.home.join(if cfg!(windows) { "scent" } else { ".config/scent" });
    fs::create_dir_all(&user).unwrap();
    assert_eq!(shown(None, &[]), 5, "default");
    fs::write(user.join("config.toml"), "search.limit = 1\n").unwrap();
    assert_eq!(shown(None, &[]), 1, "user file");
    world.write("scent.toml", "[search]\nlimit = 2\n");
    assert_eq!(shown(None, &[]), 2, "project file");
    assert_eq!(shown(Some("3"), &[]), 3, "environment");
    assert_eq!(shown(Some(""), &[]), 2, "an empty variable is none");
    assert_eq!(shown(Some("3"), &["-k", "4"]), 4, "flag");

    let show = world.found(&["config", "show"]);
    assert_holds(&show, &["search.limit", "scent.toml", "SCENT_DATA_DIR"], "origins");
    let show = world.found(&["config", "show", "--json"]);
    let show: Value = serde_json::from_str(&show).unwrap();
    let limit = show.as_array().unwrap().iter().find(|s| s["key"] == "search.limit").unwrap();
    assert_eq!(
        (&limit["value"], &limit["environment"]),
        (&"2".into(), &"SCENT_SEARCH_LIMIT".into())
    );
}

#[test]
fn wrong_settings_say_where_and_what() {
    let cases: [(&str, &[&str]); 8] = [
        (
            "[search]\nlimits = 2\n",
            &["scent.toml", "search.limits", "did you mean", "search.limit"],
        ),
        ("limit = 2\n", &["search.limit"]),
        ("[zebra]\nx = 1\n", &["zebra.x", "config show"]),
        ("[search]\nlimit = \"many\"\n", &["scent.toml", "search.limit", "many"]),
        ("[search]\nlimit = 0\n", &["scent.toml", "search.limit"]),
        ("[index]\nmax_file_size = \"2 apples\"\n", &["index.max_file_size", "2 apples"]),
        ("[output]\ncolor = \"green\"\n", &["output.color", "auto, always, never"]),
        ("not toml", &["scent.toml"]),
    ];
    for (text, parts) in cases {
        let world = World::sample();
        world.write("scent.toml", text);
        assert_holds(&world.refused(&["retry"]), parts, text);
    }
    let world = World::sample();
    let run = ended(world.command().env("SCENT_OUTPUT_FORMAT", "xml").arg("retry"));
    assert_eq!(run.code, Some(2));
    assert_holds(&run.err, &["SCENT_OUTPUT_FORMAT", "xml", "text, markdown, json"], "environment");
}

#[test]
fn settings_take_effect() {
    let world = World::sample();
    world.write("gen.rs", "// @generated\nfn retry_generated() {}\n");
    let with =
        |name: &str, value: &str, args: &[&str]| ended(world.command().env(name, value).args(args));
    assert!(!world.found(&["retry_generated", "-l"]).contains("gen.rs"));
    let run = with("SCENT_INDEX_INCLUDE_GENERATED", "true", &["retry_generated", "-l"]);
    assert!(run.out.starts_with("gen.rs\n"), "{run:?}");
    assert_holds(&run.err, &["settings", "rebuilt"], "another index");
    let run = with("SCENT_INDEX_MAX_FILE_SIZE", "50", &["retry", "-l"]);
    assert!(!run.out.contains("src/retry.rs"), "{run:?}");
    let run = with("SCENT_OUTPUT_FORMAT", "json", &["retry"]);
    assert!(serde_json::from_str::<Value>(&run.out).is_ok(), "{run:?}");
    let run = with("SCENT_OUTPUT_COLOR", "always", &["retry"]);
    assert!(run.out.contains('\x1b'), "{run:?}");
}

/// The names of the folders in a folder.
fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.path().is_dir());
    sorted(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

#[test]
fn indexes_are_kept_where_asked_and_nowhere_else() {
    let world = World::sample();
    world.found(&["retry"]);
    assert_eq!(folders(&world.data).len(), 1, "SCENT_DATA_DIR");
    assert_eq!(
        folders(&world.root),
        [".git", "config", "docs", "src", "web"],
        "not in the project"
    );
    let flag = world.root.with_file_name("flag");
    world.found(&["retry", "--data-dir", flag.to_str().unwrap()]);
    assert_eq!(folders(&flag).len(), 1, "--data-dir");
    let run = ended(world.command().env_remove("SCENT_DATA_DIR").arg("retry"));
    assert_eq!(run.code, Some(0));
    assert_eq!(folders(&world.home).len(), 1, "a folder below the home by default");
}

#[test]
fn an_index_can_be_looked_at_and_removed() {
    let world = World::sample();
    world.write("node_modules/a/index.js", "x\n");
    world.write("logo.png", b"\x89PNG\0\0");
    assert_holds(&world.refused(&["status"]), &["not indexed", "scent index"], "no index");
    let run = world.run(&["index"]);
    assert_eq!(run.code, Some(0));
    assert_holds(&run.out, &["5 files", "2 skipped"], "index");
    assert_holds(&world.run(&["index"]).out, &["up to date"], "index again");
    assert_eq!(world.run(&["index", "--quiet", "--rebuild"]).err, "");
    assert_eq!(world.run(&["index", "--quiet", "--wait"]).err, "", "one model leaves nothing");

    let status = world.found(&["status"]);
    let rows = ["root ", "index ", "freshness ", "files ", "units ", "languages ", "skipped "];
    assert_holds(&status, &rows, "status");
    assert_holds(&status, &["binary 1", "Rust 1", "generation "], "status");
    let skipped = world.found(&["status", "--skipped"]);
    let want = "logo.png: binary\nnode_modules/: folder of dependencies or caches\n";
    assert_eq!(skipped, want);
    let status: Value = serde_json::from_str(&world.found(&["status", "--json"])).unwrap();
    assert_eq!((&status["files"], &status["health"]["ok"]), (&5.into(), &5.into()));
    assert_eq!(status["skipped"].as_array().unwrap().len(), 2);
    assert_eq!(status["languages"]["Rust"], 1);
    let set = &status["vectors"][0];
    assert_eq!((&set["model"], &set["waiting"]), (&"small-5".into(), &0.into()));
    assert_eq!(set["units"], status["units"]);
    let unhealthy = world.found(&["status", "--unhealthy"]);
    assert_eq!(unhealthy, "");

    assert_holds(&world.found(&["clear"]), &["removed the index"], "clear");
    assert_eq!(world.run(&["clear"]).code, Some(1), "nothing to clear");
    world.found(&["retry"]);
    assert_eq!(world.found(&["clear", "--all"]), "removed 1 index\n");
    // Only the lock stays: whoever waits for it must find the same one.
    for folder in folders(&world.data) {
        let left = fs::read_dir(world.data.join(folder)).unwrap().map(|e| e.unwrap().file_name());
        assert!(left.into_iter().all(|name| {
            name == "lock" || name == "holder" || name.to_string_lossy().starts_with("turn-")
        }));
    }
}

#[test]
fn status_tells_what_changed() {
    let world = World::sample();
    world.run(&["index"]);
    assert_holds(&world.found(&["status"]), &["up to date"], "just indexed");
    // Files that were just written may yet change unseen. Those of long ago
    // are told apart by their times alone.
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    for (path, _) in SAMPLE {
        let file = fs::File::options().write(true).open(world.root.join(path)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    world.run(&["index", "--rebuild"]);
    assert_holds(&world.found(&["status"]), &["up to date"], "indexed long after");
    world.write("src/new.rs", "fn retry() {}\n");
    fs::remove_file(world.root.join("web/app.ts")).unwrap();
    assert_holds(&world.found(&["status"]), &["1 file changed, 1 removed"], "stale");
    let status: Value = serde_json::from_str(&world.found(&["status", "--json"])).unwrap();
    assert_eq!(status["freshness"]["fresh"], false);
    let run = ended(world.command().env("SCENT_INDEX_MAX_FILE_SIZE", "1KB").arg("status"));
    assert_holds(&run.out, &["other settings"], "outdated");
}

#[test]
fn the_program_describes_itself() {
    let world = World::sample();
    assert_holds(&world.found(&["languages"]), &["Rust", ".rs", "python", "Dockerfile"], "text");
    let list: Value = serde_json::from_str(&world.found(&["languages", "--json"])).unwrap();
    let ids: Vec<&Value> = list.as_array().unwrap().iter().map(|l| &l["id"]).collect();
    assert!(ids.len() > 40 && ids.contains(&&"rust".into()), "{ids:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert_holds(&world.found(&["completions", shell]), &["scent", "max-tokens"], shell);
    }
    assert_holds(&world.found(&["man"]), &[".TH scent", "Exit status", "max\\-tokens"], "man");
    assert_holds(&world.found(&["--help"]), &["Exit status", "--max-tokens"], "help");
    assert_holds(&world.found(&["--version"]), &[env!("CARGO_PKG_VERSION")], "version");
    assert!(folders(&world.data).is_empty(), "none of these makes an index");
}

#[test]
fn a_home_is_not_indexed_by_accident() {
    let world = World::sample();
    let run = |home: &Path, args: &[&str]| {
        ended(world.command().env("HOME", home).env("USERPROFILE", home).args(args))
    };
    let parent = world.root.parent().unwrap();
    for args in [&["retry"][..], &["index"]] {
        let refused = run(&world.root, args);
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{args:?}");
        assert_holds(&refused.err, &["home directory", "--yes"], "refused");
    }
    let above = run(&world.home, &["retry", parent.to_str().unwrap()]);
    assert_holds(&above.err, &["--yes"], "a folder that holds the home");
    assert!(folders(&world.data).is_empty());
    assert_eq!(run(&world.root, &["retry", "--yes"]).code, Some(0));
    assert_eq!(run(&world.root, &["retry"]).code, Some(0), "once indexed, it is no accident");
    // A project below the home is what everyone has.
    assert_eq!(run(parent, &["retry", "src"]).code, Some(0));
}

#[test]
fn odd_questions_get_an_answer() {
    let world = World::sample();
    for query in ["", "   ", "?!", "\t\n", "..."] {
        assert_holds(&world.refused(&[query]), &["empty"], query);
    }
    assert_holds(&world.refused(&["retry", "-k", "0"]), &["-k 0"], "-k 0");
    assert_holds(&world.refused(&["-F", ""]), &["empty"], "an empty literal");
    assert_holds(&world.refused(&["-F", "a\nb"]), &["one line"], "two lines");
    let long = "retry delay of something else ".repeat(3_000);
    let long_word = "x".repeat(100_000);
    let odd = ["\u{1}retry\u{7f}\u{1b}[31m", "retry\u{0301}", "🦀 retry", "retry\nnext", "重试"];
    for query in odd.iter().copied().chain([long.as_str(), &long_word]) {
        let run = world.run(&[query]);
        assert!(matches!(run.code, Some(0..=2)), "{run:?}");
        assert!(!run.err.contains("panicked"), "{}", run.err);
    }
    assert_eq!(world.run(&[&long]).code, Some(0));
    assert_eq!(world.run(&["\u{1}retry\u{7f}"]).code, Some(0));
    world.write("src/short.rs", "fn q() {}\n");
    assert_eq!(world.names(&["q"]), ["q"], "a name may be one letter");
}

/// What files hold must not take over the terminal.
#[test]
fn control_characters_stay_in_their_files() {
    let world = World::new(&[(".git/HEAD", "x\n")]);
    world.write("a.txt", "retry \x1b[31mred\x1b]0;title\x07 \x08 end\r\n");
    for args in [&["retry"][..], &["retry", "--full"], &["-F", "retry"], &["retry", "--json"]] {
        let out = world.found(args);
        let bad = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!out.contains(bad), "{args:?}: {out:?}");
    }
}

/// Whoever reads may stop reading.
#[test]
fn a_closed_pipe_is_no_error() {
    let world = World::sample();
    world.found(&["retry"]);
    let mut process = world.process();
    process.args(["retry", "--full"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

/// A project that takes a while to index.
fn large() -> World {
    let world = World::new(&[(".git/HEAD", "x\n")]);
    write_large(&world, "first");
    world
}

fn write_large(world: &World, word: &str) {
    for file in 0..300 {
        let function =
            |nth: usize| format!("fn {word}_{file}_{nth}() {{\n    call_{nth}();\n}}\n\n");
        let text: String = (0..20).map(function).collect();
        world.write(&format!("src/{}/file{file}.rs", file % 10), text);
    }
}

/// What an index that was never interrupted answers.
fn fresh_answer(world: &World, args: &[&str]) -> Value {
    let data = TempDir::new().unwrap();
    let flag = ["--data-dir", data.path().to_str().unwrap()];
    world.run(&[&["index"], &flag[..]].concat());
    comparable(world.json(&[args, &flag].concat()))
}

/// An answer without what depends on the past of its index.
fn comparable(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    fields.remove("generation");
    fields.remove("notes");
    answer
}

const LARGE_QUERIES: [&[&str]; 3] =
    [&["first_7_3", "-k", "30"], &["second file", "-k", "30"], &["-F", "_299_19()"]];

fn check_as_fresh(world: &World, what: &str) {
    world.run(&["index"]);
    for args in LARGE_QUERIES {
        let answer = comparable(world.json(args));
        assert_eq!(answer, fresh_answer(world, args), "{what}: {args:?}");
    }
}

fn spawn_index(world: &World) -> Child {
    let mut process = world.process();
    process.arg("index").stdout(Stdio::null()).stderr(Stdio::null());
    process.spawn().unwrap()
}

/// Kills `scent index` at moments spread over the time that it takes. Whatever
/// is left behind, the next search succeeds and is right.
fn check_kills(world: &World, prepare: impl Fn(usize)) {
    const KILLS: usize = 8;
    prepare(0);
    let started = Instant::now();
    assert!(spawn_index(world).wait().unwrap().success());
    let whole = started.elapsed();
    for nth in 0..KILLS {
        prepare(nth + 1);
        let mut child = spawn_index(world);
        std::thread::sleep(whole * nth as u32 / KILLS as u32);
        // On Unix this is kill -9.
        child.kill().unwrap();
        child.wait().unwrap();
        let answer = world.run(LARGE_QUERIES[0]);
        assert!(matches!(answer.code, Some(0 | 1)), "kill {nth}: {answer:?}");
        check_as_fresh(world, &format!("kill {nth} of {KILLS} in {whole:?}"));
    }
}

#[test]
fn a_killed_first_index_does_no_harm() {
    let world = large();
    check_kills(&world, |_| {
        let _ = fs::remove_dir_all(&world.data);
    });
}

#[test]
fn a_killed_update_does_no_harm() {
    let world = large();
    world.run(&["index"]);
    check_kills(&world, |nth| write_large(&world, ["first", "second"][nth % 2]));
}

#[test]
fn two_at_once_both_end_well() {
    let world = large();
    for round in ["cold", "warm"] {
        let both = [spawn_index(&world), spawn_index(&world)];
        for mut child in both {
            assert!(child.wait().unwrap().success(), "{round}");
        }
        check_as_fresh(&world, round);
        write_large(&world, "second");
    }
}

#[test]
fn a_qualified_name_is_not_lost_among_namesakes() {
    let world = World::sample();
    for n in 0..600 {
        world.write(&format!("many/t{n}.rs"), format!("impl T{n} {{\n    fn fresh() {{}}\n}}\n"));
    }
    let out = world.found(&["T599::fresh", "-k", "1"]);
    assert_holds(&out, &["many/t599.rs"], "the one that was asked for");
}

#[test]
fn every_constant_of_a_group_is_found_by_name() {
    let world = World::sample();
    let lines: String =
        (0..90).map(|n| format!("const SOME_LONG_CONSTANT_{n}: u8 = 1;\n")).collect();
    world.write("src/constants.rs", &lines);
    for n in [0, 25, 60, 89] {
        let name = format!("SOME_LONG_CONSTANT_{n}");
        assert_holds(&world.found(&["--name", &name]), &["src/constants.rs:"], &name);
    }
}

#[test]
fn a_project_inside_another_answers_once() {
    let world = World::sample();
    world.write("inner/scent.toml", "");
    world.write("inner/twice.rs", "fn only_once() {}\n");
    let out = world.found(&["only_once", ".", "inner"]);
    assert_eq!(out.matches("twice.rs:1-1").count(), 1, "{out}");
}

#[test]
fn a_model_is_shown_and_a_bad_one_refused() {
    let world = World::sample();
    assert_holds(&world.found(&["model"]), &["small", "from default", "256 numbers"], "shown");
    let refused = world.refused(&["retry", "--model", "no-such"]);
    assert_holds(&refused, &["no-such", "ollama:NAME", "small"], "unknown");
    let refused = world.refused(&["--model", "ollama:x@http://127.0.0.1:9", "retry"]);
    assert_holds(&refused, &["127.0.0.1:9", "start the server"], "nobody there");
}

#[test]
fn the_large_model_answers_once_it_has_read_everything() {
    let world = World::sample();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let run = |args: &[&str]| {
        ended(world.command().env("SCENT_MODELS", &models).args(["--model", "deep"]).args(args))
    };
    assert_eq!(run(&["index", "--wait", "--quiet"]).code, Some(0));
    let answer: Value =
        serde_json::from_str(&run(&["search", "retry delay", "--json"]).out).unwrap();
    let known = &answer["meaning"];
    assert_holds(known["model"].as_str().unwrap(), &["small-", " and deep-"], "who answers");
    assert!(known["better"].is_null(), "{known}");
    assert_holds(&run(&["status"]).out, &["small-", "deep-"], "both models");
    let shown = run(&["model"]).out;
    assert_holds(&shown, &["deep-", "384 numbers", "answers alone until that has read"], "shown");
}

#[test]
fn meaning_can_be_asked_for_alone() {
    let world = World::sample();
    let lanes = |args: &[&str]| {
        let answer = world.json(args);
        let first = answer["results"][0]["lanes"].as_object().unwrap().clone();
        first.keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(lanes(&["retry delay", "--semantic-only"]), "late vector");
    assert_eq!(lanes(&["retry delay", "--keyword-only"]), "text");
    assert_eq!(lanes(&["retry delay", "--lanes", "vector"]), "vector");
    assert_holds(&world.found(&["similar", "src/retry.rs:4"]), &["of"], "similar");
    assert_holds(&world.refused(&["similar", "src/retry.rs"]), &["PATH:LINE"], "no line");
    assert_holds(&world.refused(&["similar", "src/retry.rs:9999"]), &["scent units"], "no unit");
    assert_holds(
        &world.found(&["units", "src/retry.rs"]),
        &["retry_delay", "retry delay"],
        "units",
    );
}

#[test]
fn without_a_repository_what_is_similar_is_sought_where_one_stands() {
    let wait = "def wait_for_reply(sock):\n    while not sock.ready():\n        sleep(1)\n    return sock.read()\n";
    let world = World::new(&[("src/a.py", wait), ("lib/b.py", &wait.replace("reply", "answer"))]);
    assert_holds(&world.found(&["similar", "src/a.py:2"]), &["lib/b.py"], "the other folder");
}

fn shop() -> World {
    World::new(&[
        ("shop/prices.py", "def total(items):\n    return sum(items)\n"),
        (
            "shop/cart.py",
            "from .prices import total as add_up\n\n\nclass Cart:\n    def pay(self):\n        return add_up([])\n",
        ),
        (
            "tests/test_cart.py",
            "from shop.cart import Cart\n\n\ndef test_pay():\n    Cart().pay()\n",
        ),
    ])
}

#[test]
fn names_are_looked_up() {
    let world = shop();
    assert_holds(&world.found(&["def", "total"]), &["shop/prices.py:1", "function total"], "def");
    assert_holds(&world.found(&["def", "cart.pay"]), &["method Cart.pay"], "any case");
    assert_holds(&world.found(&["def", "*ot*"]), &["function total"], "wildcards");
    let uses = world.found(&["refs", "total"]);
    assert_holds(&uses, &["defined here", "6  call", "in Cart.pay", "[imported]"], "renamed");
    let uses = world.found(&["refs", "total", "--no-tests", "--include-text", "--json"]);
    assert!(!uses.contains("test_cart"), "{uses}");
    let calls = world.found(&["refs", "Cart", "--role", "call"]);
    assert!(calls.contains(":") && !calls.contains("import "), "{calls}");
    assert_holds(&world.refused(&["refs", "Cart", "--role", "dance"]), &["inherit"], "no role");
    world.write("count.js", "let count = 0;\nfunction up() {\n  count += 1;\n  return count;\n}\n");
    for (role, line) in [("write", "3  write"), ("read", "4  read")] {
        let uses = world.found(&["refs", "count", "--role", role]);
        assert_holds(&uses, &[line], role);
        assert_eq!(uses.lines().count(), 3, "{uses}");
    }
    for line in ["shop/prices.py:1", "shop/cart.py:1", "shop/cart.py:6"] {
        assert_eq!(world.found(&["refs", line]), world.found(&["refs", "total"]), "{line}");
    }
    assert_holds(&world.refused(&["refs", "shop/cart.py:2"]), &["nothing is defined"], "blank");
    let several = world.refused(&["refs", "tests/test_cart.py:5"]);
    assert_holds(&several, &["one of the names there: Cart, pay"], "several");
    let nothing = world.run(&["def", "totl"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(1), ""));
    assert_holds(&nothing.err, &["nothing is called totl", "total"], "nearest");
}

#[test]
fn dependencies_and_impact_are_followed() {
    let world = shop();
    let deps = world.found(&["deps", "shop/cart.py"]);
    assert_holds(&deps, &["shop/cart.py:1  .prices -> shop/prices.py"], "deps");
    let importers = world.found(&["deps", "shop/prices.py", "--reverse", "--depth", "2"]);
    assert_holds(&importers, &["shop/cart.py:1", "tests/test_cart.py:1"], "importers");
    let impact = world.found(&["impact", "total"]);
    assert_holds(&impact, &["total (changed)", "Cart.pay < total", "(test)"], "impact");
    let crowd = world.run(&["impact", "total", "-k", "1"]);
    assert_holds(&crowd.out, &["shop/", "tests/"], "by folder");
    assert_holds(&crowd.err, &["scent impact total -k"], "how to see all");
    let drawn = world.found(&["impact", "shop/prices.py", "--format", "mermaid"]);
    assert_holds(&drawn, &["graph LR", "[\"total\"]", "-->"], "mermaid");
    assert_holds(&world.found(&["deps", "shop", "--format", "dot"]), &["digraph", "->"], "dot");
    let way = world.found(&["path", "test_pay", "total"]);
    assert_holds(&way, &["test_pay", "Cart.pay", "total"], "path");
    assert_eq!(world.run(&["path", "total", "test_pay"]).code, Some(1), "no way back");
    let outline = world.found(&["outline", "shop/cart.py"]);
    assert_holds(&outline, &["class Cart", "def pay(self)"], "outline");
    assert_holds(&world.refused(&["impact", "--diff", "nowhere"]), &["nowhere"], "no commit");
    world.write("shop/own.py", "def _own():\n    pass\n\n\ndef open():\n    pass\n");
    let outline = world.found(&["outline", "shop/own.py"]);
    assert_holds(&outline, &["- def _own()", "+ def open()"], "visibility");
    assert!(!world.found(&["outline", "shop/own.py", "--public"]).contains("_own"));
    let json = world.found(&["def", "_own", "--json"]);
    assert_holds(&json, &["\"visibility\":\"private\""], "visibility");
}

/// An answer that is cut says how much there is, and which command shows it.
#[test]
fn answers_about_structure_are_cut_to_a_budget() {
    let uses = |nth| format!("def use_{nth}():\n    total([{nth}])\n\n\n");
    let uses = "from .prices import total\n".to_owned() + &(0..40).map(uses).collect::<String>();
    let world = World::new(&[
        ("shop/prices.py", "def total(items):\n    return sum(items)\n"),
        ("shop/uses.py", &uses),
    ]);
    let cases: [(&[&str], &str); 4] = [
        (&["def", "use_*"], "of 40 shown; `scent def 'use_*'"),
        (&["refs", "total", "-k", "30"], "of 41 shown; `scent refs total"),
        (&["impact", "total"], "of 41 shown; `scent impact total"),
        (&["outline", "shop/uses.py"], "of 40 shown; `scent outline shop/uses.py"),
    ];
    for (words, told) in cases {
        let limit = if words[0] == "outline" { "" } else { &format!(" -k {}", &told[3..5]) };
        for (json, flag) in [(&[][..], ""), (&["--json"], " --json")] {
            let all = [words, &["--max-tokens", "200"], json].concat();
            let cut = world.run(&all);
            assert!((100..1_000).contains(&cut.out.len()), "{all:?}: {}", cut.out);
            let command = format!("{told}{flag}{limit}` shows all");
            assert_holds(&cut.err, &[&command], "the note");
            let rest = command.split('`').nth(1).unwrap();
            assert_eq!(cut.out.contains(rest), !json.is_empty(), "{rest}: {}", cut.out);
        }
    }
    let whole = world.run(&["deps", "shop", "--max-tokens", "200"]);
    assert_eq!((whole.code, whole.err.as_str()), (Some(0), ""), "nothing is cut");
    let first = world.run(&["path", "use_3", "total", "--max-tokens", "1"]);
    assert_holds(&first.out, &["use_3"], "never nothing");
    assert_holds(&first.err, &["1 of 2 shown; `scent path use_3 total` shows all"], "path");
}

/// What a file that was not parsed cleanly has to say is marked.
#[test]
fn answers_from_broken_files_are_marked() {
    let world = shop();
    world.write(
        "shop/broken.py",
        "from .prices import total\n\n\ndef half():\n    total([])\n\n\ndef )(:\n",
    );
    let asked: [&[&str]; 5] = [
        &["def", "half"],
        &["refs", "total"],
        &["deps", "shop/broken.py"],
        &["impact", "total"],
        &["outline", "shop/broken.py"],
    ];
    for words in asked {
        assert_holds(&world.found(words), &["(parse errors)\n"], words[0]);
        let json = world.found(&[words, &["--json"]].concat());
        assert_holds(&json, &["\"parse_errors\":true"], words[0]);
    }
    assert!(!world.found(&["def", "total"]).contains("parse errors"));
}
