//! Which rows of a passage to show: those that answer most of a question.

use scent_embed::TokenMatches;
use scent_words::{inflections, terms};
use std::collections::HashMap;
use std::ops::Range;

/// So many lines are read at a glance.
const ROWS: usize = 7;

/// A second window is shorter.
const FURTHER_ROWS: usize = 5;

/// A second window has at least this part of the question that the first lacks.
const WORTH_ANOTHER: f32 = 0.25;

/// What the tokens of a line count beside its words: how well windows of one
/// passage answer by tokens differs little.
const TOKENS: f32 = 2.0;

/// The terms of a question with their inflections, and what each counts; all
/// terms together are 1.
#[derive(Debug, Default)]
pub struct TermWeights {
    terms: HashMap<String, usize>,
    weights: Vec<f32>,
}

impl TermWeights {
    /// Terms as a ranking gives them, each with its idf.
    pub fn new(terms: &[(String, f32)]) -> TermWeights {
        let all: f32 = terms.iter().map(|(_, idf)| idf).sum();
        let all = all.max(f32::MIN_POSITIVE);
        let mut weights = TermWeights::default();
        for (nth, (term, idf)) in terms.iter().enumerate() {
            weights.weights.push(idf / all);
            weights.terms.insert(term.clone(), nth);
        }
        for (nth, (term, _)) in terms.iter().enumerate() {
            for inflection in inflections(term) {
                weights.terms.entry(inflection).or_insert(nth);
            }
        }
        weights
    }
}

/// What each line of a passage has of each part of a question. Parts are the
/// terms, and the tokens where there are vectors of them.
pub struct Evidence {
    lines: Vec<Vec<f32>>,
}

impl Evidence {
    /// The terms in each line.
    pub fn of_terms(lines: &[&str], terms: &TermWeights) -> Evidence {
        let mut rows = Vec::with_capacity(lines.len());
        for line in lines {
            let mut row = vec![0.0; terms.weights.len()];
            terms::each(line, |word| {
                if let Some(&term) = terms.terms.get(word) {
                    row[term] = terms.weights[term];
                }
            });
            rows.push(row);
        }
        Evidence { lines: rows }
    }

    /// Adds the best token of each line for each token of the question.
    /// `counts` says how many tokens come before the lines, and then how many
    /// each line has.
    pub fn add_tokens(&mut self, matches: &TokenMatches, counts: &[usize]) {
        let mut tokens = matches.values.chunks_exact(matches.width.max(1));
        let mut counts = counts.iter();
        let before = counts.next().copied().unwrap_or(0);
        tokens.by_ref().take(before).for_each(drop);
        for (row, count) in self.lines.iter_mut().zip(counts) {
            let first = row.len();
            row.resize(first + matches.width, 0.0);
            for token in tokens.by_ref().take(*count) {
                for (best, value) in row[first..].iter_mut().zip(token) {
                    *best = best.max(TOKENS * value);
                }
            }
        }
    }

    /// The window that answers most, and one more that answers much of the
    /// rest; in order, as positions of lines.
    pub fn windows(&self) -> Vec<Range<usize>> {
        let Some(best) = self.best(ROWS, &[], |_| true) else {
            return Vec::new();
        };
        let covered = self.most_in(best.rows.clone());
        let is_apart =
            |rows: &Range<usize>| rows.end < best.rows.start || best.rows.end < rows.start;
        let other = self.best(FURTHER_ROWS, &covered, is_apart);
        let mut windows = vec![best.rows.clone()];
        windows.extend(
            other
                .filter(|other| other.gain >= WORTH_ANOTHER)
                .map(|other| other.rows),
        );
        windows.sort_by_key(|rows| rows.start);
        windows
    }

    /// The window that adds most to what is covered. Of several in a row that
    /// add the same, the middle one: what it has then stands in the middle.
    fn best(
        &self,
        rows: usize,
        covered: &[f32],
        allowed: impl Fn(&Range<usize>) -> bool,
    ) -> Option<Window> {
        let rows = rows.min(self.lines.len());
        let mut best: Vec<Window> = Vec::new();
        for start in 0..=self.lines.len() - rows {
            let window = Window {
                gain: self.gain(start..start + rows, covered),
                rows: start..start + rows,
            };
            let least = best.first().map_or(0.0, |best| best.gain);
            if !allowed(&window.rows) || window.gain < least {
                continue;
            }
            let follows = best.last().is_none_or(|last| last.rows.start + 1 == start);
            if window.gain > least || (best.is_empty() && window.gain > 0.0) {
                best.clear();
                best.push(window);
            } else if follows && !best.is_empty() {
                best.push(window);
            }
        }
        let middle = best.len() / 2;
        best.into_iter().nth(middle)
    }

    fn gain(&self, rows: Range<usize>, covered: &[f32]) -> f32 {
        let covered = covered.iter().copied().chain(std::iter::repeat(0.0));
        let most = self.most_in(rows);
        let gains = most
            .iter()
            .zip(covered)
            .map(|(most, covered)| most - covered);
        gains.map(|gain| gain.max(0.0)).sum()
    }

    /// The most that one of these lines has of each part.
    fn most_in(&self, rows: Range<usize>) -> Vec<f32> {
        let mut most: Vec<f32> = Vec::new();
        for line in &self.lines[rows] {
            most.resize(line.len().max(most.len()), 0.0);
            for (most, value) in most.iter_mut().zip(line) {
                *most = most.max(*value);
            }
        }
        most
    }
}

struct Window {
    rows: Range<usize>,
    /// What it has of the question.
    gain: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(marked: &[(usize, &str)], lines: usize, terms: &[&str]) -> Evidence {
        let mut text = vec![""; lines];
        for (line, words) in marked {
            text[*line] = words;
        }
        let terms: Vec<(String, f32)> = terms.iter().map(|t| ((*t).to_owned(), 1.0)).collect();
        Evidence::of_terms(&text, &TermWeights::new(&terms))
    }

    fn windows(evidence: &Evidence) -> Vec<(usize, usize)> {
        let windows = evidence.windows().into_iter();
        windows.map(|rows| (rows.start, rows.end)).collect()
    }

    #[test]
    fn the_window_is_around_what_answers() {
        let terms = ["retry", "delay", "jitter", "seed"];
        for (marked, want) in [
            (&[(20, "retry(delay)")][..], vec![(17, 24)]),
            (&[(0, "retry")], vec![(0, 7)]),
            (&[(39, "seeds")], vec![(33, 40)]),
            (&[(3, "retry"), (20, "retry delay jitter")], vec![(17, 24)]),
            (
                &[(3, "seed"), (20, "retry delay jitter")],
                vec![(2, 7), (17, 24)],
            ),
            (&[], vec![]),
        ] {
            let evidence = evidence(marked, 40, &terms);
            assert_eq!(windows(&evidence), want, "{marked:?}");
        }
        assert_eq!(windows(&evidence(&[(1, "retry")], 3, &terms)), [(0, 3)]);
        assert!(evidence(&[], 0, &terms).windows().is_empty());
    }

    #[test]
    fn tokens_say_where_no_word_is_the_same() {
        let lines = vec!["x"; 20];
        let mut evidence = Evidence::of_terms(&lines, &TermWeights::default());
        // Two tokens before the lines, then one a line; the query has one.
        let mut values = vec![0.9, 0.9];
        values.extend((0..20).map(|line| if line == 12 { 0.6 } else { 0.2 }));
        let counts: Vec<usize> = [2].into_iter().chain([1; 20]).collect();
        evidence.add_tokens(&TokenMatches { values, width: 1 }, &counts);
        assert_eq!(windows(&evidence), [(9, 16)]);
    }
}
