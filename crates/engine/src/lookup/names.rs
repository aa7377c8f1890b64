//! Names as people ask for them: plain, qualified, or with wildcards.

use crate::EngineError;
use scent_index::{Snapshot, tokens};
use scent_types::Fit;
use std::collections::BTreeSet;

/// A name that is asked for.
pub(super) struct Wanted {
    /// Its last part.
    pub name: String,
    /// What it is to be inside of, the outermost first.
    within: Vec<String>,
    lower: String,
    words: Vec<String>,
}

impl Wanted {
    pub fn new(text: &str) -> Wanted {
        let text = text.trim().trim_end_matches("()");
        let mut parts: Vec<String> = parts(text).map(str::to_owned).collect();
        let name = parts.pop().unwrap_or_default();
        Wanted { lower: name.to_lowercase(), words: tokens::unique(&name), within: parts, name }
    }

    /// The names of symbols that this may mean, as they are written.
    pub fn names(&self, snapshot: &Snapshot) -> Result<BTreeSet<String>, EngineError> {
        let mut names = BTreeSet::new();
        let mut units = Vec::new();
        snapshot.named(&self.lower, |unit| units.push(unit))?;
        if units.is_empty() || self.has_wildcards() {
            snapshot.names_where(|name| self.may_mean(name), |unit| units.push(unit))?;
        }
        let files: BTreeSet<u32> = units.iter().map(|&unit| snapshot.place(unit).0).collect();
        for file in files.into_iter().filter_map(|id| snapshot.file(id)) {
            let symbols = snapshot.symbols(file)?.into_iter();
            let fitting = symbols.filter(|symbol| self.fit(symbol.name).is_some());
            names.extend(fitting.map(|symbol| symbol.name.to_owned()));
        }
        Ok(names)
    }

    fn has_wildcards(&self) -> bool {
        self.name.contains(['*', '?'])
    }

    /// Whether a name in lower case, plain or qualified, is worth a look.
    fn may_mean(&self, name: &str) -> bool {
        let last = parts(name).last().unwrap_or(name);
        match self.has_wildcards() {
            true => matches(&self.lower, last),
            false => last.contains(&self.lower) || tokens::unique(last) == self.words,
        }
    }

    /// How well a name fits, if it does.
    pub fn fit(&self, name: &str) -> Option<Fit> {
        let lower = name.to_lowercase();
        match () {
            () if self.has_wildcards() => matches(&self.lower, &lower).then_some(Fit::Contains),
            () if name == self.name => Some(Fit::Exact),
            () if lower == self.lower => Some(Fit::Case),
            () if tokens::unique(name) == self.words => Some(Fit::Words),
            () if lower.starts_with(&self.lower) => Some(Fit::Prefix),
            () => lower.contains(&self.lower).then_some(Fit::Contains),
        }
    }

    /// Whether a qualified name ends with what was asked for around the name.
    pub fn is_inside(&self, qualified: &str) -> bool {
        let all: Vec<String> = parts(qualified).map(str::to_lowercase).collect();
        let scope = &all[..all.len().saturating_sub(1)];
        let wanted: Vec<String> = self.within.iter().map(|part| part.to_lowercase()).collect();
        scope.ends_with(&wanted)
    }
}

/// The parts of `Foo::bar`, `Foo.bar`, `Foo#bar` and the like.
pub(super) fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['.', ':', '#', '\\', '/', '%']).filter(|part| !part.is_empty())
}

/// Whether a pattern with `*` and `?` matches a whole name.
fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.chars().next(), name.chars().next()) {
        (None, None) => true,
        (Some('*'), first) => {
            let skip = first.is_some_and(|c| matches(pattern, &name[c.len_utf8()..]));
            matches(&pattern[1..], name) || skip
        }
        (Some('?'), Some(c)) => matches(&pattern[1..], &name[c.len_utf8()..]),
        (Some(p), Some(c)) if p == c => matches(&pattern[p.len_utf8()..], &name[c.len_utf8()..]),
        _ => false,
    }
}

/// Names like one that does not exist: those that share words with it, then
/// those a few letters away.
pub(super) fn nearest(
    snapshot: &Snapshot,
    name: &str,
    count: usize,
) -> Result<Vec<String>, EngineError> {
    let wanted = Wanted::new(name);
    let distance = |other: &str| {
        let last = parts(other).last().unwrap_or(other);
        let letters = strsim::damerau_levenshtein(last, &wanted.lower);
        let words = tokens::unique(last);
        let shared = words.iter().filter(|word| wanted.words.contains(word)).count();
        let near = letters <= 1 + wanted.lower.len() / 4 || shared > 0;
        near.then_some(letters.saturating_sub(3 * shared))
    };
    let mut units = Vec::new();
    snapshot.names_where(|name| distance(name).is_some(), |unit| units.push(unit))?;
    let files: BTreeSet<u32> = units.iter().map(|&unit| snapshot.place(unit).0).collect();
    let mut found = BTreeSet::new();
    for file in files.into_iter().filter_map(|id| snapshot.file(id)) {
        for symbol in snapshot.symbols(file)? {
            let distance = distance(&symbol.name.to_lowercase());
            found.extend(distance.map(|distance| (distance, symbol.name.to_owned())));
        }
    }
    Ok(found.into_iter().take(count).map(|(_, name)| name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_more_or_less() {
        let fit = |wanted: &str, name: &str| Wanted::new(wanted).fit(name);
        assert_eq!(fit("Foo::parseRequest", "parseRequest"), Some(Fit::Exact));
        assert_eq!(fit("parserequest", "parseRequest"), Some(Fit::Case));
        assert_eq!(fit("parse_request", "parseRequest"), Some(Fit::Words));
        assert_eq!(fit("parse", "parseRequest"), Some(Fit::Prefix));
        assert_eq!(fit("request()", "parseRequest"), Some(Fit::Contains));
        assert_eq!(fit("parse*st", "parseRequest"), Some(Fit::Contains));
        assert_eq!(fit("parse?", "parseRequest"), None);
    }

    #[test]
    fn what_encloses_a_name_is_heeded() {
        let inside = |wanted: &str, name: &str| Wanted::new(wanted).is_inside(name);
        assert!(inside("push", "Vec::push") && inside("Vec.push", "a::Vec::push"));
        assert!(inside("vec#push", "Vec::push") && !inside("Vec::push", "Stack::push"));
    }
}
