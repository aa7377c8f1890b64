//! `scent-eval run`: what is asked, of whom, and what is written.

use crate::corpus::{ABOUT_BOTH, ABOUT_DESK, ABOUT_SHOP, Bench, in_table, system};
use crate::{WEAK, assert_holds, assert_refused, entries, holds, names};
use regex::Regex;
use scent_eval::store::Store;
use scent_eval::summary::ALL;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

#[test]
fn a_run_is_a_dated_folder() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    let name = run.folder.file_name().unwrap().to_str().unwrap();
    assert_holds(r"^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$", name);
    let files = [
        "RESULTS.json",
        "RESULTS.md",
        "questions.csv",
        "rows",
        "run.json",
        "tiny-languages.svg",
        "tiny-quality.svg",
        "tiny-recall.svg",
    ];
    let seen = entries(&run.folder);
    assert!(seen.is_superset(&names(&files)), "{seen:?}");
    assert_eq!(
        entries(&run.folder.join("rows/scent/tiny")),
        names(&["desk.jsonl", "shop.jsonl"])
    );

    let manifest = Store::new(&run.folder).manifest().unwrap();
    assert_holds(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", &manifest.started);
    // In full, so that the run can be looked at from anywhere.
    assert!(manifest.suites[0].is_absolute() && manifest.suites[0].ends_with("tiny"));
    assert!(manifest.corpora.is_absolute() && manifest.corpora.ends_with("corpora"));
    assert_eq!(manifest.systems.len(), 1);
    assert_eq!((manifest.left_out.len(), manifest.drift.len()), (0, 0));
    assert!(manifest.command.contains(&"--quiet".to_owned()));

    let rows = run.rows("scent");
    assert_eq!(rows.len(), ABOUT_BOTH);
    assert!(
        rows.iter()
            .all(|row| row.answered().is_some_and(|answer| !answer.hits.is_empty()))
    );
    let suite = run.suite();
    assert_eq!((suite.questions, suite.corpora), (ABOUT_BOTH, 2));
    assert_eq!(suite.split, "dev");
    assert!(system(&suite, "scent").groups[ALL].means["hit@5"] > 0.9);
    assert_holds(r"(?m)^scent +lines \d\.\d{3} +file ", &run.ended.out);
    assert_eq!(run.ended.err, "");
}

/// A class asks for files of that sort only.
#[test]
fn questions_may_be_about_documentation() {
    let bench = Bench::new();
    let csv = "# corpus: shop\n# class: docs\nmoney goes back,docs/refunds.md:1-3:2\n\
               xylophone,docs/refunds.md:1-3:2\n";
    bench.write(&[("docs-only/shop.csv", csv)]);
    let run = bench.run_of("docs-only", &[]);
    let rows = run.rows("scent");
    let hits = |at: usize| &rows[at].answered().unwrap().hits;
    assert_eq!((hits(0).len(), hits(1).len()), (1, 0));
    assert_eq!(hits(0)[0].path, "docs/refunds.md");
}

/// Another run in the same second is another folder.
#[test]
fn runs_do_not_mix() {
    let bench = Bench::new();
    let folders: BTreeSet<PathBuf> = (0..2)
        .map(|_| bench.run(&["--only", "tiny/desk"]).folder)
        .collect();
    assert_eq!(folders.len(), 2);
}

#[test]
fn a_run_may_be_of_a_part() {
    let bench = Bench::new();
    let run = bench.run(&["--only", "tiny/d.*k$", "--name", "half"]);
    assert_eq!(in_table(&run.suite()), ["half"]);
    assert_eq!(run.suite().questions, ABOUT_DESK);
    let cases: [&[&str]; 2] = [&["--only", "^desk"], &["--split", "test"]];
    for more in cases {
        assert_refused(&bench.try_run(more), &["nothing to ask"]);
    }
    assert_eq!(bench.run(&["--split", "dev"]).suite().questions, ABOUT_BOTH);
}

#[test]
fn what_cannot_be_run_is_said() {
    let bench = Bench::new();
    bench.write(&[
        ("syntax.toml", "[fusion"),
        ("key.toml", "[fusion]\nkk = 1\n"),
    ]);
    bench.write(&[
        ("type.toml", "[fusion]\nk = \"much\"\n"),
        ("lane.toml", "[lanes]\ntext = 1\n"),
    ]);
    let cases: [(&[&str], &[&str]); 6] = [
        (
            &["--config", "syntax.toml"],
            &["the weights given for", "fusion"],
        ),
        (&["--config", "key.toml"], &["the weights given for", "kk"]),
        (
            &["--config", "type.toml"],
            &["the weights given for", "much", "fusion.k"],
        ),
        (
            &["--config", "lane.toml"],
            &["the weights given for", "lanes"],
        ),
        (&["--config", "missing.toml"], &["missing.toml"]),
        (&["--name", "a/b"], &["a/b", "letters"]),
    ];
    for (more, says) in cases {
        assert_refused(&bench.try_run(more), says);
    }
    assert_refused(
        &bench.try_run_of("missing", &[]),
        &["missing: no such suite"],
    );
    assert!(!bench.path("out").exists());
}

/// Their answers would lie in the same place.
#[test]
fn two_suites_of_one_name_are_refused() {
    let bench = Bench::new();
    bench.write(&[(
        "other/tiny/shop.csv",
        "# corpus: shop\nsignIn,web/login.js:1-3:2\n",
    )]);
    let args = [
        "run",
        "tiny",
        "other/tiny",
        "--corpora",
        "corpora",
        "--out",
        "out",
        "-q",
    ];
    assert_refused(&bench.call(&args), &["tiny"]);
}

/// What is generated is given to all; what is ignored or no text, to nobody.
#[test]
fn everybody_is_given_the_same_files() {
    let bench = Bench::new();
    bench.write(&[
        ("corpora/desk/.ignore", "secret.py\n"),
        ("corpora/desk/desk/secret.py", "def hidden(): pass\n"),
        ("corpora/desk/desk/logo.png", "\u{0}\u{1}\u{2}"),
        ("corpora/desk/desk/made.py", "# @generated by a tool\n"),
    ]);
    bench.run(&[]);
    let given = entries(&bench.path("out/cache/views/tiny/desk/desk"));
    assert_eq!(
        given,
        names(&["made.py", "pager.py", "rota.py", "tickets.py"])
    );
}

/// The names of elements that are opened and not closed, in order. Panics
/// where one is closed that was not opened, or where there is stray markup.
fn left_open(svg: &str) -> Vec<String> {
    let tag = Regex::new(r#"^<(/?)([a-z]+)((?: [a-zA-Z0-9:-]+="[^"<>]*")*)(/?)>"#).unwrap();
    let mut open: Vec<String> = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find(['<', '>']) {
        let seen = tag
            .captures(&rest[at..])
            .unwrap_or_else(|| panic!("stray: {}", &rest[at..]));
        match (&seen[1], &seen[4]) {
            ("/", "") => assert_eq!(open.pop().as_deref(), Some(&seen[2])),
            ("", "") => open.push(seen[2].to_owned()),
            ("", "/") => {}
            _ => panic!("{}", &seen[0]),
        }
        rest = &rest[at + seen[0].len()..];
    }
    open
}

#[test]
fn plots_are_whole_and_load_nothing() {
    let bench = Bench::new();
    bench.write(&[(
        "r&d's/shop.csv",
        "# corpus: shop\nsignIn,web/login.js:1-3:2\n",
    )]);
    let run = bench.run_of("r&d's", &[]);
    for name in ["quality", "recall", "languages"] {
        let file = format!("r&d's-{name}.svg");
        let svg = run.read(&file);
        assert!(run.read("RESULTS.md").contains(&file), "{name}");
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "),
            "{svg}"
        );
        assert_eq!(left_open(&svg), [""; 0], "{svg}");
        let text = svg.replacen("http://www.w3.org/2000/svg", "", 1);
        for loads in [
            "http", "//", "href", "url(", "<script", "<style", "<image", "@import",
        ] {
            assert!(!text.contains(loads), "{loads} in {svg}");
        }
        assert!(!holds(r"&[^a-z]|\bNaN\b|\binf\b", &text), "{svg}");
        assert!(svg.contains("r&amp;d"), "{svg}");
        assert!(svg.contains(">scent<"), "{svg}");
    }
}

/// What is called scent is what users have.
#[test]
fn other_weights_have_their_own_name() {
    let bench = Bench::new();
    bench.write(&[("weak.toml", WEAK)]);
    let run = bench.run(&["--config", "weak.toml"]);
    assert_eq!(in_table(&run.suite()), ["weak"]);
    assert_holds("weak has weights of its own", &run.read("RESULTS.md"));
}

#[test]
fn drift_stops_a_run_unless_it_is_allowed() {
    let bench = Bench::new();
    bench.write(&[("corpora/shop/src/coupon.rs", "fn apply_coupon() {}\n")]);
    fs::remove_file(bench.path("corpora/desk/desk/rota.py")).unwrap();
    let places = [
        "src/coupon.rs:1-4: the file ends at 1",
        "desk/rota.py: no such file",
        "2 answers",
    ];
    let ended = bench.try_run(&[]);
    assert_refused(&ended, &["--allow-drift"]);
    assert_refused(&ended, &places);
    assert!(!bench.path("out").exists());

    let run = bench.run(&["--allow-drift"]);
    places[..2]
        .iter()
        .for_each(|place| assert!(run.ended.err.contains(place), "{place}"));
    // One question lost its only answer, another one of its two.
    assert_eq!(run.suite().questions, ABOUT_BOTH - 1);
    assert!(run.rows("scent").iter().all(|row| row.id != "apply_coupon"));
    assert_eq!(Store::new(&run.folder).manifest().unwrap().drift.len(), 2);
    places[..2]
        .iter()
        .for_each(|place| assert!(run.read("RESULTS.md").contains(place), "{place}"));
}

#[test]
fn a_missing_repository_is_named_and_the_run_goes_on() {
    let bench = Bench::new();
    fs::rename(bench.path("corpora/desk"), bench.path("desk-is-away")).unwrap();
    let run = bench.run(&[]);
    assert_eq!(
        (run.suite().questions, run.suite().corpora),
        (ABOUT_SHOP, 1)
    );
    let says = format!("desk: missing corpus, {ABOUT_DESK} questions left out");
    for text in [
        &run.ended.err,
        &run.read("RESULTS.md"),
        &run.read("run.json"),
    ] {
        assert!(text.contains(&says), "{text}");
    }
    fs::rename(bench.path("corpora/shop"), bench.path("shop-is-away")).unwrap();
    assert_refused(
        &bench.try_run(&[]),
        &["nothing to ask", "shop: missing corpus"],
    );
}
