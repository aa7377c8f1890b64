//! Rust without its comments and literals, so that a rule about code does not
//! trip over a sentence or a test case.

/// The text with blanks for comments, strings and characters. Lines stay where
/// they are.
pub(super) fn mask(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while !rest.is_empty() {
        let hidden = hidden(rest);
        let (piece, after) = rest.split_at(hidden.unwrap_or_else(|| visible(rest)));
        match hidden {
            Some(_) => code.extend(piece.chars().map(|c| if c == '\n' { c } else { ' ' })),
            None => code.push_str(piece),
        }
        rest = after;
    }
    code
}

/// The length of the comment or literal at the beginning of a text.
fn hidden(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(block_comment(text));
    }
    raw_string(text)
        .or_else(|| string(text))
        .or_else(|| character(text))
}

/// The length of the name at the beginning of a text, or of one character.
fn visible(text: &str) -> usize {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = text.find(|c| !in_name(c)).unwrap_or(text.len());
    name.max(text.chars().next().map_or(0, char::len_utf8))
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(step) = text[at..].find(['/', '*']) {
        at += step;
        match text.get(at..at + 2) {
            Some("/*") => depth += 1,
            Some("*/") => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        let rest = text.strip_prefix(prefix).unwrap_or("");
        rest.trim_start_matches('#').starts_with('"') && rest.starts_with(['#', '"'])
    })?;
    let hashes = text[prefix.len()..].find('"')?;
    let opened = prefix.len() + hashes + 1;
    let close = format!("\"{}", "#".repeat(hashes));
    let length = text[opened..]
        .find(&close)
        .map(|at| opened + at + close.len());
    Some(length.unwrap_or(text.len()))
}

fn string(text: &str) -> Option<usize> {
    text.starts_with('"').then(|| quoted(text, '"'))
}

/// A character, not a lifetime: `'a'` and `'\n'` are closed, `'a` is not.
fn character(text: &str) -> Option<usize> {
    let mut inside = text.strip_prefix('\'')?.chars();
    let first = inside.next()?;
    (first == '\\' || inside.next() == Some('\'')).then(|| quoted(text, '\''))
}

/// The length of a literal that ends at the next mark without a `\` before it.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn comments_and_literals_disappear() {
        let cases = [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */\nd */ e", "a             \n     e"),
            (r#"f("a \" b", c)"#, "f(        , c)"),
            (r###"f(r#"a " b"#, c)"###, "f(          , c)"),
            ("br\"x\" b\"y\" c\"z\"", "      b    c   "),
            (
                "fn f<'a>(c: &'a str) { '\\'' }",
                "fn f<'a>(c: &'a str) {      }",
            ),
            ("['a', 'é', '\"', x]", "[   ,    ,    , x]"),
            ("r#type + bar\"s\"", "r#type + bar   "),
            ("\"unclosed\nline", "         \n    "),
        ];
        for (source, want) in cases {
            assert_eq!(mask(source), want, "{source}");
        }
    }
}
