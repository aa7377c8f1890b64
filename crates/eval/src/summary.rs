//! Rows become tables: means by suite, category, language and repository, and
//! what it took to get them.
//!
//! A mean is taken over repositories of the mean over their questions, so that
//! a repository with many questions counts as one. Only questions that every
//! system in the table answered are in it. A system that failed at more than a
//! few is in no table with others: it is held against the first system alone,
//! on what both answered.

use crate::compare::{self, Difference, Pairs};
use crate::metrics::{F1, NDCG_CHUNK, NDCG_FILE, Scores, score};
use crate::row::{Outcome, Row, Task};
use crate::run::{Cell, Named};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A system that failed at more than this share of a suite would take too many
/// questions from the others.
const FEW_FAILURES: f64 = 0.005;

/// The category that silence answers; never in a mean over categories.
const DEAD_CODE: &str = "P5";

/// Metrics that are held against the first system's.
const COMPARED: [&str; 6] = [NDCG_CHUNK, NDCG_FILE, "ndcg_graded", "hit@5", "mrr", F1];

/// All suites of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// One table a suite.
    pub suites: Vec<SuiteSummary>,
}

/// All systems on one suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuiteSummary {
    /// The suite's name.
    pub name: String,
    /// How many questions every system answered.
    pub questions: usize,
    /// How many repositories they are about.
    pub corpora: usize,
    /// `dev`, `test` or both.
    pub splits: Vec<String>,
    /// The systems in order.
    pub systems: Vec<SystemSummary>,
    /// Systems that failed at many questions.
    pub partial: Vec<Partial>,
    /// Who failed at what, and what was left out for it.
    pub failures: Vec<String>,
    /// At how many questions the program gave what the engine gave inside the
    /// harness, of how many; none where it was not asked.
    pub same_as_program: Option<(usize, usize)>,
}

/// A system that failed at many questions, against the first system on those
/// that both answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Partial {
    /// Its name.
    pub name: String,
    /// How many questions it answered.
    pub answered: usize,
    /// How many it failed at.
    pub failed: usize,
    /// The first system is A, it is B.
    pub against: BTreeMap<String, Difference>,
    /// What it took.
    pub speed: Speed,
}

/// One system on one suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SystemSummary {
    /// Its name.
    pub name: String,
    /// The system in its own words.
    pub version: String,
    /// What it took.
    pub speed: Speed,
    /// Means by group; the group of all is called `all`.
    pub groups: BTreeMap<String, GroupSummary>,
}

/// One system on some of the questions of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// How many questions.
    pub questions: usize,
    /// The means.
    pub means: Scores,
    /// Against the first system, by metric; empty for the first.
    pub gains: BTreeMap<String, Difference>,
}

/// What it took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// All repositories of the suite, in milliseconds.
    pub index_ms: f64,
    /// All indexes on disk.
    pub index_bytes: u64,
    /// All files that were given.
    pub given_bytes: u64,
    /// The most that any repository took, where it is known.
    pub peak_bytes: Option<u64>,
    /// Half of the questions took less, in milliseconds.
    pub p50_ms: f64,
    /// 95 of 100 took less.
    pub p95_ms: f64,
    /// From nothing to the first answer: the median over repositories.
    pub first_ms: f64,
}

/// The group of all questions.
pub const ALL: &str = "all";

/// Groups that have a name: `category: symbol`.
pub const CATEGORY: &str = "category: ";
/// By the language of the repository or of the answer.
pub const LANGUAGE: &str = "language: ";
/// By split.
pub const SPLIT: &str = "split: ";
/// By repository.
pub const CORPUS: &str = "repository: ";

/// Everything that is reported of these cells.
pub fn summarise(cells: &[Cell], systems: &[Named]) -> Summary {
    let mut names: Vec<&str> = Vec::new();
    for cell in cells {
        if !names.contains(&cell.prepared.suite.as_str()) {
            names.push(&cell.prepared.suite);
        }
    }
    let of = |name: &str| -> Vec<Cell> {
        cells.iter().filter(|cell| cell.prepared.suite == name).cloned().collect()
    };
    let suites = names.into_iter().map(|name| suite(name, &of(name), systems)).collect();
    Summary { suites }
}

fn suite(name: &str, cells: &[Cell], systems: &[Named]) -> SuiteSummary {
    let mut failures = Vec::new();
    let mut taking_part: Vec<(&str, Vec<Cell>)> = Vec::new();
    let mut failing: Vec<(&str, Failures, Vec<Cell>)> = Vec::new();
    for system in systems {
        let own: Vec<Cell> =
            cells.iter().filter(|cell| cell.prepared.system == system.name).cloned().collect();
        let failed = failures_of(&own);
        failures.extend(failed.says.iter().map(|why| format!("{}: {why}", system.name)));
        match () {
            () if own.is_empty() => {}
            () if failed.answered == 0 => {
                failures.push(format!("{}: answers no question of this suite", system.name));
            }
            () if failed.share() > FEW_FAILURES => failing.push((&system.name, failed, own)),
            () => taking_part.push((&system.name, own)),
        }
    }
    let first = taking_part.first().map(|(_, cells)| cells.clone()).unwrap_or_default();
    let common = common_questions(&taking_part);
    for (_, cells) in &mut taking_part {
        for cell in cells {
            cell.rows.retain(|row| common.contains(&key(row)));
        }
    }
    let Some((_, base)) = taking_part.first() else {
        return SuiteSummary { name: name.to_owned(), failures, ..SuiteSummary::default() };
    };
    let rows = || base.iter().flat_map(|cell| &cell.rows);
    let splits: BTreeSet<String> = rows().map(|row| row.split.clone()).collect();
    let corpora: BTreeSet<&str> = rows().map(|row| row.corpus.as_str()).collect();
    SuiteSummary {
        name: name.to_owned(),
        questions: common.len(),
        corpora: corpora.len(),
        splits: splits.into_iter().collect(),
        systems: taking_part.iter().map(|(name, cells)| system(name, cells, base)).collect(),
        partial: failing.iter().map(|(name, f, cells)| partial(name, f, &first, cells)).collect(),
        failures,
        same_as_program: same_as_program(&taking_part),
    }
}

/// The engine inside the harness, and the program that users start.
const INSIDE: &str = "scent";
const PROGRAM: &str = "scent-process";

/// What is measured is to be what users get.
fn same_as_program(systems: &[(&str, Vec<Cell>)]) -> Option<(usize, usize)> {
    let of = |wanted: &str| systems.iter().find(|(name, _)| *name == wanted).map(|(_, c)| c);
    let pairs = compare::pairs(of(INSIDE)?, of(PROGRAM)?);
    let rankings: Vec<_> = pairs.both.iter().filter(|p| p.a.task == Task::Search).collect();
    let hits = |row: &Row| row.answered().map(|answer| answer.hits.clone());
    let same = rankings.iter().filter(|pair| hits(pair.a) == hits(pair.b)).count();
    (!rankings.is_empty()).then_some((same, rankings.len()))
}

fn partial(name: &str, failed: &Failures, first: &[Cell], cells: &[Cell]) -> Partial {
    let pairs = compare::pairs(first, cells);
    let difference =
        |metric: &str| Some((metric.to_owned(), compare::difference(pairs.both.iter(), metric)?));
    Partial {
        name: name.to_owned(),
        answered: failed.answered,
        failed: failed.failed,
        against: COMPARED.iter().filter_map(|metric| difference(metric)).collect(),
        speed: speed(cells),
    }
}

struct Failures {
    answered: usize,
    failed: usize,
    says: Vec<String>,
}

impl Failures {
    fn share(&self) -> f64 {
        self.failed as f64 / (self.answered + self.failed) as f64
    }
}

fn failures_of(cells: &[Cell]) -> Failures {
    let mut failures = Failures { answered: 0, failed: 0, says: Vec::new() };
    let mut reasons: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for row in cells.iter().flat_map(|cell| &cell.rows) {
        match &row.answer {
            Outcome::Answered(_) => failures.answered += 1,
            Outcome::Unsupported => {}
            Outcome::Failed(why) => {
                failures.failed += 1;
                let reason = reasons.entry(why).or_default();
                reason.0 += 1;
                reason.1.insert(&row.corpus);
            }
        }
    }
    for (why, (times, corpora)) in reasons {
        let corpora = corpora.into_iter().collect::<Vec<_>>().join(", ");
        failures.says.push(format!("{times} questions failed ({corpora}): {why}"));
    }
    failures
}

type Key = (String, String, String);

fn key(row: &Row) -> Key {
    (row.category.clone(), row.corpus.clone(), row.id.clone())
}

/// What all answered that answer this category at all.
fn common_questions(systems: &[(&str, Vec<Cell>)]) -> HashSet<Key> {
    let answered: Vec<HashSet<Key>> = systems
        .iter()
        .map(|(_, cells)| {
            let rows = cells.iter().flat_map(|cell| &cell.rows);
            rows.filter(|row| score(row).is_some()).map(key).collect()
        })
        .collect();
    let categories = |set: &HashSet<Key>| set.iter().map(|k| k.0.clone()).collect::<HashSet<_>>();
    let known: Vec<HashSet<String>> = answered.iter().map(categories).collect();
    let all: HashSet<Key> = answered.iter().flatten().cloned().collect();
    let by_all = |question: &Key| {
        answered.iter().zip(&known).all(|(a, k)| !k.contains(&question.0) || a.contains(question))
    };
    all.into_iter().filter(by_all).collect()
}

fn system(name: &str, cells: &[Cell], base: &[Cell]) -> SystemSummary {
    let is_base =
        cells.first().map(|c| &c.prepared.system) == base.first().map(|c| &c.prepared.system);
    let pairs = if is_base { Pairs::default() } else { compare::pairs(base, cells) };
    let mut members: BTreeMap<String, Vec<(&Row, Scores)>> = BTreeMap::new();
    for row in cells.iter().flat_map(|cell| &cell.rows) {
        let Some(scores) = score(row) else { continue };
        for group in groups_of(row) {
            members.entry(group).or_default().push((row, scores.clone()));
        }
    }
    // A mean over categories says nothing of one who leaves some out.
    let asked: BTreeSet<&str> = categories(base).chain(categories(cells)).collect();
    let answered: BTreeSet<&str> =
        members.values().flatten().map(|(row, _)| row.category.as_str()).collect();
    if asked.iter().any(|category| *category != DEAD_CODE && !answered.contains(category)) {
        members.remove(ALL);
    }
    let groups =
        members.iter().map(|(group, rows)| (group.clone(), summary_of(group, rows, &pairs)));
    SystemSummary {
        name: name.to_owned(),
        version: cells
            .iter()
            .map(|c| c.prepared.version.clone())
            .find(|v| !v.is_empty())
            .unwrap_or_default(),
        speed: speed(cells),
        groups: groups.collect(),
    }
}

fn categories(cells: &[Cell]) -> impl Iterator<Item = &str> {
    cells.iter().flat_map(|cell| &cell.rows).map(|row| row.category.as_str())
}

fn groups_of(row: &Row) -> Vec<String> {
    let mut groups = vec![
        format!("{CATEGORY}{}", row.category),
        format!("{LANGUAGE}{}", row.language),
        format!("{SPLIT}{}", row.split),
        format!("{CORPUS}{}", row.corpus),
    ];
    if row.category != DEAD_CODE {
        groups.push(ALL.to_owned());
    }
    groups
}

fn summary_of(group: &str, rows: &[(&Row, Scores)], pairs: &Pairs) -> GroupSummary {
    let mut gains = BTreeMap::new();
    if !group.starts_with(CORPUS) {
        let metrics = COMPARED.iter().take(if group == ALL { COMPARED.len() } else { 2 });
        for metric in metrics.chain(Some(&F1)) {
            let inside = pairs.both.iter().filter(|p| groups_of(p.b).iter().any(|g| g == group));
            let difference = compare::difference(inside, metric);
            gains.extend(difference.map(|difference| ((*metric).to_owned(), difference)));
        }
    }
    GroupSummary { questions: rows.len(), means: means(rows), gains }
}

/// The mean over strata of the mean of each.
fn means(rows: &[(&Row, Scores)]) -> Scores {
    let mut groups: BTreeMap<&str, Vec<&Scores>> = BTreeMap::new();
    for (row, scores) in rows {
        groups.entry(row.stratum()).or_default().push(scores);
    }
    let mut sums: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for scores in groups.values() {
        let names: BTreeSet<&str> =
            scores.iter().flat_map(|s| s.keys()).map(|k| k.as_str()).collect();
        for name in names {
            let values: Vec<f64> = scores.iter().filter_map(|s| s.get(name)).copied().collect();
            sums.entry(name).or_default().push(values.iter().sum::<f64>() / values.len() as f64);
        }
    }
    let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    sums.iter().map(|(name, values)| ((*name).to_owned(), mean(values))).collect()
}

fn speed(cells: &[Cell]) -> Speed {
    let times = |cell: &Cell| -> Vec<f64> {
        cell.rows.iter().filter_map(|row| Some(row.answered()?.ms)).collect()
    };
    let all: Vec<f64> = cells.iter().flat_map(times).collect();
    let first: Vec<f64> = cells
        .iter()
        .filter(|cell| cell.prepared.error.is_none())
        .map(|cell| cell.prepared.index_ms + quantile(times(cell), 0.5))
        .collect();
    Speed {
        index_ms: cells.iter().map(|cell| cell.prepared.index_ms).sum(),
        index_bytes: cells.iter().map(|cell| cell.prepared.index_bytes).sum(),
        given_bytes: cells.iter().map(|cell| cell.prepared.given_bytes).sum(),
        peak_bytes: cells.iter().filter_map(|cell| cell.prepared.peak_bytes).max(),
        p50_ms: quantile(all.clone(), 0.5),
        p95_ms: quantile(all, 0.95),
        first_ms: quantile(first, 0.5),
    }
}

/// The value that this share of all values does not pass; 0 of none.
pub fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let at = ((values.len() as f64 * share).ceil() as usize).max(1) - 1;
    values.get(at).copied().unwrap_or(0.0)
}
