//! What others published of a suite, and whether it agrees.

use super::table::table;
use crate::summary::{CORPUS, SuiteSummary, SystemSummary};
use crate::system::{Agreement, Published};
use std::fmt::Write;

/// Scores that differ by no more agree.
const NEAR: f64 = 0.01;

/// Whether a system scores here, by repository, what others published of it.
pub(super) fn agreement_table(text: &mut String, suite: &SuiteSummary, published: &[Agreement]) {
    for one in published.iter().filter(|one| one.suite == suite.name) {
        let mut systems = suite.systems.iter();
        if let Some(system) = systems.find(|system| system.name == one.system) {
            agreement(text, system, one);
        }
    }
}

fn agreement(text: &mut String, system: &SystemSummary, published: &Agreement) {
    let mut compared = 0;
    let mut far = Vec::new();
    for (name, score) in &published.scores {
        let group = system.groups.get(&format!("{CORPUS}{name}"));
        let Some(here) = group.and_then(|group| group.means.get(&published.metric)) else {
            continue;
        };
        compared += 1;
        if (score - here).abs() > NEAR {
            far.push(vec![
                name.clone(),
                format!("{score:.3}"),
                format!("{here:.3}"),
            ]);
        }
    }
    let _ = writeln!(
        text,
        "\n### {}, here and as published\n\n{} ({}): within {NEAR} at {} of {compared} repositories.\n",
        published.system,
        published.source,
        published.metric,
        compared - far.len()
    );
    let header = ["further off", "published", "here"].map(str::to_owned);
    table(text, &header, far);
}

pub(super) fn published_table(text: &mut String, suite: &SuiteSummary, published: &[Published]) {
    let mut rows = Vec::new();
    for one in published.iter().filter(|one| one.suite == suite.name) {
        let metric = match &one.mode {
            Some(mode) => format!("{} {mode}", one.metric),
            None => one.metric.clone(),
        };
        rows.push(vec![
            one.name.clone(),
            metric,
            format!("{:.3}", one.score),
            one.repositories.to_string(),
            one.source.clone(),
            one.note.clone(),
        ]);
    }
    if rows.is_empty() {
        return;
    }
    text.push_str("\n### Published by others\n\n");
    text.push_str("Not measured in this run, and not on the same questions: for orientation.\n\n");
    let header = [
        "system",
        "metric",
        "score",
        "repositories",
        "source",
        "here",
    ];
    table(text, &header.map(str::to_owned), rows);
}
