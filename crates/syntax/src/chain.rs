//! Chains of names and calls, as they are kept: what stands before a name, and
//! what a value is made by.
//!
//! A chain is read backwards from its end, in the text: that needs no word of a
//! grammar. Arguments and indexes are left out, `pool.take(1).conns[0]` is
//! `pool.take().conns[]`. A literal is `"`, a cast `<Pool>`.

use crate::words;

/// Chains are kept up to this many characters.
const LONGEST: usize = 120;

/// How far back what a name belongs to is read, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// So deep parentheses are looked into.
const DEEPEST: u8 = 3;

/// What may stand between a name and what it belongs to.
const SEPARATORS: [&str; 6] = ["::", "?.", "&.", "->", ".", "\\"];

/// A qualifier of which nothing is known.
const EXPRESSION: &str = "?";

/// A literal.
const LITERAL: &str = "\"";

/// What the name after this text belongs to; nothing where it stands alone.
/// Lua calls methods as `cart:add()`, OCaml as `cart#add`.
pub(crate) fn receiver(before: &str, in_method: bool) -> String {
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST_TEXT))..];
    let colon = before.strip_suffix([':', '#']);
    let object = match colon.filter(|object| in_method && !object.ends_with(':')) {
        Some(object) => Some(object),
        None => separator_before(before).map(|(_, object)| object),
    };
    let Some(object) = object else {
        return String::new();
    };
    // PowerShell's `[Pool]::`
    let inner = object
        .rsplit_once('[')
        .and_then(|(_, rest)| rest.strip_suffix(']'));
    if let Some(inner) = inner.filter(|inner| before.ends_with("::") && is_type(inner)) {
        return inner.to_owned();
    }
    let reader = Reader { depth: 0 };
    match ended(object).and_then(|object| reader.chain(object)) {
        Some((chain, _)) => {
            // `new a.B()` makes no `a`.
            let bare = chain
                .strip_prefix("new ")
                .filter(|bare| !bare.contains('('));
            words::one_line(bare.unwrap_or(&chain), LONGEST)
        }
        None => EXPRESSION.to_owned(),
    }
}

/// What a value is made by, where that is a chain, a cast or a literal.
pub(crate) fn value(text: &str) -> Option<String> {
    let chain = Reader { depth: 0 }.value(text)?;
    (chain.len() <= LONGEST).then_some(chain)
}

struct Reader {
    /// How many parentheses one is inside of.
    depth: u8,
}

impl Reader {
    fn value(&self, text: &str) -> Option<String> {
        let text = without_words_before(text.trim().trim_end_matches(';'));
        // An object that is written out may have functions of its own.
        let is_object = text.starts_with('{') && text != "{}";
        if text.len() > LONGEST_TEXT || is_object || is_function(text) {
            return None;
        }
        if is_literal(text) {
            return Some(LITERAL.to_owned());
        }
        if let Some((_, to)) = text.rsplit_once(" as ") {
            let to = to.trim_start_matches(['!', '?']).trim();
            return is_type(to).then(|| format!("<{to}>"));
        }
        let (chain, before) = self.chain(text)?;
        let before = before.trim_end();
        if before.is_empty() {
            return Some(chain);
        }
        if let Some(inner) = before.strip_prefix('(').and_then(|b| b.strip_suffix(')')) {
            return is_type(inner).then(|| format!("<{}>", inner.trim()));
        }
        // `given || new Pool()`
        let alternatives = ["||", "??", " or", "?:"];
        alternatives
            .iter()
            .any(|other| before.ends_with(other))
            .then_some(chain)
    }

    /// The chain that a text ends with, and what stands before it.
    fn chain<'t>(&self, text: &'t str) -> Option<(String, &'t str)> {
        let mut rest = text.trim_end();
        let mut parts: Vec<String> = Vec::new();
        let mut length = 0;
        loop {
            let (part, before) = self.operand(rest)?;
            length += part.len();
            // Each name of a very long chain would read all of it.
            if length > LONGEST {
                return None;
            }
            parts.push(part);
            rest = before;
            let Some((separator, before)) = separator_before(rest) else {
                break;
            };
            rest = before;
            let before = ended(before);
            let goes_on = before.is_some_and(|before| before.ends_with(ends_operand));
            if !goes_on {
                // `\App`, `::App`; three dots spread what follows them.
                let is_root = matches!(separator, "\\" | "::");
                if is_root {
                    parts.push(separator.to_owned());
                } else if !(separator == "." && rest.ends_with('.')) {
                    return None;
                }
                break;
            }
            parts.push(separator.to_owned());
            rest = before.unwrap_or(rest);
        }
        parts.reverse();
        let mut chain = parts.concat();
        let before = rest.trim_end();
        if let Some(before) = before.strip_suffix("new")
            && !before.ends_with(is_name_char)
        {
            chain.insert_str(0, "new ");
            rest = before;
        }
        let before = rest.trim_end();
        if let Some(before) = before.strip_suffix("await") {
            rest = before;
        }
        Some((chain, rest))
    }

    /// One part of a chain with what is called or taken of it, and what stands
    /// before it.
    fn operand<'t>(&self, text: &'t str) -> Option<(String, &'t str)> {
        let mut rest = text;
        // What follows the name, the last first.
        let mut suffixes: Vec<&str> = Vec::new();
        loop {
            let last = rest.chars().next_back()?;
            match last {
                // `a!.b`, `a?.b` after its dot.
                '!' | '?' => rest = &rest[..rest.len() - 1],
                ']' => {
                    let before = &rest[..opening(rest)?];
                    if !before.ends_with(ends_operand) {
                        return with(LITERAL, &suffixes, before);
                    }
                    suffixes.push("[]");
                    rest = before;
                }
                ')' => {
                    let open = opening(rest)?;
                    let inner = &rest[open + 1..rest.len() - 1];
                    let before = &rest[..open];
                    if let Some(object) = before.strip_suffix('.') {
                        // Go's `x.(Pool)`
                        let (_, before) = self.chain(object)?;
                        return with(&format!("<{}>", inner.trim()), &suffixes, before);
                    }
                    if let Some(cast) = cast_to(before) {
                        return with(&format!("<{}>", cast.0), &suffixes, cast.1);
                    }
                    let called = without_generics(before);
                    if !called.ends_with(is_name_char) {
                        return self.group(inner, &suffixes, before);
                    }
                    suffixes.push("()");
                    rest = called;
                }
                '}' => {
                    let before = rest[..opening(rest)?].trim_end();
                    // A block after a call belongs to it.
                    if before.ends_with(')') {
                        rest = before;
                    } else if before.ends_with(is_name_char) {
                        suffixes.push("()");
                        rest = before;
                    } else {
                        return with(LITERAL, &suffixes, before);
                    }
                }
                '>' => {
                    let before = without_generics(rest);
                    if before.len() == rest.len() {
                        return None;
                    }
                    rest = before;
                }
                '"' | '\'' | '`' => return with(LITERAL, &suffixes, before_quote(rest)?),
                last if is_name_char(last) => break,
                _ => return None,
            }
        }
        let start = rest.trim_end_matches(is_name_char).len();
        let (before, name) = rest.split_at(start);
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            return with(LITERAL, &suffixes, before);
        }
        with(name, &suffixes, before)
    }

    /// What stands in parentheses of its own.
    fn group<'t>(
        &self,
        inner: &str,
        suffixes: &[&str],
        before: &'t str,
    ) -> Option<(String, &'t str)> {
        if self.depth >= DEEPEST {
            return None;
        }
        let deeper = Reader {
            depth: self.depth + 1,
        };
        with(&deeper.value(inner)?, suffixes, before)
    }
}

/// A part with what follows it.
fn with<'t>(part: &str, suffixes: &[&str], before: &'t str) -> Option<(String, &'t str)> {
    let mut whole = part.to_owned();
    whole.extend(suffixes.iter().rev().copied());
    Some((whole, before))
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@')
}

fn ends_operand(c: char) -> bool {
    is_name_char(c) || matches!(c, ')' | ']' | '}' | '!' | '?' | '"' | '\'' | '`' | '>')
}

/// The end of what stands before a separator: on the line before, without a
/// comment behind it. Nothing where a blank parts them: `case .empty`.
fn ended(text: &str) -> Option<&str> {
    let trimmed = text.trim_end();
    if trimmed.len() == text.len() {
        return Some(text);
    }
    if !text[trimmed.len()..].contains('\n') {
        return None;
    }
    let mut rest = trimmed;
    loop {
        let line = rest.rfind('\n').map_or(0, |at| at + 1);
        let comment = rest[line..].find("//");
        match comment.filter(|&at| !rest[line..line + at].ends_with(':')) {
            Some(at) => rest = rest[..line + at].trim_end(),
            None => return Some(rest.trim_end_matches('\\').trim_end()),
        }
    }
}

/// The separator that a text ends with; a dot may stand at the end of the line
/// before, which is no comment then.
fn separator_before(text: &str) -> Option<(&'static str, &str)> {
    let mut separators = SEPARATORS.iter();
    let found = separators.find_map(|one| Some((*one, text.strip_suffix(one)?)));
    if found.is_some() {
        return found;
    }
    let trimmed = text.trim_end();
    let before = trimmed.strip_suffix('.')?;
    let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    let is_comment = line.contains("//") || line.starts_with(['#', '*', '-']);
    let is_on_next_line = text[trimmed.len()..].contains('\n');
    (is_on_next_line && !is_comment).then_some((".", before))
}

/// Where the bracket opens that the text ends with.
fn opening(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0u32;
    let mut at = bytes.len();
    while at > 0 {
        at -= 1;
        match bytes[at] {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            quote @ (b'"' | b'\'' | b'`') => {
                if let Some(start) = quote_opens(&bytes[..at], quote) {
                    at = start;
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a string opens on the same line, given the text before its last quote.
fn quote_opens(before: &[u8], quote: u8) -> Option<usize> {
    let line = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let mut found = None;
    for at in (line..before.len()).rev() {
        let is_escaped = at > 0 && before[at - 1] == b'\\';
        if before[at] == quote && !is_escaped {
            found = Some(at);
            break;
        }
    }
    found
}

/// What stands before the string that a text ends with.
fn before_quote(text: &str) -> Option<&str> {
    let quote = *text.as_bytes().last()?;
    let start = quote_opens(&text.as_bytes()[..text.len() - 1], quote)?;
    Some(&text[..start])
}

/// The text without the type arguments that it ends with.
fn without_generics(text: &str) -> &str {
    if !text.ends_with('>') || text.ends_with("->") || text.ends_with("=>") {
        return text;
    }
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b'>' => depth += 1,
            b'<' => depth -= 1,
            b';' | b'{' | b'}' | b'\n' => return text,
            _ => {}
        }
        if depth == 0 {
            let before = text[..at].strip_suffix("::").unwrap_or(&text[..at]);
            return if before.ends_with(is_name_char) {
                before
            } else {
                text
            };
        }
    }
    text
}

/// The type that C++ casts to before the parentheses, and what stands before.
fn cast_to(before: &str) -> Option<(&str, &str)> {
    let plain = without_generics(before);
    let name = plain.ends_with("_cast");
    let inner = before[plain.len()..].strip_prefix('<')?.strip_suffix('>')?;
    name.then(|| {
        (
            inner.trim(),
            plain.trim_end_matches(|c| is_name_char(c) || c == ':'),
        )
    })
}

/// Words and signs before a value that say nothing of its type.
fn without_words_before(mut text: &str) -> &str {
    const WORDS: [&str; 8] = [
        "await ", "&mut ", "&", "*", "try ", "yield ", "move ", "return ",
    ];
    loop {
        let shorter = WORDS.iter().find_map(|word| text.strip_prefix(word));
        match shorter {
            Some(shorter) => text = shorter.trim_start(),
            None => return text,
        }
    }
}

/// Whether a value is a function.
fn is_function(text: &str) -> bool {
    const WORDS: [&str; 7] = [
        "function", "async ", "lambda", "|", "func(", "func (", "fn(",
    ];
    WORDS.iter().any(|word| text.starts_with(word)) || text.contains("=>")
}

fn is_literal(text: &str) -> bool {
    let first = text.chars().next().unwrap_or_default();
    let last = text.chars().next_back().unwrap_or_default();
    let quoted = matches!(first, '"' | '\'' | '`') && first == last;
    let listed = first == '[' && last == ']' && opening(text) == Some(0);
    quoted || listed || first.is_ascii_digit() || matches!(text, "{}" | "true" | "false")
}

/// Whether a text may be the name of a type.
fn is_type(text: &str) -> bool {
    let text = text.trim();
    let is_part = |c: char| is_name_char(c) || "<>[].:*&,? |".contains(c);
    text.starts_with(is_name_char) && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_belongs_to() {
        for (before, expected) in [
            ("x = ", ""),
            ("  pool.", "pool"),
            ("(self.pool.", "self.pool"),
            ("use crate::index::", "crate::index"),
            ("a?.b?.", "a?.b"),
            ("this->", "this"),
            ("make().", "make()"),
            ("f(a).b.", "f().b"),
            ("\"text\".", "\""),
            ("f(\"a)\", ')').g(h[0], {}).", "f().g()"),
            ("rows[0].cells[i + 1].", "rows[].cells[]"),
            ("return pool\n    .take(1)\n    .", "pool.take()"),
            ("pool.take() // of (these\n    .", "pool.take()"),
            ("new \\App\\", "\\App"),
            ("new Pool(1).", "new Pool()"),
            ("(new Pool(1)).", "new Pool()"),
            ("((Pool) it).", "<Pool>"),
            ("(it as Pool).", "<Pool>"),
            ("x.(*Pool).", "<*Pool>"),
            ("static_cast<Pool*>(x)->", "<Pool*>"),
            ("Vec::<Pool>::", "Vec"),
            ("make::<Pool>(1).", "make()"),
            ("a!.b.", "a.b"),
            ("case .", "?"),
            ("(a + b).", "?"),
            ("f() -> fmt::", "fmt"),
            ("pool.\n  take(1).", "pool.take()"),
            ("pool.\n  take(1).\n  ", "pool.take()"),
            ("// by hand.\n  ", ""),
            ("// by hand.\n  t.", "t"),
            ("new shop.", "shop"),
            ("...", "?"),
            ("...rest.", "rest"),
            (".", "?"),
        ] {
            assert_eq!(receiver(before, false), expected, "{before}");
        }
        assert_eq!(receiver("cart:", true), "cart");
    }

    #[test]
    fn what_a_value_is_made_by() {
        for (text, expected) in [
            ("new Pool(1, 2)", Some("new Pool()")),
            ("await this.pool.take()", Some("this.pool.take()")),
            ("&Pool{Size: 1}", Some("Pool()")),
            ("Pool::new(1)?", Some("Pool::new()")),
            ("(Pool) find(1)", Some("<Pool>")),
            ("find(1) as Pool", Some("<Pool>")),
            ("given || new Pool()", Some("new Pool()")),
            ("a + b.c()", None),
            ("x => x.y()", None),
            ("[1, 2]", Some("\"")),
            ("'a' + \"b\"", None),
            ("12", Some("\"")),
            ("{ a: 1 }", None),
        ] {
            assert_eq!(value(text).as_deref(), expected, "{text}");
        }
    }
}
