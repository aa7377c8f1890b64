//! What the unit is: a definition answers better than what lies between definitions.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "kind",
    amount: |it, weights| weights.kind(it.unit.kind),
    why: |it| format!("it is a {}", it.unit.kind),
};
