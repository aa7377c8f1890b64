//! The name of the file has no words but those of the query.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "whole_file",
    amount: |it, weights| weights.whole_file * it.file.stem_precision,
    why: |it| {
        let percent = 100.0 * it.file.stem_precision;
        format!("{percent:.0}% of the file's name was asked for")
    },
};
