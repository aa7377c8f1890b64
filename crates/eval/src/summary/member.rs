//! One system with its rows of a table.

use super::suite::Failure;
use crate::metrics::{is_blind, score};
use crate::row::{Outcome, Row};
use crate::store::{Cell, Named};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A question, whoever is asked: category, repository, id.
pub(super) type Key<'r> = (&'r str, &'r str, &'r str);

pub(super) fn key(row: &Row) -> Key<'_> {
    (&row.category, &row.corpus, &row.id)
}

/// One system with its rows of a table.
pub(super) struct Member<'r> {
    pub named: &'r Named,
    pub cells: Vec<&'r Cell>,
    pub rows: Vec<&'r Row>,
    pub answered: HashSet<Key<'r>>,
    /// It names whole files where lines are expected.
    pub blind: bool,
}

impl<'r> Member<'r> {
    pub fn new(named: &'r Named, cells: &'r [Cell], suite: &str, split: &str) -> Member<'r> {
        let is_own = |cell: &&Cell| {
            let is_split = cell.rows.first().is_none_or(|row| row.split == split);
            let prepared = &cell.prepared;
            is_split && prepared.system == named.name && prepared.suite == suite
        };
        let cells: Vec<&Cell> = cells.iter().filter(is_own).collect();
        let rows: Vec<&Row> = cells.iter().flat_map(|cell| &cell.rows).collect();
        let scored = rows.iter().filter(|row| score(row).is_some());
        Member {
            named,
            answered: scored.map(|row| key(row)).collect(),
            blind: is_blind(rows.iter().copied()),
            cells,
            rows,
        }
    }

    pub fn name(&self) -> &'r str {
        &self.named.name
    }

    /// The system in its own words.
    pub fn version(&self) -> String {
        let mut versions = self.cells.iter().map(|cell| &cell.prepared.version);
        let known = versions.find(|version| !version.is_empty());
        known.cloned().unwrap_or_default()
    }

    /// The sorts of question that it answers.
    pub fn categories(&self) -> HashSet<&'r str> {
        self.answered.iter().map(|key| key.0).collect()
    }

    /// The rows of these questions.
    pub fn rows_of(&self, questions: &HashSet<Key>) -> Vec<&'r Row> {
        let mut rows = self.rows.clone();
        rows.retain(|row| questions.contains(&key(row)));
        rows
    }

    /// What of all questions it should have answered and did not.
    pub fn failed(&self, asked: &HashSet<Key>) -> usize {
        let is_unsupported = |row: &&&Row| matches!(row.answer, Outcome::Unsupported);
        let unsupported = self.rows.iter().filter(is_unsupported).count();
        asked.len() - self.answered.len() - unsupported
    }

    /// What it failed at, and why.
    pub fn failures(&self, asked: &HashSet<Key>) -> Vec<Failure> {
        let mut failures = Vec::new();
        let mut explained = 0;
        for (why, (times, corpora)) in self.reasons() {
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
        let failure = |says| Failure {
            system: self.name().to_owned(),
            says,
        };
        failures.into_iter().map(failure).collect()
    }

    /// Why it failed, how often, and at which repositories.
    fn reasons(&self) -> BTreeMap<&'r str, (usize, BTreeSet<&'r str>)> {
        let mut reasons: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for row in &self.rows {
            if let Outcome::Failed(why) = &row.answer {
                let (times, corpora) = reasons.entry(why).or_default();
                *times += 1;
                corpora.insert(&row.corpus);
            }
        }
        reasons
    }
}

/// What all answered that answer this sort of question at all.
pub(super) fn common_questions<'r>(members: &[&Member<'r>]) -> HashSet<Key<'r>> {
    let mut common = HashSet::new();
    for member in members {
        common.extend(member.answered.iter().copied());
    }
    for member in members {
        let categories = member.categories();
        common.retain(|question| {
            !categories.contains(question.0) || member.answered.contains(question)
        });
    }
    common
}
