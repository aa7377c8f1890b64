//! Tables of how issues were answered, and of what changed.

use super::score::{METRICS, Scores};
use super::traits::TRAITS;
use crate::bootstrap::{RESAMPLES, interval};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// One issue asked in one form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The issue.
    pub id: String,
    /// The repository.
    pub repo: String,
    /// The language of its fix.
    pub language: String,
    /// The name of the form.
    pub form: String,
    /// What its text contains.
    pub traits: Vec<String>,
    /// The numbers.
    pub scores: BTreeMap<String, f64>,
    /// How long the answer took, in milliseconds.
    pub ms: f64,
    /// The first places of the answer.
    pub first: Vec<String>,
}

impl Row {
    /// Keeps numbers under names of its own.
    pub fn with_scores(mut self, scores: &Scores) -> Row {
        let named = scores
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value));
        self.scores = named.collect();
        self
    }
}

/// The means of every form, over all issues, by language and by what the texts
/// contain.
pub fn table(rows: &[Row]) -> String {
    let mut out = format!("| form | issues | n | {} | ms |\n", METRICS.join(" | "));
    let _ = writeln!(out, "|{}", " --- |".repeat(METRICS.len() + 4));
    let mut forms: Vec<&str> = Vec::new();
    for row in rows {
        if !forms.contains(&row.form.as_str()) {
            forms.push(&row.form);
        }
    }
    let languages: BTreeSet<&str> = rows.iter().map(|row| row.language.as_str()).collect();
    for form in forms {
        let of_form: Vec<&Row> = rows.iter().filter(|row| row.form == form).collect();
        write_line(&mut out, form, "all", &of_form);
        for name in TRAITS {
            let has = |row: &&&Row| row.traits.iter().any(|one| one == name);
            write_group(&mut out, form, name, of_form.iter().filter(has));
        }
        for language in &languages {
            let is_in = |row: &&&Row| row.language == *language;
            write_group(&mut out, form, language, of_form.iter().filter(is_in));
        }
    }
    out
}

fn write_group<'r>(
    out: &mut String,
    form: &str,
    name: &str,
    rows: impl Iterator<Item = &'r &'r Row>,
) {
    let rows: Vec<&Row> = rows.copied().collect();
    if !rows.is_empty() {
        write_line(out, form, name, &rows);
    }
}

fn write_line(out: &mut String, form: &str, name: &str, rows: &[&Row]) {
    let _ = write!(out, "| {form} | {name} | {} |", rows.len());
    for metric in METRICS {
        match mean(
            rows.iter()
                .filter_map(|row| row.scores.get(metric).copied()),
        ) {
            Some(mean) => write!(out, " {mean:.3} |"),
            None => write!(out, " – |"),
        }
        .expect("a string takes all");
    }
    let ms = mean(rows.iter().map(|row| row.ms)).unwrap_or_default();
    let _ = writeln!(out, " {ms:.0} |");
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    let sum: f64 = values.iter().sum();
    (!values.is_empty()).then(|| sum / values.len() as f64)
}

/// What changed from some rows to others: for each form and number the mean
/// before and after, with the interval of the difference. Issues are drawn again
/// as a whole, since repositories are too small to be drawn from.
pub fn changes(before: &[Row], after: &[Row]) -> String {
    let key = |row: &Row| (row.form.clone(), row.id.clone());
    let known: BTreeMap<_, &Row> = before.iter().map(|row| (key(row), row)).collect();
    let mut gains: BTreeMap<(&str, &str), Vec<(f64, f64)>> = BTreeMap::new();
    for row in after {
        let Some(old) = known.get(&key(row)) else {
            continue;
        };
        for metric in METRICS {
            if let (Some(a), Some(b)) = (old.scores.get(metric), row.scores.get(metric)) {
                let pairs = gains.entry((&row.form, metric)).or_default();
                pairs.push((*a, *b));
            }
        }
    }
    let mut out = String::from(
        "| form | metric | n | before | after | difference, 95% | better | worse |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for ((form, metric), pairs) in gains {
        let differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).collect();
        let better = differences.iter().filter(|d| **d > 0.0).count();
        let worse = differences.iter().filter(|d| **d < 0.0).count();
        let before = mean(pairs.iter().map(|(a, _)| *a)).unwrap_or_default();
        let after = mean(pairs.iter().map(|(_, b)| *b)).unwrap_or_default();
        if let Some(range) = interval(&[differences], RESAMPLES) {
            let _ = writeln!(
                out,
                "| {form} | {metric} | {} | {before:.3} | {after:.3} | {:+.3} ({:+.3} to {:+.3}) | {better} | {worse} |",
                pairs.len(),
                range.mean,
                range.low,
                range.high,
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, form: &str, file: f64) -> Row {
        Row {
            id: id.into(),
            repo: "r".into(),
            language: "go".into(),
            form: form.into(),
            traits: vec!["path".into()],
            scores: BTreeMap::from([("file@1".to_owned(), file)]),
            ms: 2.0,
            first: Vec::new(),
        }
    }

    #[test]
    fn forms_are_told_apart_and_means_are_of_what_applies() {
        let rows = [
            row("a", "title", 1.0),
            row("b", "title", 0.0),
            row("a", "whole", 1.0),
        ];
        let table = table(&rows);
        assert!(table.contains("| title | all | 2 | 0.500 | – |"), "{table}");
        assert!(table.contains("| whole | path | 1 | 1.000 |"), "{table}");
    }

    #[test]
    fn changes_are_between_the_same_issues() {
        let before = [row("a", "title", 0.0), row("b", "title", 0.0)];
        let after = [row("a", "title", 1.0), row("c", "title", 1.0)];
        let changes = changes(&before, &after);
        assert!(
            changes.contains("| title | file@1 | 1 | 0.000 | 1.000 |"),
            "{changes}"
        );
    }
}
