//! Runs the references query: which names are used where, and how.

use crate::definitions;
use crate::queries::Queries;
use crate::words;
use scent_types::{Reference, Role};

pub(crate) fn find(queries: &Queries, text: &str) -> Vec<Reference> {
    let Some(tree) = definitions::parse(queries, text, None) else { return Vec::new() };
    let mut references = Vec::new();
    let _in_time = queries.refs.matches(&tree, text.as_bytes(), |found| {
        for &(capture, node) in &found.captures {
            let Some(role) = queries.roles[capture as usize] else { continue };
            let name = words::unquote(&text[node.byte_range()]);
            // C's `<stdio.h>`; elsewhere brackets are part of an operator.
            let inner = name.strip_prefix('<').and_then(|n| n.strip_suffix('>'));
            let name = inner.filter(|_| role == Role::Import).unwrap_or(name);
            references.push(Reference {
                line: node.start_position().row as u32 + 1,
                role,
                name: words::one_line(name, 120),
            });
        }
    });
    references.sort();
    references.dedup();
    references
}
