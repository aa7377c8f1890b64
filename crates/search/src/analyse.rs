//! What is asked: the terms of a query, and the names in it.

use crate::SearchError;
use scent_types::{FileClass, Filters, Request};
use scent_words::{terms, word_list};
use std::collections::HashSet;
use std::sync::OnceLock;

/// A longer query is cut here: past it, words add time and nothing else.
const MOST_TERMS: usize = 64;

/// What a query means.
#[derive(Debug, PartialEq)]
pub(crate) struct Intent {
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
    /// No words at all: whatever passes the filters.
    pub lists: bool,
}

/// With `meaning`, the question is given as vectors too, and may be nothing else.
pub(crate) fn analyse(request: &Request, meaning: bool) -> Result<Intent, SearchError> {
    let (terms, symbols) = (content_terms(&request.query), symbols(&request.query));
    let wordless = request.query.trim().is_empty();
    let lists = wordless && !meaning && request.filters != Filters::default();
    let by_words = !terms.is_empty() || !symbols.is_empty() || request.pattern.is_some();
    let by_meaning = wordless && meaning;
    if !(by_words || lists || by_meaning) {
        return Err(SearchError::EmptyQuery);
    }
    let names_only = !symbols.is_empty() && symbols.len() == words_of(&request.query).len();
    let paths = paths(&request.query);
    let docs_only = request.filters.classes == [FileClass::Docs];
    let lists = lists && request.pattern.is_none();
    Ok(Intent {
        terms,
        symbols,
        paths,
        names_only,
        docs_only,
        lists,
    })
}

/// All terms but those that only shape the question.
fn content_terms(query: &str) -> Vec<String> {
    let mut terms = terms::unique(query);
    if terms.iter().any(|term| !is_stop_word(term)) {
        terms.retain(|term| !is_stop_word(term));
    }
    terms.truncate(MOST_TERMS);
    terms
}

fn is_stop_word(term: &str) -> bool {
    static WORDS: OnceLock<Vec<&str>> = OnceLock::new();
    WORDS
        .get_or_init(|| word_list(include_str!("../data/stopwords.txt")))
        .contains(&term)
}

/// Words that only code has: `parse_config`, `RetryPolicy`, `Foo::bar`. A
/// query of one word is a name whatever it looks like, and so is a word in
/// backticks.
fn symbols(query: &str) -> Vec<String> {
    let words = words_of(query);
    let alone = words.len() == 1;
    let quoted: HashSet<&str> = query.split('`').skip(1).step_by(2).map(str::trim).collect();
    let is_name = |word: &&str| alone || quoted.contains(word) || looks_like_code(word);
    words
        .into_iter()
        .filter(is_name)
        .map(str::to_owned)
        .take(8)
        .collect()
}

/// Words with a `/` or with a dot inside.
fn paths(query: &str) -> Vec<String> {
    let trim = |c: char| !c.is_alphanumeric() && !"_./-".contains(c);
    let words = query.split_whitespace().map(|word| word.trim_matches(trim));
    let words = words.map(|word| word.trim_start_matches("./").trim_end_matches('.'));
    let is_path = |word: &&str| word.contains('/') || word.trim_matches('.').contains('.');
    let long = |word: &&str| word.bytes().filter(u8::is_ascii_alphanumeric).count() > 2;
    words
        .filter(is_path)
        .filter(long)
        .map(str::to_lowercase)
        .take(8)
        .collect()
}

/// The words of a query as they were typed, without punctuation around them.
fn words_of(query: &str) -> Vec<&str> {
    let trim = |c: char| !c.is_alphanumeric() && c != '_';
    query
        .split_whitespace()
        .map(|w| w.trim_matches(trim))
        .filter(|w| !w.is_empty())
        .collect()
}

fn looks_like_code(word: &str) -> bool {
    let inner = |c: char| word.trim_matches(c).contains(c);
    let camel = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    inner('_') || word.contains("::") || inner('.') || inner('#') || camel
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent(query: &str) -> Intent {
        analyse(
            &Request {
                query: query.into(),
                ..Request::default()
            },
            false,
        )
        .unwrap()
    }

    #[test]
    fn questions_lose_their_question_words() {
        assert_eq!(
            intent("where is the retry delay computed").terms,
            ["retry", "delay", "computed"]
        );
        assert_eq!(intent("what is it").terms, ["what", "is", "it"]);
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
                matches!(analyse(&request, false), Err(SearchError::EmptyQuery)),
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
