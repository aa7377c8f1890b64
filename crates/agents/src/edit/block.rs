//! Blocks of lines at the end of a text, and the block between markers in a
//! Markdown file.

use super::{Edited, Refusal, split_bom};
use crate::value::newline_of;

/// The line before the block. The version is that of the text in it.
pub(crate) const START: &str = "<!-- scent:start v1 -->";
/// The line behind it.
pub(crate) const END: &str = "<!-- scent:end -->";
/// What the line before a block of any version begins with.
const ANY_START: &str = "<!-- scent:start";

/// A text with lines behind it: after a blank line, and with a last line end
/// only where the text had one.
pub(super) fn append(text: Option<&str>, lines: &str) -> String {
    match text {
        None => format!("{lines}\n"),
        Some(text) if split_bom(text).1.is_empty() => format!("{text}{lines}"),
        Some(text) => {
            let newline = newline_of(text);
            if text.ends_with('\n') {
                format!("{text}{newline}{lines}{newline}")
            } else {
                format!("{text}{newline}{newline}{lines}")
            }
        }
    }
}

/// A text without lines that were appended; no file where it was made for them.
pub(super) fn cut(text: &str, start: usize, end: usize) -> Option<String> {
    let newline = newline_of(text);
    let (before, after) = (&text[..start], &text[end..]);
    if before.is_empty() && after == newline {
        return None;
    }
    let mut before = before.strip_suffix(newline).unwrap_or(before);
    if after.is_empty() {
        before = before.strip_suffix(newline).unwrap_or(before);
    }
    let after = after.strip_prefix(newline).unwrap_or(after);
    Some(format!("{before}{after}"))
}

/// Puts the block in, or a newer one in the place of an older.
pub(super) fn install(text: Option<&str>, body: &str) -> Edited {
    let newline = text.map_or("\n", newline_of);
    let block = format!("{START}\n{}\n{END}", body.trim_end()).replace('\n', newline);
    let Some(current) = text else {
        return Ok(Some(append(None, &block)));
    };
    Ok(Some(match find(current)? {
        Some((start, end)) => format!("{}{block}{}", &current[..start], &current[end..]),
        None => append(text, &block),
    }))
}

/// Takes the block out.
pub(super) fn uninstall(text: &str) -> Edited {
    match find(text)? {
        Some((start, end)) => Ok(cut(text, start, end)),
        None => Ok(Some(text.to_owned())),
    }
}

/// The place of the block with its markers.
fn find(text: &str) -> Result<Option<(usize, usize)>, Refusal> {
    let starts: Vec<usize> = lines_that_begin(text, ANY_START).collect();
    let ends: Vec<usize> = lines_that_begin(text, END).collect();
    match (starts.as_slice(), ends.as_slice()) {
        ([], []) => Ok(None),
        ([start], [end]) if start < end => Ok(Some((*start, end + END.len()))),
        _ => Err(Refusal::Broken(format!(
            "the lines {ANY_START:?} and {END:?} do not stand there once, in this order"
        ))),
    }
}

fn lines_that_begin<'t>(text: &'t str, marker: &'t str) -> impl Iterator<Item = usize> + 't {
    let found = text.match_indices(marker).map(|(at, _)| at);
    found.filter(|at| *at == 0 || text[..*at].ends_with(['\n', '\u{feff}']))
}
