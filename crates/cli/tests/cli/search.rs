//! What a search finds, where, and how it ends.

use crate::world::*;
use std::fs;

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
    assert_holds(
        &cold,
        &["src/retry.rs:3-7", "function retry_delay", "   4  pub fn"],
        "cold",
    );
    assert_eq!(world.found(&["retry delay"]), cold);
    assert_eq!(world.found(&["search", "retry delay"]), cold);
    world.write("src/new.rs", "fn retry_delay_new() {}\n");
    assert_holds(
        &world.found(&["retry delay"]),
        &["src/new.rs:1-1"],
        "after an edit",
    );
    fs::remove_file(world.root.join("src/new.rs")).unwrap();
    assert_eq!(world.found(&["retry delay"]), cold);
}

#[test]
fn filters_narrow() {
    let world = World::sample();
    let all = [
        "config/app.toml",
        "docs/guide.md",
        "src/client.py",
        "src/retry.rs",
        "web/app.ts",
    ];
    let cases: [(&[&str], &[&str]); 18] = [
        (&[], &all),
        (&["--lang", "rust"], &["src/retry.rs"]),
        (&["--lang", "rs"], &["src/retry.rs"]),
        (&["--lang", "py,ts"], &["src/client.py", "web/app.ts"]),
        (
            &["--lang", "Python", "--lang", "RUST"],
            &["src/client.py", "src/retry.rs"],
        ),
        (&["--path", "src"], &["src/client.py", "src/retry.rs"]),
        (&["--path", "./src/"], &["src/client.py", "src/retry.rs"]),
        (&["--path", "*.md"], &["docs/guide.md"]),
        (
            &["--path", "**/*.rs", "--path", "web/"],
            &["src/retry.rs", "web/app.ts"],
        ),
        (
            &["--not-path", "src/", "--not-path", "*.md"],
            &["config/app.toml", "web/app.ts"],
        ),
        (&["--path", "src", "--not-path", "*.py"], &["src/retry.rs"]),
        (&["--kind", "section"], &["docs/guide.md"]),
        (
            &["--kind", "method,struct"],
            &["src/client.py", "src/retry.rs"],
        ),
        (
            &["--name", "retry*", "--code"],
            &["src/client.py", "src/retry.rs", "web/app.ts"],
        ),
        (&["--name", "RetryPolicy*"], &["src/retry.rs"]),
        (
            &["--code"],
            &["src/client.py", "src/retry.rs", "web/app.ts"],
        ),
        (&["--docs"], &["docs/guide.md"]),
        (
            &["--config", "--docs"],
            &["config/app.toml", "docs/guide.md"],
        ),
    ];
    for (flags, want) in cases {
        assert_eq!(
            sorted(world.paths(&[&["retry"], flags].concat())),
            want,
            "{flags:?}"
        );
        let with_pattern = world.paths(&[&["-e", "(?i)retry"], flags].concat());
        assert_eq!(sorted(with_pattern), want, "{flags:?} with a pattern");
    }
    // Without words or a pattern, filters list what there is.
    assert_eq!(
        world.names(&["--kind", "struct,class"]),
        ["Client", "RetryPolicy"]
    );
    assert_eq!(world.names(&["--name", "retry_*"]), ["retry_delay"]);
    assert_holds(
        &world.refused(&["retry", "--lang", "klingon"]),
        &["klingon", "`scent languages`"],
        "lang",
    );
    assert_holds(
        &world.refused(&["retry", "--kind", "thing"]),
        &["thing", "function, "],
        "kind",
    );
    assert_holds(
        &world.refused(&["retry", "--path", "a[b"]),
        &["a[b"],
        "glob",
    );
}

#[test]
fn without_an_update_the_old_state_answers() {
    let world = World::sample();
    assert_holds(
        &world.refused(&["retry", "--no-update"]),
        &["not indexed", "scent index"],
        "",
    );
    let before = world.json(&["retry_delay"]);
    world.write("src/retry.rs", format!("\n\n{RETRY_RS}"));
    world.write("src/new.rs", "fn retry_delay() {}\n");
    let run = world.run(&["retry_delay", "--no-update"]);
    assert_eq!(run.code, Some(0));
    assert_holds(&run.out, &["src/retry.rs:3-7"], "the old lines");
    assert!(!run.out.contains("src/new.rs"), "{}", run.out);
    assert_holds(&run.err, &["changed since"], "a note says so");
    assert_eq!(
        world.run(&["retry_delay", "--no-update", "--quiet"]).err,
        ""
    );
    let answer = world.json(&["retry_delay", "--no-update"]);
    assert_eq!(answer["generation"], before["generation"]);
    assert_eq!(answer["notes"][0]["code"], "files-changed", "{answer}");
    let after = world.found(&["retry_delay"]);
    assert_holds(
        &after,
        &["src/retry.rs:5-9", "src/new.rs:1-1"],
        "after an update",
    );
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
    assert_eq!(
        sorted(world.paths(&["retry", "src/client.py"])),
        ["src/client.py"]
    );
    assert_eq!(sorted(world.paths(&["retry", "src", "web"])).len(), 3);
    assert_eq!(sorted(world.paths(&["retry", "src", "."])).len(), 5);
    let both = sorted(world.paths(&["retry", "src/client.py", other_path]));
    assert_eq!(both, ["other/lib.rs", "project/src/client.py"]);
    // From a folder inside, names still open.
    let inside = world.root.join("docs");
    let run = ended(
        world
            .command()
            .current_dir(&inside)
            .args(["retry", "-l", ".."]),
    );
    assert_eq!(run.out.lines().count(), 5);
    for name in run.out.lines() {
        assert!(inside.join(name).is_file(), "{name}");
    }
    // With --exact a folder is a project of its own.
    assert_eq!(
        sorted(world.paths(&["retry", "src", "--exact"])),
        ["client.py", "retry.rs"]
    );
}

#[test]
fn odd_questions_get_an_answer() {
    let world = World::sample();
    for query in ["", "   ", "?!", "\t\n", "..."] {
        assert_holds(&world.refused(&[query]), &["empty"], query);
    }
    assert_holds(
        &world.refused(&["retry", "-k", "0"]),
        &["from 1 on"],
        "-k 0",
    );
    assert_holds(&world.refused(&["-F", ""]), &["empty"], "an empty literal");
    assert_holds(&world.refused(&["-F", "a\nb"]), &["one line"], "two lines");
    let long = "retry delay of something else ".repeat(3_000);
    let long_word = "x".repeat(100_000);
    let odd = [
        "\u{1}retry\u{7f}\u{1b}[31m",
        "retry\u{0301}",
        "🦀 retry",
        "retry\nnext",
        "重试",
    ];
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

#[test]
fn a_qualified_name_is_not_lost_among_namesakes() {
    let world = World::sample();
    for n in 0..600 {
        world.write(
            &format!("many/t{n}.rs"),
            format!("impl T{n} {{\n    fn fresh() {{}}\n}}\n"),
        );
    }
    let out = world.found(&["T599::fresh", "-k", "1"]);
    assert_holds(&out, &["many/t599.rs"], "the one that was asked for");
}

#[test]
fn every_constant_of_a_group_is_found_by_name() {
    let world = World::sample();
    let lines: String = (0..90)
        .map(|n| format!("const SOME_LONG_CONSTANT_{n}: u8 = 1;\n"))
        .collect();
    world.write("src/constants.rs", &lines);
    for n in [0, 25, 60, 89] {
        let name = format!("SOME_LONG_CONSTANT_{n}");
        assert_holds(
            &world.found(&["--name", &name]),
            &["src/constants.rs:"],
            &name,
        );
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

/// `-` stands for what is on standard input.
#[test]
fn a_query_is_read_from_standard_input() {
    let world = World::sample();
    let run = |args: &[&str], input: &[u8]| ended(world.command().args(args).write_stdin(input));
    let want = world.found(&["retry delay"]);
    for args in [&["-"][..], &["search", "-"], &["-", "."], &["--quiet", "-"]] {
        let run = run(args, b"\n retry delay \r\n");
        assert_eq!((run.code, &run.out), (Some(0), &want), "{args:?}");
    }
    assert_holds(
        &run(&["explain", "-"], b"retry").out,
        &["in all"],
        "explain",
    );
    let literal = run(&["-F", "-", "-l"], b"    base << attempt\n");
    assert_eq!(
        (literal.code, literal.out.as_str()),
        (Some(0), "src/retry.rs\n")
    );
    // More than an argument can hold.
    let long = run(&["-", "-k", "1"], "retry delay ".repeat(20_000).as_bytes());
    assert_eq!(
        (long.code, long.out.is_empty()),
        (Some(0), false),
        "{}",
        long.err
    );
    let cases: [(&[u8], &str); 3] = [
        (b"", "standard input is empty"),
        (b" \n", "standard input is empty"),
        (&[b'a'; 1_100_000], "longer than 1 MB"),
    ];
    for (input, want) in cases {
        let run = run(&["-"], input);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{want}");
        assert_holds(&run.err, &[want], "refused");
    }
    let lossy = run(&["-"], b"retry \xff");
    assert_eq!(lossy.code, Some(0));
    assert_holds(&lossy.err, &["not UTF-8"], "replaced");
}
