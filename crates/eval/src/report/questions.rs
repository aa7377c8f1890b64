//! The scores of every question, as CSV.

use crate::metrics::{Scores, is_blind, score_if_blind};
use crate::row::{Outcome, Row};
use crate::store::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The scores of every question, as CSV.
pub fn per_question(cells: &[Cell]) -> anyhow::Result<String> {
    let scored = scored_rows(cells);
    let metrics: BTreeSet<&String> = scored
        .iter()
        .flat_map(|(_, scores)| scores.keys())
        .collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut header = vec![
        "system", "suite", "corpus", "split", "language", "category", "id", "outcome",
    ];
    header.extend(metrics.iter().map(|metric| metric.as_str()));
    writer.write_record(header)?;
    for (row, scores) in &scored {
        let mut record = csv_fields(row).to_vec();
        for metric in &metrics {
            let value = scores.get(*metric);
            record.push(value.map(|value| format!("{value:.5}")).unwrap_or_default());
        }
        writer.write_record(record)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Every row with its scores, by system and suite.
fn scored_rows(cells: &[Cell]) -> Vec<(&Row, Scores)> {
    let mut systems: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in cells.iter().flat_map(|cell| &cell.rows) {
        let key = (row.system.as_str(), row.suite.as_str());
        systems.entry(key).or_default().push(row);
    }
    let mut scored = Vec::new();
    for rows in systems.into_values() {
        let blind = is_blind(rows.iter().copied());
        for row in rows {
            let scores = score_if_blind(row, blind);
            scored.push((row, scores.unwrap_or_default()));
        }
    }
    scored
}

/// What a row says before its scores.
fn csv_fields(row: &Row) -> [String; 8] {
    let outcome = match &row.answer {
        Outcome::Answered(_) => "answered",
        Outcome::Unsupported => "unsupported",
        Outcome::Failed(_) => "failed",
    };
    [
        row.system.clone(),
        row.suite.clone(),
        row.corpus.clone(),
        row.split.clone(),
        row.language.clone(),
        row.category.clone(),
        row.id.clone(),
        outcome.to_owned(),
    ]
}
