//! Tests, examples, copies and the like come behind, unless they are asked for.

use super::Signal;
use scent_types::Sort;

pub(super) const SIGNAL: Signal = Signal {
    name: "sort",
    amount: |seen, weights| seen.file.sorts.iter().map(|&sort| weights.sort(sort)).sum(),
    why: |seen| {
        let sorts: Vec<&str> = seen.file.sorts.iter().copied().map(Sort::as_str).collect();
        format!("the path is that of: {}", sorts.join(", "))
    },
};
