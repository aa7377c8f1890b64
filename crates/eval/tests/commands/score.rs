//! `score` and `compare`.

use crate::corpus::{ABOUT_BOTH, ABOUT_DESK, ABOUT_SHOP, Bench};
use crate::{WEAK, assert_holds, assert_refused};
use std::fs;

#[test]
fn a_score_is_made_of_rows_alone() {
    let bench = Bench::new();
    bench.write(&[(
        "eval/peers/peers.toml",
        "[[published]]\nname = \"famous\"\nsuite = \"tiny\"\nmode = \"file\"\n\
         metric = \"ndcg_file\"\nscore = 0.9\nrepositories = 2\nsource = \"a paper\"\n\
         note = \"needs a model\"\n",
    )]);
    let run = bench.run(&[]);
    assert!(run.read("RESULTS.md").contains("famous"));
    let files = [
        "RESULTS.json",
        "RESULTS.md",
        "tiny-quality.svg",
        "tiny-recall.svg",
    ];
    let before = files.map(|file| run.read(file));
    files
        .iter()
        .for_each(|file| fs::remove_file(run.folder.join(file)).unwrap());
    fs::remove_dir_all(bench.path("corpora")).unwrap();

    let ended = bench.call(&["score", run.shown()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(files.map(|file| run.read(file)), before);
    assert!(run.ended.out.starts_with(&ended.out), "{}", ended.out);
    assert_eq!(bench.call(&["score", run.shown(), "--json"]).out, before[0]);

    assert_refused(&bench.call(&["score", "tiny"]), &["tiny is no run"]);
}

#[test]
fn a_comparison_shows_what_changed() {
    let bench = Bench::new();
    bench.write(&[("weak.toml", WEAK)]);
    let strong = bench.run(&[]);
    let weak = bench.run(&["--config", "weak.toml", "--name", "weak"]);
    let ended = bench.call(&["compare", strong.shown(), weak.shown()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let number = r"[+-]\d\.\d{3}";
    let line = format!(
        r"(?m)^ndcg_file +A +[\d.]+ +B +[\d.]+ +B-A -0\.\d{{3}}, {number} to {number} +wins 0 losses [1-9] of {ABOUT_BOTH}  worse$"
    );
    assert_holds(&line, &ended.out);
    // More tokens are a loss as well.
    assert_holds(
        r"(?m)^tokens_to_hit .*B-A \+\d.* wins 0 losses [1-9] of 10  worse$",
        &ended.out,
    );
    assert_holds(r"(?m)^beyond noise: .*ndcg_file worse", &ended.out);
    for group in ["tiny semantic", "tiny symbol"] {
        assert_holds(
            &format!(r"(?m)^{group} +A .* of 5  (worse|same)$"),
            &ended.out,
        );
    }
    // The questions that changed, each with what was expected and both lists.
    let changed = r#"(?m)^-1\.000  tiny/shop  "send the receipt to the customer"
    expected  src/mail\.rs:1-4
    A  src/mail\.rs:1-4.*
    B  nothing$"#;
    assert_holds(changed, &ended.out);
    let shown = |most: &str| {
        let ended = bench.call(&["compare", strong.shown(), weak.shown(), "--changed", most]);
        ended.out.matches("    expected  ").count()
    };
    assert_eq!((shown("0"), shown("2")), (0, 2));

    // Turned around, a loss is a win.
    let ended = bench.call(&["compare", weak.shown(), strong.shown(), "--metric", "mrr"]);
    assert_holds(
        r"(?m)^mrr .*B-A \+0\.\d{3}, .* wins [1-9] losses 0 of 10  better$",
        &ended.out,
    );
    assert_holds(r#"(?m)^\+1\.000  tiny/shop  "send the receipt"#, &ended.out);
}

#[test]
fn a_run_is_no_better_than_itself() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    let named = format!("{}:scent", run.shown());
    let ended = bench.call(&["compare", run.shown(), &named]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines: Vec<&str> = ended
        .out
        .lines()
        .filter(|line| line.contains("B-A"))
        .collect();
    assert!(lines.len() > 15, "{}", ended.out);
    for line in lines {
        assert!(
            line.contains("B-A +0.000, +0.000 to +0.000  wins 0 losses 0"),
            "{line}"
        );
    }
    assert!(!ended.out.contains("expected"), "{}", ended.out);
    assert_holds("(?m)^no difference is beyond noise$", &ended.out);

    let named = format!("{}:nobody", run.shown());
    let cases: [(&str, &[&str]); 2] = [(&named, &["no such system", "scent"]), ("tiny", &["tiny"])];
    for (other, says) in cases {
        assert_refused(&bench.call(&["compare", run.shown(), other]), says);
    }
}

#[test]
fn a_comparison_counts_what_only_one_answered() {
    let bench = Bench::new();
    let (both, shop) = (bench.run(&[]), bench.run(&["--only", "shop"]));
    let says = format!("{ABOUT_DESK} questions are left out");
    for (a, b) in [(&both, &shop), (&shop, &both)] {
        let ended = bench.call(&["compare", a.shown(), b.shown()]);
        assert_holds(&format!(" of {ABOUT_SHOP}  same\n"), &ended.out);
        assert!(
            ended.out.contains(&says),
            "{} against {}: {}",
            a.shown(),
            b.shown(),
            ended.out
        );
    }
    let desk = bench.run(&["--only", "desk"]);
    assert_refused(
        &bench.call(&["compare", shop.shown(), desk.shown()]),
        &["no question was answered by both"],
    );
}

/// A misspelt metric would look as if nothing had changed.
#[test]
fn a_metric_that_nobody_has_cannot_be_compared() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    let ended = bench.call(&["compare", run.shown(), run.shown(), "--metric", "ndgc_file"]);
    assert_refused(&ended, &["ndgc_file"]);
}
