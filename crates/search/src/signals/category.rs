//! Tests, examples, copies and the like come last, unless the query names them.

use super::candidate::{Candidate, Signal};
use crate::categories::is_scope_of;
use scent_types::FileCategory;

pub(super) const SIGNAL: Signal = Signal {
    name: "sort",
    amount: |it, weights| {
        categories(it)
            .into_iter()
            .map(|category| weights.category(category))
            .sum()
    },
    why: |it| {
        let categories = categories(it).into_iter().map(FileCategory::as_str);
        let categories: Vec<&str> = categories.collect();
        format!("it belongs to: {}", categories.join(", "))
    },
};

/// What the file is, and what the unit is by what encloses it.
fn categories(it: &Candidate) -> Vec<FileCategory> {
    let mut categories = it.file.categories.clone();
    for category in FileCategory::ALL {
        let named = it.query.categories.contains(&category);
        if !named && is_scope_of(category, it.container()) && !categories.contains(&category) {
            categories.push(category);
        }
    }
    categories
}
