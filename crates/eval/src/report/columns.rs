//! Which metrics a suite is reported by, with their names for people.

use crate::metrics::{
    F1, NDCG_CHUNK, NDCG_FILE, NDCG_FILE_OLD, NDCG_GRADED, NDCG_SHOWN, TOKENS_TO_HIT,
    TOKENS_TO_SHOWN,
};
use crate::summary::SuiteSummary;

/// The columns of the first table, with their names for people.
const HEADLINE: [(&str, &str); 10] = [
    (NDCG_CHUNK, "NDCG@10 lines"),
    (NDCG_FILE, "NDCG@10 file"),
    (NDCG_FILE_OLD, "NDCG@10 file (old)"),
    (NDCG_GRADED, "NDCG@10 graded"),
    ("hit@1", "Hit@1"),
    ("hit@5", "Hit@5"),
    ("hit@10", "Hit@10"),
    ("mrr", "MRR"),
    ("recall@10", "Recall@10"),
    (TOKENS_TO_HIT, "tokens to hit"),
];

/// Where right lines are: among those that results show, and in their ranges.
pub(super) const RIGHT_LINES: [(&str, &str); 10] = [
    ("shown@1", "shown first"),
    ("shown@5", "shown in 5"),
    ("shown@10", "shown in 10"),
    ("shown@100", "shown in 100"),
    (NDCG_SHOWN, "NDCG@10 shown"),
    (TOKENS_TO_SHOWN, "tokens to shown"),
    ("hit@1", "range first"),
    ("hit@5", "range in 5"),
    ("hit@10", "range in 10"),
    ("hit@100", "range in 100"),
];

/// The same for suites of symbol tasks.
const SYMBOLS: [(&str, &str); 3] = [("precision", "precision"), ("recall", "recall"), (F1, "F1")];

/// Whether a suite asks for symbols and not for rankings.
pub(super) fn of_symbols(suite: &SuiteSummary) -> bool {
    let mut groups = suite.systems.iter().flat_map(|s| s.groups.values());
    groups.any(|group| group.means.contains_key(F1))
}

pub(super) fn columns(suite: &SuiteSummary) -> Vec<(&'static str, &'static str)> {
    if of_symbols(suite) {
        return SYMBOLS.to_vec();
    }
    let mut columns = HEADLINE.to_vec();
    if !suite.with_lines {
        columns.retain(|(metric, _)| ![NDCG_GRADED, NDCG_FILE_OLD].contains(metric));
    }
    columns
}

/// What is broken down by language and repository.
pub(super) fn main_columns(suite: &SuiteSummary) -> &'static [(&'static str, &'static str)] {
    if of_symbols(suite) {
        &SYMBOLS[2..]
    } else {
        &HEADLINE[..2]
    }
}

/// By category, also what octocode publishes where the suite is of its kind.
pub(super) fn by_category(suite: &SuiteSummary) -> Vec<(&'static str, &'static str)> {
    let mut columns = main_columns(suite).to_vec();
    if suite.with_lines && !of_symbols(suite) {
        columns.extend([("hit@5", "Hit@5"), ("mrr", "MRR")]);
    }
    columns
}

/// What a suite is judged by in one number.
pub(super) fn overview_column(suite: &SuiteSummary) -> (&'static str, &'static str) {
    if of_symbols(suite) {
        SYMBOLS[2]
    } else {
        HEADLINE[1]
    }
}
