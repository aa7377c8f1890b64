//! How much of an answer fits into a number of tokens.

use crate::text::Text;

/// How much of a budget is for results that are listed instead of shown: one
/// part in so many.
const FOR_LISTED: usize = 5;

/// About how many tokens a text is for a language model.
pub fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// How many of the pieces fit into a budget, and how many places after them;
/// all where there is none. At least one piece is shown, since an empty answer
/// helps nobody.
pub(crate) fn fitting(pieces: &[Text], places: &[Text], budget: Option<usize>) -> (usize, usize) {
    let Some(budget) = budget else {
        return (pieces.len(), 0);
    };
    let fit = within(pieces, budget - budget / FOR_LISTED);
    let shown = fit.max(1).min(pieces.len());
    let mut used = 0;
    for piece in &pieces[..shown] {
        used += tokens(piece.as_str());
    }
    let listed = within(&places[shown..], budget.saturating_sub(used));
    (shown, listed)
}

/// How many of the texts fit into a number of tokens.
fn within(texts: &[Text], budget: usize) -> usize {
    let mut used = 0;
    for (nth, text) in texts.iter().enumerate() {
        used += tokens(text.as_str());
        if used > budget {
            return nth;
        }
    }
    texts.len()
}

/// How much of an answer may be written.
#[derive(Debug)]
pub struct Budget {
    left: usize,
    json: bool,
    is_empty: bool,
}

impl Budget {
    /// About so many tokens, for JSON or for people.
    pub fn new(tokens: usize, json: bool) -> Budget {
        Budget {
            left: tokens,
            json,
            is_empty: true,
        }
    }

    /// Whether there is room for a piece as it is written. There always is for
    /// the first.
    pub(crate) fn take(&mut self, written: &Text) -> bool {
        let tokens = tokens(written.as_str().trim_end());
        if tokens > self.left && !self.is_empty {
            self.left = 0;
            return false;
        }
        self.is_empty = false;
        self.left = self.left.saturating_sub(tokens);
        true
    }

    /// Whether what is written is JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// The same as [`Budget::keep`] within one part in so many of what is left,
    /// where something else is to follow.
    pub(crate) fn keep_part<T>(
        &mut self,
        items: &mut Vec<T>,
        part: usize,
        text: impl FnMut(&T) -> Text,
        json: impl Fn(&T) -> Text,
    ) {
        let reserved = self.left - self.left / part;
        self.left -= reserved;
        self.keep(items, text, json);
        self.left += reserved;
    }

    /// Keeps the items at the front of a list that there is room for, as text
    /// or as JSON. The first of all is always kept, since an empty answer helps
    /// nobody.
    pub(crate) fn keep<T>(
        &mut self,
        items: &mut Vec<T>,
        mut text: impl FnMut(&T) -> Text,
        json: impl Fn(&T) -> Text,
    ) {
        let mut kept = 0;
        for item in items.iter() {
            let written = if self.json { json(item) } else { text(item) };
            if !self.take(&written) {
                break;
            }
            kept += 1;
        }
        items.truncate(kept);
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
        assert_eq!(fitting(&pieces, &places, Some(0)), (1, 0));
        assert_eq!(fitting(&[], &[], Some(9)), (0, 0));
    }

    #[test]
    fn a_budget_cuts_a_list_and_what_comes_after_it() {
        for (tokens, want) in [
            (0, (1, 0)),
            (5, (2, 0)),
            (6, (3, 0)),
            (8, (3, 2)),
            (99, (3, 3)),
        ] {
            let (mut first, mut second) = (vec!["aaaaaaaa"; 3], vec!["bbbb"; 3]);
            let mut budget = Budget::new(tokens, false);
            budget.keep(&mut first, |text| Text::from(*text), Text::json);
            budget.keep(&mut second, |text| Text::from(*text), Text::json);
            assert_eq!((first.len(), second.len()), want, "{tokens}");
        }
    }
}
