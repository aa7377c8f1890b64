//! Means over groups of questions, and how far they are from the first system's.

use super::suite::{ALL, CATEGORY, CORPUS, LANGUAGE};
use crate::bootstrap::mean;
use crate::compare::{self, Difference, Pair};
use crate::metrics::{
    BUDGETS, F1, NDCG_CHUNK, NDCG_FILE, NDCG_FILE_OLD, NDCG_GRADED, NDCG_SHOWN, Scores,
    TOKENS_TO_HIT, TOKENS_TO_SHOWN, recall_at_tokens,
};
use crate::row::Row;
use std::collections::BTreeMap;

/// The category that silence answers; never in a mean over categories.
pub(super) const DEAD_CODE: &str = "P5";

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

/// The groups that a question is in.
pub(super) fn groups_of(row: &Row) -> Vec<String> {
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

/// B less A in every metric that is reported of a group.
pub(super) fn gains(group: &str, pairs: &[Pair]) -> BTreeMap<String, Difference> {
    let mut gains = BTreeMap::new();
    for metric in metrics(group) {
        let inside = pairs
            .iter()
            .filter(|pair| groups_of(pair.b).iter().any(|g| g == group));
        if let Some(gain) = compare::difference(inside, &metric) {
            gains.insert(metric, gain);
        }
    }
    gains
}

/// The metrics in which systems are compared on a group.
fn metrics(group: &str) -> Vec<String> {
    let mut metrics = Vec::new();
    if group.starts_with(CORPUS) {
        return metrics;
    }
    metrics.extend(MAIN.map(str::to_owned));
    if group == ALL {
        metrics.extend(FURTHER.map(str::to_owned));
        metrics.extend(BUDGETS.map(recall_at_tokens));
    }
    metrics
}

/// The mean over strata of the mean of each.
pub(super) fn means(rows: &[(&Row, Scores)]) -> Scores {
    let mut strata: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for (row, scores) in rows {
        for (metric, value) in scores {
            let stratum = strata.entry((metric, row.stratum())).or_default();
            stratum.push(*value);
        }
    }
    let mut by_metric: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for ((metric, _), values) in &strata {
        by_metric.entry(metric).or_default().push(mean(values));
    }
    let mut means = Scores::new();
    for (metric, values) in by_metric {
        means.insert(metric.to_owned(), mean(&values));
    }
    means
}
