//! `worst` and `replay`: where answers were lost.

use crate::corpus::{Bench, Run};
use crate::{WEAK, assert_holds, assert_refused};

/// A run of a suite whose answers are lost on the way.
fn lost() -> (Bench, Run) {
    let bench = Bench::new();
    bench.write(&[
        ("corpora/shop/web/logo.bin", "a\u{0}b\n"),
        (
            "lost/shop.csv",
            "# corpus: shop\n\
             total_price,src/cart.rs:6-9:2\n\
             shelf_table,src/schema.rs:2-2:2\n\
             the picture on top,web/logo.bin:1-1:2\n\
             zebra xylophone,src/mail.rs:1-4:2\n\
             order,src/audit.rs:1-8:2\n",
        ),
        // The file that is full of orders fills the first page.
        (
            "flat.toml",
            "[signals]\nper_file_decay = 1.0\nlength = 0.0\n",
        ),
    ]);
    let flat = bench.path("flat.toml");
    let run = bench.run_of("lost", &["--config", flat.to_str().unwrap()]);
    (bench, run)
}

#[test]
fn the_stage_that_lost_an_answer_is_named() {
    let (bench, run) = lost();
    let ended = bench.call(&["worst", run.shown()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let wanted = [
        r#""shelf_table".*\n +src/schema\.rs:2-2: not indexed: generated"#,
        r#""the picture on top".*\n +web/logo\.bin:1-1: not indexed: not among the files"#,
        r#""zebra xylophone".*\n +src/mail\.rs:1-4: not retrieved by any lane \[\]"#,
        r#""order".*\n +src/audit\.rs:1-8: ranked low by every lane \(best: text #1\d\)"#,
        r#""total_price".*\n +src/cart\.rs:6-9: on the first page \[text #1"#,
        "targets of these 5 questions:\n",
        "(?m)^ +2  not indexed$",
        "(?m)^ +1  not retrieved by any lane$",
        "(?m)^ +1  ranked low by every lane$",
        "(?m)^ +1  on the first page$",
    ];
    wanted
        .iter()
        .for_each(|pattern| assert_holds(pattern, &ended.out));
    // What came instead is shown, where something did.
    assert_holds(r"ranked low.*\n +instead: src/orders\.rs", &ended.out);
    // The worst comes first, the best last.
    assert!(ended.out.find("order").unwrap() < ended.out.find("total_price").unwrap());
}

#[test]
fn the_worst_may_be_few_and_by_another_metric() {
    let (bench, run) = lost();
    let args = [
        "worst",
        run.shown(),
        "-n",
        "2",
        "--metric",
        "tokens_to_hit",
        "--only",
        "lost/s",
    ];
    let ended = bench.call(&args);
    assert_holds("targets of these 2 questions:", &ended.out);
    assert_holds(r"(?m)^32000\.000  lost/shop ", &ended.out);
    assert!(!ended.out.contains("total_price"), "{}", ended.out);

    let cases: [(&[&str], &str); 3] = [
        (&["--metric", "mrrr"], "has the metric mrrr"),
        (&["--only", "elsewhere"], "no question about words"),
        (&["--system", "ripgrep"], "only scent can be replayed"),
    ];
    for (more, says) in cases {
        assert_refused(
            &bench.call(&[&["worst", run.shown()], more].concat()),
            &[says],
        );
    }
}

/// The weights are those of the run.
#[test]
fn a_replay_has_the_weights_of_its_run() {
    let bench = Bench::new();
    bench.write(&[("weak.toml", WEAK)]);
    let weak = bench.run(&["--config", "weak.toml"]);
    let ended = bench.call(&["worst", weak.shown(), "-n", "10"]);
    assert_holds(
        r#""send the receipt.*\n +src/mail\.rs:1-4: not retrieved by any lane"#,
        &ended.out,
    );
}
