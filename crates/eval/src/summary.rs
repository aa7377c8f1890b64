//! Rows become tables: means by category, language and repository, and what it
//! took to get them. Each split of a suite has a table of its own: what was
//! looked at while the engine was made is not mixed with what was not.
//!
//! A mean is taken over repositories of the mean over their questions, so that
//! a repository with many questions counts as one. Only questions that every
//! system in the table answered are in it. A system that failed at more than a
//! few is in no table with others: it is held against the first system alone,
//! on what both answered.

use crate::bootstrap::mean;
use crate::compare::{self, Difference, Pair, Pairs};
use crate::metrics::{
    BUDGETS, F1, NDCG_CHUNK, NDCG_FILE, NDCG_FILE_OLD, NDCG_GRADED, NDCG_SHOWN, Scores,
    TOKENS_TO_HIT, TOKENS_TO_SHOWN, is_blind, recall_at_tokens, score, score_if_blind,
};
use crate::row::{Expected, Outcome, Row, Task};
use crate::store::{Cell, Named};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// A system that failed at more than this share of a suite would take too many
/// questions from the others.
const FEW_FAILURES: f64 = 0.005;

/// The category that silence answers; never in a mean over categories.
const DEAD_CODE: &str = "P5";

/// Metrics that are held against the first system's everywhere.
const MAIN: [&str; 5] = [NDCG_CHUNK, NDCG_FILE, "hit@5", "mrr", F1];

/// Further ones that are held against it over all questions.
const FURTHER: [&str; 13] = [
    NDCG_FILE_OLD,
    NDCG_GRADED,
    NDCG_SHOWN,
    "hit@1",
    "hit@10",
    "hit@100",
    "recall@10",
    "shown@1",
    "shown@5",
    "shown@10",
    "shown@100",
    TOKENS_TO_HIT,
    TOKENS_TO_SHOWN,
];

/// All suites of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// One table for each split of each suite.
    pub suites: Vec<SuiteSummary>,
}

/// All systems on one split of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuiteSummary {
    /// The suite's name.
    pub name: String,
    /// `dev` or `test`.
    pub split: String,
    /// How many questions every system answered.
    pub questions: usize,
    /// How many repositories they are about.
    pub corpora: usize,
    /// Whether every expected place has lines. Where it has not, every result
    /// of a file earns its grade, and graded gain means nothing.
    pub with_lines: bool,
    /// The systems in order.
    pub systems: Vec<SystemSummary>,
    /// Systems that failed at many questions.
    pub partial: Vec<Partial>,
    /// Who failed at what.
    pub failures: Vec<Failure>,
    /// At how many questions the program gave what the engine gave inside the
    /// harness, of how many; none where it was not asked.
    pub same_as_program: Option<(usize, usize)>,
}

/// What a system did not answer, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The system.
    pub system: String,
    /// What and why, for people.
    pub says: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.system, self.says)
    }
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
    /// By group and metric; the first system is A, it is B.
    pub groups: BTreeMap<String, BTreeMap<String, Difference>>,
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
    /// Index and first question: the median over repositories.
    pub first_ms: f64,
}

/// The group of all questions.
pub const ALL: &str = "all";

/// Groups that have a name: `category: symbol`.
pub const CATEGORY: &str = "category: ";
/// By the language of the repository or of the answer.
pub const LANGUAGE: &str = "language: ";
/// By repository.
pub const CORPUS: &str = "repository: ";

/// The engine inside the harness.
const INSIDE: &str = "scent";

/// The program that users start, as a system of its own.
pub const PROGRAM: &str = "scent-process";

/// Everything that is reported of these cells.
pub fn summarise(cells: &[Cell], systems: &[Named]) -> Summary {
    let mut tables: Vec<(&str, &str)> = Vec::new();
    for row in cells.iter().flat_map(|cell| &cell.rows) {
        let table = (row.suite.as_str(), row.split.as_str());
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables.sort_unstable();
    let suites = tables.into_iter().map(|(suite, split)| {
        let members = systems
            .iter()
            .map(|named| Member::new(named, cells, suite, split));
        Table::new(suite, split, members.collect()).summary()
    });
    Summary {
        suites: suites.collect(),
    }
}

/// A question, whoever is asked: category, repository, id.
type Key<'r> = (&'r str, &'r str, &'r str);

fn key(row: &Row) -> Key<'_> {
    (&row.category, &row.corpus, &row.id)
}

/// One system with its rows of a table.
struct Member<'r> {
    named: &'r Named,
    cells: Vec<&'r Cell>,
    rows: Vec<&'r Row>,
    answered: HashSet<Key<'r>>,
    /// It names whole files where lines are expected.
    blind: bool,
}

impl<'r> Member<'r> {
    fn new(named: &'r Named, cells: &'r [Cell], suite: &str, split: &str) -> Member<'r> {
        let own = |cell: &&Cell| {
            let asked = cell.rows.first().is_none_or(|row| row.split == split);
            cell.prepared.system == named.name && cell.prepared.suite == suite && asked
        };
        let cells: Vec<&Cell> = cells.iter().filter(own).collect();
        let rows: Vec<&Row> = cells.iter().flat_map(|cell| &cell.rows).collect();
        let answered = rows
            .iter()
            .filter(|row| score(row).is_some())
            .map(|row| key(row))
            .collect();
        let blind = is_blind(rows.iter().copied());
        Member {
            named,
            cells,
            rows,
            answered,
            blind,
        }
    }

    fn name(&self) -> &'r str {
        &self.named.name
    }

    /// What of all questions it should have answered and did not.
    fn failed(&self, asked: &HashSet<Key>) -> usize {
        let unsupported = |row: &&&Row| matches!(row.answer, Outcome::Unsupported);
        asked.len() - self.answered.len() - self.rows.iter().filter(unsupported).count()
    }

    fn failures(&self, asked: &HashSet<Key>) -> Vec<String> {
        let mut reasons: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for row in &self.rows {
            if let Outcome::Failed(why) = &row.answer {
                let reason = reasons.entry(why).or_default();
                reason.0 += 1;
                reason.1.insert(&row.corpus);
            }
        }
        let mut explained = 0;
        let mut failures = Vec::new();
        for (why, (times, corpora)) in reasons {
            explained += times;
            let corpora: Vec<&str> = corpora.into_iter().collect();
            let corpora = corpora.join(", ");
            failures.push(format!("failed at {times} questions ({corpora}): {why}"));
        }
        let failed = self.failed(asked);
        if self.answered.is_empty() && failures.is_empty() {
            failures.push("answers no question of this suite".to_owned());
        } else if failed > explained {
            let missing = failed - explained;
            failures.push(format!("was not asked {missing} questions"));
        }
        failures
    }
}

/// All systems on one split of a suite.
struct Table<'r> {
    suite: &'r str,
    split: &'r str,
    members: Vec<Member<'r>>,
    asked: HashSet<Key<'r>>,
}

impl<'r> Table<'r> {
    fn new(suite: &'r str, split: &'r str, mut members: Vec<Member<'r>>) -> Table<'r> {
        members.retain(|member| !member.rows.is_empty());
        let asked = members
            .iter()
            .flat_map(|member| &member.rows)
            .map(|row| key(row))
            .collect();
        Table {
            suite,
            split,
            members,
            asked,
        }
    }

    fn summary(&self) -> SuiteSummary {
        let share =
            |member: &Member| member.failed(&self.asked) as f64 / self.asked.len().max(1) as f64;
        let answering = self
            .members
            .iter()
            .filter(|member| !member.answered.is_empty());
        let (whole, failing): (Vec<&Member>, Vec<&Member>) =
            answering.partition(|member| share(member) <= FEW_FAILURES);
        let common = common_questions(&whole);
        let first = whole.first().copied();
        let rows: Vec<&Row> = self
            .members
            .iter()
            .flat_map(|m| m.rows.iter().copied())
            .collect();
        let asked = rows.iter().filter(|row| common.contains(&key(row)));
        let corpora: BTreeSet<&str> = asked.map(|row| row.corpus.as_str()).collect();
        SuiteSummary {
            name: self.suite.to_owned(),
            split: self.split.to_owned(),
            questions: common.len(),
            corpora: corpora.len(),
            with_lines: rows.iter().all(|row| has_lines(row)),
            systems: whole
                .iter()
                .map(|m| self.system(m, first.unwrap_or(m), &common))
                .collect(),
            partial: failing
                .iter()
                .map(|member| self.partial(member, first))
                .collect(),
            failures: self.failures(),
            same_as_program: self.same_as_program(),
        }
    }

    fn failures(&self) -> Vec<Failure> {
        let of = |member: &Member| -> Vec<Failure> {
            let failure = |says| Failure {
                system: member.name().to_owned(),
                says,
            };
            member
                .failures(&self.asked)
                .into_iter()
                .map(failure)
                .collect()
        };
        let mut failures: Vec<Failure> = self.members.iter().flat_map(of).collect();
        let sorts: BTreeSet<&str> = self.asked.iter().map(|key| key.0).collect();
        for sort in sorts {
            let answered = |member: &Member| member.answered.iter().any(|key| key.0 == sort);
            if !self.members.iter().any(answered) {
                let asked = self.asked.iter().filter(|key| key.0 == sort).count();
                let says = format!("no system answers any of the {asked} questions of {sort}");
                failures.push(Failure {
                    system: "nobody".to_owned(),
                    says,
                });
            }
        }
        failures
    }

    fn system(
        &self,
        member: &Member<'r>,
        first: &Member<'r>,
        common: &HashSet<Key>,
    ) -> SystemSummary {
        let kept = |member: &Member<'r>| -> Vec<&'r Row> {
            member
                .rows
                .iter()
                .filter(|row| common.contains(&key(row)))
                .copied()
                .collect()
        };
        let pairs = if member.name() == first.name() {
            Pairs::default()
        } else {
            compare::pairs(kept(first), kept(member))
        };
        let mut groups: BTreeMap<String, Vec<(&Row, Scores)>> = BTreeMap::new();
        for row in kept(member) {
            let Some(scores) = score_if_blind(row, member.blind) else {
                continue;
            };
            for group in groups_of(row) {
                groups.entry(group).or_default().push((row, scores.clone()));
            }
        }
        // A mean over all says nothing of one who leaves a sort of question out.
        let sorts = self
            .asked
            .iter()
            .map(|key| key.0)
            .filter(|sort| *sort != DEAD_CODE);
        if !sorts
            .collect::<BTreeSet<_>>()
            .iter()
            .all(|s| member.answered.iter().any(|k| k.0 == *s))
        {
            groups.remove(ALL);
        }
        let group = |(name, rows): (&String, &Vec<(&Row, Scores)>)| {
            let gains = gains(name, &pairs.both);
            (
                name.clone(),
                GroupSummary {
                    questions: rows.len(),
                    means: means(rows),
                    gains,
                },
            )
        };
        let version = member.cells.iter().map(|cell| &cell.prepared.version);
        SystemSummary {
            name: member.name().to_owned(),
            version: version
                .into_iter()
                .find(|v| !v.is_empty())
                .cloned()
                .unwrap_or_default(),
            speed: speed(&member.cells),
            groups: groups.iter().map(group).collect(),
        }
    }

    fn partial(&self, member: &Member, first: Option<&Member>) -> Partial {
        let first = first.map(|first| first.rows.clone()).unwrap_or_default();
        let pairs = compare::pairs(first, member.rows.clone()).both;
        let names: BTreeSet<String> = pairs.iter().flat_map(|pair| groups_of(pair.b)).collect();
        let shown = names.into_iter().filter(|name| !name.starts_with(CORPUS));
        Partial {
            name: member.name().to_owned(),
            answered: member.answered.len(),
            failed: member.failed(&self.asked),
            groups: shown
                .map(|name| (name.clone(), gains(&name, &pairs)))
                .collect(),
            speed: speed(&member.cells),
        }
    }

    /// What is measured is to be what users get: the same list, question by
    /// question. Only the engine with its own weights can be compared.
    fn same_as_program(&self) -> Option<(usize, usize)> {
        let of = |wanted: &str| self.members.iter().find(|member| member.name() == wanted);
        let inside = of(INSIDE).filter(|m| m.named.weights.as_deref().is_none_or(str::is_empty))?;
        let program = of(PROGRAM)?;
        let hits = |row: &Row| row.answered().map(|answer| answer.hits.clone());
        let said: BTreeMap<Key, _> = program
            .rows
            .iter()
            .map(|row| (key(row), hits(row)))
            .collect();
        let searches: Vec<&&Row> = inside
            .rows
            .iter()
            .filter(|row| row.task == Task::Search)
            .collect();
        let same = |row: &&&&Row| hits(row).is_some() && said.get(&key(row)) == Some(&hits(row));
        (!searches.is_empty()).then(|| (searches.iter().filter(same).count(), searches.len()))
    }
}

/// Whether every place that a row expects has lines.
fn has_lines(row: &Row) -> bool {
    match &row.expected {
        Expected::Places(targets) => targets.iter().all(|target| target.lines.is_some()),
        Expected::Files(_) | Expected::Names(_) => false,
    }
}

/// What all answered that answer this sort of question at all.
fn common_questions<'r>(members: &[&Member<'r>]) -> HashSet<Key<'r>> {
    let sorts = |member: &&Member<'r>| -> HashSet<&'r str> {
        member.answered.iter().map(|key| key.0).collect()
    };
    let sorts: Vec<HashSet<&str>> = members.iter().map(sorts).collect();
    let all: HashSet<Key> = members
        .iter()
        .flat_map(|m| m.answered.iter().copied())
        .collect();
    let by_all = |question: &Key| {
        let answers = |(member, sorts): (&&Member, &HashSet<&str>)| {
            !sorts.contains(question.0) || member.answered.contains(question)
        };
        members.iter().zip(&sorts).all(answers)
    };
    all.into_iter().filter(by_all).collect()
}

fn groups_of(row: &Row) -> Vec<String> {
    let mut groups = vec![
        format!("{CATEGORY}{}", row.category),
        format!("{LANGUAGE}{}", row.language),
        format!("{CORPUS}{}", row.corpus),
    ];
    if row.category != DEAD_CODE {
        groups.push(ALL.to_owned());
    }
    groups
}

fn gains(group: &str, pairs: &[Pair]) -> BTreeMap<String, Difference> {
    let budgets = BUDGETS.map(recall_at_tokens);
    let further = FURTHER
        .into_iter()
        .chain(budgets.iter().map(String::as_str));
    let further = further.filter(|_| group == ALL);
    let metrics = MAIN
        .into_iter()
        .chain(further)
        .filter(|_| !group.starts_with(CORPUS));
    let gain = |metric: &str| {
        let inside = pairs
            .iter()
            .filter(|pair| groups_of(pair.b).iter().any(|g| g == group));
        Some((metric.to_owned(), compare::difference(inside, metric)?))
    };
    metrics.filter_map(gain).collect()
}

/// The mean over strata of the mean of each.
fn means(rows: &[(&Row, Scores)]) -> Scores {
    let mut strata: BTreeMap<&str, Vec<&Scores>> = BTreeMap::new();
    for (row, scores) in rows {
        strata.entry(row.stratum()).or_default().push(scores);
    }
    let mut means: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for scores in strata.values() {
        let names: BTreeSet<&String> = scores.iter().flat_map(|scores| scores.keys()).collect();
        for name in names {
            let values: Vec<f64> = scores.iter().filter_map(|s| s.get(name)).copied().collect();
            means.entry(name).or_default().push(mean(&values));
        }
    }
    means
        .iter()
        .map(|(name, values)| ((*name).to_owned(), mean(values)))
        .collect()
}

fn speed(cells: &[&Cell]) -> Speed {
    let ready: Vec<&&Cell> = cells
        .iter()
        .filter(|cell| cell.prepared.error.is_none())
        .collect();
    let times = |cell: &&&Cell| -> Vec<f64> {
        cell.rows
            .iter()
            .filter_map(|row| Some(row.answered()?.ms))
            .collect()
    };
    let all: Vec<f64> = ready.iter().flat_map(times).collect();
    let first = ready
        .iter()
        .filter_map(|cell| Some(cell.prepared.index_ms + times(cell).first()?));
    Speed {
        index_ms: ready.iter().map(|cell| cell.prepared.index_ms).sum(),
        index_bytes: ready.iter().map(|cell| cell.prepared.index_bytes).sum(),
        given_bytes: ready.iter().map(|cell| cell.prepared.given_bytes).sum(),
        peak_bytes: ready
            .iter()
            .filter_map(|cell| cell.prepared.peak_bytes)
            .max(),
        p50_ms: quantile(all.clone(), 0.5),
        p95_ms: quantile(all, 0.95),
        first_ms: quantile(first.collect(), 0.5),
    }
}

/// The value that this share of all values does not pass; 0 of none.
fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let at = ((values.len() as f64 * share).ceil() as usize).max(1) - 1;
    values.get(at).copied().unwrap_or(0.0)
}
