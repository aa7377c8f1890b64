//! Which lines of a hit are given, and what is marked in them.

use scent_index::StoredUnit;
use scent_search::{Matcher, marks};
use scent_types::{Context, Excerpt, Kind, Line, Lines, Source};
use std::cmp::Reverse;

/// How many lines stand for a hit in which no line stands out.
const LINES_WITHOUT_MATCH: u32 = 3;

/// A unit of up to this many lines is shown whole: its declaration and a window
/// take as many.
const SHORT: u32 = 10;

/// How far into a hit its name is looked for.
const LINES_TO_NAME: usize = 40;

/// A declaration is shown up to this many lines.
const LINES_OF_DECLARATION: usize = 4;

/// What a line of a comment begins with.
const COMMENTS: [&str; 6] = ["//", "/*", "*", "#", "--", ";"];

/// What the lines of a hit are chosen from: its best passage.
pub(crate) struct Passage<'a> {
    pub unit: &'a StoredUnit,
    /// The lines of the whole unit.
    pub lines: Lines,
    /// The lines that match best, in order.
    pub matched: &'a [u32],
    /// The windows that answer best, in order; none where lines that match a
    /// pattern are shown.
    pub windows: &'a [Lines],
    /// Lines that declare members.
    pub members: &'a [u32],
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
            Context::Windows if self.windows.is_empty() => self.matching_up_to(asked),
            Context::Windows => self.around_windows(),
            Context::Smart if is_short => self.all(),
            Context::Smart => self.best_rows(asked.max_lines),
            Context::Lines => self.matching_up_to(asked),
        }
    }

    fn matching_up_to(&self, asked: &Excerpt) -> Vec<u32> {
        let mut lines = self.matching(asked);
        lines.truncate(asked.max_lines as usize);
        lines
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
        lines.extend(self.declaration());
        lines.sort_unstable();
        lines.dedup();
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
        chosen.dedup();
        let mut lines: Vec<u32> = Vec::new();
        for line in chosen {
            let after_last = lines.last().map_or(1, |last| last + 1);
            let first = line.saturating_sub(asked.before).max(after_last);
            let last = line.saturating_add(asked.after).min(self.source.count());
            lines.extend(first..=last);
        }
        lines
    }

    /// The declaration, the members, and the windows; all of a short unit.
    fn around_windows(&self) -> Vec<u32> {
        if self.lines.count() <= SHORT {
            return self.all();
        }
        let mut lines = self.declaration();
        lines.extend(self.members);
        for window in self.windows {
            lines.extend(window.start..=window.end);
        }
        lines.sort_unstable();
        lines.dedup();
        without_gaps_of_one(&lines)
    }

    /// The lines that say what the hit is: from the one that holds its name to
    /// the end of its signature.
    fn declaration(&self) -> Vec<u32> {
        let StoredUnit {
            kind,
            name,
            signature,
            ..
        } = self.unit;
        let text = |number| self.source.line(number).unwrap_or("");
        let Some(named) = declared_at(self.source, self.lines, *kind, name) else {
            return Vec::new();
        };
        // The signature ends before what opens the body.
        let here = text(named).trim().trim_end_matches(['{', ':', ' ']);
        let (before, mut rest) = signature.split_once(here).unwrap_or_default();
        let mut declaration = vec![named];
        let has_line_above = named > self.lines.start && !before.is_empty();
        if has_line_above && text(named - 1).trim() == before.trim() {
            declaration.insert(0, named - 1);
        }
        for number in named + 1..=self.lines.end {
            rest = rest.trim();
            let line = text(number).trim();
            let is_over = rest.is_empty() || declaration.len() == LINES_OF_DECLARATION;
            if is_over || line.is_empty() {
                break;
            }
            rest = match rest.strip_prefix(line) {
                Some(after) => after,
                None if line.starts_with(rest) => "",
                None => break,
            };
            declaration.push(number);
        }
        declaration
    }
}

/// Lines in order, with each that alone is left out between two of them: to say
/// that it is left out takes a line, too.
fn without_gaps_of_one(lines: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::with_capacity(lines.len());
    for &line in lines {
        if all.last().is_some_and(|last| last + 2 == line) {
            all.push(line - 1);
        }
        all.push(line);
    }
    all
}

/// The line that declares a unit: a heading, or the first that holds its name
/// and is no comment.
pub(crate) fn declared_at(source: &Source, lines: Lines, kind: Kind, name: &str) -> Option<u32> {
    if name.is_empty() || matches!(kind, Kind::Text | Kind::Code) {
        return None;
    }
    let mut first = (lines.start..=lines.end).take(LINES_TO_NAME);
    first.find(|&number| {
        let text = source.line(number).unwrap_or("");
        text.contains(name) && (kind == Kind::Section || !is_comment(text))
    })
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    COMMENTS.iter().any(|mark| line.starts_with(mark))
}
