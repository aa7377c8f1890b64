//! Much of the file answers.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "coherence",
    amount: |it, weights| weights.coherence * it.file.coherence,
    why: |it| {
        format!(
            "the file has {:.0}% of what the best file has",
            100.0 * it.file.coherence
        )
    },
};
