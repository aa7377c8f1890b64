//! Types and chains as they are written, taken apart.

use scent_words::names::is_identifier_char;

/// A type as it is written: a name with its arguments, or a list of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape<'s> {
    /// The name, perhaps with a path before it; empty for a list.
    pub name: &'s str,
    pub args: Vec<&'s str>,
}

/// Words and signs before a type that do not change what it has.
const BEFORE: [&str; 21] = [
    "const ",
    "struct ",
    "enum ",
    "union ",
    "class ",
    "final ",
    "readonly ",
    "mut ",
    "dyn ",
    "impl ",
    "typename ",
    "static ",
    "volatile ",
    "inout ",
    "some ",
    "any ",
    "*",
    "&",
    "?",
    "=>",
    "...",
];

/// What stands for no value.
const NOTHING: [&str; 8] = [
    "null",
    "undefined",
    "None",
    "void",
    "never",
    "nil",
    "false",
    "nullptr",
];

/// The alternatives that a type is made of.
pub(crate) fn shapes(text: &str) -> Vec<Shape<'_>> {
    let mut found = Vec::new();
    if text.contains("=>") && !text.starts_with("=>") {
        return found;
    }
    for part in split(text, &['|', '&']) {
        let part = part.trim();
        if !part.is_empty() && !NOTHING.contains(&part) {
            found.extend(shape(part));
        }
    }
    found
}

fn shape(text: &str) -> Option<Shape<'_>> {
    let mut text = text.trim().trim_matches(['"', '\'']);
    loop {
        let shorter = BEFORE.iter().find_map(|word| text.strip_prefix(word));
        // `&'a Pool`
        let lifetime = text
            .strip_prefix('\'')
            .and_then(|rest| rest.split_once(' '));
        match (shorter, lifetime) {
            (Some(shorter), _) | (None, Some((_, shorter))) => text = shorter.trim_start(),
            (None, None) => break,
        }
    }
    let list = |args| Some(Shape { name: "", args });
    if let Some(rest) = text.strip_prefix("map[") {
        let (key, value) = rest.split_once(']')?;
        return list(vec![key, value]);
    }
    if let Some(rest) = text.strip_prefix("chan ").or(text.strip_prefix("<-chan ")) {
        return list(vec![rest]);
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (inner, after) = rest.split_once(']')?;
        // `[]Pool`, `[4]Pool`, but `[Pool; 4]` and `[Pool]`.
        let element = if after.trim().is_empty() {
            inner.split(';').next().unwrap_or(inner)
        } else {
            after
        };
        return list(vec![element]);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let first = split(inner, &[',']).first().copied()?;
        // `(pool *Pool, err error)`
        let named = first
            .trim()
            .split_once(' ')
            .filter(|(name, _)| is_name(name));
        return shape(named.map_or(first, |(_, of)| of));
    }
    let text = text.trim_end_matches(['*', '&', '?', '!', ' ']);
    let text = text.trim_end_matches("...").trim_end_matches(" const");
    if let Some(element) = text.strip_suffix("[]") {
        return list(vec![element]);
    }
    let end = text.find(['<', '[', ' ', '(', '{']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if !name.starts_with(|c: char| is_identifier_char(c) || c == '\\' || c == ':') {
        return None;
    }
    let inner = rest.strip_prefix(['<', '[']);
    let inner = inner.and_then(|inner| Some(&inner[..inner.rfind(['>', ']'])?]));
    let mut args = inner.map_or(Vec::new(), |inner| split(inner, &[',']));
    args.retain(|arg| !is_lifetime(arg));
    Some(Shape { name, args })
}

/// Whether an argument is no type: the `'_` of `Guard<'_, Pool>`.
fn is_lifetime(arg: &str) -> bool {
    let named = arg.trim().strip_prefix('\'');
    named.is_some_and(is_name)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_identifier_char)
}

/// A text cut at separators that stand in no brackets.
fn split<'s>(text: &'s str, separators: &[char]) -> Vec<&'s str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            _ if depth == 0 && separators.contains(&c) && at > start => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A chain of names and calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain<'s> {
    pub start: Start<'s>,
    pub steps: Vec<Step<'s>>,
}

/// What a chain begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start<'s> {
    Literal,
    /// A value of a type.
    Cast(&'s str),
    /// A new value of a type.
    New(&'s str),
    /// A name.
    Name(&'s str),
    /// What a function gives, or a new value of a type.
    Call(&'s str),
}

/// What is taken of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'s> {
    Member(&'s str),
    Call(&'s str),
    Index,
}

/// A chain as the facts have it; none where it says nothing.
pub(crate) fn chain(text: &str) -> Option<Chain<'_>> {
    let mut steps = Vec::new();
    let (start, mut rest) = if let Some(made) = text.strip_prefix("new ") {
        let end = made.find('(').unwrap_or(made.len());
        let rest = made[end..].trim_start_matches("()");
        (Start::New(&made[..end]), rest)
    } else if text.starts_with('<') {
        let end = closing(text)?;
        (Start::Cast(&text[1..end]), &text[end + 1..])
    } else if let Some(rest) = text.strip_prefix('"') {
        (Start::Literal, rest)
    } else {
        let (name, is_called, rest) = part(text.trim_start_matches(is_separator))?;
        let start = if is_called {
            Start::Call(name)
        } else {
            Start::Name(name)
        };
        (start, rest)
    };
    loop {
        if let Some(after) = rest.strip_prefix("[]") {
            steps.push(Step::Index);
            rest = after;
            continue;
        }
        rest = rest.trim_start_matches(is_separator);
        if rest.is_empty() {
            return Some(Chain { start, steps });
        }
        let (name, is_called, after) = part(rest)?;
        // Rust's `future.await` is what the future gives.
        if name != "await" {
            steps.push(if is_called {
                Step::Call(name)
            } else {
                Step::Member(name)
            });
        }
        rest = after;
    }
}

/// A name, whether it is called, and what follows.
fn part(text: &str) -> Option<(&str, bool, &str)> {
    let is_name = |c: char| is_identifier_char(c) || matches!(c, '$' | '@');
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    if end == 0 {
        return None;
    }
    let (name, rest) = text.split_at(end);
    let called = rest.strip_prefix("()");
    Some((name, called.is_some(), called.unwrap_or(rest)))
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | ':' | '?' | '!' | '-' | '>' | '&' | '\\')
}

/// Where the bracket closes that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A name without what some languages write before variables.
pub(crate) fn plain(name: &str) -> &str {
    name.trim_start_matches('$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_taken_apart() {
        for (text, expected) in [
            ("Pool", &[("Pool", &[][..])][..]),
            ("*Pool", &[("Pool", &[])]),
            ("const struct pool *", &[("pool", &[])]),
            ("&'a mut dyn a::Pool", &[("a::Pool", &[])]),
            ("Pool | null", &[("Pool", &[])]),
            ("List<Map<K, Pool>>", &[("List", &["Map<K, Pool>"])]),
            ("dict[str, Pool]", &[("dict", &["str", " Pool"])]),
            ("Guard<'_, Pool>", &[("Guard", &[" Pool"])]),
            ("[]*Pool", &[("", &["*Pool"])]),
            ("map[string]Pool", &[("", &["string", "Pool"])]),
            ("Pool[]", &[("", &["Pool"])]),
            ("(pool *Pool, err error)", &[("Pool", &[])]),
            ("(a: Pool) => void", &[]),
            ("A & B", &[("A", &[]), ("B", &[])]),
        ] {
            let found = shapes(text);
            let found: Vec<(&str, &[&str])> =
                found.iter().map(|s| (s.name, s.args.as_slice())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn chains_are_taken_apart() {
        let found = chain("new a.Pool().take()[].conn").unwrap();
        assert_eq!(found.start, Start::New("a.Pool"));
        let steps = [Step::Call("take"), Step::Index, Step::Member("conn")];
        assert_eq!(found.steps, steps);
        for (text, start, count) in [
            ("pool", Start::Name("pool"), 0),
            ("make()", Start::Call("make"), 0),
            ("<Pool<A>>.take", Start::Cast("Pool<A>"), 1),
            ("\"[]", Start::Literal, 1),
            ("$this->pool", Start::Name("$this"), 1),
            ("\\App\\Pool", Start::Name("App"), 1),
            ("find()?.pool.await", Start::Call("find"), 1),
        ] {
            let found = chain(text).unwrap();
            assert_eq!((found.start, found.steps.len()), (start, count), "{text}");
        }
        assert_eq!(chain("?"), None);
        assert_eq!(chain("f()()"), None);
    }
}
