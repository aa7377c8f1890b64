//! The file has a name from the query.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "file",
    amount: |it, weights| weights.file * it.query.terms.recall_in(&it.file.stem),
    why: |it| {
        format!(
            "the file is called {}",
            it.query.terms.matching(&it.file.stem)
        )
    },
};
