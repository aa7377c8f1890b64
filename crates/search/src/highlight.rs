//! Which lines of a unit say why it was found, and what in them.

use crate::matcher::Matcher;
use scent_words::terms;
use std::cmp::Reverse;
use std::ops::Range;

/// Where a line matches the pattern or, without one, holds a term in any case:
/// ranges of bytes in order, none empty, none within another.
pub fn marks(line: &str, matcher: Option<&Matcher>, terms: &[(String, f32)]) -> Vec<Range<u32>> {
    let mut found: Vec<Range<usize>> = match matcher {
        Some(matcher) => matcher.find_iter(line).collect(),
        None => occurrences(line, terms),
    };
    found.sort_by_key(|range| (range.start, Reverse(range.end)));
    let mut marks = Vec::new();
    let mut end = 0;
    for range in found {
        if range.start >= end && !range.is_empty() {
            marks.push(range.start as u32..range.end as u32);
            end = range.end;
        }
    }
    marks
}

fn occurrences(line: &str, terms: &[(String, f32)]) -> Vec<Range<usize>> {
    let lower = line.to_ascii_lowercase();
    let mut found = Vec::new();
    for (term, _) in terms {
        for (at, text) in lower.match_indices(term) {
            found.push(at..at + text.len());
        }
    }
    found
}

/// The numbers of the lines that hold most of what the terms tell; at most
/// `most`, in order. Empty where no line holds a term. `first` is the number
/// of the first line.
pub fn best_lines<'l>(
    first: u32,
    lines: impl Iterator<Item = &'l str>,
    terms: &[(String, f32)],
    most: usize,
) -> Vec<u32> {
    let mut scored = Vec::new();
    for (number, line) in (first..).zip(lines) {
        let score = total_idf(line, terms);
        if score > 0.0 {
            scored.push((number, score));
        }
    }
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(most);
    let mut best: Vec<u32> = scored.into_iter().map(|(number, _)| number).collect();
    best.sort_unstable();
    best
}

/// The idf of the distinct terms in a line.
fn total_idf(line: &str, terms: &[(String, f32)]) -> f32 {
    let mut seen = vec![false; terms.len()];
    terms::each(line, |token| {
        if let Some(at) = terms.iter().position(|(term, _)| term == token) {
            seen[at] = true;
        }
    });
    let mut sum = 0.0;
    for ((_, idf), seen) in terms.iter().zip(seen) {
        if seen {
            sum += idf;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_in_order_and_apart() {
        let terms = [("delay".into(), 1.0), ("retry_delay".into(), 1.0)];
        let line = "Delay = RETRY_DELAY(delays)";
        assert_eq!(marks(line, None, &terms), [0..5, 8..19, 20..25]);
        assert!(marks(line, None, &[]).is_empty());
    }

    #[test]
    fn the_lines_with_the_rarest_words_win() {
        let lines = || ["fn a() {", "let delay = 1;", "retry(delay)", "}"].into_iter();
        let terms = [("retry".into(), 3.0), ("delay".into(), 2.0)];
        assert_eq!(best_lines(10, lines(), &terms, 1), [12]);
        assert_eq!(best_lines(10, lines(), &terms, 5), [11, 12]);
        assert!(best_lines(10, lines(), &[], 5).is_empty());
    }
}
