//! Tests, examples, copies and the like come behind, unless they are asked for.

use super::candidate::{Candidate, Signal};
use crate::sorts::is_scope_of;
use scent_types::Sort;

pub(super) const SIGNAL: Signal = Signal {
    name: "sort",
    amount: |it, weights| sorts(it).into_iter().map(|sort| weights.sort(sort)).sum(),
    why: |it| {
        let sorts = sorts(it).into_iter().map(Sort::as_str);
        let sorts: Vec<&str> = sorts.collect();
        format!("it belongs to: {}", sorts.join(", "))
    },
};

/// What the file is, and what the unit is by what encloses it.
fn sorts(it: &Candidate) -> Vec<Sort> {
    let mut sorts = it.file.sorts.clone();
    for sort in Sort::ALL {
        let named = it.query.sorts.contains(&sort);
        if !named && is_scope_of(sort, it.container()) && !sorts.contains(&sort) {
            sorts.push(sort);
        }
    }
    sorts
}
