//! Operators between the words of a query: `-word`, `AND`, `OR`, and
//! parentheses around whole words. They say which units may answer; the words
//! that remain decide the order, as without them.
//!
//! Nothing is an error here: what makes no sense as an operator is a word.

use scent_types::WordFilter;
use scent_words::terms;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Parentheses inside so many others belong to the word.
const MOST_DEPTH: usize = 32;

/// A word of a query as it was typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'q> {
    pub text: &'q str,
    /// It stood in quotes, so it is no operator.
    pub is_quoted: bool,
}

/// A query without its operators.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Operated<'q> {
    /// The words to look for.
    pub words: Vec<&'q str>,
    /// Which units may answer; all must hold.
    pub filters: Vec<WordFilter>,
}

/// Takes the operators out of a query. Without any, its words stay as they are.
pub(crate) fn read<'q>(words: &[Word<'q>]) -> Operated<'q> {
    let mut reader = Reader {
        tokens: tokens(words).into_iter().peekable(),
        words: Vec::new(),
        has_operator: false,
        is_negated: false,
    };
    let all = reader.sequence(0);
    if reader.has_operator {
        return Operated {
            words: reader.words,
            filters: all.filters,
        };
    }
    Operated {
        words: words.iter().map(|word| word.text).collect(),
        filters: Vec::new(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'q> {
    Open { is_negated: bool },
    Close,
    And(&'q str),
    Or(&'q str),
    Word(&'q str),
    Without(&'q str),
}

fn tokens<'q>(words: &[Word<'q>]) -> Vec<Token<'q>> {
    let mut tokens = Vec::new();
    let mut depth = 0;
    for word in words {
        match word.text {
            text if word.is_quoted => tokens.push(Token::Word(text)),
            "AND" => tokens.push(Token::And(word.text)),
            "OR" => tokens.push(Token::Or(word.text)),
            text => add_tokens(text, &mut depth, &mut tokens),
        }
    }
    tokens
}

/// Splits parentheses off a word: those before it, and those after it that have
/// no partner in it, so that `f(x)` stays whole.
fn add_tokens<'q>(mut text: &'q str, depth: &mut usize, tokens: &mut Vec<Token<'q>>) {
    loop {
        let (is_negated, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        match rest.strip_prefix('(') {
            Some(rest) if *depth < MOST_DEPTH => {
                tokens.push(Token::Open { is_negated });
                *depth += 1;
                text = rest;
            }
            _ => break,
        }
    }
    let open = text.matches('(').count();
    let mut close = text.matches(')').count();
    let mut closing = 0;
    while close > open
        && closing < *depth
        && let Some(rest) = text.strip_suffix(')')
    {
        text = rest;
        close -= 1;
        closing += 1;
    }
    if let Some(without) = excluded(text) {
        tokens.push(Token::Without(without));
    } else if !text.is_empty() {
        tokens.push(Token::Word(text));
    }
    *depth -= closing;
    tokens.extend(std::iter::repeat_n(Token::Close, closing));
}

/// The word that `-word` excludes. `--option`, `-1` and `-v` are words.
fn excluded(text: &str) -> Option<&str> {
    let word = text.strip_prefix('-')?;
    let is_word = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_word && is_indexed(word)).then_some(word)
}

/// Whether an index has such a word at all.
fn is_indexed(word: &str) -> bool {
    !terms::unique(word).is_empty()
}

/// What an operator stands beside: a word or a group.
struct Operand {
    /// None where no index could tell.
    filter: Option<WordFilter>,
    /// Words alone, which restrict nothing unless an operator joins them.
    is_plain: bool,
}

/// Operands with `OR` between the lists and `AND` within each.
type Chain = Vec<Vec<Operand>>;

/// What stands between two parentheses.
#[derive(Default)]
struct Sequence {
    filters: Vec<WordFilter>,
    /// The words that no operator joins.
    plain: Vec<WordFilter>,
}

struct Reader<'q> {
    tokens: Peekable<IntoIter<Token<'q>>>,
    words: Vec<&'q str>,
    has_operator: bool,
    /// Inside a group that is excluded.
    is_negated: bool,
}

impl<'q> Reader<'q> {
    fn sequence(&mut self, depth: usize) -> Sequence {
        let mut chains: Vec<Chain> = Vec::new();
        let mut joins = None;
        while let Some(token) = self.tokens.next() {
            let operand = match token {
                Token::Close if depth > 0 => break,
                Token::Close => continue,
                Token::And(name) | Token::Or(name) => {
                    if joins.is_none() && !chains.is_empty() && self.is_before_operand() {
                        joins = Some(token);
                        self.has_operator = true;
                    } else {
                        self.words.push(name);
                    }
                    continue;
                }
                Token::Open { is_negated } => self.group(is_negated, depth),
                Token::Word(word) => self.word(word),
                Token::Without(word) => self.without(word),
            };
            match (joins.take(), chains.last_mut()) {
                (Some(Token::And(_)), Some(chain)) => {
                    if let Some(all) = chain.last_mut() {
                        all.push(operand);
                    }
                }
                (Some(Token::Or(_)), Some(chain)) => chain.push(vec![operand]),
                _ => chains.push(vec![vec![operand]]),
            }
        }
        sequence_of(chains)
    }

    fn is_before_operand(&mut self) -> bool {
        let next = self.tokens.peek();
        next.is_some_and(|token| !matches!(token, Token::Close | Token::And(_) | Token::Or(_)))
    }

    fn word(&mut self, word: &'q str) -> Operand {
        if !self.is_negated {
            self.words.push(word);
        }
        Operand {
            filter: has(word),
            is_plain: true,
        }
    }

    fn without(&mut self, word: &str) -> Operand {
        self.has_operator = true;
        Operand {
            filter: has(word).map(not),
            is_plain: false,
        }
    }

    /// What stands between parentheses: what its operators say or, without any,
    /// any of its words.
    fn group(&mut self, is_negated: bool, depth: usize) -> Operand {
        let is_outside_negated = self.is_negated;
        self.is_negated |= is_negated;
        let inside = self.sequence(depth + 1);
        self.is_negated = is_outside_negated;
        let is_plain = inside.filters.is_empty() && !is_negated;
        let filter = if inside.filters.is_empty() {
            any(inside.plain)
        } else {
            all(inside.filters)
        };
        self.has_operator |= is_negated;
        Operand {
            filter: if is_negated { filter.map(not) } else { filter },
            is_plain,
        }
    }
}

fn sequence_of(chains: Vec<Chain>) -> Sequence {
    let mut sequence = Sequence::default();
    for chain in chains {
        let is_plain = match chain.as_slice() {
            [only] => only.len() == 1 && only[0].is_plain,
            _ => false,
        };
        let filter = filter_of(chain);
        if is_plain {
            sequence.plain.extend(filter);
        } else {
            sequence.filters.extend(filter);
        }
    }
    sequence
}

/// None where any unit may pass.
fn filter_of(chain: Chain) -> Option<WordFilter> {
    let mut ways = Vec::new();
    for operands in chain {
        let mut filters = Vec::new();
        for operand in operands {
            filters.extend(operand.filter);
        }
        ways.push(all(filters)?);
    }
    any(ways)
}

fn has(word: &str) -> Option<WordFilter> {
    is_indexed(word).then(|| WordFilter::Has(word.to_owned()))
}

fn not(filter: WordFilter) -> WordFilter {
    WordFilter::Not(Box::new(filter))
}

fn all(mut filters: Vec<WordFilter>) -> Option<WordFilter> {
    match filters.len() {
        0 | 1 => filters.pop(),
        _ => Some(WordFilter::All(filters)),
    }
}

fn any(mut filters: Vec<WordFilter>) -> Option<WordFilter> {
    match filters.len() {
        0 | 1 => filters.pop(),
        _ => Some(WordFilter::Any(filters)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(query: &str) -> Vec<Word<'_>> {
        let words = query.split_whitespace();
        words
            .map(|word| Word {
                text: word.trim_matches('"'),
                is_quoted: word.starts_with('"'),
            })
            .collect()
    }

    /// A filter as it would be typed.
    fn written(filter: &WordFilter) -> String {
        let list = |filters: &[WordFilter], operator: &str| {
            let filters: Vec<String> = filters.iter().map(written).collect();
            format!("({})", filters.join(operator))
        };
        match filter {
            WordFilter::Has(word) => word.clone(),
            WordFilter::Not(filter) => format!("-{}", written(filter)),
            WordFilter::All(filters) => list(filters, " AND "),
            WordFilter::Any(filters) => list(filters, " OR "),
        }
    }

    #[test]
    fn operators_leave_words_and_filters() {
        for (query, words_left, filters) in [
            // A word that is excluded.
            ("retry -delay", "retry", "-delay"),
            (
                "retry -parse_config -Foo::bar",
                "retry",
                "-parse_config, -Foo::bar",
            ),
            (
                "rm --force -v -1 - -- -> a-b",
                "rm --force -v -1 - -- -> a-b",
                "",
            ),
            // Words that are joined.
            ("retry AND delay", "retry delay", "(retry AND delay)"),
            ("retry OR delay", "retry delay", "(retry OR delay)"),
            (
                "one AND two OR six AND ten",
                "one two six ten",
                "((one AND two) OR (six AND ten))",
            ),
            (
                "how are one AND two done",
                "how are one two done",
                "(one AND two)",
            ),
            ("one AND -two", "one", "(one AND -two)"),
            ("one OR -two", "one", "(one OR -two)"),
            (
                "ab AND cd ef OR gh",
                "ab cd ef gh",
                "(ab AND cd), (ef OR gh)",
            ),
            // In small letters, at an end or twice they are words.
            ("retry and delay or not", "retry and delay or not", ""),
            ("AND retry OR", "AND retry OR", ""),
            ("one AND OR two", "one AND two", "(one OR two)"),
            ("one AND two AND", "one two AND", "(one AND two)"),
            ("one \"AND\" two -\"x", "one AND two -\"x", ""),
            // Groups.
            (
                "(one OR two) AND six",
                "one two six",
                "((one OR two) AND six)",
            ),
            ("(one two) AND six", "one two six", "((one OR two) AND six)"),
            (
                "(one two AND six) AND ten",
                "one two six ten",
                "((two AND six) AND ten)",
            ),
            ("where (one OR two) is", "where one two is", "(one OR two)"),
            ("one -(two OR six)", "one", "-(two OR six)"),
            ("one -(two six)", "one", "-(two OR six)"),
            ("one -(two -six)", "one", "--six"),
            // Parentheses that belong to names, and those that close nothing.
            ("f(x) foo() (one)", "f(x) foo() (one)", ""),
            (
                "(foo() OR run(x)) AND six",
                "foo() run(x) six",
                "((foo() OR run(x)) AND six)",
            ),
            ("(one AND two", "one two", "(one AND two)"),
            ("one) AND two)", "one) two)", "(one) AND two))"),
            ("() AND one", "one", "one"),
            ("one AND ()", "one", "one"),
            // No index has a word of one letter.
            ("x AND one", "x one", "one"),
            ("x OR one", "x one", ""),
        ] {
            let read = read(&words(query));
            assert_eq!(read.words.join(" "), words_left, "{query}");
            let found: Vec<String> = read.filters.iter().map(written).collect();
            assert_eq!(found.join(", "), filters, "{query}");
        }
    }

    #[test]
    fn groups_are_as_deep_as_anybody_needs() {
        let depth = 100_000;
        let query = format!("{}one AND two{}", "(".repeat(depth), ")".repeat(depth));
        let read = read(&words(&query));
        assert_eq!(read.words.len(), 2);
    }

    proptest! {
        /// Whatever is typed, nothing is lost but operators, and nothing fails.
        #[test]
        fn any_query_is_read(
            parts in proptest::collection::vec("(AND|OR|-?\\(*(one|f\\(x\\)|-?two|x|-|é)?\\)*)", 0..12)
        ) {
            let query = parts.join(" ");
            let read = read(&words(&query));
            for word in &read.words {
                prop_assert!(query.contains(word));
            }
            let plain = !query.contains(['-', 'A', 'O']);
            if plain {
                let typed: Vec<&str> = query.split_whitespace().collect();
                prop_assert_eq!(&read.words, &typed);
                prop_assert!(read.filters.is_empty());
            }
        }
    }
}
