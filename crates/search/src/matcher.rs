//! Patterns compiled: which lines match, and which files cannot hold one.

use crate::error::SearchError;
use regex_syntax::ast::{self, Ast, ClassSetItem};
use regex_syntax::hir::{Class, Hir, HirKind};
use scent_index::RequiredLiterals;
use scent_types::{Case, Pattern, Syntax};
use std::ops::Range;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Matcher {
    regex: regex::Regex,
    need: RequiredLiterals,
}

impl Matcher {
    /// Compiles a pattern that matches within lines.
    pub fn new(pattern: &Pattern) -> Result<Matcher, SearchError> {
        let matcher = Matcher::compile(pattern, false)?;
        if spans_lines(&matcher.need) {
            let why = "a pattern matches within one line; -U lets it match across lines";
            return Err(bad(pattern, why));
        }
        Ok(matcher)
    }

    /// Compiles a pattern that may match across lines.
    pub fn across_lines(pattern: &Pattern) -> Result<Matcher, SearchError> {
        Matcher::compile(pattern, true)
    }

    /// With `of_text`, `^` and `$` stand for the ends of any line of a text.
    fn compile(pattern: &Pattern, of_text: bool) -> Result<Matcher, SearchError> {
        if pattern.text.is_empty() {
            return Err(bad(pattern, "the pattern is empty"));
        }
        let source = source(pattern);
        let insensitive = match pattern.case {
            Case::Insensitive => true,
            Case::Sensitive => false,
            Case::Smart => !has_capital(pattern),
        };
        let regex = regex::RegexBuilder::new(&source)
            .case_insensitive(insensitive)
            .multi_line(of_text)
            .crlf(of_text)
            .build()
            .map_err(|error| bad(pattern, &error.to_string()))?;
        // Trigram filters fold case, so the pattern as it is written will do.
        let need = regex_syntax::parse(&source).map_or(RequiredLiterals::Nothing, |hir| need(&hir));
        Ok(Matcher { regex, need })
    }

    /// The places in a line, or in a text where matches may cross lines, that
    /// match, as byte ranges.
    pub fn find_iter<'l>(&self, line: &'l str) -> impl Iterator<Item = Range<usize>> + use<'_, 'l> {
        self.regex.find_iter(line).map(|found| found.range())
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Whether a text with this trigram filter may hold a line that matches.
    pub(crate) fn allows(&self, filter: &[u8]) -> bool {
        self.need.allows(filter)
    }

    /// The numbers of the lines that match, from 1.
    pub(crate) fn lines(&self, text: &str) -> Vec<u32> {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.split('\n')) {
            let line = line.strip_suffix('\r').unwrap_or(line);
            if self.regex.is_match(line) {
                lines.push(number);
            }
        }
        lines
    }
}

/// A pattern as a regular expression.
fn source(pattern: &Pattern) -> String {
    let source = match pattern.syntax {
        Syntax::Literal => regex::escape(&pattern.text),
        Syntax::Regex => pattern.text.clone(),
    };
    if pattern.word {
        format!(r"\b{{start-half}}(?:{source})\b{{end-half}}")
    } else {
        source
    }
}

fn bad(pattern: &Pattern, why: &str) -> SearchError {
    SearchError::BadPattern(format!("{}: {why}", pattern.text))
}

/// Whether a pattern asks for a capital letter. `\S` and `\p{L}` do not.
fn has_capital(pattern: &Pattern) -> bool {
    if pattern.syntax == Syntax::Literal {
        return pattern.text.chars().any(char::is_uppercase);
    }
    let parsed = ast::parse::Parser::new().parse(&pattern.text);
    parsed.is_ok_and(|ast| ast::visit(&ast, Capitals(false)).unwrap_or(false))
}

/// Looks for capital letters in an expression.
struct Capitals(bool);

impl ast::Visitor for Capitals {
    type Output = bool;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<bool, Self::Err> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, part: &Ast) -> Result<(), Self::Err> {
        self.0 |= matches!(part, Ast::Literal(literal) if literal.c.is_uppercase());
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Self::Err> {
        self.0 |= match item {
            ClassSetItem::Literal(literal) => literal.c.is_uppercase(),
            ClassSetItem::Range(range) => {
                range.start.c.is_uppercase() || range.end.c.is_uppercase()
            }
            _ => false,
        };
        Ok(())
    }
}

/// What a text must hold for an expression to match somewhere in it.
fn need(hir: &Hir) -> RequiredLiterals {
    match hir.kind() {
        HirKind::Literal(literal) => literal_need(&literal.0),
        HirKind::Capture(capture) => need(&capture.sub),
        HirKind::Repetition(repeat) if repeat.min > 0 => need(&repeat.sub),
        HirKind::Concat(parts) => concat_need(parts),
        HirKind::Alternation(ways) => any(ways.iter().map(need).collect()),
        _ => RequiredLiterals::Nothing,
    }
}

/// Neighbouring letters make longer literals; the rest is needed as well.
fn concat_need(parts: &[Hir]) -> RequiredLiterals {
    let mut needs = Vec::new();
    let mut run: Vec<u8> = Vec::new();
    for part in parts {
        match fixed_bytes(part) {
            Some(bytes) => run.extend(bytes),
            None => {
                needs.push(literal_need(&std::mem::take(&mut run)));
                needs.push(need(part));
            }
        }
    }
    needs.push(literal_need(&run));
    needs.retain(|need| *need != RequiredLiterals::Nothing);
    if needs.is_empty() {
        RequiredLiterals::Nothing
    } else {
        RequiredLiterals::All(needs)
    }
}

/// The bytes of a part that can only be one letter sequence, in any case.
fn fixed_bytes(part: &Hir) -> Option<Vec<u8>> {
    match part.kind() {
        HirKind::Literal(literal) => Some(literal.0.to_vec()),
        HirKind::Class(Class::Unicode(class)) => {
            let mut letters = class
                .ranges()
                .iter()
                .flat_map(|r| r.start()..=r.end())
                .take(3);
            let first = letters.next()?.to_ascii_lowercase();
            let same = first.is_ascii() && letters.all(|c| c.to_ascii_lowercase() == first);
            same.then(|| vec![first as u8])
        }
        _ => None,
    }
}

fn literal_need(bytes: &[u8]) -> RequiredLiterals {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.len() >= 3 => RequiredLiterals::Literal(text.to_owned()),
        _ => RequiredLiterals::Nothing,
    }
}

/// Whether nothing without a line end can match.
fn spans_lines(need: &RequiredLiterals) -> bool {
    match need {
        RequiredLiterals::Nothing => false,
        RequiredLiterals::Literal(text) => text.contains('\n'),
        RequiredLiterals::All(needs) => needs.iter().any(spans_lines),
        RequiredLiterals::Any(needs) => needs.iter().all(spans_lines),
    }
}

fn any(needs: Vec<RequiredLiterals>) -> RequiredLiterals {
    if needs.contains(&RequiredLiterals::Nothing) {
        RequiredLiterals::Nothing
    } else {
        RequiredLiterals::Any(needs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str, syntax: Syntax) -> Pattern {
        Pattern {
            text: text.into(),
            syntax,
            case: Case::Smart,
            word: false,
        }
    }

    #[test]
    fn needs_follow_the_expression() {
        let lit = |text: &str| RequiredLiterals::Literal(text.into());
        let cases = [
            ("hello", lit("hello")),
            ("a.c", RequiredLiterals::Nothing),
            (
                "foo.*bar",
                RequiredLiterals::All(vec![lit("foo"), lit("bar")]),
            ),
            (
                "(?:foo|quux)s",
                RequiredLiterals::All(vec![RequiredLiterals::Any(vec![lit("foo"), lit("quux")])]),
            ),
            ("foo|b", RequiredLiterals::Nothing),
            ("(?i)retry", RequiredLiterals::All(vec![lit("retry")])),
            ("(abc)?", RequiredLiterals::Nothing),
            ("(abc)+", lit("abc")),
        ];
        for (regex, want) in cases {
            assert_eq!(
                Matcher::new(&pattern(regex, Syntax::Regex)).unwrap().need,
                want,
                "{regex}"
            );
        }
    }

    #[test]
    fn literals_are_literal_and_case_is_smart() {
        let matcher = Matcher::new(&pattern("a.b(", Syntax::Literal)).unwrap();
        assert_eq!(matcher.lines("x\nA.B(\r\naxb("), [2]);
        let matcher = Matcher::new(&pattern("Retry", Syntax::Literal)).unwrap();
        assert_eq!(matcher.lines("retry\nRetry"), [2]);
        let matcher = Matcher::new(&pattern(r"retry\S", Syntax::Regex)).unwrap();
        assert_eq!(matcher.lines("retry(\nRETRY("), [1, 2]);
    }

    #[test]
    fn words_end_where_grep_says() {
        let word = Pattern {
            word: true,
            ..pattern("--max", Syntax::Literal)
        };
        assert_eq!(
            Matcher::new(&word)
                .unwrap()
                .lines("x --max 1\n--maximum\n--max"),
            [1, 3]
        );
        for odd in [r"\\n", r"[^\n]x"] {
            assert!(Matcher::new(&pattern(odd, Syntax::Regex)).is_ok(), "{odd}");
        }
    }

    #[test]
    fn bad_patterns_say_what_is_wrong() {
        for text in ["(", "", "a\nb", r"abc\nx"] {
            assert!(
                Matcher::new(&pattern(text, Syntax::Regex)).is_err(),
                "{text:?}"
            );
        }
    }
}
