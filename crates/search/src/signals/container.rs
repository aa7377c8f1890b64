//! What encloses the unit has a name from the query.

use super::candidate::Signal;
use super::terms::words_of;

pub(super) const SIGNAL: Signal = Signal {
    name: "container",
    amount: |it, weights| weights.container * it.query.terms.recall_in(&words_of(it.container())),
    why: |it| {
        format!(
            "it is inside {}",
            it.query.terms.matching(&words_of(it.container()))
        )
    },
};
