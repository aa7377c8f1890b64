//! Results for a person at a terminal, and for an agent that reads along.

use crate::also;
use crate::budget::fitting;
use crate::explain;
use crate::paths::Paths;
use crate::style::{Printed, Style, shortened};
use crate::text::{Color, Text};
use scent_types::{Hit, Line, Response};

/// A response as text.
pub fn terminal(response: &Response, style: &Style) -> Printed {
    let paths = style.paths.below(&response.root);
    let page = Page {
        response,
        paths,
        style,
    };
    if style.files_only {
        let shown = response.hits.len();
        let text = response.hits.iter().map(|hit| page.file(hit)).collect();
        return Printed { text, shown };
    }
    let pieces: Vec<Text> = response.hits.iter().map(|hit| page.piece(hit)).collect();
    let places: Vec<Text> = response.hits.iter().map(|hit| page.place(hit)).collect();
    let (shown, listed) = fitting(&pieces, &places, style.max_tokens);
    let mut out = apart(&pieces[..shown]);
    if listed > 0 {
        out += Text::from("\n") + page.paint(Color::Dim, "also:").ended();
    }
    for place in &places[shown..shown + listed] {
        out += place.clone();
    }
    let steps = explain::steps(response);
    if !steps.is_empty() {
        out += Text::from("\n") + steps;
    }
    Printed { text: out, shown }
}

/// Pieces with an empty line between them.
pub(crate) fn apart(pieces: &[Text]) -> Text {
    let mut out = Text::default();
    for piece in pieces {
        if !out.is_empty() {
            out += Text::from("\n");
        }
        out += piece.clone();
    }
    out
}

/// What a hit is called: its kind and its full name.
fn title(hit: &Hit) -> String {
    match hit.qualified.as_str() {
        "" => hit.kind.to_string(),
        name => format!("{} {}", hit.kind, shortened(name)),
    }
}

struct Page<'a> {
    response: &'a Response,
    paths: Paths,
    style: &'a Style,
}

impl Page<'_> {
    /// The path of a hit alone.
    fn file(&self, hit: &Hit) -> Text {
        let path = self.paint(Color::Path, &self.paths.shown(&hit.path));
        self.paths.linked(&hit.path, path).ended()
    }

    /// The path of a hit, with its lines.
    fn location(&self, hit: &Hit, color: Option<Color>) -> Text {
        let place = format!("{}:{}", self.paths.shown(&hit.path), hit.lines);
        let color = color.filter(|_| self.style.color);
        self.paths.linked(&hit.path, Text::painted(&place, color))
    }

    /// A hit with its lines.
    fn piece(&self, hit: &Hit) -> Text {
        let title = self.paint(Color::Bold, &title(hit)).ended();
        let mut out = self.location(hit, Some(Color::Path)) + Text::span("  ") + title;
        let width = hit.lines.end.to_string().len().max(4);
        let mut before = None;
        for line in &hit.excerpt {
            if self.style.line_numbers {
                let has_gap = before.is_some_and(|before| before + 1 < line.number);
                if has_gap {
                    let gap = format!("{:>width$}", "…");
                    out += self.paint(Color::Dim, &gap).ended();
                }
                let number = format!("{:>width$}", line.number);
                out += self.paint(Color::Number, &number) + Text::span("  ");
            }
            before = Some(line.number);
            out += self.marked(line).ended();
        }
        for also in also::lines(hit, self.response, &self.paths) {
            out += self
                .paint(Color::Dim, &format!("{:>width$}  {also}", ""))
                .ended();
        }
        out + explain::parts(hit)
    }

    /// A hit as one line.
    fn place(&self, hit: &Hit) -> Text {
        self.location(hit, None) + Text::line(&format!("  {}", title(hit)))
    }

    /// The text of a line with its matches in colour.
    fn marked(&self, line: &Line) -> Text {
        let text = line.text.trim_end();
        let mut out = Text::default();
        let mut from = 0;
        for range in &line.matches {
            let start = (range.start as usize).min(text.len());
            let end = (range.end as usize).min(text.len());
            if start < end && self.style.color {
                out += Text::span(&text[from..start]);
                out += self.paint(Color::Match, &text[start..end]);
                from = end;
            }
        }
        out += Text::span(&text[from..]);
        out + Text::span(if line.is_cut { "…" } else { "" })
    }

    fn paint(&self, color: Color, text: &str) -> Text {
        Text::painted(text, self.style.color.then_some(color))
    }
}
