//! Words of a query that no unit contains.

use crate::analyse::{looks_like_code, typed_words};
use crate::names::{QueryName, whole_term};
use crate::query::Context;
use crate::retrieve::Terms;
use scent_words::terms;

/// Plain words are worth a note where they are at least this part of what all
/// terms tell.
const TELLING: f32 = 0.33;

/// A longer question may use words of its own.
const FEW_TERMS: usize = 3;

/// Nobody reads more of them.
const MOST: usize = 5;

/// What no unit contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Missing {
    /// Words of the query, as they were typed.
    pub words: Vec<String>,
    /// Names like them, nearest first.
    pub nearest: Vec<String>,
    /// Whether no unit contains any word of the query.
    pub all: bool,
    /// How much of what all terms tell is lost with these words, from 0 to 1;
    /// 0 where they are plain words of a longer question.
    pub share: f32,
}

/// The words of a query that no unit contains, where they are names or a good
/// part of the query.
pub(crate) fn missing(cx: &Context, query: &Terms) -> Missing {
    let is_missing = |term: &str| query.nowhere.iter().any(|known| known == term);
    let share = lost_share(query);
    let has_none = !query.idf.is_empty() && query.nowhere.len() == query.idf.len();
    let is_short = query.idf.len() <= FEW_TERMS;
    let is_telling = has_none || is_short && share >= TELLING;
    let mut misses_name = false;
    let mut words: Vec<String> = Vec::new();
    for word in typed_words(&cx.request.query) {
        let is_name = looks_like_code(word) || cx.intent.names_only;
        let is_nowhere = match whole_term(word).filter(|_| is_name) {
            Some(whole) => is_missing(&whole),
            None => is_telling && has_only(word, &is_missing),
        };
        misses_name |= is_nowhere && is_name;
        if is_nowhere && words.len() < MOST && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    let counts = !words.is_empty() && (is_short || misses_name);
    Missing {
        share: if counts { share } else { 0.0 },
        all: !words.is_empty() && has_none,
        nearest: nearest(&cx.names),
        words,
    }
}

/// How much of what all terms tell those do that are in no unit.
fn lost_share(query: &Terms) -> f32 {
    let (mut lost, mut all) = (0.0, 0.0);
    for (term, idf) in &query.idf {
        all += idf;
        if query.nowhere.contains(term) {
            lost += idf;
        }
    }
    if all > 0.0 { lost / all } else { 0.0 }
}

/// Whether a word has terms, and all of them pass a test.
fn has_only(word: &str, test: &dyn Fn(&str) -> bool) -> bool {
    let terms = terms::unique(word);
    !terms.is_empty() && terms.iter().all(|term| test(term))
}

/// Names like those that nobody holds. One that is twice as far away as the
/// nearest is like it no more.
fn nearest(names: &[QueryName]) -> Vec<String> {
    let mut nearest = Vec::new();
    for name in names {
        let least = name.nearest.first().map_or(0, |(away, _)| *away);
        for (away, other) in &name.nearest {
            if *away <= 2 * least && !nearest.contains(other) {
                nearest.push(other.clone());
            }
        }
    }
    nearest.truncate(MOST);
    nearest
}
