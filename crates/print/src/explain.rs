//! Why a hit is where it is.

use crate::text::Text;
use scent_types::{Hit, Part, Response};

/// The parts of a hit's score, one a line, the greatest first.
pub(crate) fn parts(hit: &Hit) -> Text {
    let mut parts: Vec<&Part> = hit.parts.iter().collect();
    parts.sort_by(|a, b| b.amount.abs().total_cmp(&a.amount.abs()));
    let mut out = Text::default();
    for Part { name, amount, why } in &parts {
        out += Text::line(&format!("  {amount:+7.3}  {name:<10}  {why}"));
    }
    if !parts.is_empty() {
        out += Text::line(&format!("  {:7.3}  in all", hit.score));
    }
    out
}

/// The words that were looked for with how rare they are, and how long each
/// step took.
pub(crate) fn steps(response: &Response) -> Text {
    let mut out = Text::default();
    if response.stages.is_empty() {
        return out;
    }
    let mut terms = Vec::new();
    for (term, idf) in &response.terms {
        terms.push(format!("{term} {idf:.1}"));
    }
    let terms = terms.join(", ");
    out += Text::line(&format!("words and how rare they are: {terms}"));
    if let Some(certainty) = response.certainty {
        let percent = 100.0 * certainty;
        out += Text::line(&format!(
            "the first is in the right file: {percent:.0}% sure"
        ));
    }
    for stage in &response.stages {
        let (name, micros, count) = (stage.name, stage.micros, stage.count);
        out += Text::line(&format!("{micros:>8} µs  {name:<8} {count:>5} units"));
    }
    out
}
