//! Counts: one row for each kind of fault and phase.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

/// Examples that are printed for each row.
const EXAMPLES: usize = 4;

/// What one fault led to.
#[derive(Debug, Default, Clone)]
pub(super) struct Findings {
    pub lost: bool,
    pub wrong: bool,
    pub panicked: bool,
    /// Some command failed, if only once.
    pub failed: bool,
    /// The same command was not right again when it was repeated.
    pub needs_hand: bool,
    pub leaked: u64,
    /// What was seen, in words.
    pub seen: Vec<String>,
}

impl Findings {
    pub fn see(&mut self, what: impl Into<String>) {
        self.seen.push(what.into());
    }

    fn are_none(&self) -> bool {
        self.counts() == [0; 6]
    }

    fn counts(&self) -> [u64; 6] {
        let flags = [
            self.lost,
            self.wrong,
            self.panicked,
            self.failed,
            self.needs_hand,
        ];
        let [lost, wrong, panicked, failed, hand] = flags.map(u64::from);
        [lost, wrong, panicked, failed, hand, self.leaked]
    }
}

#[derive(Default)]
struct Row {
    faults: u64,
    counts: [u64; 6],
    examples: usize,
    skipped: u64,
    /// Why some were not tried.
    reasons: BTreeSet<String>,
}

/// All rows. Several threads add to it.
#[derive(Default)]
pub(super) struct Tally {
    rows: Mutex<BTreeMap<(String, String), Row>>,
}

const HEADS: [&str; 10] = [
    "fault",
    "phase",
    "count",
    "lost",
    "wrong",
    "panics",
    "failed",
    "needs a hand",
    "leaked bytes",
    "left out",
];

impl Tally {
    /// Adds one fault. `case` tells how to make it again.
    pub fn add(&self, kind: &str, phase: &str, case: &str, findings: &Findings) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let row = rows.entry((kind.to_owned(), phase.to_owned())).or_default();
        row.faults += 1;
        for (sum, count) in row.counts.iter_mut().zip(findings.counts()) {
            *sum += count;
        }
        if !findings.are_none() && row.examples < EXAMPLES {
            row.examples += 1;
            eprintln!("{kind}, {phase}: {case}: {}", findings.seen.join("; "));
        }
    }

    /// Adds faults that were not tried.
    pub fn leave_out(&self, kind: &str, phase: &str, count: u64, why: &str) {
        if count == 0 {
            return;
        }
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let row = rows.entry((kind.to_owned(), phase.to_owned())).or_default();
        row.skipped += count;
        row.reasons.insert(why.to_owned());
    }

    /// What was not tried, and why: a line for each row.
    pub fn left_out(&self) -> String {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for ((kind, phase), row) in rows.iter().filter(|(_, row)| row.skipped > 0) {
            let why: Vec<&str> = row.reasons.iter().map(String::as_str).collect();
            let _ = writeln!(
                text,
                "left out: {kind}, {phase}: {}: {}",
                row.skipped,
                why.join("; ")
            );
        }
        text
    }

    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.values().all(|row| row.counts == [0; 6])
    }

    pub fn table(&self) -> String {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = vec![HEADS.map(str::to_owned).to_vec()];
        let mut sum = Row::default();
        for ((kind, phase), row) in rows.iter() {
            lines.push(cells(kind, phase, row));
            sum.faults += row.faults;
            sum.skipped += row.skipped;
            sum.counts
                .iter_mut()
                .zip(row.counts)
                .for_each(|(sum, count)| *sum += count);
        }
        lines.push(cells("all", "", &sum));
        laid_out(&lines)
    }
}

fn cells(kind: &str, phase: &str, row: &Row) -> Vec<String> {
    let numbers = [row.faults]
        .into_iter()
        .chain(row.counts)
        .chain([row.skipped]);
    let names = [kind, phase].map(str::to_owned);
    names
        .into_iter()
        .chain(numbers.map(|number| number.to_string()))
        .collect()
}

/// Columns side by side, names to the left and numbers to the right.
fn laid_out(lines: &[Vec<String>]) -> String {
    let width = |column: usize| {
        lines
            .iter()
            .map(|line| line[column].len())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (nth, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let _ = match nth < 2 {
                true => write!(row, "{cell:width$}  "),
                false => write!(row, "{cell:>width$}  "),
            };
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_in_their_rows() {
        let tally = Tally::default();
        tally.add("kill", "cold", "1", &Findings::default());
        assert!(tally.is_clean());
        tally.leave_out("full disk", "cold", 3, "no mount");
        assert!(tally.is_clean());
        let bad = Findings {
            needs_hand: true,
            leaked: 70,
            ..Findings::default()
        };
        tally.add("kill", "cold", "2", &bad);
        assert!(!tally.is_clean());
        assert_eq!(tally.left_out(), "left out: full disk, cold: 3: no mount\n");
        let table = tally.table();
        let row = |name: &str| {
            let line = table.lines().find(|line| line.starts_with(name)).unwrap();
            line[name.len()..]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(row("kill"), "cold 2 0 0 0 0 1 70 0");
        assert_eq!(row("full disk"), "cold 0 0 0 0 0 0 0 3");
        assert_eq!(row("all"), "2 0 0 0 0 1 70 3");
    }
}
