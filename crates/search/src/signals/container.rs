//! What encloses the unit is called what was asked for.

use super::{Signal, around, words_of};

pub(super) const SIGNAL: Signal = Signal {
    name: "container",
    amount: |seen, weights| weights.container * seen.asked.share_in(&words_of(around(seen))),
    why: |seen| format!("it is inside {}", seen.asked.among(&words_of(around(seen)))),
};
