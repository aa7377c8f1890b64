//! The unit has a name from the query.

use super::candidate::Signal;
use super::terms::words_of;

pub(super) const SIGNAL: Signal = Signal {
    name: "name",
    amount: |it, weights| weights.name * it.query.terms.recall_in(&words_of(&it.unit.name)),
    why: |it| {
        format!(
            "its name has {}",
            it.query.terms.matching(&words_of(&it.unit.name))
        )
    },
};
