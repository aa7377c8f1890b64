//! Qualified names: `Foo::bar`, `Foo.bar` and `Foo#bar` have the same two parts.

/// What may stand between the parts of a qualified name.
pub const SEPARATORS: [char; 6] = ['.', ':', '#', '/', '%', '\\'];

/// How languages write the separator of a qualified name.
const WRITTEN: [&str; 6] = ["::", ".", "#", "/", ":", "%"];

/// The parts of a qualified name, the outermost first.
pub fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(SEPARATORS).filter(|part| !part.is_empty())
}

/// Whether a line holds a name and not only as part of another.
pub fn holds_word(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_identifier_char) && !after.is_some_and(is_identifier_char)
    })
}

/// What follows the last separator of a name; all of it where there is none.
pub fn last_part(name: &str) -> &str {
    name.rsplit(SEPARATORS).next().unwrap_or(name)
}

/// A qualified name as each language would write it.
pub fn spellings(parts: &[&str]) -> [String; 6] {
    WRITTEN.map(|separator| parts.join(separator))
}

/// Whether a character can be part of an identifier.
pub fn is_identifier_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualified_names_have_the_same_parts_in_every_language() {
        for (name, want) in [
            ("Foo::bar", "Foo bar"),
            ("a.Foo#bar", "a Foo bar"),
            ("App\\Cart\\sum", "App Cart sum"),
            ("::bar", "bar"),
            ("bar", "bar"),
            ("..", ""),
        ] {
            let parts: Vec<&str> = parts(name).collect();
            assert_eq!(parts.join(" "), want, "{name}");
        }
    }

    #[test]
    fn the_last_part_follows_the_last_separator() {
        for (name, want) in [("a::b", "b"), ("b", "b"), ("a.", ""), ("", "")] {
            assert_eq!(last_part(name), want, "{name}");
        }
    }
}
