//! A response as terminal text, Markdown or JSON.
//!
//! The only place that gives results a form. Each format is a function from a
//! response to a [`Text`]; nothing here prints.

mod excerpt;
mod explain;
mod json;
mod lookup;
mod markdown;
mod terminal;
mod text;

pub use explain::stages;
pub use json::{SCHEMA_VERSION, json};
pub use lookup::{
    Answer, Budget, dependencies_dot, dependencies_mermaid, impact_dot, impact_mermaid,
};
pub use markdown::markdown;
pub use terminal::terminal;
pub use text::Text;

use scent_types::Hit;
use std::borrow::Cow;
use std::ops::Range;

/// A line longer than this is cut, in characters, where nothing else is said.
const LONGEST_LINE: usize = 200;

/// What of a hit is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Where it is.
    None,
    /// The lines that matter.
    Lines,
    /// All of it where it is short, else what it is and its best passage.
    Smart,
    /// All of it, however long.
    Full,
}

/// Which places in a line to stress, as byte ranges.
pub type Highlight<'a> = &'a dyn Fn(&str) -> Vec<Range<usize>>;

/// How results are to look.
pub struct Style<'a> {
    /// Stress with colours.
    pub color: bool,
    /// Number the lines.
    pub line_numbers: bool,
    /// What of a hit to show.
    pub context: Context,
    /// At most so many lines of a hit, unless all of it is asked for.
    pub max_lines: u32,
    /// A longer line is cut, in characters.
    pub max_columns: usize,
    /// Show paths only.
    pub files_only: bool,
    /// Lines to show before each line that matters.
    pub before: u32,
    /// Lines to show after each line that matters.
    pub after: u32,
    /// Stop when about this many tokens are written.
    pub max_tokens: Option<usize>,
    /// Say how long it took (JSON).
    pub timing: bool,
    /// How a hit's file is named.
    pub name: &'a dyn Fn(&Hit) -> String,
    /// What to stress.
    pub highlight: Highlight<'a>,
}

/// About how many tokens a text is for a language model.
pub fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// How much of a budget is for places that are listed instead of shown.
const FOR_PLACES: usize = 5;

/// How many of the pieces fit into a budget, and how many places after them;
/// all where there is none. At least one piece is shown, since an empty answer
/// helps nobody.
fn fitting(pieces: &[Text], places: &[Text], budget: Option<usize>) -> (usize, usize) {
    let Some(budget) = budget else {
        return (pieces.len(), 0);
    };
    let shown = within(pieces, budget - budget / FOR_PLACES)
        .max(1)
        .min(pieces.len());
    let used: usize = pieces[..shown]
        .iter()
        .map(|piece| tokens(piece.as_str()))
        .sum();
    (shown, within(&places[shown..], budget.saturating_sub(used)))
}

/// How many of the texts fit into a number of tokens.
fn within(texts: &[Text], budget: usize) -> usize {
    let mut used = 0;
    let fits = |text: &&Text| {
        used += tokens(text.as_str());
        used <= budget
    };
    texts.iter().take_while(fits).count()
}

/// A line or a name that is not too long to read.
fn shortened(line: &str) -> Cow<'_, str> {
    match cut(line, LONGEST_LINE) {
        (line, false) => line.into(),
        (start, true) => format!("{start}…").into(),
    }
}

fn cut(line: &str, columns: usize) -> (&str, bool) {
    match line.char_indices().nth(columns) {
        Some((at, _)) => (&line[..at], true),
        None => (line, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_filled_and_never_empty() {
        let pieces = ["a", "b", "c", "d"].map(|letter| Text::from(letter.repeat(40)));
        let places = ["a", "b", "c", "d"].map(|letter| Text::from(letter.repeat(8)));
        assert_eq!(fitting(&pieces, &places, None), (4, 0));
        assert_eq!(fitting(&pieces, &places, Some(25)), (2, 2));
        assert_eq!(fitting(&pieces, &places, Some(13)), (1, 1));
        assert_eq!(fitting(&pieces, &places, Some(1)), (1, 0));
        assert_eq!(fitting(&[], &[], Some(1)), (0, 0));
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let line = "é".repeat(300);
        assert_eq!(shortened(&line), "é".repeat(200) + "…");
        assert_eq!(shortened("é"), "é");
    }
}
