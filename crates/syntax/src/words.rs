//! Short texts made from source: names, signatures, documentation.

use std::borrow::Cow;

/// How long a signature may be, in characters.
const SIGNATURE_LIMIT: usize = 200;

/// How much documentation of one unit is kept, in characters.
const DOC_LIMIT: usize = 2_000;

/// The text with every run of white space as one blank, cut after `limit`
/// characters.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    if text.len() <= limit && !text.contains(char::is_whitespace) {
        return text.to_owned();
    }
    let mut line = String::with_capacity(text.len().min(limit));
    let (mut count, mut apart) = (0, false);
    // No further than needed: one text may hold the next, and that one the next.
    for c in text.chars() {
        if c.is_whitespace() {
            apart = count > 0;
            continue;
        }
        if count + 1 + usize::from(apart) > limit {
            break;
        }
        if apart {
            line.push(' ');
            count += 1;
        }
        line.push(c);
        (count, apart) = (count + 1, false);
    }
    line
}

/// A declaration on one line, without what opens its body.
pub(crate) fn signature(head: &str) -> String {
    let head = head.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '{' | ':' | '='));
    one_line(head, SIGNATURE_LIMIT)
}

/// The first line of a text, and those after it while brackets are open.
pub(crate) fn declaration(text: &str) -> &str {
    let mut open = 0i32;
    for (at, byte) in text.bytes().enumerate().take(4 * SIGNATURE_LIMIT) {
        match byte {
            b'(' | b'[' => open += 1,
            b')' | b']' => open -= 1,
            b'\n' if open <= 0 || text[..at].trim_end().ends_with('{') => return &text[..at],
            _ => {}
        }
    }
    &text[..text.floor_char_boundary(4 * SIGNATURE_LIMIT)]
}

/// A name without the quotes that some grammars include.
pub(crate) fn unquote(name: &str) -> &str {
    let name = name.trim();
    for quote in ['"', '\'', '`'] {
        let inner = name.strip_prefix(quote).and_then(|n| n.strip_suffix(quote));
        if let Some(inner) = inner.filter(|n| !n.is_empty()) {
            return inner;
        }
    }
    name
}

/// The last part of a name that says what it belongs to: `sum` of `Cart::sum`.
pub(crate) fn last_part(name: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || "_$!?".contains(c);
    let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
    // An operator, or something that is no path, is one name.
    let is_path = name.chars().all(|c| is_name(c) || ".:#".contains(c));
    if is_path && !last.is_empty() {
        last
    } else {
        name
    }
}

/// A name without the arguments of the templates that it belongs to:
/// `List::add` of `List<T, 4>::add`.
pub(crate) fn without_arguments(name: &str) -> Cow<'_, str> {
    if !name.contains(">::") {
        return name.into();
    }
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(end) = rest.find(">::") {
        let (part, after) = rest.split_at(end);
        out.push_str(part.split('<').next().unwrap_or(part));
        rest = &after[1..];
    }
    out.push_str(rest);
    out.into()
}

/// Documentation without comment markers and quotes: the words only.
pub(crate) fn prose<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let mut out = String::new();
    for line in lines {
        let line = without_tags(line);
        let line = line.trim().trim_end_matches("-->").trim_end_matches("*)");
        let line = line
            .trim_start_matches(is_marker)
            .trim_end_matches(is_closing_marker);
        if line.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
        if out.len() > DOC_LIMIT {
            out.truncate(out.floor_char_boundary(DOC_LIMIT));
            break;
        }
    }
    out
}

/// A line of documentation without the tags that some languages put in it.
fn without_tags(line: &str) -> Cow<'_, str> {
    if !line.contains("</") && !line.contains("/>") && !line.contains("<summary>") {
        return line.into();
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find('<') {
        let Some(length) = rest[open..].find('>') else {
            break;
        };
        out.push_str(&rest[..open]);
        let tag = &rest[open..open + length];
        // What a tag points to is part of the sentence.
        out.push_str(
            tag.split_once("cref=\"")
                .map_or("", |(_, name)| name.split('"').next().unwrap_or("")),
        );
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    out.into()
}

fn is_marker(c: char) -> bool {
    matches!(
        c,
        '/' | '*'
            | '#'
            | '-'
            | ';'
            | '%'
            | '!'
            | '"'
            | '\''
            | '='
            | '{'
            | '|'
            | '('
            | '<'
            | '>'
            | '['
    ) || c.is_whitespace()
}

fn is_closing_marker(c: char) -> bool {
    matches!(c, '/' | '*' | '#' | '-' | '"' | '=' | '}' | ']') || c.is_whitespace()
}

/// Words that close a block.
const CLOSERS: [&str; 12] = [
    "end",
    "endif",
    "endfunction",
    "endmacro",
    "endforeach",
    "endwhile",
    "endef",
    "fi",
    "done",
    "esac",
    "contains",
    "#endif",
];

/// What fences the code of a notebook's cell. The code blocks that people write
/// into Markdown have another one.
pub(crate) const FENCE: &str = "~~~~";

/// Whether a line says nothing: blank, or only something that opens a cell or
/// closes.
pub(crate) fn is_filler(line: &str) -> bool {
    let line = line.trim();
    let code = line.split("//").next().unwrap_or("").trim();
    let short = line.len() < 60 && !line.contains('=');
    if code
        .chars()
        .all(|c| matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | ',' | '.'))
        || line == "1;"
    {
        // A comment says something, unless it only names what is closed.
        return line.len() == code.len() || (short && !code.is_empty());
    }
    let tag = line.starts_with("</") && line.find('>') == Some(line.len() - 1);
    let first = line
        .split(|c: char| c != '#' && !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or("");
    let fence = line.starts_with(FENCE);
    tag || (short && fence)
        || (short
            && CLOSERS
                .iter()
                .any(|closer| first.eq_ignore_ascii_case(closer)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_one_short_line() {
        assert_eq!(
            signature("fn f(\n    a: u8,\n) -> u8 {"),
            "fn f( a: u8, ) -> u8"
        );
        assert_eq!(signature("def f(a):"), "def f(a)");
        assert_eq!(signature(&"é ".repeat(300)).chars().count(), 199);
    }

    #[test]
    fn declarations_go_on_while_brackets_are_open() {
        assert_eq!(declaration("f(\n  a,\n)\n{"), "f(\n  a,\n)");
        assert_eq!(declaration("a -> b\nc"), "a -> b");
        assert_eq!(declaration("it('x', () => {\n  f()\n})"), "it('x', () => {");
    }

    #[test]
    fn lines_that_only_close_are_filler() {
        for line in [
            "",
            "  }",
            "});",
            "end",
            "end module x",
            "endif()",
            "</script>",
            "1;",
            "fi",
            "} // namespace x",
            "{",
        ] {
            assert!(is_filler(line), "{line}");
        }
        for line in [
            "end_time = 5",
            "ended",
            "x",
            "// x",
            "<a></a>",
            "done = true",
        ] {
            assert!(!is_filler(line), "{line}");
        }
    }

    #[test]
    fn prose_loses_its_markers() {
        assert_eq!(
            prose("/** Opens a file.\n *\n * Twice.\n */".lines()),
            "Opens a file.\nTwice."
        );
        assert_eq!(prose("\"\"\"Say hi.\"\"\"".lines()), "Say hi.");
        assert_eq!(prose("# one\n# two".lines()), "one\ntwo");
        assert_eq!(
            prose("/// <summary>See <see cref=\"A{T}\"/>.</summary>".lines()),
            "See A{T}."
        );
        assert!(prose("word ".repeat(2_000).lines()).len() <= 2_000);
    }

    #[test]
    fn names_lose_the_arguments_of_templates() {
        for (name, want) in [
            ("List<T, 4>::add", "List::add"),
            ("a::List<b::C>::D<E>::f", "a::List::D::f"),
            ("List::operator<", "List::operator<"),
            ("List<T>", "List<T>"),
        ] {
            assert_eq!(without_arguments(name), want, "{name}");
        }
    }

    #[test]
    fn names_lose_their_quotes() {
        assert_eq!(unquote("\"a b\""), "a b");
        assert_eq!(unquote("'"), "'");
        assert_eq!(unquote("\"\""), "\"\"");
    }
}
