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
    let mut chosen: Vec<u32> = match hit.matched.as_slice() {
        [] => (hit.lines.start..=hit.lines.end).take(FEW as usize).collect(),
        matched => matched.iter().copied().chain(declaration(hit)).collect(),
    };
    chosen.sort_unstable();
    let mut lines: Vec<u32> = Vec::new();
    for line in chosen {
        let after_last = lines.last().map_or(1, |last| last + 1);
        let first = line.saturating_sub(style.before).max(after_last);
        lines.extend(first..=line.saturating_add(style.after).min(hit.source.count()));
    }
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
