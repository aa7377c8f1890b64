//! The file is called what was asked for.

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "file",
    amount: |seen, weights| weights.file * seen.asked.share_in(&seen.file.stem),
    why: |seen| format!("the file is called {}", seen.asked.among(&seen.file.stem)),
};
