//! Tables in Markdown, and what stands in their cells.

use crate::bootstrap::Interval;
use crate::compare::Difference;
use crate::summary::{ALL, GroupSummary, SuiteSummary};
use std::collections::BTreeSet;

/// What stands where a system cannot be judged.
pub(super) const NOTHING: &str = "–";

pub(super) fn table(text: &mut String, header: &[String], rows: Vec<Vec<String>>) {
    push_row(text, header);
    let mut rule = vec!["---".to_owned()];
    rule.resize(header.len(), "---:".to_owned());
    push_row(text, &rule);
    for row in &rows {
        push_row(text, row);
    }
}

fn push_row(text: &mut String, cells: &[String]) {
    for cell in cells {
        text.push_str("| ");
        text.push_str(&cell.replace('|', "\\|"));
        text.push(' ');
    }
    text.push_str("|\n");
}

/// A mean, and how far from the first system it is.
pub(super) fn cell(group: Option<&GroupSummary>, metric: &str) -> String {
    let Some(group) = group else {
        return NOTHING.to_owned();
    };
    let Some(mean) = group.means.get(metric) else {
        return NOTHING.to_owned();
    };
    let digits = if metric.starts_with("tokens") { 0 } else { 3 };
    let Some(against) = group.gains.get(metric) else {
        return format!("{mean:.digits$}");
    };
    let Interval {
        mean: gain,
        low,
        high,
    } = against.gain;
    format!("{mean:.digits$} ({gain:+.digits$}, {low:+.digits$} to {high:+.digits$})")
}

/// `+0.012, +0.003 to +0.021`
pub fn difference(difference: &Difference) -> String {
    let gain = difference.gain;
    format!("{:+.3}, {:+.3} to {:+.3}", gain.mean, gain.low, gain.high)
}

/// The names of the groups of one sort.
pub(super) fn groups(suite: &SuiteSummary, sort: &str) -> Vec<String> {
    let mut names = BTreeSet::new();
    for system in &suite.systems {
        for group in system.groups.keys() {
            names.extend(group.strip_prefix(sort));
        }
    }
    names.into_iter().map(str::to_owned).collect()
}

/// The means over all questions of the systems that are wanted.
pub(super) fn overall(
    text: &mut String,
    suite: &SuiteSummary,
    columns: &[(&str, &str)],
    wanted: impl Fn(&str) -> bool,
) {
    let mut rows = Vec::new();
    for system in suite.systems.iter().filter(|system| wanted(&system.name)) {
        let Some(group) = system.groups.get(ALL) else {
            continue;
        };
        let mut row = vec![system.name.clone()];
        row.extend(columns.iter().map(|(metric, _)| cell(Some(group), metric)));
        rows.push(row);
    }
    if rows.is_empty() {
        text.push_str("No system answers every sort of question of this suite.\n");
        return;
    }
    let mut header = vec!["system".to_owned()];
    header.extend(columns.iter().map(|(_, name)| (*name).to_owned()));
    table(text, &header, rows);
}
