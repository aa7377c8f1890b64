//! Much of the file answers.

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "coherence",
    amount: |seen, weights| weights.coherence * seen.file.coherence,
    why: |seen| {
        format!(
            "the file has {:.0}% of what the best file has",
            100.0 * seen.file.coherence
        )
    },
};
