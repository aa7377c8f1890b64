//! Rust without its comments and literals, so that a rule about code does not
//! trip over a sentence or a test case.

use crate::lexer::{Kind, pieces};

/// The text with blanks for comments, strings and characters. Lines stay where
/// they are.
pub(super) fn mask(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    for piece in pieces(source) {
        match piece.kind {
            Kind::Comment | Kind::Literal => code.extend(piece.text.chars().map(blank)),
            Kind::Blank | Kind::Word | Kind::Mark => code.push_str(piece.text),
        }
    }
    code
}

fn blank(c: char) -> char {
    if c == '\n' { c } else { ' ' }
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
            ("br\"x\" b\"y\" c\"z\"", "               "),
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
