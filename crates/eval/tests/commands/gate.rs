//! `gate`: what must hold of the results.

use crate::corpus::{Bench, Ended};
use crate::matrix::{MATRIX, matrix, with_matrix};
use crate::{assert_holds, assert_refused};

/// A matrix that was carried out, `weak` after `base`.
fn measured() -> Bench {
    let bench = with_matrix(MATRIX);
    matrix(&bench, &["--only", "base|weak"]);
    bench
}

fn gate(bench: &Bench, text: &str) -> Ended {
    bench.write(&[("gate.toml", text)]);
    bench.call(&["gate", "gate.toml", "out"])
}

fn floor(system: &str, more: &str) -> String {
    format!("[[floor]]\nsystem = \"{system}\"\nsuite = \"tiny\"\n{more}\n")
}

fn gain(a: &str, b: &str, more: &str) -> String {
    format!("[[gain]]\na = \"{a}\"\nb = \"{b}\"\nsuite = \"tiny\"\n{more}\n")
}

/// Asserts how a gate judges, and that it says so.
fn check_gate(bench: &Bench, text: &str, code: i32, says: &[&str]) {
    let ended = gate(bench, text);
    assert_eq!(ended.code, Some(code), "{text}{ended:?}");
    let all = ended.out + &ended.err;
    says.iter().for_each(|pattern| assert_holds(pattern, &all));
}

/// Asserts that each condition is met, or that each is missed, and what is
/// said of it.
fn check_each(bench: &Bench, conditions: &[(String, &str)], met: bool) {
    let text: String = conditions.iter().map(|(text, _)| text.as_str()).collect();
    let ended = gate(bench, &text);
    assert_eq!(ended.code, Some(i32::from(!met)), "{ended:?}");
    let word = if met { "ok    " } else { "MISSED" };
    for (_, says) in conditions {
        assert_holds(&format!(r"(?m)^{word}  .*{says}"), &ended.out);
    }
    let others = ended
        .out
        .lines()
        .filter(|line| !line.starts_with(word))
        .count();
    assert!(!met || others == 0, "{ended:?}");
}

#[test]
fn floors_hold_or_are_missed() {
    let bench = measured();
    let mrr = |bound: &str| floor("base", &format!("metric = \"mrr\"\n{bound}"));
    let group = |group: &str| mrr(&format!("at_least = 0.9\ngroup = \"{group}\""));
    let met = [
        (
            mrr("at_least = 0.9"),
            r"base on tiny, all: mrr is [01]\.\d+, to be at least 0\.9",
        ),
        (
            mrr("at_least = 0.9\nat_most = 1.0"),
            "mrr is .*, to be from 0.9 to 1",
        ),
        (group("category: symbol"), "category: symbol: mrr is "),
        (
            floor("base", "metric = \"p95_ms\"\nat_most = 100000"),
            "p95_ms is .*at most 100000",
        ),
    ];
    check_each(&bench, &met, true);
    let missed = [
        (mrr("at_most = 0.5"), "mrr is .*, to be at most 0.5"),
        (
            floor("weak", "metric = \"mrr\"\nat_least = 0.9"),
            "weak on tiny, all: mrr is ",
        ),
        (
            floor("base", "metric = \"p95_ms\"\nat_most = 0.0"),
            "p95_ms is ",
        ),
        (
            group("category: nothing"),
            "category: nothing: mrr was not measured",
        ),
        (
            floor("base", "metric = \"mrrr\"\nat_least = 0.0"),
            "mrrr was not measured",
        ),
        (
            floor("nobody", "metric = \"mrr\"\nat_least = 0.0"),
            "nobody .* was not measured",
        ),
    ];
    check_each(&bench, &missed, false);
    // What was not measured, alone; and one that is missed among others.
    check_each(&bench, &missed[4..5], false);
    check_gate(
        &bench,
        &(mrr("at_least = 0.9") + &mrr("at_least = 2")),
        1,
        &["ok ", "MISSED"],
    );
}

#[test]
fn gains_hold_or_are_missed() {
    let bench = measured();
    let over = |more: &str| gain("weak", "base", &format!("metric = \"mrr\"\n{more}"));
    let met = [
        (
            over(""),
            r"base over weak on tiny: mrr is \+0\.\d+ \(\+0\.\d+ to \+\d\.\d+\)",
        ),
        (over("at_least = 0.1"), "to be at least 0.1"),
        (
            over("no_loss_on = [\"symbol\", \"semantic\"]"),
            "category: symbol is .*, to be no loss",
        ),
        (over("p95_ms = 100000"), "base on tiny, all: p95_ms"),
    ];
    check_each(&bench, &met, true);
    let missed = [
        (over("at_least = 2.0"), "to be at least 2"),
        (
            over("no_loss_on = [\"nothing\"]"),
            "category: nothing was not measured",
        ),
        (over("p95_ms = 0.0"), "base on tiny, all: p95_ms"),
        (
            gain(
                "base",
                "weak",
                "metric = \"mrr\"\nno_loss_on = [\"semantic\"]",
            ),
            "semantic is -",
        ),
        (
            gain("base", "weak", "metric = \"mrr\""),
            "weak over base on tiny: mrr is -",
        ),
        // The same is no gain.
        (
            gain("base", "base", "metric = \"mrr\""),
            r"base over base on tiny: mrr is \+0",
        ),
        (
            gain("weak", "base", "metric = \"mrrr\""),
            "mrrr was not measured",
        ),
        (
            gain("weak", "nobody", "metric = \"mrr\""),
            "nobody over weak .* was not measured",
        ),
    ];
    check_each(&bench, &missed, false);
}

/// Fewer tokens to the first match are a gain, more are none.
#[test]
fn a_gain_may_be_less() {
    let bench = measured();
    let metric = "metric = \"tokens_to_hit\"\nno_loss_on = [\"semantic\"]";
    check_gate(&bench, &gain("weak", "base", metric), 0, &["ok"]);
    check_gate(&bench, &gain("base", "weak", metric), 1, &["MISSED"]);
}

#[test]
fn a_gate_that_keeps_nothing_out_is_refused() {
    let bench = measured();
    let cases: [(String, &[&str]); 4] = [
        (String::new(), &[r"no \[\[floor\]\] and no \[\[gain\]\]"]),
        ("# later\n".into(), &[r"no \[\[floor\]\]"]),
        ("[[floor]\n".into(), &["gate.toml"]),
        (
            floor("base", "metric = \"mrr\"\natleast = 0.5"),
            &["atleast"],
        ),
    ];
    for (text, says) in cases {
        check_gate(&bench, &text, 2, says);
    }
    let text = floor("base", "metric = \"mrr\"\nat_least = 0.5");
    bench.write(&[("gate.toml", &text)]);
    assert_refused(
        &bench.call(&["gate", "gate.toml", "tiny"]),
        &["tiny is no run"],
    );
    assert_refused(
        &bench.call(&["gate", "missing.toml", "out"]),
        &["missing.toml"],
    );
}

/// It would hold whatever is measured.
#[test]
fn a_floor_without_a_bound_is_refused() {
    check_gate(
        &measured(),
        &floor("base", "metric = \"mrr\""),
        2,
        &["at_least"],
    );
}
