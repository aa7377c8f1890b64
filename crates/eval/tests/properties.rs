//! What holds for every answer to every question.

mod rows;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use rows::{cells, row, systems};
use scent_eval::compare::{difference, pairs};
use scent_eval::metrics::{NDCG_CHUNK, NDCG_FILE, Scores, less_is_better, score};
use scent_eval::row::{Answer, Expected, Found, Outcome, Row, Target, Task};
use scent_eval::store::Cell;
use scent_eval::summary::{ALL, Summary, summarise};
use scent_types::Lines;
use serde_json::Value;
use std::collections::BTreeSet;

/// Sums in another order differ in the last digits.
const SAME: f64 = 1e-9;

/// No file beside the sources remembers a failure: a bug gets a test.
/// The rows of cells.
fn rows_of(cells: &[Cell]) -> impl Iterator<Item = &Row> {
    cells.iter().flat_map(|cell| &cell.rows)
}

fn config(cases: u32) -> ProptestConfig {
    // Every step back costs as much as a case.
    let max_shrink_iters = 200;
    let failure_persistence = None;
    ProptestConfig {
        cases,
        max_shrink_iters,
        failure_persistence,
        ..ProptestConfig::default()
    }
}

fn lines() -> impl Strategy<Value = Lines> {
    (1u32..40, 0u32..12).prop_map(|(start, more)| Lines::new(start, start + more))
}

/// A place in one of the first `files` files.
fn found(files: usize) -> impl Strategy<Value = Found> {
    (0..files, option::weighted(0.9, lines()), 0u32..3000).prop_map(|(file, lines, tokens)| Found {
        path: format!("f{file}.rs"),
        lines,
        tokens,
        shown: lines.map(|lines| vec![lines]),
        shown_tokens: tokens,
    })
}

fn target(files: usize) -> impl Strategy<Value = Target> {
    (0..files, option::weighted(0.8, lines()), 1u8..3).prop_map(|(file, lines, grade)| Target {
        path: format!("f{file}.rs"),
        lines,
        grade,
    })
}

fn targets() -> impl Strategy<Value = Vec<Target>> {
    vec(target(8), 1..13)
}

fn answered(task: Task, targets: Vec<Target>, hits: Vec<Found>) -> Row {
    let answer = Answer {
        hits,
        ..Answer::default()
    };
    row(task, Expected::Places(targets), Outcome::Answered(answer))
}

fn ranking() -> impl Strategy<Value = Row> {
    (targets(), vec(found(8), 0..60))
        .prop_map(|(targets, hits)| answered(Task::Search, targets, hits))
}

/// What became of a question: mostly an answer.
fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        12 => vec(found(8), 0..12)
            .prop_map(|hits| Outcome::Answered(Answer { hits, ..Answer::default() })),
        1 => Just(Outcome::Failed("crashed".into())),
    ]
}

/// The same questions to two systems, over up to three repositories.
fn two_systems(task: Task) -> impl Strategy<Value = Vec<Row>> {
    vec(
        (0..3usize, 0..2usize, targets(), outcome(), outcome()),
        1..4,
    )
    .prop_map(move |asked| {
        let both = asked
            .into_iter()
            .enumerate()
            .flat_map(|(id, (corpus, sort, targets, a, b))| {
                [("a", a), ("b", b)].map(|(system, outcome)| Row {
                    system: system.into(),
                    corpus: format!("corpus-{corpus}"),
                    category: ["semantic", "symbol"][sort].into(),
                    id: id.to_string(),
                    ..row(task, Expected::Places(targets.clone()), outcome)
                })
            });
        both.collect()
    })
}

fn of(system: &str, cells: &[Cell]) -> Vec<Cell> {
    cells
        .iter()
        .filter(|cell| cell.prepared.system == system)
        .cloned()
        .collect()
}

fn hits_of(row: &Row) -> Vec<Found> {
    row.answered().unwrap().hits.clone()
}

fn with_hits(row: &Row, hits: Vec<Found>) -> Row {
    Row {
        answer: Outcome::Answered(Answer {
            hits,
            ..Answer::default()
        }),
        ..row.clone()
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < SAME
}

/// Whether two JSON values agree, numbers up to the last digits.
fn agree(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => near(a.as_f64().unwrap(), b.as_f64().unwrap()),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.keys().eq(b.keys()) && a.iter().all(|(key, value)| agree(value, &b[key]))
        }
        _ => a == b,
    }
}

fn as_value(summary: &Summary) -> Value {
    serde_json::to_value(summary).unwrap()
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn shares_are_between_0_and_1(row in ranking()) {
        let free = ["ndcg_graded", "tokens_to_hit", "tokens_to_shown", "ms"];
        let scores = score(&row).unwrap();
        for (metric, value) in scores.iter().filter(|(name, _)| !free.contains(&name.as_str())) {
            prop_assert!((0.0..=1.0 + SAME).contains(value), "{} {}", metric, value);
        }
        prop_assert!(scores["ndcg_graded"] >= 0.0);
    }

    #[test]
    fn a_perfect_ranking_has_ndcg_1(mut targets in vec(target(1), 1..15)) {
        for (at, target) in targets.iter_mut().enumerate() {
            target.path = format!("f{at}.rs");
        }
        targets.sort_by_key(|target| std::cmp::Reverse(target.grade));
        let hit = |t: &Target| whole(t);
        let hits = targets.iter().map(hit).collect();
        let scores = score(&answered(Task::Search, targets, hits)).unwrap();
        for metric in [NDCG_CHUNK, NDCG_FILE, "ndcg_graded"] {
            prop_assert!(near(scores[metric], 1.0), "{} {}", metric, scores[metric]);
        }
    }

    /// Several places in one file are one right file.
    #[test]
    fn a_perfect_ranking_has_every_right_file(targets in vec(target(4), 1..10)) {
        let hits = targets.iter().map(whole).collect();
        let scores = score(&answered(Task::Search, targets, hits)).unwrap();
        prop_assert!(near(scores[NDCG_FILE], 1.0), "{}", scores[NDCG_FILE]);
    }

    #[test]
    fn lines_elsewhere_gain_nothing(row in ranking(), more in lines()) {
        let mut hits = hits_of(&row);
        for hit in &mut hits {
            let far = Lines::new(more.start + 1000, more.end + 1000);
            hit.shown.iter_mut().for_each(|shown| shown.push(far));
        }
        let (before, after) = (score(&row).unwrap(), score(&with_hits(&row, hits)).unwrap());
        let by_shown = before.iter().filter(|(name, _)| name.contains("shown"));
        for (metric, before) in by_shown {
            let gain = (after[metric] - before) * if less_is_better(metric) { -1.0 } else { 1.0 };
            prop_assert!(gain <= SAME, "{} {}", metric, gain);
        }
    }

    #[test]
    fn an_irrelevant_result_in_between_helps_nobody(
        row in ranking(),
        at in any::<prop::sample::Index>(),
        tokens in 0u32..5000,
    ) {
        for task in [Task::Search, Task::Define, Task::Refer] {
            let row = Row { task, ..row.clone() };
            let mut hits = hits_of(&row);
            let lines = Some(Lines::new(1, 9));
            let other = Found {
                path: "elsewhere.rs".into(),
                lines,
                tokens,
                shown: lines.map(|lines| vec![lines]),
                shown_tokens: tokens,
            };
            hits.insert(at.index(hits.len() + 1), other);
            let (before, after) = (score(&row).unwrap(), score(&with_hits(&row, hits)).unwrap());
            for (metric, before) in &before {
                let gain = (after[metric] - before) * if less_is_better(metric) { -1.0 } else { 1.0 };
                prop_assert!(gain <= SAME, "{:?} {} {}", task, metric, gain);
            }
        }
    }

    #[test]
    fn what_comes_after_rank_100_is_on_no_page(
        targets in targets(),
        hits in vec(found(8), 100..102),
        more in vec(found(8), 0..20),
    ) {
        let (before, after) = before_and_after(targets, hits, more);
        let on_pages = |name: &&String| {
            let is_page = name.contains('@') || name.as_str() == "mrr";
            is_page && !name.starts_with("shown")
        };
        let pages: BTreeSet<&String> = before.keys().filter(on_pages).collect();
        prop_assert_eq!(pages.len(), 9);
        for metric in pages.into_iter().map(String::as_str).chain([NDCG_CHUNK, "ndcg_graded"]) {
            prop_assert_eq!(before[metric], after[metric], "{}", metric);
        }
    }

    /// The first 50 results may be of few files; those that follow are on no
    /// first page for that.
    #[test]
    fn what_comes_after_rank_50_is_no_file_of_the_first_ten(
        targets in targets(),
        hits in vec(found(3), 50..52),
        more in vec(found(8), 0..20),
    ) {
        let (before, after) = before_and_after(targets, hits, more);
        prop_assert_eq!(before[NDCG_FILE], after[NDCG_FILE]);
    }
}

/// The scores of a ranking, and of the same with more behind it.
fn before_and_after(targets: Vec<Target>, hits: Vec<Found>, more: Vec<Found>) -> (Scores, Scores) {
    let before = answered(Task::Search, targets, hits.clone());
    let after = with_hits(&before, [hits, more].concat());
    (score(&before).unwrap(), score(&after).unwrap())
}

/// The names of repositories and of their files, told another way.
fn renamed(mut row: Row) -> Row {
    // The order of the names is turned around, too.
    let last = row.corpus.pop().unwrap().to_digit(10).unwrap();
    row.corpus = format!("{}-renamed", 9 - last);
    let path = |path: &mut String| *path = format!("moved/{}/{path}", 9 - last);
    if let Expected::Places(targets) = &mut row.expected {
        targets.iter_mut().for_each(|target| path(&mut target.path));
    }
    if let Outcome::Answered(answer) = &mut row.answer {
        answer.hits.iter_mut().for_each(|hit| path(&mut hit.path));
    }
    row
}

/// The means over all questions, of each system that is in the table.
fn means(summary: &Summary) -> Vec<(&str, Option<&Scores>)> {
    let systems = summary.suites.iter().flat_map(|suite| &suite.systems);
    systems
        .map(|s| (s.name.as_str(), s.groups.get(ALL).map(|group| &group.means)))
        .collect()
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn names_of_repositories_do_not_matter(
        rows in prop_oneof![two_systems(Task::Search), two_systems(Task::Refer)],
    ) {
        for row in &rows {
            prop_assert_eq!(score(row), score(&renamed(row.clone())));
        }
        let systems = systems(&["a", "b"]);
        let before = summarise(&cells(rows.clone()), &systems);
        let after = summarise(&cells(rows.into_iter().map(renamed)), &systems);
        let (before, after) = (means(&before), means(&after));
        let (before, after) =
            (serde_json::to_value(before).unwrap(), serde_json::to_value(after).unwrap());
        prop_assert!(agree(&before, &after), "{}\n{}", before, after);
    }

    #[test]
    fn nothing_is_better_than_itself(rows in two_systems(Task::Search)) {
        let cells = cells(rows);
        let a = of("a", &cells);
        let pairs = pairs(rows_of(&a), rows_of(&a));
        for metric in metrics(&pairs.both) {
            let seen = difference(pairs.both.iter(), &metric).unwrap();
            prop_assert_eq!((seen.gain.mean, seen.gain.low, seen.gain.high), (0.0, 0.0, 0.0));
            prop_assert_eq!((seen.wins, seen.losses), (0, 0));
            prop_assert_eq!(seen.a, seen.b);
        }
    }

    #[test]
    fn a_difference_turned_around_is_its_negative(
        rows in prop_oneof![two_systems(Task::Search), two_systems(Task::Define)],
    ) {
        let cells = cells(rows);
        let (a, b) = (of("a", &cells), of("b", &cells));
        let (there, back) = (pairs(rows_of(&a), rows_of(&b)), pairs(rows_of(&b), rows_of(&a)));
        prop_assert_eq!(there.both.len(), back.both.len());
        prop_assert_eq!(there.left_out, back.left_out);
        for metric in [NDCG_CHUNK, NDCG_FILE, "mrr", "recall@5", "tokens_to_hit", "f1"] {
            let ahead = difference(there.both.iter(), metric);
            let behind = difference(back.both.iter(), metric);
            let (Some(ahead), Some(behind)) = (ahead, behind) else { continue };
            prop_assert_eq!((ahead.a, ahead.b), (behind.b, behind.a));
            prop_assert_eq!((ahead.wins, ahead.losses), (behind.losses, behind.wins));
            prop_assert_eq!(ahead.gain.mean, -behind.gain.mean);
            prop_assert_eq!((ahead.gain.low, ahead.gain.high), (-behind.gain.high, -behind.gain.low));
        }
    }

    /// Each may have been asked what the other was not.
    #[test]
    fn questions_left_out_are_counted_from_both_sides(
        rows in two_systems(Task::Search),
        missing in any::<prop::sample::Index>(),
    ) {
        let mut rows = rows;
        rows.remove(missing.index(rows.len()));
        let cells = cells(rows);
        let (a, b) = (of("a", &cells), of("b", &cells));
        prop_assert_eq!(pairs(rows_of(&a), rows_of(&b)).left_out, pairs(rows_of(&b), rows_of(&a)).left_out);
    }
}

fn metrics(pairs: &[scent_eval::compare::Pair]) -> BTreeSet<String> {
    pairs
        .iter()
        .flat_map(|pair| pair.scores_a.keys())
        .cloned()
        .collect()
}

/// Cells, and the same in another order.
fn shuffled(task: Task) -> impl Strategy<Value = (Vec<Cell>, Vec<Cell>)> {
    two_systems(task)
        .prop_map(cells)
        .prop_flat_map(|cells| (Just(cells.clone()), Just(cells).prop_shuffle()))
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn the_order_of_cells_does_not_matter((one, other) in shuffled(Task::Search)) {
        let systems = systems(&["a", "b"]);
        let (one, other) = (summarise(&one, &systems), summarise(&other, &systems));
        prop_assert!(agree(&as_value(&one), &as_value(&other)), "{:?}\n{:?}", one, other);
    }
}

/// Symbol tasks of several repositories are drawn together.
#[test]
fn the_order_of_cells_does_not_matter_to_intervals() {
    let task = |(id, right): (usize, &u32)| {
        let said = (0..*right).map(|line| found_at(line * 10)).collect();
        let silent = Vec::new();
        [("a", silent), ("b", said)].map(|(system, hits)| Row {
            system: system.into(),
            corpus: format!("corpus-{}", id % 2),
            category: "P2".into(),
            id: id.to_string(),
            ..answered(
                Task::Refer,
                (0..9).map(|line| target_at(line * 10)).collect(),
                hits,
            )
        })
    };
    let cells = cells(
        [0, 9, 1, 3, 5, 0, 2, 7, 8, 4]
            .iter()
            .enumerate()
            .flat_map(task),
    );
    let turned: Vec<Cell> = cells.iter().rev().cloned().collect();
    let interval = |cells: &[Cell]| {
        let summary = summarise(cells, &systems(&["a", "b"]));
        summary.suites[0].systems[1].groups[ALL].gains["f1"].gain
    };
    let (one, other) = (interval(&cells), interval(&turned));
    assert!(
        near(one.low, other.low) && near(one.high, other.high),
        "{one:?} {other:?}"
    );
}

/// A result that is the place.
fn whole(target: &Target) -> Found {
    Found {
        path: target.path.clone(),
        lines: target.lines,
        tokens: 10,
        ..Found::default()
    }
}

fn found_at(line: u32) -> Found {
    Found {
        path: "f.rs".into(),
        lines: Some(Lines::new(line + 1, line + 1)),
        ..Found::default()
    }
}

fn target_at(line: u32) -> Target {
    Target {
        path: "f.rs".into(),
        lines: Some(Lines::new(line + 1, line + 1)),
        grade: 2,
    }
}
