//! What an answer is worth. Pure functions from a row to numbers.
//!
//! The formulas are those of the suites' own authors where a suite has any, so
//! that numbers can be held against published ones.

use crate::row::{Answer, Dependencies, Expected, Found, Row, Target, Task};
use crate::shown::places_shown;
use scent_types::Lines;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The numbers of one row, by the name of the metric.
pub type Scores = BTreeMap<String, f64>;

/// How deep rankings are looked at for NDCG.
const DEPTH: usize = 10;

/// How deep for the first match (MRR).
const FIRST_WITHIN: usize = 20;

/// How deep for the rank of the first match, and for what reading costs.
const READ_WITHIN: usize = 50;

/// How many results are looked at for right lines.
const PAGES: [usize; 4] = [1, 5, 10, 100];

/// What a reader gives up after, in tokens.
pub const NEVER: u32 = 32_000;

/// The budgets at which recall is taken, in tokens.
pub const BUDGETS: [u32; 7] = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/// How far a definition may be from the expected line, and a reference.
const DEFINITION_SLACK: u32 = 3;
const REFERENCE_SLACK: u32 = 2;

/// Names of metrics that other modules refer to.
pub const NDCG_CHUNK: &str = "ndcg_chunk";
/// NDCG@10 over distinct files, each right file counted once.
pub const NDCG_FILE: &str = "ndcg_file";
/// The same with one rank in the ideal for each place, so that a perfect list
/// stays below 1 where several places are in one file. For one release, to be
/// held against older figures.
pub const NDCG_FILE_OLD: &str = "ndcg_file_old";
/// NDCG@10 by the lines that results show.
pub const NDCG_SHOWN: &str = "ndcg_shown";
/// NDCG@10 with grades as gains.
pub const NDCG_GRADED: &str = "ndcg_graded";
/// Tokens read up to the first match.
pub const TOKENS_TO_HIT: &str = "tokens_to_hit";
/// Tokens shown up to the first result that shows right lines.
pub const TOKENS_TO_SHOWN: &str = "tokens_to_shown";
/// The harmonic mean of precision and recall, for symbol tasks.
pub const F1: &str = "f1";

/// The metric's name for recall at a budget of tokens.
pub fn recall_at_tokens(budget: u32) -> String {
    format!("recall_{budget}t")
}

/// The metric's name for right lines shown by the first results.
pub fn shown_within(results: usize) -> String {
    format!("shown@{results}")
}

/// Whether a metric asks for the right lines. Nobody who names whole files can
/// be judged by it where lines are expected.
pub fn needs_lines(metric: &str) -> bool {
    let prefixes = [
        "hit@",
        "recall@",
        "shown@",
        "mrr",
        NDCG_CHUNK,
        NDCG_GRADED,
        NDCG_SHOWN,
    ];
    prefixes.iter().any(|prefix| metric.starts_with(prefix))
}

/// Whether these rows of one system name whole files where lines are expected.
pub fn is_blind<'r>(rows: impl IntoIterator<Item = &'r Row>) -> bool {
    let expects = |row: &Row| match &row.expected {
        Expected::Places(targets) => targets.iter().any(|target| target.lines.is_some()),
        Expected::Files(_) | Expected::Names(_) => false,
    };
    let names_file = |row: &Row| {
        row.answered()
            .is_some_and(|answer| answer.hits.iter().any(|hit| hit.lines.is_none()))
    };
    let seen = rows
        .into_iter()
        .fold((false, false), |(expected, named), row| {
            (expected || expects(row), named || names_file(row))
        });
    seen == (true, true)
}

/// Scores a row of a system that may be blind.
pub fn score_if_blind(row: &Row, blind: bool) -> Option<Scores> {
    let mut scores = score(row)?;
    scores.retain(|metric, _| !(blind && needs_lines(metric)));
    Some(scores)
}

/// Whether less of this metric is better.
pub fn less_is_better(metric: &str) -> bool {
    [TOKENS_TO_HIT, TOKENS_TO_SHOWN, "ms"].contains(&metric)
}

/// Scores a row; nothing where it was not answered or nothing is expected of
/// a ranking.
pub fn score(row: &Row) -> Option<Scores> {
    let answer = row.answered()?;
    let mut scores = match (&row.expected, row.task) {
        (Expected::Places(targets), Task::Search) if targets.is_empty() => return None,
        (Expected::Places(targets), Task::Search) => ranking(&answer.hits, targets),
        (Expected::Places(targets), Task::Define) => definition(&answer.hits, targets).named(),
        (Expected::Places(targets), _) => references(&answer.hits, targets).named(),
        (Expected::Files(files), _) => dependencies(answer.files.as_ref()?, files).named(),
        (Expected::Names(names), _) => names_found(answer, names).named(),
    };
    scores.insert("ms".into(), answer.ms);
    Some(scores)
}

/// The rank of the first hit that is right, where one is.
pub fn first_match(row: &Row) -> Option<usize> {
    let Expected::Places(targets) = &row.expected else {
        return None;
    };
    let hits = &row.answered()?.hits;
    hits.iter()
        .take(READ_WITHIN)
        .position(|hit| !matches(hit, targets).is_empty())
        .map(|at| at + 1)
}

fn ranking(hits: &[Found], targets: &[Target]) -> Scores {
    let matched: Vec<Vec<usize>> = hits.iter().map(|hit| matches(hit, targets)).collect();
    let mut scores = Scores::new();
    for k in PAGES {
        scores.insert(format!("hit@{k}"), is_within(&matched, k));
    }
    scores.insert("mrr".into(), reciprocal_rank(&matched));
    for k in [1, 5, 10, 20] {
        scores.insert(format!("recall@{k}"), recall(&matched, k, targets.len()));
    }
    let by_lines = ndcg(first_ranks(&matched, targets.len()), targets.len());
    scores.insert(NDCG_CHUNK.into(), by_lines);
    scores.insert(NDCG_GRADED.into(), graded_ndcg(&matched, targets));
    scores.extend(by_file(hits, targets));
    let costs: Vec<u32> = hits.iter().map(|hit| hit.tokens).collect();
    let to_hit = tokens_to_hit(read_of(&costs), &matched);
    scores.insert(TOKENS_TO_HIT.into(), f64::from(to_hit));
    if hits.iter().all(|hit| hit.shown.is_some()) {
        scores.extend(by_shown_lines(hits, targets));
    } else {
        scores.extend(by_budget(&costs, &matched, targets.len()));
    }
    scores
}

/// The right file, whatever the lines.
fn by_file(hits: &[Found], targets: &[Target]) -> Scores {
    let ranks = file_ranks(hits, targets);
    let files: HashSet<&str> = targets.iter().map(|t| t.path.as_str()).collect();
    let old = ndcg(ranks.clone(), targets.len());
    let new = ndcg(ranks, files.len());
    [(NDCG_FILE, new), (NDCG_FILE_OLD, old)]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

/// What of the right places fits into each number of tokens.
fn by_budget(costs: &[u32], matched: &[Vec<usize>], targets: usize) -> Scores {
    let mut scores = Scores::new();
    for budget in BUDGETS {
        let recall = recall_within(read_of(costs), matched, targets, budget);
        scores.insert(recall_at_tokens(budget), recall);
    }
    scores
}

/// The costs of those hits that anybody reads.
fn read_of(costs: &[u32]) -> &[u32] {
    &costs[..costs.len().min(READ_WITHIN)]
}

/// The right lines among those that are shown, which are what a reader pays
/// for. Whether they come first is only asked where every place has lines.
fn by_shown_lines(hits: &[Found], targets: &[Target]) -> Scores {
    let shown: Vec<Vec<usize>> = hits.iter().map(|hit| places_shown(hit, targets)).collect();
    let costs: Vec<u32> = hits.iter().map(|hit| hit.shown_tokens).collect();
    let mut scores = by_budget(&costs, &shown, targets.len());
    let to_shown = tokens_to_hit(read_of(&costs), &shown);
    scores.insert(TOKENS_TO_SHOWN.into(), f64::from(to_shown));
    if targets.iter().all(|target| target.lines.is_some()) {
        for k in PAGES {
            scores.insert(shown_within(k), is_within(&shown, k));
        }
        let ndcg = ndcg(first_ranks(&shown, targets.len()), targets.len());
        scores.insert(NDCG_SHOWN.into(), ndcg);
    }
    scores
}

/// The rank of the first hit that is right.
fn first_right(matched: &[Vec<usize>]) -> Option<usize> {
    let first = matched.iter().position(|matched| !matched.is_empty());
    first.map(|at| at + 1)
}

/// 1 where one of the first is right.
fn is_within(matched: &[Vec<usize>], k: usize) -> f64 {
    f64::from(first_right(matched).is_some_and(|rank| rank <= k))
}

fn reciprocal_rank(matched: &[Vec<usize>]) -> f64 {
    match first_right(matched) {
        Some(rank) if rank <= FIRST_WITHIN => 1.0 / rank as f64,
        _ => 0.0,
    }
}

/// The share of targets that the first hits match.
fn recall(matched: &[Vec<usize>], k: usize, targets: usize) -> f64 {
    let found: HashSet<usize> = matched.iter().take(k).flatten().copied().collect();
    found.len() as f64 / targets as f64
}

/// The targets that a hit matches: the same path, and common lines where the
/// target has lines. A hit without lines is the whole file.
fn matches(hit: &Found, targets: &[Target]) -> Vec<usize> {
    let overlap = |lines: Option<Lines>| match (hit.lines, lines) {
        (Some(a), Some(b)) => a.overlaps(b),
        _ => true,
    };
    let matching = targets
        .iter()
        .enumerate()
        .filter(|(_, t)| t.path == hit.path && overlap(t.lines));
    matching.map(|(at, _)| at).collect()
}

/// For each target the rank of the first hit that matches it.
fn first_ranks(matched: &[Vec<usize>], targets: usize) -> BTreeSet<usize> {
    let rank = |target| {
        matched
            .iter()
            .position(|m| m.contains(&target))
            .map(|at| at + 1)
    };
    (0..targets).filter_map(rank).collect()
}

/// The same over the distinct files of the first page in order, lines ignored.
fn file_ranks(hits: &[Found], targets: &[Target]) -> BTreeSet<usize> {
    let mut seen = HashSet::new();
    let files: Vec<&str> = hits
        .iter()
        .take(DEPTH)
        .map(|hit| hit.path.as_str())
        .filter(|p| seen.insert(*p))
        .collect();
    let rank = |target: &Target| files.iter().position(|path| *path == target.path);
    targets.iter().filter_map(rank).map(|at| at + 1).collect()
}

/// Binary NDCG@10. Two targets that one hit matches first count once; the
/// ideal has one rank for each target.
fn ndcg(ranks: BTreeSet<usize>, targets: usize) -> f64 {
    let found = ranks.into_iter().filter(|&rank| rank <= DEPTH);
    // The sum of nothing is -0.0, which prints as one would not expect.
    let gained = found.map(discount).fold(0.0, |sum, gain| sum + gain);
    let ideal: f64 = (1..=targets.min(DEPTH)).map(discount).sum();
    gained / ideal
}

fn discount(rank: usize) -> f64 {
    1.0 / (rank as f64 + 1.0).log2()
}

/// NDCG@10 with grades as gains. Every hit inside a target earns its grade
/// again, so that this can pass 1 where a target is cut into several hits.
fn graded_ndcg(matched: &[Vec<usize>], targets: &[Target]) -> f64 {
    let grade = |m: &Vec<usize>| m.iter().map(|&t| targets[t].grade).max().unwrap_or(0);
    let gained = |(at, m)| f64::from(grade(m)) * discount(at + 1);
    let gained = matched
        .iter()
        .take(DEPTH)
        .enumerate()
        .map(gained)
        .fold(0.0, |sum, gain| sum + gain);
    let mut best: Vec<u8> = targets.iter().map(|t| t.grade).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal = |(at, grade): (usize, u8)| f64::from(grade) * discount(at + 1);
    let ideal: f64 = best.into_iter().take(DEPTH).enumerate().map(ideal).sum();
    if ideal > 0.0 { gained / ideal } else { 0.0 }
}

/// What is read from the top up to and with the first match.
fn tokens_to_hit(costs: &[u32], matched: &[Vec<usize>]) -> u32 {
    match first_right(matched) {
        Some(rank) if rank <= costs.len() => {
            let spent = costs[..rank]
                .iter()
                .fold(0u32, |sum, cost| sum.saturating_add(*cost));
            spent.min(NEVER)
        }
        _ => NEVER,
    }
}

/// The share of targets in the hits that fit into a budget as a whole.
fn recall_within(costs: &[u32], matched: &[Vec<usize>], targets: usize, budget: u32) -> f64 {
    let mut spent = 0u32;
    let mut found: HashSet<usize> = HashSet::new();
    for (cost, matched) in costs.iter().zip(matched) {
        spent = spent.saturating_add(*cost);
        if spent > budget {
            break;
        }
        found.extend(matched);
    }
    found.len() as f64 / targets as f64
}

/// How much of what was said is right, and how much of what is right was said.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Overlap {
    precision: f64,
    recall: f64,
}

impl Overlap {
    fn f1(self) -> f64 {
        let sum = self.precision + self.recall;
        if sum > 0.0 {
            2.0 * self.precision * self.recall / sum
        } else {
            0.0
        }
    }

    fn named(self) -> Scores {
        [
            ("precision", self.precision),
            ("recall", self.recall),
            (F1, self.f1()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}

/// P1: one place near an expected one is enough.
fn definition(hits: &[Found], targets: &[Target]) -> Overlap {
    let found = hits
        .iter()
        .any(|hit| near_any(hit, targets, DEFINITION_SLACK));
    let value = f64::from(found);
    Overlap {
        precision: value,
        recall: value,
    }
}

/// P2: distinct places, near is right.
fn references(hits: &[Found], targets: &[Target]) -> Overlap {
    let mut seen = HashSet::new();
    let said: Vec<&Found> = hits
        .iter()
        .filter(|h| seen.insert((&h.path, h.lines.map(|l| l.start))))
        .collect();
    let right = said
        .iter()
        .filter(|hit| near_any(hit, targets, REFERENCE_SLACK))
        .count();
    let known = targets
        .iter()
        .filter(|t| said.iter().any(|hit| near(hit, t, REFERENCE_SLACK)));
    Overlap {
        precision: share(right, said.len()),
        recall: share(known.count(), targets.len()),
    }
}

fn near_any(hit: &Found, targets: &[Target], slack: u32) -> bool {
    targets.iter().any(|target| near(hit, target, slack))
}

fn near(hit: &Found, target: &Target, slack: u32) -> bool {
    let distance = |(a, b): (Lines, Lines)| a.start.abs_diff(b.start) <= slack;
    hit.path == target.path && hit.lines.zip(target.lines).is_some_and(distance)
}

/// P4: both directions as sets of paths without extension, each counting half.
fn dependencies(said: &Dependencies, expected: &Dependencies) -> Overlap {
    let imports = sets(&said.imports, &expected.imports);
    let importers = sets(&said.importers, &expected.importers);
    Overlap {
        precision: (imports.precision + importers.precision) / 2.0,
        recall: (imports.recall + importers.recall) / 2.0,
    }
}

fn sets(said: &[String], expected: &[String]) -> Overlap {
    let bare = |paths: &[String]| -> BTreeSet<String> {
        paths
            .iter()
            .map(|path| without_extension(path).to_owned())
            .collect()
    };
    overlap(&bare(said), &bare(expected))
}

/// Where nothing is expected nothing is missed, and silence is right.
fn overlap<T: Ord>(said: &BTreeSet<T>, expected: &BTreeSet<T>) -> Overlap {
    let both = said.intersection(expected).count();
    match (said.is_empty(), expected.is_empty()) {
        (true, true) => Overlap {
            precision: 1.0,
            recall: 1.0,
        },
        (false, true) => Overlap {
            precision: 0.0,
            recall: 1.0,
        },
        _ => Overlap {
            precision: share(both, said.len()),
            recall: share(both, expected.len()),
        },
    }
}

fn without_extension(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    match path[name..].rfind('.') {
        Some(dot) if dot > 0 => &path[..name + dot],
        _ => path,
    }
}

/// P5: names as a set.
fn names_found(answer: &Answer, expected: &[String]) -> Overlap {
    overlap(
        &answer.names.iter().flatten().collect(),
        &expected.iter().collect(),
    )
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// What a text costs a language model to read: four bytes a token, near enough
/// for code in every tokenizer, and the same for every system.
pub fn tokens(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(4)).unwrap_or(u32::MAX)
}
