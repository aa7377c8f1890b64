//! What encloses the unit is called what was asked for.

use super::{Seen, Signal, words_of};

pub(super) const SIGNAL: Signal = Signal {
    name: "container",
    amount: |seen, weights| weights.container * seen.asked.share_in(&words_of(around(seen))),
    why: |seen| format!("it is inside {}", seen.asked.among(&words_of(around(seen)))),
};

fn around<'s>(seen: &'s Seen) -> &'s str {
    let unit = seen.unit;
    unit.qualified.strip_suffix(&unit.name).unwrap_or_default()
}
