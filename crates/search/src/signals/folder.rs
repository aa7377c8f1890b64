//! The folders around the file have names from the query.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "folder",
    amount: |it, weights| weights.folder * it.file.folder_recall,
    why: |it| {
        format!(
            "a folder is called {}",
            it.query.terms.matching(&it.file.folders)
        )
    },
};
