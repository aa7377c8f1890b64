//! Splits a long stretch of lines where a reader would.

use crate::lines::LineTable;
use std::ops::Range;
use tree_sitter::Tree;

/// A unit of up to this many lines is left whole.
pub(crate) const WHOLE: usize = 60;

/// A passage has at least this many lines, but for the last.
const SHORTEST: usize = 15;

/// A passage has at most this many lines.
const LONGEST: usize = 40;

/// Nodes of fewer rows are not looked into for places to split.
const WORTH_ENTERING: usize = 8;

/// Statements that begin deeper are all as good a place to split.
const DEEPEST: usize = u8::MAX as usize - 1;

/// How deep in the tree a statement begins at each row; `u8::MAX` where none
/// does. The shallower, the better a place to split.
#[derive(Debug)]
pub(crate) struct Breaks(Vec<u8>);

impl Breaks {
    /// Places to split by the syntax trees.
    pub fn from_trees(trees: &[Tree], text: &str, lines: &LineTable) -> Breaks {
        let mut depths = vec![u8::MAX; lines.count()];
        for tree in trees {
            mark(tree, text, lines, &mut depths);
        }
        Breaks(depths)
    }

    /// Places to split by blank lines.
    pub fn from_blank_lines(text: &str, lines: &LineTable) -> Breaks {
        let blank = |row: usize| lines.text(text, row).trim().is_empty();
        let starts = |row: usize| row > 0 && blank(row - 1) && !blank(row);
        Breaks(
            (0..lines.count())
                .map(|row| if starts(row) { 0 } else { u8::MAX })
                .collect(),
        )
    }

    /// Cuts rows into passages.
    pub fn split(&self, rows: Range<usize>) -> Vec<Range<usize>> {
        self.split_at(rows, SHORTEST, LONGEST)
    }

    /// Cuts rows into passages between two lengths.
    pub fn split_at(
        &self,
        rows: Range<usize>,
        shortest: usize,
        longest: usize,
    ) -> Vec<Range<usize>> {
        let mut passages = Vec::new();
        let mut start = rows.start;
        while rows.end - start > longest {
            let window = start + shortest..=start + longest;
            let best = window.clone().rev().min_by_key(|&row| self.0[row]);
            let cut = best
                .filter(|&row| self.0[row] < u8::MAX)
                .unwrap_or(start + longest);
            passages.push(start..cut);
            start = cut;
        }
        passages.push(start..rows.end);
        passages
    }
}

/// Marks each row where a named node begins the line. Walks without recursion:
/// trees can be as deep as the text is long.
fn mark(tree: &Tree, text: &str, lines: &LineTable, depths: &mut [u8]) {
    let mut cursor = tree.walk();
    // Counted here: to ask the cursor takes as long as the node is deep.
    let mut depth = 0usize;
    loop {
        let node = cursor.node();
        let row = node.start_position().row;
        let begins =
            node.is_named() && row < depths.len() && lines.indent(text, row) == node.start_byte();
        if begins {
            depths[row] = depths[row].min(depth.min(DEEPEST) as u8);
        }
        let worth = node.end_position().row - row >= WORTH_ENTERING;
        if worth && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_falls_on_the_shallowest_statement() {
        let mut depths = vec![u8::MAX; 100];
        (depths[20], depths[30], depths[38], depths[70]) = (3, 2, 3, 2);
        let cut: Vec<_> = Breaks(depths).split(0..100);
        assert_eq!(cut, [0..30, 30..70, 70..100]);
    }

    #[test]
    fn without_statements_the_length_decides() {
        let cut = Breaks(vec![u8::MAX; 100]).split(0..100);
        assert_eq!(cut, [0..40, 40..80, 80..100]);
    }
}
