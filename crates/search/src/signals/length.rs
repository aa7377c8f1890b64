//! A longer unit does more.

use super::candidate::Signal;

/// From so many lines on, more do not count.
const LONG: f32 = 150.0;

pub(super) const SIGNAL: Signal = Signal {
    name: "length",
    amount: |it, weights| {
        let lines = it.unit.lines.count() as f32;
        weights.length * (lines.ln() / LONG.ln()).min(1.0)
    },
    why: |it| format!("it has {} lines", it.unit.lines.count()),
};
