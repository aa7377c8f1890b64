//! What issue forms put into texts, as `data/reports.toml` says.

use regex::Regex;
use serde::Deserialize;
use std::sync::OnceLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forms {
    sections: Vec<String>,
    headings: Vec<String>,
    bundles: Vec<String>,
    lines: Vec<String>,
}

fn forms() -> &'static Forms {
    static FORMS: OnceLock<Forms> = OnceLock::new();
    let read = || toml::from_str(include_str!("../../data/reports.toml")).expect("checked");
    FORMS.get_or_init(read)
}

/// What a heading says of what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// It belongs to what people wrote.
    Own,
    /// The form put it there.
    OfForm,
    /// What follows says nothing of the fault.
    LeftOut,
}

/// The text of a heading: after `#`, or alone in bold.
pub(super) fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let hashes = line.trim_start_matches('#');
    if hashes.len() < line.len() && hashes.starts_with(' ') {
        return Some(hashes.trim());
    }
    let bold = line.strip_prefix("**")?;
    let bold = bold.trim_end_matches([':', ' ']).strip_suffix("**")?;
    (!bold.contains("**")).then_some(bold.trim())
}

pub(super) fn kind_of(heading: &str) -> Heading {
    let forms = forms();
    let heading = heading.trim_end_matches([':', '.']).to_lowercase();
    if forms.headings.contains(&heading) {
        return Heading::OfForm;
    }
    let words: String = heading
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let words = format!(
        " {} ",
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    );
    let has = |phrase: &String| words.contains(&format!(" {phrase} "));
    if forms.sections.iter().any(has) {
        Heading::LeftOut
    } else {
        Heading::Own
    }
}

/// Whether a form or a tool wrote a line that says nothing of the fault: a
/// box to tick, a version.
pub(super) fn is_left_out(line: &str) -> bool {
    let line = line.trim();
    let lower = line.to_lowercase();
    let lines = &forms().lines;
    lines.iter().any(|start| lower.starts_with(start.as_str())) || is_version(line)
}

/// Whether a file is a copy of others in one.
pub(super) fn is_bundle(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let bundles = &forms().bundles;
    folders
        .split('/')
        .any(|folder| bundles.iter().any(|bundle| bundle == folder))
}

/// `name: 1.2.3`, `name==1.2.3`, `Python 3.9.1`, `├── axum v0.6.13`.
fn is_version(line: &str) -> bool {
    static VERSION: OnceLock<Regex> = OnceLock::new();
    let compile = || {
        let name = r"^[\s*├└│─+-]*[`*]*[\w./@ -]{1,40}?[`*]*";
        let number = r"\s*[:=(]*\s*[`*]*v?\d+(\.\d+)+[\w.+-]*[`*)]*[^*+=]{0,40}$";
        Regex::new(&format!("{name}{number}")).expect("checked")
    };
    let words = line.split_whitespace().count();
    words <= 6 && VERSION.get_or_init(compile).is_match(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_forms_are_known() {
        for (line, want) in [
            ("### Steps to reproduce", Some(Heading::OfForm)),
            ("**Describe the bug**", Some(Heading::OfForm)),
            ("**Expected behavior:**", Some(Heading::OfForm)),
            ("### Python version", Some(Heading::LeftOut)),
            (
                "**Version info (please complete it):**",
                Some(Heading::LeftOut),
            ),
            (
                "## The pool hands out closed connections",
                Some(Heading::Own),
            ),
            ("### Conversion of dates", Some(Heading::Own)),
            ("#include <a.h>", None),
            ("**a** and **b**", None),
        ] {
            assert_eq!(heading(line).map(kind_of), want, "{line}");
        }
    }

    #[test]
    fn versions_and_boxes_say_nothing() {
        for (line, want) in [
            ("- [x] I have searched", true),
            ("numpy: 1.2.3", true),
            ("Python 3.9.1", true),
            ("├── axum v0.6.13", true),
            (
                "since 1.2.3 the pool hands out connections that are closed",
                false,
            ),
            ("x = 1.5 * y", false),
        ] {
            assert_eq!(is_left_out(line), want, "{line}");
        }
    }
}
