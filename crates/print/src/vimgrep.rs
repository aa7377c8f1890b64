//! One line a match, for editors: `path:line:column:text`.

use crate::style::{Printed, Style};
use crate::text::Text;
use scent_types::{Hit, Line, Response};

/// Every match that results show, on a line of its own. A result of which
/// nothing is marked, as one found by its embedding alone, has one line.
pub fn vimgrep(response: &Response, style: &Style) -> Printed {
    let paths = style.paths.below(&response.root);
    let mut text = Text::default();
    for hit in &response.hits {
        let path = paths.shown(&hit.path);
        let marked = hit.excerpt.iter().filter(|line| !line.matches.is_empty());
        let mut is_marked = false;
        for line in marked {
            is_marked = true;
            for range in &line.matches {
                text += row(&path, line.number, range.start + 1, shown(line));
            }
        }
        if !is_marked {
            text += first_row(&path, hit);
        }
    }
    Printed {
        text,
        shown: response.hits.len(),
    }
}

fn first_row(path: &str, hit: &Hit) -> Text {
    match hit.excerpt.first() {
        Some(line) => row(path, line.number, 1, shown(line)),
        None => row(path, hit.lines.start, 1, &hit.signature),
    }
}

fn shown(line: &Line) -> &str {
    line.text.trim_end()
}

fn row(path: &str, line: u32, column: u32, text: &str) -> Text {
    Text::line(&format!("{path}:{line}:{column}:{text}"))
}
