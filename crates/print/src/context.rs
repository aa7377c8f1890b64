//! What code at a cursor will need.

use crate::budget::Budget;
use crate::lookup::{Answer, Envelope};
use crate::paths::Paths;
use crate::text::Text;
use crate::wire;
use scent_types::{CodeContext, ContextReason, ContextSnippet};

impl Answer for CodeContext {
    /// Signatures by file, and similar code below them.
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        let mut files: Vec<&str> = Vec::new();
        for snippet in self.snippets.iter().filter(|s| !is_similar(s)) {
            if !files.contains(&snippet.path.as_str()) {
                files.push(&snippet.path);
            }
        }
        for path in files {
            out += paths.linked(path, Text::span(&paths.shown(path))) + Text::line("");
            let snippets = self.snippets.iter();
            for snippet in snippets.filter(|s| s.path == path && !is_similar(s)) {
                out += snippet_text(paths, snippet);
            }
        }
        for snippet in self.snippets.iter().filter(|s| is_similar(s)) {
            out += snippet_text(paths, snippet);
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        let layout = envelope.layout;
        Text::json_in(layout, &wire::Context::of(self, envelope))
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let text = |snippet: &ContextSnippet| snippet_text(paths, snippet);
        budget.keep(&mut self.snippets, text, |snippet| {
            Text::json(&wire::ContextPiece::from(snippet))
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.snippets.len(), self.total)
    }
}

fn is_similar(snippet: &ContextSnippet) -> bool {
    snippet.reason == ContextReason::Similar
}

fn snippet_text(paths: &Paths, snippet: &ContextSnippet) -> Text {
    let start = snippet.lines.start;
    if !is_similar(snippet) {
        return Text::line(&format!("{start:>5} {}", snippet.text));
    }
    let place = format!("{}:{start}", paths.shown(&snippet.path));
    let mut out = Text::line(&format!("{place}  similar: {}", snippet.qualified));
    for (line, nth) in snippet.text.lines().zip(start..) {
        out += Text::line(&format!("{nth:>5} {line}"));
    }
    out
}
