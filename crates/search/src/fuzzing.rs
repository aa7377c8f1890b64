//! What reads a request before any index is asked, for `crates/fuzz`.

use crate::matcher::Matcher;
use crate::own_names::OwnNames;
use crate::{analyse, filter};
use scent_index::TrigramFilter;
use scent_types::{Pattern, Request};

/// What a request means, and which paths and names it allows.
pub fn request(request: &Request, path: &str) {
    let _ = analyse::analyse(request, &OwnNames::default(), false);
    filter::try_globs(&request.filters, path);
}

/// No file is passed over that holds a line which matches.
pub fn pattern(pattern: &Pattern, text: &str) {
    let Ok(matcher) = Matcher::new(pattern) else {
        return;
    };
    let lines = matcher.lines(text);
    assert!(
        lines.is_empty() || matcher.allows(TrigramFilter::of(text).bytes()),
        "{pattern:?}"
    );
    for line in text.split('\n') {
        assert!(
            matcher
                .find_iter(line)
                .all(|range| line.get(range).is_some())
        );
    }
}
