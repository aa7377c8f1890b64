//! `matrix`: several variants over several suites.

use crate::corpus::{ABOUT_BOTH, Bench, in_table, system};
use crate::{assert_refused, entries, names};
use scent_eval::summary::{ALL, Summary};
use std::fs;
use std::path::PathBuf;

pub const MATRIX: &str = "suites = [\"../tiny\"]\ncorpora = \"../corpora\"\n\n\
     [[variant]]\nname = \"base\"\n\n\
     [[variant]]\nname = \"weak\"\nweights = { fusion = { lanes = { text = 0, vector = 0, late = 0 } } }\n\n\
     [[variant]]\nname = \"flat\"\nweights = { fusion = { k = 600 } }\n";

pub fn with_matrix(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write(&[("variants/matrix.toml", text)]);
    bench
}

pub fn matrix(bench: &Bench, more: &[&str]) -> Summary {
    let args = ["matrix", "variants/matrix.toml", "--out", "out", "--quiet"];
    let ended = bench.call(&[&args, more].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    serde_json::from_str(&fs::read_to_string(bench.path("out/RESULTS.json")).unwrap()).unwrap()
}

#[test]
fn a_matrix_accumulates() {
    let bench = with_matrix(MATRIX);
    let summary = matrix(&bench, &["--only", "weak|flat"]);
    assert_eq!(in_table(&summary.suites[0]), ["weak", "flat"]);
    // What came later stands where the file has it, and is what the others
    // are held against.
    let summary = matrix(&bench, &["--only", "base"]);
    let suite = &summary.suites[0];
    assert_eq!(in_table(suite), ["base", "weak", "flat"]);
    assert_eq!((suite.questions, suite.corpora), (ABOUT_BOTH, 2));
    assert!(system(suite, "base").groups[ALL].gains.is_empty());
    assert!(system(suite, "weak").groups[ALL].gains["mrr"].gain.high < 0.0);
    assert_eq!(
        entries(&bench.path("out/rows")),
        names(&["base", "weak", "flat"])
    );
}

/// One index a repository, made once for all variants of a call.
#[test]
fn variants_share_the_index() {
    let bench = with_matrix(MATRIX);
    let summary = matrix(&bench, &[]);
    let index_ms = |name: &str| system(&summary.suites[0], name).speed.index_ms;
    assert!(index_ms("base") > 0.0);
    assert_eq!(index_ms("base"), index_ms("weak"));
    let indexes = entries(&bench.path("out/cache/index"));
    let of = |name: &str| {
        indexes
            .iter()
            .filter(|index| index.starts_with(name))
            .count()
    };
    assert_eq!((of("shop-"), of("desk-")), (1, 1), "{indexes:?}");
    matrix(&bench, &["--only", "flat"]);
    assert_eq!(entries(&bench.path("out/cache/index")), indexes);
}

/// What was measured under another set of weights is no result of a variant.
#[test]
fn a_variant_that_changed_is_not_shown_with_old_results() {
    let bench = with_matrix(MATRIX);
    matrix(&bench, &["--only", "base|flat"]);
    bench.write(&[("variants/matrix.toml", &MATRIX.replace("600", "6"))]);
    let summary = matrix(&bench, &["--only", "base"]);
    assert_eq!(in_table(&summary.suites[0]), ["base"]);
}

#[test]
fn a_matrix_may_get_its_suites_from_the_command_line() {
    let bench = with_matrix("[[variant]]\nname = \"base\"\n");
    let args = ["matrix", "variants/matrix.toml", "--out", "out", "--quiet"];
    assert_refused(&bench.call(&args), &["corpora"]);
    assert_refused(
        &bench.call(&[&args[..], &["--corpora", "corpora"]].concat()),
        &["suites"],
    );
    let args = [
        "matrix",
        "variants/matrix.toml",
        "tiny",
        "--corpora",
        "corpora",
        "--out",
        "out",
    ];
    assert_eq!(bench.call(&args).code, Some(0));
}

#[test]
fn the_report_of_a_matrix_is_copied() {
    let bench = with_matrix(MATRIX);
    bench.write(&[("docs/index.md", "")]);
    matrix(&bench, &["--only", "base", "--report", "docs/results.md"]);
    let files = [
        "index.md",
        "results.md",
        "tiny-languages.svg",
        "tiny-quality.svg",
        "tiny-recall.svg",
    ];
    let seen = entries(&bench.path("docs"));
    assert!(seen.is_superset(&names(&files)), "{seen:?}");
    for (copy, file) in [
        ("results.md", "RESULTS.md"),
        ("tiny-recall.svg", "tiny-recall.svg"),
    ] {
        let read = |path: PathBuf| fs::read_to_string(path).unwrap();
        assert_eq!(
            read(bench.path("docs").join(copy)),
            read(bench.path("out").join(file))
        );
    }
}

#[test]
fn a_matrix_that_makes_no_sense_is_refused() {
    let variant = |name: &str| format!("[[variant]]\nname = \"{name}\"\n");
    let cases: [(String, &[&str]); 7] = [
        (
            variant("base") + &variant("base"),
            &["two variants are called base"],
        ),
        (variant("a/b"), &["a/b"]),
        (
            variant("base") + "weights = {}\npeer = \"base\"\n",
            &["base is a peer and has weights"],
        ),
        (variant("base") + "peer = \"other\"\n", &["other"]),
        (variant("base") + "weight = {}\n", &["weight"]),
        (
            variant("base") + "weights = { fusion = { kk = 1 } }\n",
            &["the weights given for base", "kk"],
        ),
        ("[[variant]".to_owned(), &["matrix.toml"]),
    ];
    for (text, says) in cases {
        let bench = with_matrix(&format!(
            "suites = [\"../tiny\"]\ncorpora = \"../corpora\"\n{text}"
        ));
        let args = ["matrix", "variants/matrix.toml", "--out", "out", "--quiet"];
        assert_refused(&bench.call(&args), says);
    }
    let args = [
        "matrix",
        "variants/matrix.toml",
        "--out",
        "out",
        "--only",
        "nobody",
    ];
    assert_refused(&with_matrix(MATRIX).call(&args), &["no variant", "matches"]);
}
