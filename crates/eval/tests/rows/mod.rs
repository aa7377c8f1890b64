//! Rows written short: `a.rs:3-9` is a place, `a.rs` a whole file.

// Each test file uses a part of this.
#![allow(dead_code)]

use scent_eval::metrics::{Scores, score};
use scent_eval::row::{
    Answer, Dependencies, Expected, Found, Outcome, Prepared, Row, Target, Task,
};
use scent_eval::store::{Cell, Named};
use scent_types::Lines;

/// `a.rs:3-9`, `a.rs:3` or `a.rs`
fn place(text: &str) -> (String, Option<Lines>) {
    let Some((path, lines)) = text.rsplit_once(':') else {
        return (text.to_owned(), None);
    };
    let (start, end) = lines.split_once('-').unwrap_or((lines, lines));
    (
        path.to_owned(),
        Some(Lines::new(start.parse().unwrap(), end.parse().unwrap())),
    )
}

/// `a.rs:3-9`, or `a.rs:3-9 120` where reading it costs 120 tokens.
pub fn found(text: &str) -> Found {
    let (at, tokens) = text.split_once(' ').unwrap_or((text, "0"));
    let (path, lines) = place(at);
    Found {
        path,
        lines,
        tokens: tokens.parse().unwrap(),
        ..Found::default()
    }
}

/// `a.rs:1-60 3-5,9` is a result that shows these lines of itself.
pub fn showing(text: &str) -> Found {
    let (at, shown) = text.split_once(' ').unwrap_or((text, ""));
    let ranges = shown.split(',').filter(|range| !range.is_empty());
    let lines = |range| place(&format!(":{range}")).1.unwrap();
    let shown: Vec<Lines> = ranges.map(lines).collect();
    Found {
        shown_tokens: shown.iter().map(|lines| 10 * lines.count()).sum(),
        shown: Some(shown),
        ..found(at)
    }
}

/// `a.rs:3-9`, or `a.rs:3-9 1` where it only helps.
pub fn target(text: &str) -> Target {
    let (at, grade) = text.split_once(' ').unwrap_or((text, "2"));
    let (path, lines) = place(at);
    Target {
        path,
        lines,
        grade: grade.parse().unwrap(),
    }
}

pub fn targets(texts: &[&str]) -> Expected {
    Expected::Places(texts.iter().map(|text| target(text)).collect())
}

pub fn hits(texts: &[&str]) -> Answer {
    Answer {
        hits: texts.iter().map(|text| found(text)).collect(),
        ..Answer::default()
    }
}

pub fn names(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub fn files(imports: &[&str], importers: &[&str]) -> Dependencies {
    Dependencies {
        imports: names(imports),
        importers: names(importers),
    }
}

/// A row of no particular suite.
pub fn row(task: Task, expected: Expected, answer: Outcome) -> Row {
    Row {
        class: None,
        system: "scent".into(),
        suite: "suite".into(),
        corpus: "corpus".into(),
        split: "dev".into(),
        language: "rust".into(),
        category: "semantic".into(),
        id: "q".into(),
        query: "q".into(),
        task,
        expected,
        answer,
    }
}

/// A ranking that was answered.
pub fn ranking(wanted: &[&str], said: &[&str]) -> Row {
    row(Task::Search, targets(wanted), Outcome::Answered(hits(said)))
}

/// The scores of an answer.
pub fn scores(task: Task, expected: Expected, answer: Answer) -> Scores {
    score(&row(task, expected, Outcome::Answered(answer))).unwrap()
}

/// Rows in cells, a cell for each system and repository.
pub fn cells(rows: impl IntoIterator<Item = Row>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for row in rows {
        let of_row = |cell: &Cell| {
            let Prepared {
                system,
                suite,
                corpus,
                ..
            } = &cell.prepared;
            (system, suite, corpus) == (&row.system, &row.suite, &row.corpus)
        };
        let at = cells.iter().position(of_row).unwrap_or_else(|| {
            let (system, suite) = (row.system.clone(), row.suite.clone());
            let corpus = row.corpus.clone();
            let prepared = Prepared {
                system,
                suite,
                corpus,
                ..Prepared::default()
            };
            cells.push(Cell {
                prepared,
                rows: Vec::new(),
            });
            cells.len() - 1
        });
        cells[at].rows.push(row);
    }
    cells
}

pub fn systems(names: &[&str]) -> Vec<Named> {
    names
        .iter()
        .map(|name| Named {
            name: (*name).to_owned(),
            ..Named::default()
        })
        .collect()
}

/// Asserts that two numbers agree as far as a hand with six digits does.
pub fn assert_near(seen: f64, wanted: f64, what: &str) {
    assert!((seen - wanted).abs() < 2e-6, "{what}: {seen}, not {wanted}");
}
