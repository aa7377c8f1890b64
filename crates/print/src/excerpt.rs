//! Which lines of a hit are shown.

use crate::Style;
use scent_types::{Hit, Kind};

/// How many lines stand for a hit in which no line stands out.
const FEW: u32 = 3;

/// The numbers of the lines to show, in order.
pub(crate) fn lines(hit: &Hit, style: &Style) -> Vec<u32> {
    if style.full {
        return (hit.lines.start..=hit.lines.end).collect();
    }
    let mut lines: Vec<u32> = match hit.matched.as_slice() {
        [] => (hit.lines.start..=hit.lines.end).take(FEW as usize).collect(),
        matched => matched.iter().copied().chain(declaration(hit)).collect(),
    };
    let last = hit.source.count();
    let around =
        |line: u32| line.saturating_sub(style.before).max(1)..=(line + style.after).min(last);
    lines = lines.into_iter().flat_map(around).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The line that says what the hit is: the one that holds its name.
fn declaration(hit: &Hit) -> Option<u32> {
    let named =
        !hit.name.is_empty() && !matches!(hit.kind, Kind::Text | Kind::Code | Kind::Section);
    let holds = |line: &u32| hit.line(*line).is_some_and(|text| text.contains(&hit.name));
    (hit.lines.start..=hit.lines.end)
        .take(40)
        .find(|line| named && holds(line) && !is_comment(hit, *line))
}

fn is_comment(hit: &Hit, line: u32) -> bool {
    let text = hit.line(line).unwrap_or("").trim_start();
    ["//", "/*", "*", "#", "--", ";"].iter().any(|mark| text.starts_with(mark))
}

/// What a hit is called: its kind and its full name.
pub(crate) fn title(hit: &Hit) -> String {
    match hit.qualified.as_str() {
        "" => hit.kind.to_string(),
        name => format!("{} {name}", hit.kind),
    }
}
