//! The name of the file says nothing but what was asked for.

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "whole_file",
    amount: |seen, weights| weights.whole_file * seen.asked.share_of(&seen.file.stem),
    why: |seen| {
        let share = 100.0 * seen.asked.share_of(&seen.file.stem);
        format!("{share:.0}% of the file's name was asked for")
    },
};
