//! What code at a cursor will need.

use crate::paths::Paths;
use crate::text::{Layout, Text};
use crate::wire;
use scent_types::{CodeContext, ContextReason, ContextSnippet};

/// Signatures by file, and similar code below them.
pub fn context_text(found: &CodeContext, paths: &Paths) -> Text {
    let mut out = Text::default();
    let is_similar = |snippet: &&ContextSnippet| snippet.reason == ContextReason::Similar;
    let mut files: Vec<&str> = Vec::new();
    for snippet in found.snippets.iter().filter(|s| !is_similar(s)) {
        if !files.contains(&snippet.path.as_str()) {
            files.push(&snippet.path);
        }
    }
    for path in files {
        out += paths.linked(path, Text::span(&paths.shown(path))) + Text::line("");
        let of_file = found
            .snippets
            .iter()
            .filter(|s| s.path == path && !is_similar(s));
        for snippet in of_file {
            out += Text::line(&format!("{:>5} {}", snippet.lines.start, snippet.text));
        }
    }
    for snippet in found.snippets.iter().filter(is_similar) {
        let place = format!("{}:{}", paths.shown(&snippet.path), snippet.lines.start);
        out += Text::line(&format!("{place}  similar: {}", snippet.qualified));
        for (line, nth) in snippet.text.lines().zip(snippet.lines.start..) {
            out += Text::line(&format!("{nth:>5} {line}"));
        }
    }
    out
}

/// The same as JSON, with a line end.
pub fn context_json(found: &CodeContext, paths: &Paths, layout: Layout) -> Text {
    Text::json_in(layout, &wire::Context::of(paths.root.clone(), found))
}
