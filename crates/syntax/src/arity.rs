//! How many arguments a function takes, and how many a call passes, in languages
//! where the two agree.

use crate::language::ArityRules;
use scent_types::Arity;
use tree_sitter::Node;

/// Longer lists of parameters are not read, in bytes.
const LONGEST: usize = 4_000;

/// Parts of kinds of nodes that stand for any number of arguments.
const SPREADING: [&str; 4] = ["spread", "variadic", "splat", "expansion"];

/// How many arguments a function takes, by the text after its name.
pub(crate) fn parameters(rules: &ArityRules, after: &str) -> Option<Arity> {
    let after = &after[..after.floor_char_boundary(LONGEST)];
    let list = without_generics(after.trim_start())?.strip_prefix('(')?;
    let mut arity = Arity { least: 0, most: 0 };
    for (nth, parameter) in split(list)?.into_iter().enumerate() {
        let parameter = parameter.trim();
        let is_own = nth == 0 && rules.own.iter().any(|own| is_own(parameter, own));
        if rules.none.contains(&parameter) {
            continue;
        }
        if is_own {
            // `Pool::take(pool)` passes it.
            arity.most = arity.most.saturating_add(1);
            continue;
        }
        if rules.rest.iter().any(|mark| parameter.contains(mark)) {
            arity.most = u8::MAX;
            continue;
        }
        let is_optional = rules.defaults.iter().any(|mark| parameter.contains(mark));
        arity.least += u8::from(!is_optional);
        arity.most = arity.most.saturating_add(1);
        if arity.least == u8::MAX - 1 {
            return None;
        }
    }
    Some(arity)
}

/// The same, where a declaration need not say which parameters may be left out.
pub(crate) fn as_declared(rules: &ArityRules, arity: Arity, signature: &str) -> Arity {
    let mut words = rules.hidden_defaults.iter();
    let is_hidden = words.any(|word| signature.contains(word));
    Arity {
        least: if is_hidden { 0 } else { arity.least },
        ..arity
    }
}

/// Whether a parameter is what a method belongs to: `&mut self`,
/// `self: Box<Self>`.
fn is_own(parameter: &str, own: &str) -> bool {
    let name = parameter.split(':').next().unwrap_or(parameter);
    name.split([' ', '&']).any(|word| word == own)
}

/// The text behind the parameters of a generic.
fn without_generics(text: &str) -> Option<&str> {
    let close = match text.chars().next()? {
        '<' => '>',
        '[' => ']',
        _ => return Some(text),
    };
    let mut depth = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_arrow = c == '>' && matches!(before, '-' | '=');
        match c {
            '<' | '[' => depth += 1,
            '>' | ']' if !is_arrow => {
                depth -= 1;
                if depth == 0 {
                    return (c == close).then(|| text[at + 1..].trim_start());
                }
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// The parts of a list up to the bracket that closes it; none where it does not
/// end.
fn split(list: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    let (mut before, mut quote) = (' ', None);
    for (at, c) in list.char_indices() {
        let is_escaped = before == '\\';
        if let Some(open) = quote {
            if c == open && !is_escaped {
                quote = None;
            }
            before = if is_escaped { ' ' } else { c };
            continue;
        }
        match c {
            '"' | '`' => quote = Some(c),
            '(' | '[' | '{' | '<' => depth += 1,
            ')' if depth == 0 => {
                parts.push(&list[start..at]);
                parts.retain(|part| !part.trim().is_empty());
                return Some(parts);
            }
            '>' if matches!(before, '-' | '=') => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// How many arguments a list of a call passes; none where the text does not say
/// it.
pub(crate) fn arguments(rules: &ArityRules, list: Node, text: &str) -> Option<u8> {
    let mut cursor = list.walk();
    let mut count: usize = 0;
    let mut only = None;
    for argument in list.named_children(&mut cursor) {
        if argument.is_extra() {
            continue;
        }
        let kind = argument.kind();
        let written = text[argument.byte_range()].trim_end();
        if SPREADING.iter().any(|part| kind.contains(part)) || written.ends_with(['*', '.']) {
            return None;
        }
        count += 1;
        only = Some(kind);
    }
    // `f(g())` passes all that `g` returns.
    if rules.many_results && count == 1 && only.is_some_and(|kind| kind.contains("call")) {
        return None;
    }
    // A block behind the list is an argument, or the body of an `if`.
    let behind = text[list.end_byte()..].trim_start_matches([' ', '\t']);
    if rules.trailing && behind.starts_with('{') {
        return None;
    }
    u8::try_from(count).ok().filter(|count| *count < u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::find;

    #[test]
    fn parameters_are_counted() {
        for (id, after, expected) in [
            ("java", "(int a, Map<String, Integer> b) {", Some((2, 2))),
            ("java", "() {", Some((0, 0))),
            ("java", "(String a, Object... rest)", Some((1, 255))),
            ("java", " = 3;", None),
            ("rust", "<T: Fn(u8) -> u8>(&mut self, f: T) {", Some((1, 2))),
            ("rust", "(self: Box<Self>, f: (u8, u8))", Some((1, 2))),
            ("rust", "(selfish: u8,)", Some((1, 1))),
            (
                "go",
                "(a, b int, rows ...string) (int, error) {",
                Some((2, 255)),
            ),
            ("cpp", "(int a, int b = f(1, 2))", Some((1, 2))),
            ("cpp", "(void)", Some((0, 0))),
            (
                "csharp",
                "<T>(this T a, out int b, string c = \",\")",
                Some((1, 3)),
            ),
            (
                "typescript",
                "(a: string, b?: (c: number) => void)",
                Some((1, 2)),
            ),
            ("kotlin", "(a: Int, b: Int = 1)", Some((1, 2))),
            (
                "scala",
                "[A](a: A, rest: Int*)(implicit b: B)",
                Some((1, 255)),
            ),
            ("scala", "(a: Int", None),
        ] {
            let rules = &find(id).unwrap().arity;
            let found = parameters(rules, after).map(|arity| (arity.least, arity.most));
            assert_eq!(found, expected, "{id} {after}");
        }
    }
}
