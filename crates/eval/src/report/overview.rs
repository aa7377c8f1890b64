//! The first table: one row a system and one column a suite.

use super::columns::{of_symbols, overview_column};
use super::plots::file_stem;
use super::table::{NOTHING, table};
use crate::metrics::TOKENS_TO_HIT;
use crate::summary::{ALL, SuiteSummary, Summary, SystemSummary};
use std::collections::BTreeSet;

/// One row a system and one column a suite, and what the largest took.
pub(super) fn overview(text: &mut String, summary: &Summary, variants: &BTreeSet<&str>) {
    let rankings = summary.suites.iter().filter(|suite| !of_symbols(suite));
    let Some(largest) = rankings.max_by_key(|suite| suite.questions) else {
        return;
    };
    let mut header = vec!["system".to_owned()];
    for suite in &summary.suites {
        let (_, title) = overview_column(suite);
        header.push(format!("{}: {title}", file_stem(suite)));
    }
    let of_largest = ["tokens to hit", "query p50", "index and first answer"];
    header.extend(of_largest.map(|title| format!("{}: {title}", file_stem(largest))));
    let mut rows = Vec::new();
    for system in &largest.systems {
        if !variants.contains(system.name.as_str()) {
            rows.push(overview_row(summary, largest, system));
        }
    }
    table(text, &header, rows);
    text.push('\n');
}

fn overview_row(summary: &Summary, largest: &SuiteSummary, system: &SystemSummary) -> Vec<String> {
    let mut row = vec![system.name.clone()];
    for suite in &summary.suites {
        let (metric, _) = overview_column(suite);
        row.push(mean_of(suite, &system.name, metric, 3));
    }
    row.push(mean_of(largest, &system.name, TOKENS_TO_HIT, 0));
    row.push(format!("{:.2} ms", system.speed.p50_ms));
    // Where an index was there before the run, the time to the first answer says nothing.
    let speed = &system.speed;
    let was_indexed = speed.index_ms == 0.0 && speed.index_bytes > 0;
    row.push(if was_indexed {
        NOTHING.to_owned()
    } else {
        format!("{:.0} ms", speed.first_ms)
    });
    row
}

/// The mean of a system over all questions of a suite.
fn mean_of(suite: &SuiteSummary, system: &str, metric: &str, digits: usize) -> String {
    let system = suite.systems.iter().find(|other| other.name == system);
    let all = system.and_then(|system| system.groups.get(ALL));
    match all.and_then(|group| group.means.get(metric)) {
        Some(mean) => format!("{mean:.digits$}"),
        None => NOTHING.to_owned(),
    }
}
