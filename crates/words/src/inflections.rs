//! Inflections of a word: a query about how errors are handled should find
//! `handle_error`. Made by rule; a form that nobody wrote is found nowhere.

use crate::word_list;
use std::sync::OnceLock;

/// What is left of a word without its ending is at least this long: shorter
/// ones are other words.
const SHORTEST: usize = 3;

/// Words that share their stem with a term and differ in one ending.
pub fn inflections(term: &str) -> Vec<String> {
    if term.len() <= SHORTEST || !term.bytes().all(|b| b.is_ascii_lowercase()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for stem in stems(term) {
        for ending in endings() {
            found.push(format!("{stem}{ending}"));
        }
        found.push(stem);
    }
    found.retain(|word| word != term && word.len() > SHORTEST);
    found.sort_unstable();
    found.dedup();
    found
}

/// What a word may have been before it got its ending: `stopped` is from
/// `stop`, `caches` from `cache`, `queries` from `query`.
fn stems(term: &str) -> Vec<String> {
    let Some(stem) = without_ending(term) else {
        return vec![term.to_owned()];
    };
    let mut stems = vec![stem.to_owned()];
    if let [.., before, last] = stem.as_bytes()
        && before == last
        && !is_vowel(*last)
    {
        stems.push(stem[..stem.len() - 1].to_owned());
    }
    stems
}

fn without_ending(term: &str) -> Option<&str> {
    for ending in endings() {
        if let Some(stem) = term.strip_suffix(ending)
            && stem.len() >= SHORTEST
            && stem.bytes().any(is_vowel)
        {
            return Some(stem);
        }
    }
    None
}

fn is_vowel(byte: u8) -> bool {
    b"aeiouy".contains(&byte)
}

fn endings() -> &'static [&'static str] {
    static ENDINGS: OnceLock<Vec<&str>> = OnceLock::new();
    ENDINGS.get_or_init(|| word_list(include_str!("../data/endings.txt")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_family_are_inflections_of_each_other() {
        for (asked, written) in [
            ("registered", "register"),
            ("handling", "handler"),
            ("handles", "handle"),
            ("computed", "compute"),
            ("stopped", "stop"),
            ("queries", "query"),
            ("query", "queries"),
            ("parser", "parse"),
            ("validation", "validate"),
            ("caches", "cache"),
            ("retries", "retry"),
            ("connection", "connect"),
        ] {
            assert!(
                inflections(asked).iter().any(|f| f == written),
                "{asked}: {:?}",
                inflections(asked)
            );
        }
    }

    #[test]
    fn what_is_no_word_has_no_inflections() {
        for term in ["is", "io", "utf8", "größe", ""] {
            assert_eq!(inflections(term), [""; 0], "{term}");
        }
    }
}
