//! Operators between the words and filters of a query: `-word`, `AND`, `OR`,
//! and parentheses around whole words. They say which units may answer; the
//! words that remain decide the order, as without them.
//!
//! Nothing is an error here: what makes no sense as an operator is a word.

use scent_types::{Condition, Filters};
use scent_words::terms;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Parentheses inside so many others belong to the word.
const MOST_DEPTH: usize = 32;

/// A word of a query as it was typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'q> {
    pub text: &'q str,
    /// It stood in quotes, so it is no operator and no filter.
    pub is_quoted: bool,
}

/// A query without its operators and filters.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Operated<'q> {
    /// The words to look for.
    pub words: Vec<&'q str>,
    /// Which units may answer.
    pub filters: Filters,
}

/// Takes the operators and filters out of a query. Without any operator, its
/// words stay as they are. `filter_of` reads one filter; none where a word is
/// none.
pub(crate) fn read<'q, E>(
    words: &[Word<'q>],
    filter_of: impl FnMut(&'q str) -> Result<Option<Filters>, E>,
) -> Result<Operated<'q>, E> {
    let mut tokens = Tokens {
        all: Vec::new(),
        typed: Vec::new(),
        depth: 0,
        filter_of,
    };
    for word in words {
        tokens.add_word(word)?;
    }
    let mut reader = Reader {
        tokens: tokens.all.into_iter().peekable(),
        words: Vec::new(),
        has_operator: false,
        is_negated: false,
    };
    let filters = reader.sequence(0).filters;
    let words = if reader.has_operator {
        reader.words
    } else {
        tokens.typed
    };
    Ok(Operated { words, filters })
}

#[derive(Clone, Debug, PartialEq)]
enum Token<'q> {
    Open { is_negated: bool },
    Close,
    And(&'q str),
    Or(&'q str),
    Word(&'q str),
    Without(&'q str),
    Filter(Filters),
}

/// The tokens of a query, word by word.
struct Tokens<'q, F> {
    all: Vec<Token<'q>>,
    /// The words as they were typed, but for filters.
    typed: Vec<&'q str>,
    depth: usize,
    filter_of: F,
}

impl<'q, E, F: FnMut(&'q str) -> Result<Option<Filters>, E>> Tokens<'q, F> {
    fn add_word(&mut self, word: &Word<'q>) -> Result<(), E> {
        let first = self.all.len();
        match word.text {
            text if word.is_quoted => self.all.push(Token::Word(text)),
            "AND" => self.all.push(Token::And(word.text)),
            "OR" => self.all.push(Token::Or(word.text)),
            text => self.add_parts(text)?,
        }
        let is_filter = |token: &Token| matches!(token, Token::Filter(_));
        if !self.all[first..].iter().any(is_filter) {
            self.typed.push(word.text);
        }
        Ok(())
    }

    /// Splits parentheses off a word: those before it, and those after it that
    /// have no partner in it, so that `f(x)` stays whole.
    fn add_parts(&mut self, mut text: &'q str) -> Result<(), E> {
        loop {
            let (is_negated, rest) = match text.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            match rest.strip_prefix('(') {
                Some(rest) if self.depth < MOST_DEPTH => {
                    self.all.push(Token::Open { is_negated });
                    self.depth += 1;
                    text = rest;
                }
                _ => break,
            }
        }
        let open = text.matches('(').count();
        let mut close = text.matches(')').count();
        let mut closing = 0;
        while close > open
            && closing < self.depth
            && let Some(rest) = text.strip_suffix(')')
        {
            text = rest;
            close -= 1;
            closing += 1;
        }
        if let Some(filters) = (self.filter_of)(text)? {
            self.all.push(Token::Filter(filters));
        } else if let Some(without) = excluded(text) {
            self.all.push(Token::Without(without));
        } else if !text.is_empty() {
            self.all.push(Token::Word(text));
        }
        self.depth -= closing;
        self.all.extend(std::iter::repeat_n(Token::Close, closing));
        Ok(())
    }
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

/// What an operator stands beside: a word, a filter or a group.
#[derive(Default)]
struct Operand {
    /// What it says beside an operator; none where no index could tell.
    joined: Option<Condition>,
    /// What it says where no operator joins it.
    alone: Filters,
    /// Words alone, which restrict nothing unless an operator joins them.
    is_plain: bool,
}

/// Operands with `OR` between the lists and `AND` within each.
type Chain = Vec<Vec<Operand>>;

/// What stands between two parentheses.
#[derive(Default)]
struct Sequence {
    filters: Filters,
    /// The words that no operator joins.
    plain: Vec<Condition>,
}

impl Sequence {
    /// What it says as one operand.
    fn joined(mut self) -> Option<Condition> {
        let conditions = std::mem::take(&mut self.filters.conditions);
        let mut every = Vec::new();
        if self.filters != Filters::default() {
            every.push(Condition::Passes(Box::new(self.filters)));
        }
        if conditions.is_empty() {
            every.extend(any(self.plain));
        } else {
            every.extend(conditions);
        }
        all(every)
    }
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
                Token::Filter(filters) => self.filter(filters, depth),
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
            joined: has(word),
            is_plain: true,
            ..Operand::default()
        }
    }

    fn without(&mut self, word: &str) -> Operand {
        self.has_operator = true;
        demanding(has(word).map(not))
    }

    fn filter(&mut self, filters: Filters, depth: usize) -> Operand {
        self.has_operator |= depth > 0;
        Operand {
            joined: Some(Condition::Passes(Box::new(filters.clone()))),
            alone: filters,
            is_plain: false,
        }
    }

    /// What stands between parentheses: what its operators and filters say or,
    /// without any, any of its words.
    fn group(&mut self, is_negated: bool, depth: usize) -> Operand {
        let is_outside_negated = self.is_negated;
        self.is_negated |= is_negated;
        let inside = self.sequence(depth + 1);
        self.is_negated = is_outside_negated;
        self.has_operator |= is_negated;
        if is_negated {
            return demanding(inside.joined().map(not));
        }
        let alone = inside.filters.clone();
        Operand {
            is_plain: alone == Filters::default(),
            alone,
            joined: inside.joined(),
        }
    }
}

/// What demands the same alone as beside an operator.
fn demanding(condition: Option<Condition>) -> Operand {
    Operand {
        alone: Filters {
            conditions: condition.iter().cloned().collect(),
            ..Filters::default()
        },
        joined: condition,
        is_plain: false,
    }
}

fn sequence_of(chains: Vec<Chain>) -> Sequence {
    let mut sequence = Sequence::default();
    for mut chain in chains {
        if let [only] = chain.as_mut_slice()
            && let [alone] = only.as_mut_slice()
        {
            sequence.filters.add(std::mem::take(&mut alone.alone));
            if alone.is_plain {
                sequence.plain.extend(alone.joined.take());
            }
        } else {
            sequence.filters.conditions.extend(condition_of(chain));
        }
    }
    sequence
}

/// None where any unit may pass.
fn condition_of(chain: Chain) -> Option<Condition> {
    let mut ways = Vec::new();
    for operands in chain {
        let mut conditions = Vec::new();
        for operand in operands {
            conditions.extend(operand.joined);
        }
        ways.push(all(conditions)?);
    }
    any(ways)
}

fn has(word: &str) -> Option<Condition> {
    is_indexed(word).then(|| Condition::Has(word.to_owned()))
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

fn all(mut conditions: Vec<Condition>) -> Option<Condition> {
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(Condition::All(conditions)),
    }
}

fn any(mut conditions: Vec<Condition>) -> Option<Condition> {
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(Condition::Any(conditions)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;

    fn words(query: &str) -> Vec<Word<'_>> {
        let words = query.split_whitespace();
        words
            .map(|word| Word {
                text: word.trim_matches('"'),
                is_quoted: word.starts_with('"'),
            })
            .collect()
    }

    /// `lang:` and `-path:` are filters here.
    fn filter_of(text: &str) -> Result<Option<Filters>, Infallible> {
        let mut filters = Filters::default();
        if let Some(language) = text.strip_prefix("lang:") {
            filters.languages.push(language.to_owned());
        } else if let Some(path) = text.strip_prefix("-path:") {
            filters.not_paths.push(path.to_owned());
        }
        Ok(Some(filters).filter(|filters| *filters != Filters::default()))
    }

    fn read<'q>(words: &[Word<'q>]) -> Operated<'q> {
        super::read(words, filter_of).unwrap()
    }

    /// A condition as it would be typed.
    fn written(condition: &Condition) -> String {
        let list = |conditions: &[Condition], operator: &str| {
            let conditions: Vec<String> = conditions.iter().map(written).collect();
            format!("({})", conditions.join(operator))
        };
        match condition {
            Condition::Has(word) => word.clone(),
            Condition::Passes(filters) => filters_written(filters).join(" "),
            Condition::Not(condition) => format!("-{}", written(condition)),
            Condition::All(conditions) => list(conditions, " AND "),
            Condition::Any(conditions) => list(conditions, " OR "),
        }
    }

    fn filters_written(filters: &Filters) -> Vec<String> {
        let mut all = Vec::new();
        all.extend(filters.languages.iter().map(|name| format!("lang:{name}")));
        all.extend(filters.not_paths.iter().map(|glob| format!("-path:{glob}")));
        all.extend(filters.conditions.iter().map(written));
        all
    }

    /// A query, the words that are left of it, and what may answer.
    const CASES: &[(&str, &str, &str)] = &[
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
        // Filters, alone and joined.
        ("lang:a one lang:b", "one", "lang:a, lang:b"),
        ("lang:a OR lang:b one", "one", "(lang:a OR lang:b)"),
        ("(lang:a OR lang:b) one", "one", "(lang:a OR lang:b)"),
        (
            "(lang:a lang:b -path:c) one",
            "one",
            "lang:a, lang:b, -path:c",
        ),
        (
            "(lang:a one) OR (lang:b two)",
            "one two",
            "((lang:a AND one) OR (lang:b AND two))",
        ),
        ("(lang:a one two)", "one two", "lang:a"),
        ("(lang:a one AND two)", "one two", "lang:a, (one AND two)"),
        ("one AND lang:a", "one", "(one AND lang:a)"),
        ("one -(lang:a OR two)", "one", "-(lang:a OR two)"),
        ("one OR -path:a", "one", "(one OR -path:a)"),
        ("how (one) lang:a AND", "how (one) AND", "lang:a"),
        // No index has a word of one letter.
        ("x AND one", "x one", "one"),
        ("x OR one", "x one", ""),
    ];

    #[test]
    fn operators_leave_words_and_filters() {
        for (query, words_left, filters) in CASES {
            let read = read(&words(query));
            assert_eq!(read.words.join(" "), *words_left, "{query}");
            let found = filters_written(&read.filters);
            assert_eq!(found.join(", "), *filters, "{query}");
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
                prop_assert_eq!(read.filters, Filters::default());
            }
        }
    }
}
