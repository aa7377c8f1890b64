//! What documentation names in backticks: paths and names of code.

/// The spans of code in a line of documentation.
pub(crate) fn spans(line: &str) -> impl Iterator<Item = &str> {
    let inside = line.split('`').skip(1).step_by(2);
    inside.map(str::trim).filter(|span| !span.is_empty())
}

/// The path in a span, perhaps with a line behind it.
pub(crate) fn path(span: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match span.rsplit_once(':') {
        Some((path, line)) if is_number(line) => Some(path),
        _ => (!span.contains(char::is_whitespace)).then_some(span),
    }
}

/// A name of code in a span, and what stands before it: `Pool::take()` and
/// `retry_delay`, but no word that may as well be one of the language.
pub(crate) fn name(span: &str) -> Option<(&str, &str)> {
    let plain = span.strip_suffix("()").unwrap_or(span);
    let is_part = |c: char| is_identifier_char(c) || matches!(c, ':' | '.' | '#' | '\\');
    if !plain.chars().all(is_part) {
        return None;
    }
    let start = plain
        .rfind(|c| !is_identifier_char(c))
        .map_or(0, |at| at + 1);
    let (before, name) = plain.split_at(start);
    let before = before.trim_end_matches(|c| !is_identifier_char(c));
    let mut letters = name.chars().skip(1);
    let is_told = plain.len() < span.len() || !before.is_empty();
    let is_name = is_told || name.contains('_') || letters.any(char::is_uppercase);
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && begins && name.len() > 2).then_some((before, name))
}

fn is_identifier_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_line_is_in_backticks() {
        let line = "Use `Pool::take()` of `src/pool.rs:12`, ``never`` ` ` `open";
        let found: Vec<&str> = spans(line).collect();
        assert_eq!(found, ["Pool::take()", "src/pool.rs:12", "open"]);
    }

    #[test]
    fn names_and_paths_are_told_from_words() {
        for (span, expected) in [
            ("Pool::take()", Some(("Pool", "take"))),
            ("a::Pool", Some(("a", "Pool"))),
            ("retry_delay", Some(("", "retry_delay"))),
            ("RetryPolicy", Some(("", "RetryPolicy"))),
            ("run()", Some(("", "run"))),
            ("Cart#add", Some(("Cart", "add"))),
            ("true", None),
            ("Option", None),
            ("--flag", None),
            ("cargo test", None),
            ("1.2.34", None),
            ("id", None),
        ] {
            assert_eq!(name(span), expected, "{span}");
        }
        assert_eq!(path("src/pool.rs:12"), Some("src/pool.rs"));
        assert_eq!(path("src/pool.rs"), Some("src/pool.rs"));
        assert_eq!(path("cargo test"), None);
    }
}
