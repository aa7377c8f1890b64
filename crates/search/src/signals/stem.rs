//! The file has a name from the query.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "file",
    amount: |it, weights| weights.file * it.file.stem_recall,
    why: |it| {
        format!(
            "the file is called {}",
            it.query.terms.matching(&it.file.stem)
        )
    },
};
