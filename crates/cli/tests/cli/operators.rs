//! Operators in queries, and other forms of answers: counts, lines for editors,
//! scans of the files, several questions in one call.

use crate::world::*;
use serde_json::Value;

const FILES: [(&str, &str); 6] = [
    (".git/HEAD", "x\n"),
    (".gitignore", "built/\n"),
    (
        "red.py",
        "def red(apple):\n    # cherry\n    return apple\n",
    ),
    (
        "green.py",
        "def green(apple, pear):\n    return apple + pear\n",
    ),
    ("yellow.py", "def yellow(pear, banana):\n    return pear\n"),
    ("built/blue.py", "def blue(apple):\n    return apple\n"),
];

#[test]
fn operators_decide_what_may_answer() {
    let world = World::new(&FILES);
    for (query, want) in [
        ("apple", "green red"),
        ("apple -pear", "red"),
        ("apple OR banana", "green red yellow"),
        ("apple AND pear", "green"),
        ("(apple OR banana) AND pear", "green yellow"),
        ("apple pear -(cherry OR banana)", "green"),
        ("kind:function -pear", "red"),
        ("apple -cherry -test lang:python", "green"),
        ("apple AND xylophone", ""),
        // Filters between operators and inside parentheses.
        ("apple (path:red.py OR path:yellow.py)", "red"),
        ("(lang:go OR path:green.py) pear", "green"),
        ("(apple path:red.py) OR (pear path:yellow.py)", "red yellow"),
        ("pear -(path:yellow.py OR lang:go)", "green"),
        ("kind:class OR cherry", "red"),
        // Case and inflections: as words are written, in any case.
        ("Apple AND PEAR", "green"),
        ("apples AND pear", ""),
    ] {
        let names = sorted(world.names(&[query, "--keyword-only"]));
        assert_eq!(names.join(" "), want, "{query}");
    }
    // Embeddings find nothing that the operators exclude.
    let names = world.names(&["a fruit that is AND apple AND pear"]);
    assert_eq!(names, [""; 0]);
    assert_eq!(world.names(&["apple AND pear"]), ["green"]);
    // What is in quotes is text.
    world.write("sql.py", "def select(): return 'apple AND pear'\n");
    assert_eq!(world.names(&["\"apple AND pear\""]), ["select"]);
}

#[test]
fn units_are_counted_by_file() {
    let world = World::new(&FILES);
    for (args, want, total) in [
        (
            &["apple", "-c"][..],
            "green.py:1\nred.py:1\n",
            "2 units in 2 files",
        ),
        (
            &["-e", "p.ar", "--count"],
            "green.py:1\nyellow.py:1\n",
            "2 units in 2 files",
        ),
        (
            &["--kind", "function", "-c", "-k", "1"],
            "green.py:1\nred.py:1\nyellow.py:1\n",
            "3 units in 3 files",
        ),
        (&["apple -pear", "-c"], "red.py:1\n", "1 unit in 1 file"),
    ] {
        let run = world.run(args);
        assert_eq!((run.code, run.out.as_str()), (Some(0), want), "{args:?}");
        assert_eq!(run.err, format!("scent: {total}\n"), "{args:?}");
    }
    let json = world.json(&["apple", "--count"]);
    assert_eq!(
        json["counts"][0],
        serde_json::json!({"path": "green.py", "units": 1})
    );
    assert_eq!(json["total"], 2);
    let none = world.run(&["xylophone", "--count"]);
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
}

/// A list shows a text that stands in two places once, unless a pattern looks
/// for every place.
#[test]
fn a_count_is_that_of_the_list() {
    let world = World::new(&FILES);
    world.write("a/red.py", FILES[2].1);
    for (args, want) in [
        (&["apple"][..], "a/red.py:1\ngreen.py:1\n"),
        (&["-F", "cherry"], "a/red.py:1\nred.py:1\n"),
    ] {
        let counted = world.run(&[args, &["--count"]].concat());
        assert_eq!(counted.out, want, "{args:?}");
        let listed = world.names(&[args, &["--keyword-only"]].concat());
        assert_eq!(listed.len(), want.lines().count(), "{args:?}");
    }
}

#[test]
fn editors_read_one_match_a_line() {
    let world = World::new(&FILES);
    let out = world.found(&["-e", "p[ae]\\w+", "--vimgrep", "red.py", "green.py"]);
    let want = [
        "green.py:1:18:def green(apple, pear):",
        "green.py:2:20:    return apple + pear",
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), want);
    let out = world.found(&["apple", "--vimgrep", "red.py"]);
    assert_holds(
        &out,
        &[
            "red.py:1:9:def red(apple):\n",
            "red.py:3:12:    return apple\n",
        ],
        "words",
    );
    // Nothing is marked of what only its embedding finds.
    let run = world.run(&["color", "--semantic-only", "--vimgrep", "red.py", "-k", "1"]);
    assert_eq!(run.out, "red.py:1:1:def red(apple):\n");
}

#[test]
fn files_themselves_are_scanned() {
    let world = World::new(&FILES);
    let note =
        |files| format!("scent: searched the files themselves, not the index ({files} files)\n");
    let cases: [(&[&str], &str, usize); 6] = [
        (&["-U", "-e", "apple\\):\\s+return"], "", 4),
        (
            &["-U", "-e", "apple.*\\n.*cherry"],
            "red.py:1-2  function red\n   1  def red(apple):\n   2      # cherry\n",
            4,
        ),
        (
            &["--no-ignore", "-F", "blue(apple)"],
            "built/blue.py:1-1  text\n   1  def blue(apple):\n",
            5,
        ),
        (
            &["--no-ignore", "-U", "-e", "blue.*\\n.*return", "--vimgrep"],
            "built/blue.py:1:5:def blue(apple):\nbuilt/blue.py:2:1:    return apple\n",
            5,
        ),
        (
            &["--no-ignore", "-F", "apple", "-c", "red.py", "built"],
            "built/blue.py:1\nred.py:1\n",
            2,
        ),
        (
            &["--no-ignore", "-F", "apple", "-l", "--path", "*ue.py"],
            "built/blue.py\n",
            5,
        ),
    ];
    for (args, want, files) in cases {
        let run = world.run(args);
        assert_eq!(run.out, want, "{args:?}: {}", run.err);
        assert!(run.err.starts_with(&note(files)), "{args:?}: {}", run.err);
        assert_eq!(run.code, Some(i32::from(want.is_empty())), "{args:?}");
    }
    let json = world.json(&["-U", "-e", "apple.*\\n.*cherry"]);
    assert_eq!(json["notes"][0]["code"], "files-scanned");
    assert_eq!(json["results"][0]["qualified_name"], "red");
    let quiet = world.found(&["-q", "--no-ignore", "-F", "blue(apple)"]);
    assert_holds(&quiet, &["built/blue.py"], "quiet");
    assert_holds(
        &world.refused(&["-e", "apple\\n.*cherry"]),
        &["-U lets it match across lines"],
        "advice",
    );
    assert_holds(
        &world.refused(&["apple", "-U"]),
        &["use -e PATTERN"],
        "advice",
    );
    // The list is read in parts, in order of the paths.
    let parts =
        |offset: &str| world.paths(&["--no-ignore", "-F", "apple", "-k", "1", "--offset", offset]);
    assert_eq!(
        [parts("0"), parts("1"), parts("2")].concat(),
        ["built/blue.py", "green.py", "red.py"]
    );
}

#[test]
fn scans_reach_what_is_ignored() {
    let world = World::new(&FILES);
    let long = "apple".repeat(1_000);
    for (path, text) in [
        ("node_modules/dep/a.js", "apple\n"),
        ("nested/.git/HEAD", "x\n"),
        ("nested/b.py", "apple\n"),
        ("lib.min.js", "apple\n"),
        ("long.js", long.as_str()),
        (".hidden/c.py", "apple\n"),
        (".git/apple", "apple\n"),
        ("apple.bin", "apple\0\n"),
    ] {
        world.write(path, text);
    }
    let reached = |args: &[&str]| {
        let args = [&["-F", "apple", "-l", "-k", "50", "-q"], args].concat();
        world.found(&args).lines().collect::<Vec<_>>().join(" ")
    };
    let indexed = ".hidden/c.py green.py red.py";
    assert_eq!(reached(&["-U"]), indexed);
    let ignored = ".hidden/c.py built/blue.py green.py lib.min.js long.js nested/b.py \
                   node_modules/dep/a.js red.py";
    assert_eq!(reached(&["--no-ignore"]), ignored);
    assert_eq!(
        reached(&["--no-ignore", "--lang", "python", "--path", "b*"]),
        "built/blue.py nested/b.py"
    );
    assert_eq!(
        reached(&["--no-ignore", "--kind", "function"]),
        "green.py red.py"
    );
}

#[test]
fn several_questions_are_answered_in_one_call() {
    let world = World::new(&FILES);
    let list = world.home.join("list");
    std::fs::write(&list, "apple -pear\n\nlang:rst\n  xylophone  \n").unwrap();
    let list = list.to_str().unwrap();
    let ask = |args: &[&str]| {
        let args = [&["--batch", list, "--keyword-only"], args].concat();
        world.run(&args)
    };
    let run = ask(&["--json"]);
    let answers: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.code, Some(2), "one of them failed");
    assert_eq!(answers.as_array().unwrap().len(), 3);
    assert_eq!(answers[0]["query"], "apple -pear");
    assert_eq!(answers[0]["results"][0]["name"], "red");
    assert_eq!(answers[1]["query"], "lang:rst");
    assert_eq!(answers[1]["error"]["code"], "unknown-language");
    assert_eq!(answers[2]["total"], 0);
    let text = ask(&["-l"]);
    assert_eq!(
        text.out,
        "== apple -pear\nred.py\n== lang:rst\n== xylophone\n"
    );
    assert_holds(
        &text.err,
        &["scent: lang:rst: rst: no such language"],
        "the error",
    );
    // Other arguments are paths, and standard input is a list, too.
    let args = ["--batch", "-", "green.py", "--json", "--keyword-only"];
    let run = ended(world.command().args(args).write_stdin("apple\npear\n"));
    let answers: Value = serde_json::from_str(&run.out).unwrap();
    for answer in answers.as_array().unwrap() {
        assert_eq!(answer["total"], 1, "{answer}");
    }
    assert_eq!(run.code, Some(0), "{run:?}");
    // Each question has its own time.
    let late = ask(&["--json", "--timeout", "0"]);
    let answers: Value = serde_json::from_str(&late.out).unwrap();
    assert_eq!(answers[0]["error"]["code"], "deadline-exceeded");
    assert_eq!(answers[1]["error"]["code"], "unknown-language");
}

#[test]
fn errors_are_json_where_answers_are() {
    let world = World::sample();
    for (args, code) in [
        (&["x lang:rst"][..], "unknown-language"),
        (&["retry", "no/such"], "no-such-path"),
        (&["retry", "nosuch"], "no-such-path"),
        (&["-e", "("], "bad-pattern"),
        (&["retry", "--timeout", "0"], "deadline-exceeded"),
        (&["similar", "src/retry.rs:99"], "no-such-place"),
        (&["impact", "--diff", "x"], "git"),
        (&["outline", "none.py"], "other"),
    ] {
        let run = world.run(&[args, &["--json"]].concat());
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(
            (run.code, &answer["error"]["code"]),
            (Some(2), &code.into()),
            "{args:?}"
        );
        let message = answer["error"]["message"].as_str().unwrap();
        let first = message.lines().next().unwrap();
        assert_holds(&run.err, &[first], &format!("{args:?}"));
        assert_eq!(answer["schema"], 2);
    }
}

/// What look-ups have to say stands in their JSON as well.
#[test]
fn look_ups_carry_their_notes() {
    let world = World::sample();
    world.found(&["index", "-q"]);
    world.write("scent.toml", "[index]\ninclude_generated = true\n");
    for args in [&["def", "retry_delay"][..], &["refs", "retry_delay"]] {
        let run = world.run(&[args, &["--json"]].concat());
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        let notes = answer["notes"].as_array().map_or(0, Vec::len);
        assert_eq!(notes, usize::from(args[0] == "def"), "{answer}");
    }
}
