//! Which lines of a hit are given, and what is marked in them.

use scent_index::StoredUnit;
use scent_search::{Matcher, marks};
use scent_types::{Context, Excerpt, Kind, Line, Lines, Source};
use std::cmp::Reverse;

/// How many lines stand for a hit in which no line stands out.
const LINES_WITHOUT_MATCH: u32 = 3;

/// How far into a hit its name is looked for.
const LINES_TO_NAME: usize = 40;

/// What a line of a comment begins with.
const COMMENTS: [&str; 6] = ["//", "/*", "*", "#", "--", ";"];

/// What the lines of a hit are chosen from: its best passage.
pub(crate) struct Passage<'a> {
    pub unit: &'a StoredUnit,
    /// The lines of the whole unit.
    pub lines: Lines,
    /// The lines that match best, in order.
    pub matched: &'a [u32],
    pub source: &'a Source,
}

/// What is marked in a line.
pub(crate) struct Marker<'a> {
    pub matcher: Option<&'a Matcher>,
    pub terms: &'a [(String, f32)],
}

impl Passage<'_> {
    /// The lines that were asked for.
    pub fn excerpt(&self, asked: &Excerpt, marker: &Marker) -> Vec<Line> {
        let mut excerpt = Vec::new();
        for number in self.numbers(asked) {
            let text = self.source.line(number).unwrap_or("");
            let mut line = Line::new(number, text, asked.max_columns);
            line.matches = marks(&line.text, marker.matcher, marker.terms);
            excerpt.push(line);
        }
        excerpt
    }

    fn numbers(&self, asked: &Excerpt) -> Vec<u32> {
        let is_short = self.lines.count() <= asked.max_lines;
        match asked.context {
            Context::None => Vec::new(),
            Context::Full => self.all(),
            Context::Smart if is_short => self.all(),
            Context::Smart => self.best_rows(asked.max_lines),
            Context::Lines => {
                let mut lines = self.matching(asked);
                lines.truncate(asked.max_lines as usize);
                lines
            }
        }
    }

    fn all(&self) -> Vec<u32> {
        (self.lines.start..=self.lines.end).collect()
    }

    /// The declaration, and as many lines in a row as fit where most of the
    /// lines that match are.
    fn best_rows(&self, max_lines: u32) -> Vec<u32> {
        let Lines { start, end } = self.unit.lines;
        let rows = max_lines.saturating_sub(1).max(1);
        let last_start = end.saturating_sub(rows - 1).max(start);
        let mut best = (self.matches_within(start, rows), Reverse(start));
        for line in self.matched {
            // A little before the line, so that it can be read.
            let from = line.saturating_sub(2).clamp(start, last_start);
            best = best.max((self.matches_within(from, rows), Reverse(from)));
        }
        let Reverse(from) = best.1;
        let mut lines: Vec<u32> = (from..from + rows).filter(|line| *line <= end).collect();
        if let Some(line) = self.declaration().filter(|line| !lines.contains(line)) {
            lines.push(line);
        }
        lines.sort_unstable();
        lines
    }

    fn matches_within(&self, from: u32, rows: u32) -> usize {
        let rows = from..from + rows;
        self.matched
            .iter()
            .filter(|line| rows.contains(line))
            .count()
    }

    /// The lines that match, with those around them that were asked for.
    fn matching(&self, asked: &Excerpt) -> Vec<u32> {
        let mut chosen = self.matched.to_vec();
        if chosen.is_empty() {
            chosen = (self.unit.lines.start..=self.unit.lines.end).collect();
            chosen.truncate(LINES_WITHOUT_MATCH as usize);
        } else {
            chosen.extend(self.declaration());
        }
        chosen.sort_unstable();
        let mut lines: Vec<u32> = Vec::new();
        for line in chosen {
            let after_last = lines.last().map_or(1, |last| last + 1);
            let first = line.saturating_sub(asked.before).max(after_last);
            let last = line.saturating_add(asked.after).min(self.source.count());
            lines.extend(first..=last);
        }
        lines
    }

    /// The line that says what the hit is: the one that holds its name.
    fn declaration(&self) -> Option<u32> {
        let StoredUnit { kind, name, .. } = self.unit;
        let is_unnamed = matches!(kind, Kind::Text | Kind::Code | Kind::Section);
        if name.is_empty() || is_unnamed {
            return None;
        }
        let first = (self.lines.start..=self.lines.end).take(LINES_TO_NAME);
        for number in first {
            let text = self.source.line(number).unwrap_or("");
            if text.contains(name) && !is_comment(text) {
                return Some(number);
            }
        }
        None
    }
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    COMMENTS.iter().any(|mark| line.starts_with(mark))
}
