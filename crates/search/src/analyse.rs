//! What is asked: the terms of a query, and the names in it.

use crate::error::SearchError;
use crate::own_names::OwnNames;
use scent_types::{FileClass, Filters, Request};
use scent_words::{terms, word_list};
use std::collections::HashSet;
use std::sync::OnceLock;

/// A longer query is cut here: past it, words add time and nothing else.
const MOST_TERMS: usize = 64;

/// Nobody asks for more names or paths at once.
const MOST_NAMES: usize = 8;

/// What a query means.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Intent {
    /// Every word of the query, in lower case.
    pub words: Vec<String>,
    /// The words to look for, any of them.
    pub terms: Vec<String>,
    /// Words that look like a name in code, as they were typed.
    pub symbols: Vec<String>,
    /// Words that look like a path, in lower case.
    pub paths: Vec<String>,
    /// Every word of the query looks like a name in code.
    pub names_only: bool,
    /// Nothing but documentation may answer.
    pub docs_only: bool,
    /// It is a part of a report.
    pub in_report: bool,
    /// No words at all: whatever passes the filters.
    pub lists: bool,
}

/// `semantic` says that the question is given as vectors too, and may be
/// nothing else.
pub(crate) fn analyse(
    request: &Request,
    own_names: &OwnNames,
    semantic: bool,
) -> Result<Intent, SearchError> {
    let query = request.query.as_str();
    let typed = typed_words(query);
    let words = terms::unique(query);
    let typed = Typed {
        is_one_word: typed.len() == 1,
        in_backticks: in_backticks(query),
        words: typed,
    };
    let typed = typed.without(own_names);
    let terms = content_terms(&typed.words, &words);
    let symbols = typed.symbols();
    let wordless = query.trim().is_empty();
    let lists = wordless && !semantic && request.filters != Filters::default();
    let by_words = !terms.is_empty() || !symbols.is_empty() || request.pattern.is_some();
    let by_vectors = wordless && semantic;
    if !(by_words || lists || by_vectors) {
        return Err(SearchError::EmptyQuery);
    }
    Ok(Intent {
        names_only: !symbols.is_empty() && symbols.len() == typed.words.len(),
        in_report: false,
        docs_only: request.filters.classes == [FileClass::Docs],
        lists: lists && request.pattern.is_none(),
        paths: paths(query),
        words,
        terms,
        symbols,
    })
}

/// The words of a query as they were typed.
struct Typed<'q> {
    words: Vec<&'q str>,
    in_backticks: HashSet<&'q str>,
    /// The query is one word, whatever is left of it.
    is_one_word: bool,
}

impl<'q> Typed<'q> {
    /// Without what the project is called, where other words say something.
    fn without(self, own_names: &OwnNames) -> Typed<'q> {
        let mut others = self.words.clone();
        others.retain(|word| self.in_backticks.contains(word) || !own_names.has(word));
        let says_something = |word: &&str| !is_stop_word(&word.to_lowercase());
        if !others.iter().any(says_something) {
            return self;
        }
        Typed {
            words: others,
            ..self
        }
    }

    /// Words that only code has: `parse_config`, `RetryPolicy`, `Foo::bar`. A
    /// query of one word is a name whatever it looks like, and so is a word in
    /// backticks.
    fn symbols(&self) -> Vec<String> {
        let mut symbols = Vec::new();
        for &word in &self.words {
            if self.is_one_word || self.in_backticks.contains(word) || looks_like_code(word) {
                symbols.push(word.to_owned());
            }
        }
        symbols.truncate(MOST_NAMES);
        symbols
    }
}

fn in_backticks(query: &str) -> HashSet<&str> {
    let inside = query.split('`').skip(1).step_by(2);
    inside.map(str::trim).collect()
}

/// The terms of words but those that only shape the question, or all terms of
/// the query where there are no others. No part of a name shapes a question,
/// such as `from` in `read_from_file`.
fn content_terms(words: &[&str], all: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut content = Vec::new();
    for word in words {
        let is_name = looks_like_code(word);
        terms::each(word, |term| {
            let says_something = is_name || !is_stop_word(term);
            if says_something && seen.insert(term.to_owned()) {
                content.push(term.to_owned());
            }
        });
    }
    if content.is_empty() {
        content = all.to_vec();
    }
    content.truncate(MOST_TERMS);
    content
}

/// The terms of a text but those that only shape sentences.
pub(crate) fn content_terms_of(text: &str) -> Vec<String> {
    let mut terms = terms::unique(text);
    terms.retain(|term| !is_stop_word(term) && term.len() > 1);
    terms
}

fn is_stop_word(term: &str) -> bool {
    static WORDS: OnceLock<Vec<&str>> = OnceLock::new();
    WORDS
        .get_or_init(|| word_list(include_str!("../data/stopwords.txt")))
        .contains(&term)
}

/// Words with a `/` or with a dot inside.
fn paths(query: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for word in query.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"_./-".contains(c));
        let word = word.trim_start_matches("./").trim_end_matches('.');
        let is_path = word.contains('/') || word.trim_matches('.').contains('.');
        let letters = word.bytes().filter(u8::is_ascii_alphanumeric).count();
        if is_path && letters > 2 {
            paths.push(word.to_lowercase());
        }
    }
    paths.truncate(MOST_NAMES);
    paths
}

/// The words of a query as they were typed, without punctuation around them.
pub(crate) fn typed_words(query: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in query.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        if !word.is_empty() {
            words.push(word);
        }
    }
    words
}

/// Whether only code has such words.
pub(crate) fn looks_like_code(word: &str) -> bool {
    let inside = |c: char| word.trim_matches(c).contains(c);
    inside('_') || inside('.') || inside('#') || word.contains("::") || is_camel_case(word)
}

/// Whether a capital letter follows a small one.
fn is_camel_case(word: &str) -> bool {
    let mut pairs = word.chars().zip(word.chars().skip(1));
    pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent(query: &str) -> Intent {
        intent_in(query, &OwnNames::default())
    }

    fn intent_in(query: &str, own_names: &OwnNames) -> Intent {
        let request = Request {
            query: query.into(),
            ..Request::default()
        };
        analyse(&request, own_names, false).unwrap()
    }

    #[test]
    fn what_the_project_is_called_says_nothing_of_it() {
        let own_names = OwnNames::these(&["gin", "fastapi"]);
        for (query, terms, symbols) in [
            ("how does Gin's router match", "router match", ""),
            ("FastAPI parseRoute", "parseroute parse route", "parseRoute"),
            ("gin context", "context", ""),
            ("what is `gin` for", "gin", "gin"),
            ("what is gin", "gin", ""),
            ("gin", "gin", "gin"),
        ] {
            let intent = intent_in(query, &own_names);
            assert_eq!(intent.terms.join(" "), terms, "{query}");
            assert_eq!(intent.symbols.join(" "), symbols, "{query}");
        }
    }

    #[test]
    fn questions_lose_their_question_words() {
        assert_eq!(
            intent("where is the retry delay computed").terms,
            ["retry", "delay", "computed"]
        );
        assert_eq!(intent("what is it").terms, ["what", "is", "it"]);
        assert_eq!(
            intent("where is read_from_file from").terms,
            ["readfromfile", "read", "from", "file"]
        );
    }

    #[test]
    fn names_are_seen_in_sentences() {
        assert_eq!(
            intent("where does `parse_config` handle includes").symbols,
            ["parse_config"]
        );
        assert_eq!(intent("RetryPolicy").symbols, ["RetryPolicy"]);
        assert_eq!(intent("retry").symbols, ["retry"]);
        assert_eq!(intent("how does Foo::bar work?").symbols, ["Foo::bar"]);
        assert_eq!(intent("open a file.").symbols, [""; 0]);
        assert_eq!(intent("A").symbols, ["A"]);
        assert_eq!(intent("where is `retry` called").symbols, ["retry"]);
        for (query, names) in [
            ("retry", true),
            ("parse_config Foo::bar", true),
            ("where is `parse_config`", false),
        ] {
            assert_eq!(intent(query).names_only, names, "{query}");
        }
    }

    #[test]
    fn paths_are_seen() {
        for (query, want) in [
            ("src/http/client.rs", "src/http/client.rs"),
            ("retry in ./src/Http.rs", "src/http.rs"),
            ("open a file.", ""),
            ("and/or", "and/or"),
            ("a/b", ""),
            ("Cargo.toml", "cargo.toml"),
        ] {
            assert_eq!(intent(query).paths.join(" "), want, "{query}");
        }
    }

    #[test]
    fn nothing_to_search_for_is_an_error() {
        for query in ["", "   ", "?!", "\u{0}"] {
            let request = Request {
                query: query.into(),
                ..Request::default()
            };
            assert!(
                matches!(
                    analyse(&request, &OwnNames::default(), false),
                    Err(SearchError::EmptyQuery)
                ),
                "{query:?}"
            );
        }
    }

    #[test]
    fn filters_alone_are_a_request() {
        let filters = Filters {
            names: vec!["join_*".into()],
            ..Filters::default()
        };
        assert!(
            analyse(
                &Request {
                    filters,
                    ..Request::default()
                },
                &OwnNames::default(),
                false
            )
            .unwrap()
            .lists
        );
    }

    #[test]
    fn a_very_long_query_is_cut() {
        let query: String = (0..50_000).map(|n| format!("word{n} ")).collect();
        assert_eq!(intent(&query).terms.len(), MOST_TERMS);
    }
}
