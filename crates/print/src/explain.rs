//! Why a hit is where it is.

use crate::clean;
use scent_types::{Hit, Part, Response};
use std::fmt::Write as _;

/// The parts of a hit's score, one a line, the greatest first.
pub(crate) fn parts(hit: &Hit) -> String {
    let mut out = String::new();
    for part in sorted(hit) {
        let _ = writeln!(out, "  {:+7.3}  {:<10}  {}", part.amount, part.name, clean(&part.why));
    }
    if !hit.parts.is_empty() {
        let _ = writeln!(out, "  {:7.3}  in all", hit.score);
    }
    out
}

fn sorted(hit: &Hit) -> Vec<&Part> {
    let mut parts: Vec<&Part> = hit.parts.iter().collect();
    parts.sort_by(|a, b| b.amount.abs().total_cmp(&a.amount.abs()));
    parts
}

/// The words that were looked for with how rare they are, and how long each
/// step took.
pub(crate) fn steps(response: &Response) -> String {
    if response.stages.is_empty() {
        return String::new();
    }
    let terms: Vec<String> = response
        .terms
        .iter()
        .map(|(term, rarity)| format!("{} {rarity:.1}", clean(term)))
        .collect();
    let mut out = format!("words and how rare they are: {}\n", terms.join(", "));
    if let Some(sure) = response.certainty {
        let _ = writeln!(out, "the first is in the right file: {:.0}% sure", 100.0 * sure);
    }
    for stage in &response.stages {
        let _ = writeln!(out, "{:>8} µs  {:<8} {:>5} units", stage.micros, stage.name, stage.count);
    }
    out
}

/// What every step had in hand, one line of JSON a step.
pub fn stages(response: &Response) -> String {
    let line = |stage| serde_json::to_string(stage).expect("plain values can be written") + "\n";
    response.stages.iter().map(line).collect()
}
