//! Tests, examples, copies and the like come behind, unless they are asked for.

use super::{Seen, Signal, around};
use crate::sorts::is_scope_of;
use scent_types::Sort;

pub(super) const SIGNAL: Signal = Signal {
    name: "sort",
    amount: |seen, weights| sorts(seen).map(|sort| weights.sort(sort)).sum(),
    why: |seen| {
        let sorts: Vec<&str> = sorts(seen).map(Sort::as_str).collect();
        format!("it belongs to: {}", sorts.join(", "))
    },
};

/// What the file is, and what the unit is by what encloses it.
fn sorts<'s>(seen: &'s Seen) -> impl Iterator<Item = Sort> + 's {
    let inside = |sort: &Sort| {
        is_scope_of(*sort, around(seen))
            && !seen.file.sorts.contains(sort)
            && !seen.asked.wants(*sort)
    };
    let own = Sort::ALL.into_iter().filter(inside);
    seen.file.sorts.iter().copied().chain(own)
}
