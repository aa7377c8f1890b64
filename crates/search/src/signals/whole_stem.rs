//! The name of the file has no words but those of the query.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "whole_file",
    amount: |it, weights| weights.whole_file * it.query.terms.precision_of(&it.file.stem),
    why: |it| {
        let percent = 100.0 * it.query.terms.precision_of(&it.file.stem);
        format!("{percent:.0}% of the file's name was asked for")
    },
};
