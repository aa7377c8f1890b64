//! The names in a query, looked up before any lane is asked: who is called so,
//! who holds them, and which names are like one that nobody holds.

use crate::analyse::{Intent, looks_like_code};
use crate::corpus::{Corpus, UnitNo};
use crate::error::SearchError;
use crate::letters::letters;
use crate::nearest::nearest;
use crate::units::{Allowed, UnitSet};
use scent_index::TextField;
use scent_words::{names, terms, word_list};
use std::sync::OnceLock;

/// Looking at more namesakes than this tells them no better apart.
const NAMESAKES: usize = 500;

/// So many names are like one that nobody holds.
const NEAREST: usize = 5;

/// A name of a query.
#[derive(Debug)]
pub(crate) struct QueryName {
    /// As it was typed.
    pub typed: String,
    /// The units that are called so and may answer.
    pub namesakes: Vec<UnitNo>,
    /// The units that declare it without being called so. Only known where the
    /// query is nothing but names.
    pub declaring: Vec<UnitNo>,
    /// The units that hold its last part in any spelling. Only known where the
    /// query is nothing but names.
    pub holders: UnitSet,
    /// Names like it, each with how far away it is, where nobody holds it.
    pub nearest: Vec<(usize, String)>,
}

impl QueryName {
    fn look_up(
        corpus: &Corpus,
        intent: &Intent,
        allowed: &Allowed,
        typed: &str,
    ) -> Result<QueryName, SearchError> {
        let mut name = QueryName {
            typed: typed.to_owned(),
            namesakes: namesakes(corpus, typed, allowed)?,
            declaring: Vec::new(),
            holders: UnitSet::default(),
            nearest: Vec::new(),
        };
        if intent.names_only {
            name.declaring = declaring(corpus, typed, allowed)?;
            let is_written = name.find_holders(corpus)?;
            if !is_written && name.namesakes.is_empty() {
                name.nearest = nearest_in(corpus, typed)?;
            }
        }
        Ok(name)
    }

    /// Finds the units that hold the name. Whether there are any, or at least
    /// files that are called so.
    fn find_holders(&mut self, corpus: &Corpus) -> Result<bool, SearchError> {
        let Some(term) = whole_term(&self.typed) else {
            return Ok(false);
        };
        let mut is_written = false;
        for (base, snapshot) in corpus.parts() {
            let words = snapshot.text().words(&[term.as_str()])?;
            words.postings(0, |field, unit, _, _| {
                is_written = true;
                // Every unit of a file has the words of its path.
                if field != TextField::Path {
                    self.holders.insert(base + unit);
                }
            })?;
        }
        Ok(is_written)
    }

    /// Whether this is a name here. A plain word is one where something is
    /// called so, but for words of every day; what only code writes need only be
    /// held by something.
    fn is_known(&self) -> bool {
        let is_word = |c: char| c.is_lowercase() || !c.is_alphabetic();
        let is_plain = !looks_like_code(&self.typed) && self.typed.chars().all(is_word);
        if is_plain {
            !self.namesakes.is_empty() && !is_verb(&self.typed)
        } else {
            !self.namesakes.is_empty() || !self.holders.is_empty()
        }
    }
}

fn is_verb(word: &str) -> bool {
    static WORDS: OnceLock<Vec<&str>> = OnceLock::new();
    WORDS
        .get_or_init(|| word_list(include_str!("../data/verbs.txt")))
        .contains(&word)
}

/// The names of a query in order.
pub(crate) fn look_up(
    corpus: &Corpus,
    intent: &Intent,
    allowed: &Allowed,
) -> Result<Vec<QueryName>, SearchError> {
    let mut all = Vec::with_capacity(intent.symbols.len());
    for typed in &intent.symbols {
        all.push(QueryName::look_up(corpus, intent, allowed, typed)?);
    }
    Ok(all)
}

/// Whether some of these are names here.
pub(crate) fn are_known(all: &[QueryName]) -> bool {
    all.iter().any(QueryName::is_known)
}

/// The last part of a name as one term of the index; none where it is none.
pub(crate) fn whole_term(typed: &str) -> Option<String> {
    let last = names::parts(typed).last()?;
    let first = terms::unique(last).into_iter().next()?;
    (letters(last) == first).then_some(first)
}

/// Units with this name. Where a qualified name is nobody's, those with its
/// last part.
pub(crate) fn namesakes(
    corpus: &Corpus,
    symbol: &str,
    allowed: &Allowed,
) -> Result<Vec<UnitNo>, SearchError> {
    let parts: Vec<&str> = names::parts(symbol).collect();
    let whole = names::spellings(&parts).map(|name| name.to_lowercase());
    let mut units = called(corpus, &whole, allowed)?;
    if units.is_empty()
        && let [_, .., last] = parts.as_slice()
    {
        units = called(corpus, &[last.to_lowercase()], allowed)?;
    }
    units.sort_unstable();
    units.dedup();
    Ok(units)
}

/// Units with one of these names, in lower case; the first where they are many.
pub(crate) fn called(
    corpus: &Corpus,
    names: &[String],
    allowed: &Allowed,
) -> Result<Vec<UnitNo>, SearchError> {
    let mut units = Vec::new();
    for (base, snapshot) in corpus.parts() {
        for name in names {
            snapshot
                .text()
                .named(name, |unit| units.push(base + unit))?;
        }
    }
    Ok(first_of(corpus, units, allowed))
}

/// Units that declare the last part of a name without being called so.
pub(crate) fn declaring(
    corpus: &Corpus,
    typed: &str,
    allowed: &Allowed,
) -> Result<Vec<UnitNo>, SearchError> {
    let last = names::last_part(typed);
    let mut units = Vec::new();
    for (base, snapshot) in corpus.parts() {
        snapshot
            .text()
            .declaring(last, |unit| units.push(base + unit))?;
    }
    Ok(first_of(corpus, units, allowed))
}

/// The units that may answer; the first where they are many.
fn first_of(corpus: &Corpus, mut units: Vec<UnitNo>, allowed: &Allowed) -> Vec<UnitNo> {
    units.retain(|&unit| allowed.holds(unit));
    if units.len() > NAMESAKES {
        units.sort_by_cached_key(|&unit| {
            let (snapshot, path, line) = corpus.position(unit);
            (snapshot, path.to_owned(), line)
        });
        units.truncate(NAMESAKES);
    }
    units
}

/// The names of all snapshots that are most like one.
fn nearest_in(corpus: &Corpus, typed: &str) -> Result<Vec<(usize, String)>, SearchError> {
    let mut all = Vec::new();
    for snapshot in corpus.snapshots() {
        all.extend(nearest(snapshot, typed, NEAREST)?);
    }
    all.sort();
    all.dedup();
    all.truncate(NEAREST);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_of_a_name_is_one_term() {
        for (typed, want) in [
            ("parseRequest", "parserequest"),
            ("Foo::parse_request", "parserequest"),
            ("retry", "retry"),
            ("sha256", "sha256"),
            ("__init__", "init"),
            ("my-component", "mycomponent"),
            ("读取文件", ""),
            ("A", ""),
            ("::", ""),
        ] {
            assert_eq!(whole_term(typed).unwrap_or_default(), want, "{typed}");
        }
        assert_eq!(whole_term(&"ab_".repeat(40)), None);
    }

    #[test]
    fn words_of_every_day_are_no_names_where_they_are_plain() {
        for (typed, namesakes, is_known) in [
            ("session", vec![1], true),
            ("session", vec![], false),
            ("throw", vec![1], false),
            ("Throw", vec![1], true),
            ("throw_all", vec![], false),
        ] {
            let name = QueryName {
                typed: typed.into(),
                namesakes,
                declaring: Vec::new(),
                holders: UnitSet::default(),
                nearest: Vec::new(),
            };
            assert_eq!(name.is_known(), is_known, "{typed}");
        }
    }
}
