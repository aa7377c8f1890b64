//! The unit is called what was asked for.

use super::{Signal, words_of};

pub(super) const SIGNAL: Signal = Signal {
    name: "name",
    amount: |seen, weights| weights.name * seen.asked.share_in(&words_of(&seen.unit.name)),
    why: |seen| {
        format!(
            "its name has {}",
            seen.asked.among(&words_of(&seen.unit.name))
        )
    },
};
