//! All systems on one split of a suite.

use super::means::{DEAD_CODE, gains, groups_of, means};
use super::member::{Key, Member, common_questions, key};
use super::speed::Speed;
use super::suite::{
    ALL, CORPUS, Failure, GroupSummary, PROGRAM, Partial, SuiteSummary, SystemSummary,
};
use crate::compare::{self, Pair};
use crate::metrics::{Scores, score_if_blind};
use crate::row::{Expected, Found, Row, Task};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A system that failed at more than this share of a suite would take too many
/// questions from the others.
const FEW_FAILURES: f64 = 0.005;

/// The engine inside the harness.
const INSIDE: &str = "scent";

/// All systems on one split of a suite.
pub(super) struct Table<'r> {
    suite: &'r str,
    split: &'r str,
    members: Vec<Member<'r>>,
    asked: HashSet<Key<'r>>,
}

impl<'r> Table<'r> {
    pub fn new(suite: &'r str, split: &'r str, mut members: Vec<Member<'r>>) -> Table<'r> {
        members.retain(|member| !member.rows.is_empty());
        let rows = members.iter().flat_map(|member| &member.rows);
        let asked = rows.map(|row| key(row)).collect();
        Table {
            suite,
            split,
            members,
            asked,
        }
    }

    pub fn summary(&self) -> SuiteSummary {
        let (mut whole, mut failing) = (Vec::new(), Vec::new());
        for member in &self.members {
            if member.answered.is_empty() {
                continue;
            }
            if self.fails_often(member) {
                failing.push(member);
            } else {
                whole.push(member);
            }
        }
        let common = common_questions(&whole);
        let first = whole.first().copied();
        let corpora: BTreeSet<&str> = common.iter().map(|key| key.1).collect();
        let mut rows = self.members.iter().flat_map(|member| &member.rows);
        let system = |member: &&Member<'r>| self.system(member, first.unwrap_or(member), &common);
        SuiteSummary {
            name: self.suite.to_owned(),
            split: self.split.to_owned(),
            questions: common.len(),
            corpora: corpora.len(),
            with_lines: rows.all(|row| has_lines(row)),
            systems: whole.iter().map(system).collect(),
            partial: failing.iter().map(|m| self.partial(m, first)).collect(),
            failures: self.failures(),
            same_as_program: self.same_as_program(),
        }
    }

    fn fails_often(&self, member: &Member) -> bool {
        let asked = self.asked.len().max(1) as f64;
        member.failed(&self.asked) as f64 / asked > FEW_FAILURES
    }

    fn failures(&self) -> Vec<Failure> {
        let mut failures = Vec::new();
        let mut answered = HashSet::new();
        for member in &self.members {
            failures.extend(member.failures(&self.asked));
            answered.extend(member.categories());
        }
        for category in self.categories() {
            if !answered.contains(category) {
                let asked = self.asked.iter().filter(|key| key.0 == category).count();
                failures.push(Failure {
                    system: "nobody".to_owned(),
                    says: format!("no system answers any of the {asked} questions of {category}"),
                });
            }
        }
        failures
    }

    /// The sorts of question that were asked, in order.
    fn categories(&self) -> BTreeSet<&'r str> {
        self.asked.iter().map(|key| key.0).collect()
    }

    fn system(
        &self,
        member: &Member<'r>,
        first: &Member<'r>,
        common: &HashSet<Key>,
    ) -> SystemSummary {
        let rows = member.rows_of(common);
        let mut pairs = Vec::new();
        if member.name() != first.name() {
            pairs = compare::pairs(first.rows_of(common), rows.clone()).both;
        }
        let mut groups = group_rows(&rows, member.blind);
        if !self.answers_every_category(member) {
            groups.remove(ALL);
        }
        let mut summaries = BTreeMap::new();
        for (name, rows) in groups {
            let summary = GroupSummary {
                questions: rows.len(),
                means: means(&rows),
                gains: gains(&name, &pairs),
            };
            summaries.insert(name, summary);
        }
        SystemSummary {
            name: member.name().to_owned(),
            version: member.version(),
            speed: Speed::of(&member.cells),
            groups: summaries,
        }
    }

    /// A mean over all says nothing of one who leaves a sort of question out.
    fn answers_every_category(&self, member: &Member) -> bool {
        let answered = member.categories();
        let mut asked = self.categories().into_iter();
        asked.all(|category| category == DEAD_CODE || answered.contains(category))
    }

    fn partial(&self, member: &Member, first: Option<&Member>) -> Partial {
        let first = first.map(|first| first.rows.clone()).unwrap_or_default();
        let pairs = compare::pairs(first, member.rows.clone()).both;
        let mut groups = BTreeMap::new();
        for name in group_names(&pairs) {
            let gains = gains(&name, &pairs);
            groups.insert(name, gains);
        }
        Partial {
            name: member.name().to_owned(),
            answered: member.answered.len(),
            failed: member.failed(&self.asked),
            groups,
            speed: Speed::of(&member.cells),
        }
    }

    /// What is measured is to be what users get: the same list, question by
    /// question. Only the engine with its own weights can be compared.
    fn same_as_program(&self) -> Option<(usize, usize)> {
        let inside = self.member(INSIDE)?;
        let has_weights = inside.named.weights.as_deref();
        if has_weights.is_some_and(|weights| !weights.is_empty()) {
            return None;
        }
        let program = self.member(PROGRAM)?;
        let said: BTreeMap<Key, _> = program
            .rows
            .iter()
            .map(|row| (key(row), hits(row)))
            .collect();
        let (mut same, mut all) = (0, 0);
        for row in &inside.rows {
            if row.task == Task::Search {
                all += 1;
                let is_same = hits(row).is_some() && said.get(&key(row)) == Some(&hits(row));
                same += usize::from(is_same);
            }
        }
        (all > 0).then_some((same, all))
    }

    fn member(&self, name: &str) -> Option<&Member<'r>> {
        self.members.iter().find(|member| member.name() == name)
    }
}

/// The scored rows of each group.
fn group_rows<'r>(rows: &[&'r Row], blind: bool) -> BTreeMap<String, Vec<(&'r Row, Scores)>> {
    let mut groups: BTreeMap<String, Vec<(&Row, Scores)>> = BTreeMap::new();
    for row in rows {
        let Some(scores) = score_if_blind(row, blind) else {
            continue;
        };
        for group in groups_of(row) {
            groups.entry(group).or_default().push((row, scores.clone()));
        }
    }
    groups
}

/// The groups of these questions, repositories apart.
fn group_names(pairs: &[Pair]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = pairs.iter().flat_map(|pair| groups_of(pair.b)).collect();
    names.retain(|name| !name.starts_with(CORPUS));
    names
}

fn hits(row: &Row) -> Option<&[Found]> {
    row.answered().map(|answer| answer.hits.as_slice())
}

/// Whether every place that a row expects has lines.
fn has_lines(row: &Row) -> bool {
    match &row.expected {
        Expected::Places(targets) => targets.iter().all(|target| target.lines.is_some()),
        Expected::Files(_) | Expected::Names(_) => false,
    }
}
