//! The folders around the file are called what was asked for.

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "folder",
    amount: |seen, weights| weights.folder * seen.asked.share_in(&seen.file.folders),
    why: |seen| {
        format!(
            "a folder is called {}",
            seen.asked.among(&seen.file.folders)
        )
    },
};
