//! The name of the file says nothing but what was asked for.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "whole_file",
    amount: |it, weights| weights.whole_file * it.query.terms.precision_of(&it.file.stem),
    why: |it| {
        let share = 100.0 * it.query.terms.precision_of(&it.file.stem);
        format!("{share:.0}% of the file's name was asked for")
    },
};
