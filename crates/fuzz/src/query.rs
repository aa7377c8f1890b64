//! What a user types: words, filters, patterns and globs.

use scent_types::{Case, Condition, Filters, Pattern, Request, Syntax};

/// Deeper filters would take a stack of their own.
const MOST_DEPTH: usize = 100;

/// The first line is a query, the second a pattern, the third a glob; the rest
/// is a text to try them on.
pub fn query(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.splitn(4, '\n').map(str::to_owned);
    let [query, pattern, glob, text] = [(); 4].map(|()| lines.next().unwrap_or_default());
    let filters = Filters {
        paths: vec![glob.clone()],
        not_paths: vec![glob.clone()],
        names: vec![glob],
        ..Filters::default()
    };
    let read = scent_engine::fuzzing::query(&query);
    if let Some(read) = &read {
        check(&query, read);
    }
    let request = Request {
        query,
        filters,
        ..Request::default()
    };
    for request in [request].into_iter().chain(read) {
        scent_search::fuzzing::request(&request, &text);
        request
            .pattern
            .iter()
            .for_each(|pattern| scent_search::fuzzing::pattern(pattern, &text));
    }
    // Building an expression takes longest, so not all ways are tried with each.
    for (syntax, word) in [
        (Syntax::Regex, text.len() % 2 == 0),
        (Syntax::Literal, true),
    ] {
        let pattern = Pattern {
            text: pattern.clone(),
            syntax,
            case: Case::Smart,
            word,
        };
        scent_search::fuzzing::pattern(&pattern, &text);
    }
    true
}

/// What is looked for was typed, and operators nest no deeper than anybody
/// needs.
fn check(query: &str, read: &Request) {
    for word in read.query.split_whitespace() {
        assert!(query.contains(word), "{word:?} of {query:?}");
    }
    for condition in &read.filters.conditions {
        assert!(depth(condition) <= MOST_DEPTH, "{query:?}");
    }
}

fn depth(condition: &Condition) -> usize {
    match condition {
        Condition::Has(_) | Condition::Passes(_) => 1,
        Condition::Not(condition) => 1 + depth(condition),
        Condition::All(all) | Condition::Any(all) => 1 + all.iter().map(depth).max().unwrap_or(0),
    }
}
