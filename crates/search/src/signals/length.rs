//! A longer unit does more.

use super::Signal;

/// From so many lines on, more do not count.
const LONG: f32 = 150.0;

pub(super) const SIGNAL: Signal = Signal {
    name: "length",
    amount: |seen, weights| {
        let lines = seen.unit.lines.count() as f32;
        weights.length * (lines.ln() / LONG.ln()).min(1.0)
    },
    why: |seen| format!("it has {} lines", seen.unit.lines.count()),
};
