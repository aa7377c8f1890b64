//! Much of the repository leads to the unit, or to its file.

use super::candidate::Signal;

/// From so many times the mean on, more does not count.
const MOST: f32 = 64.0;

pub(super) const SYMBOL: Signal = Signal {
    name: "importance",
    amount: |it, weights| weights.importance * scaled(it.importance),
    why: |it| format!("{:.1} times as much as the mean leads to it", it.importance),
};

pub(super) const FILE: Signal = Signal {
    name: "file_importance",
    amount: |it, weights| weights.file_importance * scaled(it.file.importance),
    why: |it| {
        format!(
            "{:.1} times as much as the mean leads to its file",
            it.file.importance
        )
    },
};

/// From 0 to 1, each doubling as much as the one before.
fn scaled(importance: f32) -> f32 {
    ((1.0 + importance).log2() / (1.0 + MOST).log2()).min(1.0)
}
