//! Which lines of a hit are shown.

use crate::{Context, Style, shortened};
use scent_types::{Hit, Kind};

/// How many lines stand for a hit in which no line stands out.
const FEW: u32 = 3;

/// The numbers of the lines to show, in order.
pub(crate) fn lines(hit: &Hit, style: &Style) -> Vec<u32> {
    let all = || (hit.lines.start..=hit.lines.end).collect();
    match style.context {
        Context::None => Vec::new(),
        Context::Full => all(),
        Context::Smart if hit.lines.count() <= style.max_lines => all(),
        Context::Smart => best_passage(hit, style.max_lines),
        Context::Lines => {
            let mut lines = that_matter(hit, style);
            lines.truncate(style.max_lines as usize);
            lines
        }
    }
}

/// The declaration, and as many lines in a row as may be shown where most of
/// those that matter are.
fn best_passage(hit: &Hit, max_lines: u32) -> Vec<u32> {
    let rows = max_lines.saturating_sub(1).max(1);
    let last_start = hit.lines.end.saturating_sub(rows - 1).max(hit.lines.start);
    let matter = |start: u32| {
        hit.matched
            .iter()
            .filter(|line| (start..start + rows).contains(line))
            .count()
    };
    // A little before the first line that matters, so that it can be read.
    let begin = |line: &u32| line.saturating_sub(2).clamp(hit.lines.start, last_start);
    let starts = hit.matched.iter().map(begin).chain([hit.lines.start]);
    let best = starts.max_by_key(|&start| (matter(start), std::cmp::Reverse(start)));
    let start = best.unwrap_or(hit.lines.start);
    let mut lines: Vec<u32> = (start..start + rows)
        .filter(|&l| l <= hit.lines.end)
        .collect();
    lines.extend(declaration(hit).filter(|line| !lines.contains(line)));
    lines.sort_unstable();
    lines
}

/// The lines that matter, with what was asked for around them.
fn that_matter(hit: &Hit, style: &Style) -> Vec<u32> {
    let mut chosen: Vec<u32> = match hit.matched.as_slice() {
        [] => (hit.lines.start..=hit.lines.end)
            .take(FEW as usize)
            .collect(),
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
    ["//", "/*", "*", "#", "--", ";"]
        .iter()
        .any(|mark| text.starts_with(mark))
}

/// What a hit is called: its kind and its full name.
pub(crate) fn title(hit: &Hit) -> String {
    match hit.qualified.as_str() {
        "" => hit.kind.to_string(),
        name => format!("{} {}", hit.kind, shortened(name)),
    }
}
