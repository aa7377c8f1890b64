//! Which lines of a text are not those of another.
//!
//! Lines that both texts have once, in the same order, hold them together
//! (Bram Cohen's patience diff); what lies between those is compared again.
//! What is short then is compared line by line, and what is not counts as
//! changed altogether: the work is bounded, and nothing that changed is missed.

use scent_types::{Lines, Source};
use std::collections::HashMap;
use std::ops::Range;

/// So many pairs of lines are compared with each other.
const MOST_PAIRS: usize = 250_000;

/// So often is what lies between lines compared again.
const DEEPEST: u32 = 32;

/// The lines of the new text that the old one does not have there, and those
/// beside which something is gone, in order.
pub(super) fn changed_lines(old: &Source, new: &Source) -> Vec<Lines> {
    let mut numbers = HashMap::new();
    let old = numbered(old, &mut numbers);
    let new = numbered(new, &mut numbers);
    let mut compare = Compare {
        old: &old,
        new: &new,
        hunks: Vec::new(),
    };
    compare.part(0..old.len(), 0..new.len(), 0);
    compare
        .hunks
        .into_iter()
        .filter_map(|hunk| shown(hunk, new.len()))
        .collect()
}

/// The lines as numbers, which are the same where the lines are.
fn numbered<'t>(text: &'t Source, numbers: &mut HashMap<&'t str, u32>) -> Vec<u32> {
    // A text without a character has no line to change.
    let lines = if text.text().is_empty() {
        0
    } else {
        text.count()
    };
    let number = |line: u32| {
        let next = numbers.len() as u32;
        *numbers
            .entry(text.line(line).unwrap_or_default())
            .or_insert(next)
    };
    (1..=lines).map(number).collect()
}

/// A place in the new text. Where lines are gone it is the one before.
fn shown(hunk: Range<usize>, count: usize) -> Option<Lines> {
    let Range { start, end } = hunk;
    match () {
        () if count == 0 => None,
        () if start < end => Some(Lines::new(start as u32 + 1, end as u32)),
        () => Some(start.max(1) as u32).map(|line| Lines::new(line, line)),
    }
}

struct Compare<'a> {
    old: &'a [u32],
    new: &'a [u32],
    /// What is different in the new text, in order.
    hunks: Vec<Range<usize>>,
}

impl Compare<'_> {
    fn part(&mut self, mut old: Range<usize>, mut new: Range<usize>, depth: u32) {
        while !old.is_empty() && !new.is_empty() && self.old[old.start] == self.new[new.start] {
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while !old.is_empty() && !new.is_empty() && self.old[old.end - 1] == self.new[new.end - 1] {
            (old.end, new.end) = (old.end - 1, new.end - 1);
        }
        if old.is_empty() && new.is_empty() {
            return;
        }
        if old.is_empty() || new.is_empty() {
            return self.hunks.push(new);
        }
        let anchors = if depth < DEEPEST {
            self.anchors(&old, &new)
        } else {
            Vec::new()
        };
        if !anchors.is_empty() {
            return self.between(&anchors, old, new, depth);
        }
        match old.len().saturating_mul(new.len()) <= MOST_PAIRS {
            true => {
                let common = self.common(&old, &new);
                self.apart(&common, old, new);
            }
            false => self.hunks.push(new),
        }
    }

    /// Compares what lies between lines that belong together.
    fn between(
        &mut self,
        anchors: &[(usize, usize)],
        old: Range<usize>,
        new: Range<usize>,
        depth: u32,
    ) {
        let (mut from_old, mut from_new) = (old.start, new.start);
        for &(in_old, in_new) in anchors {
            self.part(from_old..in_old, from_new..in_new, depth + 1);
            (from_old, from_new) = (in_old + 1, in_new + 1);
        }
        self.part(from_old..old.end, from_new..new.end, depth + 1);
    }

    /// Takes what lies between lines that belong together as different.
    fn apart(&mut self, common: &[(usize, usize)], old: Range<usize>, new: Range<usize>) {
        let (mut from_old, mut from_new) = (old.start, new.start);
        for &(in_old, in_new) in common.iter().chain([&(old.end, new.end)]) {
            if from_old < in_old || from_new < in_new {
                self.hunks.push(from_new..in_new);
            }
            (from_old, from_new) = (in_old + 1, in_new + 1);
        }
    }

    /// The lines that both parts have once, as many as are in the same order.
    fn anchors(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        // How often each line is in either part, and where it was last.
        let mut seen: HashMap<u32, [(u32, usize); 2]> = HashMap::new();
        for at in old.clone() {
            let [(count, last), _] = seen.entry(self.old[at]).or_default();
            (*count, *last) = (*count + 1, at);
        }
        for at in new.clone() {
            let [_, (count, last)] = seen.entry(self.new[at]).or_default();
            (*count, *last) = (*count + 1, at);
        }
        let once = |at: usize| match seen[&self.old[at]] {
            [(1, in_old), (1, in_new)] => Some((in_old, in_new)),
            _ => None,
        };
        longest_rise(&old.clone().filter_map(once).collect::<Vec<_>>())
    }

    /// The longest row of lines that both parts have in the same order.
    fn common(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let (old_lines, new_lines) = (&self.old[old.clone()], &self.new[new.clone()]);
        let width = new_lines.len() + 1;
        // How many lines the rests of both parts have in common.
        let mut lengths = vec![0u16; (old_lines.len() + 1) * width];
        for (i, line) in old_lines.iter().enumerate().rev() {
            for (j, other) in new_lines.iter().enumerate().rev() {
                lengths[i * width + j] = match line == other {
                    true => lengths[(i + 1) * width + j + 1].saturating_add(1),
                    false => lengths[(i + 1) * width + j].max(lengths[i * width + j + 1]),
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        let mut common = Vec::new();
        while i < old_lines.len() && j < new_lines.len() {
            let (skip_old, skip_new) = (lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
            match () {
                () if old_lines[i] == new_lines[j] => {
                    common.push((old.start + i, new.start + j));
                    (i, j) = (i + 1, j + 1);
                }
                () if skip_old >= skip_new => i += 1,
                () => j += 1,
            }
        }
        common
    }
}

/// The longest part of some pairs whose second numbers rise; the first ones do.
fn longest_rise(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair with the lowest second number that ends a row of each length, and
    // the one before each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (nth, (_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < *second);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = nth,
            None => ends.push(nth),
        }
    }
    let row = std::iter::successors(ends.last().copied(), |&nth| before[nth]);
    let mut row: Vec<(usize, usize)> = row.map(|nth| pairs[nth]).collect();
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(old: &str, new: &str) -> String {
        let source = |text: &str| Source::new(text.to_owned());
        let lines = changed_lines(&source(old), &source(new));
        lines
            .iter()
            .map(Lines::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn changed_lines_are_found() {
        for (old, new, want) in [
            ("a\nb\nc\n", "a\nb\nc\n", ""),
            ("a\nb\nc\n", "a\r\nb\r\nc", ""),
            ("a\nb\nc\n", "a\nx\nc\n", "2-2"),
            ("a\nb\nc\n", "a\nb\nx\ny\nc\n", "3-4"),
            ("a\nb\nc\n", "a\nc\n", "1-1"),
            ("a\nb\nc\n", "b\nc\n", "1-1"),
            ("a\nb\nc\n", "a\nb\n", "2-2"),
            ("", "a\nb\n", "1-2"),
            ("a\nb\n", "", ""),
            ("", "", ""),
            ("a\nb\nc\nd\n", "x\nb\nc\ny\nz\n", "1-1 4-5"),
            ("a\nb\n", "b\na\n", "1-1 2-2"),
            ("}\n}\n}\n}\n", "}\n}\nx\n}\n}\n", "3-3"),
            ("}\nx\n}\ny\n}\n", "}\n}\nz\n}\n", "1-1 3-3"),
            ("a\na\nb\na\n", "b\na\na\na\n", "1-1 2-3"),
        ] {
            assert_eq!(of(old, new), want, "{old:?} {new:?}");
        }
    }

    /// What is not said to be changed is in the old text, in the same order.
    #[test]
    fn nothing_that_changed_is_missed() {
        let mut state = 7u64;
        let mut number = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let kinds = 1 + number(30);
            let mut text = |most| -> Vec<String> {
                (0..number(most))
                    .map(|_| format!("{}\n", number(kinds)))
                    .collect()
            };
            let (old, new) = (text(60), text(60));
            let lines = changed_lines(&Source::new(old.concat()), &Source::new(new.concat()));
            let is_kept = |at: &usize| !lines.iter().any(|lines| lines.contains(*at as u32 + 1));
            let kept: Vec<&String> = (0..new.len()).filter(is_kept).map(|at| &new[at]).collect();
            let mut rest = old.iter();
            assert!(
                kept.iter().all(|line| rest.any(|old| old == *line)),
                "{old:?} {new:?}"
            );
        }
    }

    /// Texts that have no line once, or all lines the other way round.
    #[test]
    fn the_work_is_bounded() {
        let many = 200_000;
        let same = |line: &str| line.repeat(many);
        let rising: String = (0..many).map(|n| format!("{n}\n")).collect();
        let falling: String = (0..many).rev().map(|n| format!("{n}\n")).collect();
        let pairs: String = (0..many).map(|n| format!("{}\n", n / 2)).collect();
        let shuffled: String = (0..many)
            .map(|n| format!("{}\n", n * 7919 % many / 2))
            .collect();
        let started = std::time::Instant::now();
        for (old, new) in [
            (&same("a\nb\n"), &same("b\nb\na\n")),
            (&rising, &falling),
            (&pairs, &shuffled),
            (&same("a\n"), &rising),
        ] {
            assert!(!of(old, new).is_empty());
        }
        assert!(started.elapsed().as_secs() < 60);
    }
}
