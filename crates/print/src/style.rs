//! How results are to look.

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
    /// The folder from which files are named, with `/`.
    pub base: String,
}

impl Style {
    /// A file of a root as it is named from the base: relative where it is
    /// below, else absolute.
    pub(crate) fn display_path(&self, root: &str, path: &str) -> String {
        let slash = if root.ends_with('/') { "" } else { "/" };
        let whole = format!("{root}{slash}{path}");
        let base = self.base.trim_end_matches('/');
        let is_known = !self.base.is_empty();
        let below = whole
            .strip_prefix(base)
            .and_then(|rest| rest.strip_prefix('/'))
            .filter(|_| is_known);
        below.unwrap_or(&whole).to_owned()
    }
}

/// A line or a name that is not too long to read.
pub(crate) fn shortened(line: &str) -> Cow<'_, str> {
    let start = scent_types::cut(line, MAX_COLUMNS);
    match start.len() < line.len() {
        true => format!("{start}…").into(),
        false => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_base() {
        for (base, root, want) in [
            ("/a/b", "/a/b", "src/c.rs"),
            ("/a/b/src", "/a/b", "c.rs"),
            ("/a", "/a/b", "b/src/c.rs"),
            ("/a/bb", "/a/b", "/a/b/src/c.rs"),
            ("/", "/a/b", "a/b/src/c.rs"),
            ("/a", "/", "/src/c.rs"),
            ("", "/a/b", "/a/b/src/c.rs"),
        ] {
            let style = Style {
                base: base.into(),
                ..Style::default()
            };
            assert_eq!(style.display_path(root, "src/c.rs"), want, "{base}");
        }
    }
}
