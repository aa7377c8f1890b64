//! Why a hit is where it is.

use crate::Text;
use scent_types::{Hit, Part, Response, Stage};

/// The parts of a hit's score, one a line, the greatest first.
pub(crate) fn parts(hit: &Hit) -> Text {
    let line = |part: &Part| {
        Text::line(&format!(
            "  {:+7.3}  {:<10}  {}",
            part.amount, part.name, part.why
        ))
    };
    let mut out: Text = sorted(hit).into_iter().map(line).collect();
    if !hit.parts.is_empty() {
        out += Text::line(&format!("  {:7.3}  in all", hit.score));
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
pub(crate) fn steps(response: &Response) -> Text {
    if response.stages.is_empty() {
        return Text::default();
    }
    let term = |(term, rarity): &(String, f32)| format!("{term} {rarity:.1}");
    let terms: Vec<String> = response.terms.iter().map(term).collect();
    let mut out = Text::line(&format!(
        "words and how rare they are: {}",
        terms.join(", ")
    ));
    if let Some(sure) = response.certainty {
        out += Text::line(&format!(
            "the first is in the right file: {:.0}% sure",
            100.0 * sure
        ));
    }
    out + response.stages.iter().map(step).collect()
}

fn step(
    Stage {
        name,
        micros,
        count,
        ..
    }: &Stage,
) -> Text {
    Text::line(&format!("{micros:>8} µs  {name:<8} {count:>5} units"))
}

/// What every step had in hand, one line of JSON a step.
pub fn stages(response: &Response) -> Text {
    response.stages.iter().map(Text::json).collect()
}
