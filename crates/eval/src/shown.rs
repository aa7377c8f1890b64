//! Whether a result shows the right lines, rather than lines near them.

use crate::row::{Found, Target};
use scent_types::Lines;

/// Lines so near to a place are its context: neither right nor wrong.
const CONTEXT: u32 = 3;

/// The places of which a result shows lines; none where most of what it shows
/// is something else, so that showing more lines gains nothing.
pub(crate) fn places_shown(hit: &Found, targets: &[Target]) -> Vec<usize> {
    let same_file = targets.iter().filter(|target| target.path == hit.path);
    let places: Vec<Option<Lines>> = same_file.map(|target| target.lines).collect();
    let (mut right, mut wrong) = (0, 0);
    for line in lines_shown(hit) {
        if places.iter().any(|place| is_near(*place, line, 0)) {
            right += 1;
        } else if !places.iter().any(|place| is_near(*place, line, CONTEXT)) {
            wrong += 1;
        }
    }
    if right < wrong {
        return Vec::new();
    }
    let mut shown = Vec::new();
    for (at, target) in targets.iter().enumerate() {
        let mut lines = lines_shown(hit);
        if target.path == hit.path && lines.any(|line| is_near(target.lines, line, 0)) {
            shown.push(at);
        }
    }
    shown
}

fn lines_shown(hit: &Found) -> impl Iterator<Item = u32> {
    let ranges = hit.shown.iter().flatten();
    ranges.flat_map(|lines| lines.start..=lines.end)
}

/// Whether a line is in a place, or so many lines before or after it.
fn is_near(place: Option<Lines>, line: u32, slack: u32) -> bool {
    let Some(lines) = place else { return true };
    let first = lines.start.saturating_sub(slack);
    (first..=lines.end.saturating_add(slack)).contains(&line)
}

/// Line numbers in order as ranges.
pub(crate) fn ranges(numbers: impl IntoIterator<Item = u32>) -> Vec<Lines> {
    let mut ranges: Vec<Lines> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end + 1 == number => last.end = number,
            _ => ranges.push(Lines::new(number, number)),
        }
    }
    ranges
}
