//! Other forms of a word: whoever asks how errors are handled also means
//! `handle_error`. Made by rule; what nobody wrote is found nowhere.

use std::sync::OnceLock;

/// What is left of a word without its ending is at least this long: shorter
/// ones are other words.
const SHORTEST: usize = 3;

/// Words that share their beginning with a term, but for one ending.
pub(crate) fn forms(term: &str) -> Vec<String> {
    if term.len() <= SHORTEST || !term.bytes().all(|b| b.is_ascii_lowercase()) {
        return Vec::new();
    }
    let mut forms: Vec<String> = stems(term)
        .iter()
        .flat_map(|stem| {
            let endings = endings()
                .iter()
                .map(move |ending| format!("{stem}{ending}"));
            endings.chain(Some(stem.clone()))
        })
        .filter(|form| form != term && form.len() > SHORTEST)
        .collect();
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// What a word may have been before it got its ending: `stopped` is from
/// `stop`, `caches` from `cache`, `queries` from `query`.
fn stems(term: &str) -> Vec<String> {
    let long_enough = |stem: &&str| stem.len() >= SHORTEST && stem.bytes().any(is_vowel);
    let stem = endings()
        .iter()
        .find_map(|ending| term.strip_suffix(ending).filter(long_enough));
    let Some(stem) = stem else {
        return vec![term.to_owned()];
    };
    let mut stems = vec![stem.to_owned()];
    let bytes = stem.as_bytes();
    if let [.., before, last] = bytes
        && before == last
        && !is_vowel(*last)
    {
        stems.push(stem[..stem.len() - 1].to_owned());
    }
    stems
}

fn is_vowel(byte: u8) -> bool {
    b"aeiouy".contains(&byte)
}

fn endings() -> &'static [&'static str] {
    static ENDINGS: OnceLock<Vec<&str>> = OnceLock::new();
    ENDINGS.get_or_init(|| crate::analyse::words(include_str!("../data/endings.txt")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_family_are_forms_of_each_other() {
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
                forms(asked).iter().any(|f| f == written),
                "{asked}: {:?}",
                forms(asked)
            );
        }
    }

    #[test]
    fn what_is_no_word_has_no_forms() {
        for term in ["is", "io", "utf8", "größe", ""] {
            assert_eq!(forms(term), [""; 0], "{term}");
        }
    }
}
