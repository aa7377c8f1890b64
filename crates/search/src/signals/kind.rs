//! What the unit is: a definition answers sooner than what lies between them.

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "kind",
    amount: |seen, weights| weights.kind(seen.unit.kind),
    why: |seen| format!("it is a {}", seen.unit.kind),
};
