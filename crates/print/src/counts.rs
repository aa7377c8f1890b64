//! How many units of each file match.

use crate::quantity::count;
use crate::style::Style;
use crate::text::Text;
use scent_types::Response;

/// The files with how many of their units match, one a line.
pub fn counts_text(response: &Response, style: &Style) -> Text {
    let paths = style.paths.below(&response.root);
    let mut out = Text::default();
    for found in &response.counts {
        let path = Text::span(&paths.shown(&found.path));
        out += paths.linked(&found.path, path) + Text::line(&format!(":{}", found.units));
    }
    out
}

/// How many there are in all.
pub fn counts_total(response: &Response) -> String {
    let units = count(response.total, "unit");
    let files = count(response.counts.len(), "file");
    format!("{units} in {files}")
}
