//! Every formula against examples that were worked out by hand.
//!
//! What a rank counts in NDCG, 1 / log2(rank + 1), from rank 1 to 10:
//! 1, 0.630930, 0.5, 0.430677, 0.386853, 0.356207, 0.333333, 0.315465,
//! 0.301030, 0.289065.

mod rows;

use rows::{
    assert_near, cells, files, hits, names, ranking, row, scores, showing, systems, targets,
};
use scent_eval::metrics::{
    BUDGETS, F1, NDCG_CHUNK, NDCG_FILE, NDCG_FILE_OLD, NDCG_SHOWN, NEVER, TOKENS_TO_HIT,
    TOKENS_TO_SHOWN, first_match, recall_at_tokens, score, shown_within, tokens,
};
use scent_eval::row::{Answer, Expected, Outcome, Row, Task};
use scent_eval::summary::{ALL, CATEGORY, CORPUS, SuiteSummary, summarise};

/// Ten results, each in a file of its own, that answer nothing.
const TEN: [&str; 10] = [
    "x0.rs:1-9",
    "x1.rs:1-9",
    "x2.rs:1-9",
    "x3.rs:1-9",
    "x4.rs:1-9",
    "x5.rs:1-9",
    "x6.rs:1-9",
    "x7.rs:1-9",
    "x8.rs:1-9",
    "x9.rs:1-9",
];

fn after(many: usize, hit: &'static str) -> Vec<&'static str> {
    TEN.iter()
        .cycle()
        .take(many)
        .copied()
        .chain([hit])
        .collect()
}

/// What it shows, the targets, the results, and NDCG by lines and by file.
type Ranked = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    f64,
    f64,
);

#[test]
#[allow(clippy::too_many_lines)] // a table of cases
fn semble_ndcg_by_lines_and_by_file() {
    let cases: &[Ranked] = &[
        ("first", &["a.rs:5-9"], &["a.rs:1-20"], 1.0, 1.0),
        (
            "third",
            &["a.rs:5-9"],
            &["x.rs:1-9", "y.rs:1-9", "a.rs:1-20"],
            0.5,
            0.5,
        ),
        ("nowhere", &["a.rs:5-9"], &["x.rs:1-9"], 0.0, 0.0),
        ("no results", &["a.rs:5-9"], &[], 0.0, 0.0),
        // (1 + 0.5) / (1 + 0.630930) = 0.919721
        (
            "two of two",
            &["a.rs", "b.rs"],
            &["a.rs:1-9", "x.rs:1-9", "b.rs:1-9"],
            0.919721,
            0.919721,
        ),
        // 1 / (1 + 0.630930) = 0.613147
        (
            "one of two",
            &["a.rs", "b.rs"],
            &["a.rs:1-9", "x.rs:1-9"],
            0.613147,
            0.613147,
        ),
        // One result is the first for both targets and counts once; that the
        // second target comes again later changes nothing. 1 / 1.630930
        (
            "two in one",
            &["a.rs:1-10", "a.rs:5-20"],
            &["a.rs:8-8", "a.rs:15-20"],
            0.613147,
            1.0,
        ),
        // By lines the ranks 1 and 2 are the ideal. By file there is one file.
        (
            "two in a file",
            &["a.rs:1-9", "a.rs:20-29"],
            &["a.rs:1-9", "a.rs:20-29"],
            1.0,
            1.0,
        ),
        // 1 / (1 + 0.630930) by file: two files, and one is found.
        (
            "two in a file of two",
            &["a.rs:1-9", "a.rs:20-29", "b.rs:1-9"],
            &["a.rs:1-9", "a.rs:20-29"],
            0.765361,
            0.613147,
        ),
        // The neighbours above and below do not count, one common line does.
        // By file the first result is right.
        (
            "overlap",
            &["a.rs:10-20"],
            &["a.rs:1-9", "a.rs:21-30", "a.rs:20-25"],
            0.5,
            1.0,
        ),
        ("the first line", &["a.rs:10-20"], &["a.rs:9-10"], 1.0, 1.0),
        ("inside", &["a.rs:10-20"], &["a.rs:14-14"], 1.0, 1.0),
        ("around", &["a.rs:10-20"], &["a.rs:1-99"], 1.0, 1.0),
        (
            "a target without lines",
            &["a.rs"],
            &["x.rs:1-9", "a.rs:100-120"],
            0.630930,
            0.630930,
        ),
        (
            "a result without lines",
            &["a.rs:10-20"],
            &["x.rs", "a.rs"],
            0.630930,
            0.630930,
        ),
        // Files move up where those before them are one: rank 4 becomes 2.
        (
            "one file thrice",
            &["a.rs"],
            &["x.rs:1-9", "x.rs:10-19", "x.rs:20-29", "a.rs:1-9"],
            0.430677,
            0.630930,
        ),
        // The ideal has ten ranks at most: 1 / 4.543560 = 0.220092
        (
            "eleven targets",
            &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"],
            &["a:1-9"],
            0.220092,
            0.220092,
        ),
    ];
    for (what, wanted, said, by_lines, by_file) in cases {
        let scores = score(&ranking(wanted, said)).unwrap();
        assert_near(scores[NDCG_CHUNK], *by_lines, what);
        assert_near(scores[NDCG_FILE], *by_file, what);
    }
}

/// As older releases have it: the ideal has a rank for each place.
#[test]
fn the_old_file_score_counts_places() {
    let places = ["a.rs:1-9", "a.rs:20-29"];
    let scores = score(&ranking(&places, &places)).unwrap();
    assert_near(scores[NDCG_FILE_OLD], 0.613147, "two in a file");
    assert_near(scores[NDCG_FILE], 1.0, "two in a file");
}

/// What it shows, the results with the lines that they show, and the ranks of
/// the first result whose range is right and of the first that shows it.
type Shown = (
    &'static str,
    &'static [&'static str],
    Option<usize>,
    Option<usize>,
);

/// Two places: lines 20 to 29 and 60 to 61.
#[test]
fn right_lines_shown() {
    let cases: &[Shown] = &[
        ("inside", &["a.rs:1-90 22-25"], Some(1), Some(1)),
        ("one line", &["a.rs:1-90 29"], Some(1), Some(1)),
        ("elsewhere in the unit", &["a.rs:1-90 40-44"], Some(1), None),
        ("only next to it", &["a.rs:1-90 17-19,30-32"], Some(1), None),
        ("nothing", &["a.rs:1-90"], Some(1), None),
        ("another file", &["b.rs:1-90 22-25"], None, None),
        // 12 right lines, 12 near them, 66 others.
        ("everything", &["a.rs:1-90 1-90"], Some(1), None),
        // 10 right lines, 6 near them, and as many others as right ones.
        ("half", &["a.rs:1-90 7-32"], Some(1), Some(1)),
        ("less than half", &["a.rs:1-90 6-32"], Some(1), None),
        // 2 right lines with 6 near them.
        ("a small place", &["a.rs:1-90 57-64"], Some(1), Some(1)),
        (
            "the declaration too",
            &["a.rs:1-90 1,57-64"],
            Some(1),
            Some(1),
        ),
        ("scattered", &["a.rs:1-90 1,24,40,80"], Some(1), None),
        ("both places", &["a.rs:1-90 28-29,60-61"], Some(1), Some(1)),
        (
            "the second result",
            &["a.rs:1-90 40-44", "a.rs:20-29 20-24"],
            Some(1),
            Some(2),
        ),
    ];
    for (what, said, whole, shown) in cases {
        let answer = Answer {
            hits: said.iter().map(|text| showing(text)).collect(),
            ..Answer::default()
        };
        let scores = scores(Task::Search, targets(&["a.rs:20-29", "a.rs:60-61"]), answer);
        for k in [1, 5, 10, 100] {
            let within = |rank: &Option<usize>| f64::from(rank.is_some_and(|rank| rank <= k));
            assert_near(scores[&format!("hit@{k}")], within(whole), what);
            assert_near(scores[&shown_within(k)], within(shown), what);
        }
    }
}

/// One result that shows lines of both places counts once, as by ranges.
#[test]
fn ndcg_and_tokens_by_shown_lines() {
    let wanted = ["a.rs:20-29", "a.rs:60-61"];
    let said = ["a.rs:1-90 1-4", "a.rs:1-90 28-29", "a.rs:50-70 60-61"];
    let answer = Answer {
        hits: said.iter().map(|text| showing(text)).collect(),
        ..Answer::default()
    };
    let scores = scores(Task::Search, targets(&wanted), answer);
    // (0.630930 + 0.5) / 1.630930
    assert_near(scores[NDCG_SHOWN], 0.693426, "ranks 2 and 3");
    assert_near(scores[TOKENS_TO_SHOWN], 60.0, "six lines");
}

/// A place that is a whole file is shown by any of its lines, and a result
/// costs what it shows, not what it stands for.
#[test]
fn a_reader_pays_for_what_is_shown() {
    let said = ["b.rs:1-900 1-4", "a.rs:1-900 28-29"];
    let answer = Answer {
        hits: said.iter().map(|text| showing(text)).collect(),
        ..Answer::default()
    };
    let scores = scores(Task::Search, targets(&["a.rs"]), answer);
    assert_near(scores[TOKENS_TO_SHOWN], 60.0, "six lines");
    assert_near(
        scores[&recall_at_tokens(500)],
        1.0,
        "within the least budget",
    );
    assert!(!scores.contains_key(NDCG_SHOWN), "a file is no lines");
}

/// Rows of older runs say nothing of what was shown, and whole files have no
/// lines to show.
#[test]
fn what_is_not_known_is_not_scored() {
    for said in ["a.rs:1-9", "a.rs"] {
        let scores = score(&ranking(&["a.rs:5-9"], &[said])).unwrap();
        assert!(!scores.contains_key(NDCG_SHOWN), "{said}");
    }
}

#[test]
fn what_is_beyond_rank_ten_counts_nothing() {
    // Rank 10 counts 0.289065, rank 11 nothing.
    for (many, wanted) in [(9, 0.289065), (10, 0.0)] {
        let scores = score(&ranking(&["a.rs"], &after(many, "a.rs:1-9"))).unwrap();
        for metric in [NDCG_CHUNK, NDCG_FILE, "ndcg_graded"] {
            assert_near(scores[metric], wanted, metric);
        }
    }
}

/// Ten results are asked for, and those are reduced to files: that is how
/// ColGREP, the best that is published by file, was scored.
#[test]
fn files_are_those_of_the_first_ten_results() {
    let mut said = vec!["x.rs:1-9"; 10];
    said.push("a.rs:1-9");
    let scores = score(&ranking(&["a.rs"], &said)).unwrap();
    assert_near(scores[NDCG_FILE], 0.0, "the eleventh result");
}

#[test]
fn octocode_by_hand() {
    let wanted = ["a.rs:10-30 2", "b.rs:5-9 1", "c.rs:1-4 1"];
    let said = [
        "x.rs:1-5",
        "b.rs:9-12",  // helps: one common line
        "a.rs:31-40", // just behind
        "a.rs:1-10",  // the answer
        "a.rs:30-35", // the answer once more
        "b.rs:1-4",   // just before
        "x.rs:6-9",
        "x.rs:10-19",
        "x.rs:20-29",
        "x.rs:30-39",
        "x.rs:40-49",
        "c.rs:2-2", // helps, at rank 12
    ];
    let scores = score(&ranking(&wanted, &said)).unwrap();
    // Gained: 1 x 0.630930 at rank 2, 2 x 0.430677 at rank 4 and 2 x 0.386853
    // at rank 5 make 2.265989. Ideal: 2 + 0.630930 + 0.5 = 3.130930.
    let wanted = [
        ("hit@1", 0.0),
        ("hit@5", 1.0),
        ("hit@10", 1.0),
        ("mrr", 0.5),
        ("recall@1", 0.0),
        ("recall@5", 2.0 / 3.0),
        ("recall@10", 2.0 / 3.0),
        ("recall@20", 1.0),
        ("ndcg_graded", 0.723743),
    ];
    for (metric, value) in wanted {
        assert_near(scores[metric], value, metric);
    }
}

#[test]
fn the_first_match_counts_up_to_rank_twenty() {
    for (many, mrr, hit) in [
        (0, 1.0, 1.0),
        (3, 0.25, 1.0),
        (19, 0.05, 0.0),
        (20, 0.0, 0.0),
    ] {
        let row = ranking(&["a.rs:1-9"], &after(many, "a.rs:1-9"));
        let scores = score(&row).unwrap();
        assert_near(scores["mrr"], mrr, "mrr");
        assert_near(scores["hit@5"], hit, "hit@5");
        assert_eq!(first_match(&row), Some(many + 1));
    }
}

#[test]
fn graded_ndcg_by_hand() {
    let cases: &[(&str, &[&str], &[&str], f64)] = &[
        // A target cut into three hits earns its grade thrice:
        // (2 + 2 x 0.630930 + 2 x 0.5) / 2 = 2.130930
        (
            "cut",
            &["a.rs:1-30 2"],
            &["a.rs:1-9", "a.rs:10-19", "a.rs:20-29"],
            2.130930,
        ),
        // A hit in two targets earns the higher grade: 2 / (2 + 0.630930)
        (
            "both",
            &["a.rs:1-10 1", "a.rs:5-20 2"],
            &["a.rs:7-7"],
            0.760188,
        ),
        // The help first, then the answer: (1 + 2 x 0.630930) / 2.630930
        (
            "turned",
            &["a.rs 2", "b.rs 1"],
            &["b.rs:1-9", "a.rs:1-9"],
            0.859719,
        ),
        // The ideal order is by grade, not as the suite lists them.
        (
            "ideal",
            &["b.rs 1", "a.rs 2"],
            &["a.rs:1-9", "b.rs:1-9"],
            1.0,
        ),
        ("lost", &["a.rs 2"], &["b.rs:1-9"], 0.0),
    ];
    for (what, wanted, said, value) in cases {
        assert_near(
            score(&ranking(wanted, said)).unwrap()["ndcg_graded"],
            *value,
            what,
        );
    }
}

#[test]
fn tokens_up_to_the_first_match() {
    let cases: &[(&[&str], u32)] = &[
        (&["a.rs:5-9 80"], 80),
        // 100 + 250 + 80
        (
            &[
                "x.rs:1-9 100",
                "a.rs:20-29 250",
                "a.rs:1-9 80",
                "a.rs:5-5 999",
            ],
            430,
        ),
        (&["x.rs:1-9 100"], NEVER),
        (&[], NEVER),
        // 31,990 + 20 is more than anyone reads.
        (&["x.rs:1-9 31990", "a.rs:5-9 20"], NEVER),
        (&["x.rs 4294967295", "y.rs 4294967295", "a.rs 1"], NEVER),
    ];
    assert_eq!(NEVER, 32_000);
    for (said, wanted) in cases {
        let scores = score(&ranking(&["a.rs:5-9"], said)).unwrap();
        assert_near(
            scores[TOKENS_TO_HIT],
            f64::from(*wanted),
            &format!("{said:?}"),
        );
    }
}

#[test]
fn recall_within_budgets() {
    assert_eq!(BUDGETS, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
    let cases: &[(&[&str], [f64; 7])] = &[
        // Sums: 400, 700, 2,000 and 2,001. What ends exactly at a budget fits.
        (
            &[
                "a.rs:1-9 400",
                "x.rs:1-9 300",
                "b.rs:1-9 1300",
                "b.rs:1-9 1",
            ],
            [0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
        ),
        // One reads from the top: what comes after a hit that is too long for
        // the budget is not reached.
        (
            &["x.rs 3000", "a.rs 1", "b.rs 29000"],
            [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5],
        ),
        // The same target again is no second one.
        (&["a.rs 100", "a.rs 100"], [0.5; 7]),
        (&["x.rs 4294967295", "a.rs 1"], [0.0; 7]),
        (&[], [0.0; 7]),
    ];
    for (said, wanted) in cases {
        let scores = score(&ranking(&["a.rs", "b.rs"], said)).unwrap();
        for (budget, value) in BUDGETS.into_iter().zip(wanted) {
            assert_near(
                scores[&recall_at_tokens(budget)],
                *value,
                &format!("{said:?} {budget}"),
            );
        }
    }
}

#[test]
fn four_bytes_are_a_token() {
    for (bytes, wanted) in [(0, 0), (1, 1), (4, 1), (5, 2), (400, 100)] {
        assert_eq!(tokens(bytes), wanted, "{bytes}");
    }
}

/// Asserts precision, recall and F1.
fn check_symbols(what: &str, task: Task, expected: Expected, said: Answer, wanted: [f64; 3]) {
    let scores = scores(task, expected, said);
    for (metric, value) in ["precision", "recall", F1].into_iter().zip(wanted) {
        assert_near(scores[metric], value, &format!("{what}: {metric}"));
    }
}

#[test]
fn definitions_within_three_lines() {
    let cases: &[(&str, &[&str], f64)] = &[
        ("the line", &["a.js:10"], 1.0),
        ("three below", &["a.js:13"], 1.0),
        ("three above", &["a.js:7"], 1.0),
        ("four below", &["a.js:14"], 0.0),
        ("four above", &["a.js:6"], 0.0),
        ("another file", &["b.js:10"], 0.0),
        ("the other of two", &["b.js:52"], 1.0),
        ("one of many", &["c.js:1", "c.js:2", "a.js:9"], 1.0),
        ("no line", &["a.js"], 0.0),
        ("nothing", &[], 0.0),
    ];
    for (what, said, value) in cases {
        let expected = targets(&["a.js:10", "b.js:50"]);
        check_symbols(what, Task::Define, expected, hits(said), [*value; 3]);
    }
}

#[test]
fn references_within_two_lines() {
    let cases: &[(&str, &[&str], [f64; 3])] = &[
        // Distinct: 10, 12 and b:50. 10 and 12 are near 11, b:50 is three from
        // b:53. Precision 2/3, recall 1/3, F1 2 x 2/9 / 1 = 4/9.
        (
            "some",
            &["a.js:10", "a.js:10", "a.js:12", "b.js:50"],
            [2.0 / 3.0, 1.0 / 3.0, 4.0 / 9.0],
        ),
        // Said thrice is said once: precision 1/2, not 3/4. Recall 1/3, F1
        // 2 x 1/6 / (5/6) = 2/5.
        (
            "thrice",
            &["a.js:11", "a.js:11", "a.js:11", "x.js:1"],
            [0.5, 1.0 / 3.0, 0.4],
        ),
        ("all", &["a.js:9", "a.js:42", "b.js:53"], [1.0; 3]),
        ("none right", &["a.js:14", "b.js:11"], [0.0; 3]),
        ("nothing", &[], [0.0; 3]),
    ];
    for (what, said, wanted) in cases {
        let expected = targets(&["a.js:11", "a.js:40", "b.js:53"]);
        check_symbols(what, Task::Refer, expected, hits(said), *wanted);
    }
}

fn neighbours(imports: &[&str], importers: &[&str]) -> Answer {
    Answer {
        files: Some(files(imports, importers)),
        ..Answer::default()
    }
}

#[test]
fn dependencies_are_the_mean_of_both_sides() {
    let cases = [
        // Imports: one of two said, one of two expected. Importers: rightly
        // none. (1/2 + 1) / 2 = 3/4.
        (
            "half",
            files(&["lib/a.ts", "lib/c"], &[]),
            neighbours(&["lib/a.js", "lib/b.js"], &[]),
            [0.75; 3],
        ),
        // Imports 1/2 and 1/1, importers 1/1 and 1/3: precision 3/4, recall
        // 2/3, F1 2 x 1/2 / (17/12) = 12/17.
        (
            "both",
            files(&["a.js"], &["x.js", "y.js", "z.js"]),
            neighbours(&["a.js", "b.js"], &["y.js"]),
            [0.75, 2.0 / 3.0, 12.0 / 17.0],
        ),
        (
            "two extensions of one",
            files(&["a"], &[]),
            neighbours(&["a.js", "a.ts"], &[]),
            [1.0; 3],
        ),
        (
            "a dot in a folder",
            files(&["v1.2/a.js"], &[]),
            neighbours(&["v1.2/a"], &[]),
            [1.0; 3],
        ),
        (
            "a dot in a name",
            files(&["a.test.js"], &[]),
            neighbours(&["a.js"], &[]),
            [0.5; 3],
        ),
        (
            "a hidden file",
            files(&[".a"], &[]),
            neighbours(&[".b"], &[]),
            [0.5; 3],
        ),
        (
            "both empty",
            files(&[], &[]),
            neighbours(&[], &[]),
            [1.0; 3],
        ),
        (
            "nothing said",
            files(&["a.js"], &["b.js"]),
            neighbours(&[], &[]),
            [0.0; 3],
        ),
    ];
    for (what, expected, said, wanted) in cases {
        check_symbols(what, Task::Depend, Expected::Files(expected), said, wanted);
    }
}

/// Where nothing is expected, nothing can be missed: sverklo's own scorer
/// gives such a side recall 1 and precision 0.
#[test]
fn a_side_without_expected_files_misses_none() {
    // Imports 1 and 1; importers 0 and 1: precision 1/2, recall 1, F1 2/3.
    let expected = Expected::Files(files(&["a.js"], &[]));
    let said = neighbours(&["a.js"], &["x.js"]);
    check_symbols(
        "importers",
        Task::Depend,
        expected,
        said,
        [0.5, 1.0, 2.0 / 3.0],
    );
}

#[test]
fn dead_names_are_sets() {
    let cases: &[(&[&str], &[&str], f64)] = &[
        (&[], &[], 1.0),
        (&["a"], &["a"], 1.0),
        // One of two said, one of two expected.
        (&["a", "b"], &["b", "c", "b"], 0.5),
        (&["a"], &[], 0.0),
    ];
    for (expected, said, value) in cases {
        let answer = Answer {
            names: Some(names(said)),
            ..Answer::default()
        };
        let expected = Expected::Names(names(expected));
        check_symbols("names", Task::Dead, expected, answer, [*value; 3]);
    }
    let said = Answer {
        names: Some(names(&["a"])),
        ..Answer::default()
    };
    let scores = scores(Task::Dead, Expected::Names(Vec::new()), said);
    assert_near(scores[F1], 0.0, "a name where there is none");
}

fn every_task() -> [(Task, Expected); 5] {
    [
        (Task::Search, targets(&["a.rs:1-9"])),
        (Task::Define, targets(&["a.rs:1"])),
        (Task::Refer, targets(&["a.rs:1"])),
        (Task::Depend, Expected::Files(files(&[], &[]))),
        (Task::Dead, Expected::Names(Vec::new())),
    ]
}

#[test]
fn what_was_not_answered_has_no_score() {
    for (task, expected) in every_task() {
        for outcome in [Outcome::Unsupported, Outcome::Failed("crashed".into())] {
            let row = row(task, expected.clone(), outcome);
            assert_eq!(score(&row), None, "{row:?}");
            assert_eq!(first_match(&row), None, "{row:?}");
        }
    }
    let nothing_expected = row(
        Task::Search,
        targets(&[]),
        Outcome::Answered(hits(&["a.rs"])),
    );
    assert_eq!(score(&nothing_expected), None);
    let wrong_kind = row(
        Task::Depend,
        Expected::Files(files(&["a"], &[])),
        Outcome::Answered(hits(&["a.rs:1-2"])),
    );
    assert_eq!(score(&wrong_kind), None);
}

#[test]
fn an_answer_keeps_its_time() {
    for (task, expected) in every_task() {
        let answer = Answer {
            files: Some(files(&[], &[])),
            ms: 12.5,
            ..Answer::default()
        };
        assert_near(scores(task, expected, answer)["ms"], 12.5, "ms");
    }
}

/// A row of a question with its answer at a rank, or failed where it has none.
fn asked(system: &str, corpus: &str, category: &str, id: &str, rank: Option<usize>) -> Row {
    let said = rank.map(|rank| Outcome::Answered(hits(&after(rank - 1, "a.rs:1-9"))));
    let answer = said.unwrap_or_else(|| Outcome::Failed("crashed: exit status: 3".into()));
    Row {
        system: system.into(),
        corpus: corpus.into(),
        category: category.into(),
        id: id.into(),
        ..row(Task::Search, targets(&["a.rs:1-9"]), answer)
    }
}

fn only_suite(rows: Vec<Row>, names: &[&str]) -> SuiteSummary {
    let mut summary = summarise(&cells(rows), &systems(names));
    assert_eq!(summary.suites.len(), 1);
    summary.suites.remove(0)
}

fn mean(suite: &SuiteSummary, system: &str, group: &str, metric: &str) -> f64 {
    let system = suite.systems.iter().find(|one| one.name == system).unwrap();
    system.groups[group].means[metric]
}

/// A repository counts as one, however many questions it has.
#[test]
fn means_are_over_repositories() {
    let rows = vec![
        asked("scent", "big", "semantic", "1", Some(1)),
        asked("scent", "big", "semantic", "2", Some(3)),
        asked("scent", "big", "symbol", "3", Some(1)),
        asked("scent", "small", "semantic", "1", Some(3)),
    ];
    let suite = only_suite(rows, &["scent"]);
    assert_eq!((suite.questions, suite.corpora), (4, 2));
    // big: (1 + 0.5 + 1) / 3 = 0.833333, small: 0.5
    let means = [
        (ALL.to_owned(), 0.666667),
        // ((1 + 0.5) / 2 + 0.5) / 2
        (format!("{CATEGORY}semantic"), 0.625),
        (format!("{CATEGORY}symbol"), 1.0),
        (format!("{CORPUS}big"), 0.833333),
        (format!("{CORPUS}small"), 0.5),
    ];
    for (group, wanted) in means {
        assert_near(mean(&suite, "scent", &group, NDCG_FILE), wanted, &group);
    }
}

/// The same questions to scent and to a peer, each answered at a rank.
fn both_asked(ranks: &[(usize, Option<usize>)]) -> SuiteSummary {
    let both = ranks.iter().enumerate().flat_map(|(id, (ours, theirs))| {
        let id = id.to_string();
        [
            asked("scent", "corpus", "semantic", &id, Some(*ours)),
            asked("peer", "corpus", "semantic", &id, *theirs),
        ]
    });
    only_suite(both.collect(), &["scent", "peer"])
}

fn in_table(suite: &SuiteSummary) -> Vec<&str> {
    suite
        .systems
        .iter()
        .map(|system| system.name.as_str())
        .collect()
}

/// One question of 200 failed: it is in neither mean, and it is named.
#[test]
fn a_question_that_failed_is_left_out_of_both_sides() {
    let mut ranks = vec![(1, Some(2)); 199];
    ranks.push((4, None));
    let suite = both_asked(&ranks);
    assert_eq!(
        (in_table(&suite), suite.questions),
        (vec!["scent", "peer"], 199)
    );
    assert_near(mean(&suite, "scent", ALL, "mrr"), 1.0, "scent");
    assert_near(mean(&suite, "peer", ALL, "mrr"), 0.5, "peer");
    assert_eq!(
        says(&suite),
        ["peer: failed at 1 questions (corpus): crashed: exit status: 3"]
    );
}

/// One question of four failed: who fails that often is held against the first
/// alone, and takes no question from the table.
#[test]
fn who_fails_often_is_held_against_the_first_alone() {
    let suite = both_asked(&[(1, Some(1)), (2, Some(4)), (1, Some(2)), (4, None)]);
    assert_eq!((in_table(&suite), suite.questions), (vec!["scent"], 4));
    // (1 + 1/2 + 1 + 1/4) / 4
    assert_near(mean(&suite, "scent", ALL, "mrr"), 0.6875, "scent");
    let [partial] = suite.partial.as_slice() else {
        panic!("{:?}", suite.partial)
    };
    assert_eq!(
        (partial.name.as_str(), partial.answered, partial.failed),
        ("peer", 3, 1)
    );
    // Over the three: (1 + 1/2 + 1) / 3 and (1 + 1/4 + 1/2) / 3.
    let seen = &partial.groups[ALL]["mrr"];
    assert_eq!((seen.questions, seen.wins, seen.losses), (3, 0, 2));
    assert_near(seen.a, 0.833333, "scent");
    assert_near(seen.b, 0.583333, "peer");
    assert_eq!(
        says(&suite),
        ["peer: failed at 1 questions (corpus): crashed: exit status: 3"]
    );
}

fn symbol(system: &str, category: &str, corpus: &str, id: &str, right: bool) -> Row {
    let said = if right { "a.js:1" } else { "b.js:1" };
    let task = if category == "P1" {
        Task::Define
    } else {
        Task::Refer
    };
    Row {
        system: system.into(),
        corpus: corpus.into(),
        category: category.into(),
        id: id.into(),
        ..row(task, targets(&["a.js:1"]), Outcome::Answered(hits(&[said])))
    }
}

fn dead(system: &str, id: &str) -> Row {
    let answer = Answer {
        names: Some(Vec::new()),
        ..Answer::default()
    };
    Row {
        system: system.into(),
        category: "P5".into(),
        id: id.into(),
        ..row(
            Task::Dead,
            Expected::Names(Vec::new()),
            Outcome::Answered(answer),
        )
    }
}

/// Symbol tasks count one each, whatever repository they are about, and
/// silence about dead code is in no headline.
#[test]
fn symbol_means_are_over_tasks() {
    let rows = vec![
        symbol("scent", "P1", "big", "1", true),
        symbol("scent", "P1", "big", "2", true),
        symbol("scent", "P1", "small", "3", false),
        symbol("scent", "P2", "big", "4", false),
        symbol("scent", "P2", "big", "5", false),
        symbol("scent", "P2", "small", "6", true),
        dead("scent", "7"),
    ];
    let suite = only_suite(rows, &["scent"]);
    let means = [
        (format!("{CATEGORY}P1"), 2.0 / 3.0),
        (format!("{CATEGORY}P2"), 1.0 / 3.0),
        (format!("{CATEGORY}P5"), 1.0),
        // 3 of 6; over all seven it would be 4/7.
        (ALL.to_owned(), 0.5),
    ];
    for (group, wanted) in means {
        assert_near(mean(&suite, "scent", &group, F1), wanted, &group);
    }
}

/// Who cannot do a kind of task at all has no mean over the kinds, and takes
/// nobody's questions away.
#[test]
fn what_is_unsupported_is_in_no_mean() {
    let mut rows = vec![
        symbol("scent", "P1", "corpus", "1", true),
        symbol("scent", "P2", "corpus", "2", true),
        symbol("peer", "P1", "corpus", "1", false),
        symbol("peer", "P2", "corpus", "2", false),
    ];
    rows[3].answer = Outcome::Unsupported;
    let suite = only_suite(rows, &["scent", "peer"]);
    assert_eq!(suite.questions, 2);
    assert_near(mean(&suite, "scent", ALL, F1), 1.0, "scent");
    let peer = &suite.systems[1];
    assert_eq!(peer.groups.get(ALL), None);
    assert_eq!(peer.groups.get(&format!("{CATEGORY}P2")), None);
    assert_near(
        mean(&suite, "peer", &format!("{CATEGORY}P1"), F1),
        0.0,
        "peer",
    );
    assert_eq!(says(&suite), [""; 0]);
}

fn says(suite: &SuiteSummary) -> Vec<String> {
    suite.failures.iter().map(ToString::to_string).collect()
}
