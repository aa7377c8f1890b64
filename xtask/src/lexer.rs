//! Rust taken apart far enough to count it and to follow its paths: words,
//! marks, literals and comments. It knows no grammar.

/// What a piece of source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Blank,
    Comment,
    /// A string or a character.
    Literal,
    /// A name, a keyword, a number or a lifetime.
    Word,
    /// An operator or a bracket.
    Mark,
}

/// A piece of source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'s> {
    pub kind: Kind,
    pub text: &'s str,
}

/// Marks of more than one character, longest first. `>>` is two marks, since
/// it mostly closes two lists of types.
const MARKS: [&str; 22] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "..",
];

/// All pieces of a source in their order; together they are the source.
pub(crate) fn pieces(source: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = source;
    while !rest.is_empty() {
        let (kind, length) = first(rest);
        let (text, after) = rest.split_at(length);
        pieces.push(Piece { kind, text });
        rest = after;
    }
    pieces
}

/// Kind and length of the first piece of a text that is not empty.
fn first(text: &str) -> (Kind, usize) {
    let blank = length_while(text, char::is_whitespace);
    if blank > 0 {
        return (Kind::Blank, blank);
    }
    if text.starts_with("//") {
        return (Kind::Comment, text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return (Kind::Comment, block_comment(text));
    }
    if let Some(length) = literal(text) {
        return (Kind::Literal, length);
    }
    let word = word(text);
    if word > 0 {
        return (Kind::Word, word);
    }
    for mark in MARKS {
        if text.starts_with(mark) {
            return (Kind::Mark, mark.len());
        }
    }
    (Kind::Mark, text.chars().next().map_or(0, char::len_utf8))
}

fn length_while(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the word at the beginning of a text, 0 without one. `1.5` is
/// one word, `1..5` begins with one.
fn word(text: &str) -> usize {
    let mark = match text.strip_prefix('\'') {
        Some(_) => 1,
        None if text.starts_with("r#") => 2,
        None => 0,
    };
    let length = length_while(&text[mark..], in_name);
    if length == 0 {
        return 0;
    }
    let end = mark + length;
    let fraction = text[end..].strip_prefix('.').unwrap_or("");
    if text.starts_with(|c: char| c.is_ascii_digit())
        && fraction.starts_with(|c: char| c.is_ascii_digit())
    {
        return end + 1 + length_while(fraction, in_name);
    }
    end
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

fn literal(text: &str) -> Option<usize> {
    raw_string(text)
        .or_else(|| string(text))
        .or_else(|| character(text))
}

fn raw_string(text: &str) -> Option<usize> {
    for prefix in ["r", "br", "cr"] {
        let Some(rest) = text.strip_prefix(prefix) else {
            continue;
        };
        let hashes = length_while(rest, |c| c == '#');
        if !rest[hashes..].starts_with('"') {
            continue;
        }
        let opened = prefix.len() + hashes + 1;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = text[opened..].find(&close);
        return Some(end.map_or(text.len(), |at| opened + at + close.len()));
    }
    None
}

fn string(text: &str) -> Option<usize> {
    let start = length_while(text, |c| c == 'b' || c == 'c');
    let is_string = start <= 1 && text[start..].starts_with('"');
    is_string.then(|| start + quoted(&text[start..], '"'))
}

/// A character, not a lifetime: `'a'` and `'\n'` are closed, `'a` is not.
fn character(text: &str) -> Option<usize> {
    let start = usize::from(text.starts_with("b'"));
    let mut inside = text[start..].strip_prefix('\'')?.chars();
    let first = inside.next()?;
    let is_closed = first == '\\' || inside.next() == Some('\'');
    is_closed.then(|| start + quoted(&text[start..], '\''))
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
    use super::*;

    #[test]
    fn sources_fall_into_pieces() {
        let cases = [
            ("a::b(1.5, 0..=9)", "a :: b ( 1.5 , 0 ..= 9 )"),
            ("Vec<Vec<'a>>", "Vec < Vec < 'a > >"),
            ("'a' b'\\'' 'b: loop {}", "'a' b'\\'' 'b : loop { }"),
            ("r#type == b\"x\"", "r#type == b\"x\""),
            ("|x| x.0 || y", "| x | x . 0 || y"),
        ];
        for (source, want) in cases {
            let pieces = pieces(source);
            let found: Vec<&str> = pieces
                .iter()
                .filter(|piece| piece.kind != Kind::Blank)
                .map(|piece| piece.text)
                .collect();
            assert_eq!(found.join(" "), want, "{source}");
        }
    }
}
