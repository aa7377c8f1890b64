//! How results are to look.

use crate::paths::Paths;
use crate::text::{Layout, Text};
use std::borrow::Cow;

/// Longer names and lines are cut, in columns.
const MAX_COLUMNS: usize = 200;

/// How results are to look.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Use colours.
    pub color: bool,
    /// Number the lines.
    pub line_numbers: bool,
    /// Show paths only.
    pub files_only: bool,
    /// Stop when about this many tokens are written.
    pub max_tokens: Option<usize>,
    /// Say how long it took (JSON).
    pub timing: bool,
    /// How JSON is laid out.
    pub layout: Layout,
    /// How files are named.
    pub paths: Paths,
}

/// An answer as it is to be written out.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// All of it.
    pub text: Text,
    /// How many results it shows; with a budget, some may only be listed.
    pub shown: usize,
}

/// A line or a name that is not too long to read.
pub(crate) fn shortened(line: &str) -> Cow<'_, str> {
    let start = scent_types::cut(line, MAX_COLUMNS);
    match start.len() < line.len() {
        true => format!("{start}…").into(),
        false => line.into(),
    }
}
