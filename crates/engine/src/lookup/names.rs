//! Names as people ask for them: plain, qualified, or with wildcards.

use crate::EngineError;
use scent_index::{CharSignature, Snapshot};
use scent_types::Fit;
use scent_words::names::parts;
use scent_words::terms;
use std::collections::BTreeSet;
use std::str::Chars;

/// A pattern and a name that take longer to compare are not those of people.
const MOST_STEPS: usize = 10_000_000;

/// A name that is asked for.
pub(super) struct SymbolQuery {
    /// Its last part.
    pub name: String,
    /// What it is to be inside of, the outermost first.
    within: Vec<String>,
    pub lower: String,
    pub words: Vec<String>,
}

impl SymbolQuery {
    pub fn new(text: &str) -> SymbolQuery {
        let text = text.trim().trim_end_matches("()");
        let mut parts: Vec<String> = parts(text).map(str::to_owned).collect();
        let name = parts.pop().unwrap_or_default();
        SymbolQuery {
            lower: name.to_lowercase(),
            words: terms::unique(&name),
            within: parts,
            name,
        }
    }

    /// The names of symbols that this may mean, as they are written.
    pub fn names(&self, snapshot: &Snapshot) -> Result<BTreeSet<String>, EngineError> {
        let mut units = Vec::new();
        snapshot
            .text()
            .named(&self.lower, |unit| units.push(unit))?;
        if units.is_empty() || self.has_wildcards() {
            return self.names_anywhere(snapshot);
        }
        // What is inside a function has no unit of its own.
        let mut names = BTreeSet::from([self.name.clone()]);
        let files: BTreeSet<u32> = units
            .iter()
            .map(|&unit| snapshot.text().place(unit).0)
            .collect();
        for file in files.into_iter().filter_map(|id| snapshot.file(id)) {
            let symbols = snapshot.facts().symbols(file)?.into_iter();
            let fitting = symbols.filter(|symbol| self.fit(symbol.name).is_some());
            names.extend(fitting.map(|symbol| symbol.name.to_owned()));
        }
        Ok(names)
    }

    fn names_anywhere(&self, snapshot: &Snapshot) -> Result<BTreeSet<String>, EngineError> {
        let needed = CharSignature::of(&self.lower);
        let names = snapshot.names()?.iter();
        let names = names.filter(|(_, letters)| needed.are_in(*letters));
        let fitting = names.filter(|(name, _)| self.fit(name).is_some());
        Ok(fitting.map(|(name, _)| name.to_owned()).collect())
    }

    fn has_wildcards(&self) -> bool {
        self.name.contains(['*', '?'])
    }

    /// How well a name fits, if it does.
    pub fn fit(&self, name: &str) -> Option<Fit> {
        let lower = name.to_lowercase();
        match () {
            () if self.has_wildcards() => matches(&self.lower, &lower).then_some(Fit::Contains),
            () if name == self.name => Some(Fit::Exact),
            () if lower == self.lower => Some(Fit::Case),
            () if self.has_words_of(name) => Some(Fit::Words),
            () if lower.starts_with(&self.lower) => Some(Fit::Prefix),
            () => lower.contains(&self.lower).then_some(Fit::Contains),
        }
    }

    /// Whether a name has the same words; one of a single letter has none.
    fn has_words_of(&self, name: &str) -> bool {
        let (mut known, mut same) = (0, !self.words.is_empty());
        terms::each(name, |word| match self.words.get(known) {
            Some(next) if next == word => known += 1,
            _ => same &= self.words[..known].iter().any(|before| before == word),
        });
        same && known == self.words.len()
    }

    /// Whether a qualified name ends with what was asked for around the name.
    pub fn is_inside(&self, qualified: &str) -> bool {
        let all: Vec<String> = parts(qualified).map(str::to_lowercase).collect();
        let scope = &all[..all.len().saturating_sub(1)];
        let wanted: Vec<String> = self.within.iter().map(|part| part.to_lowercase()).collect();
        scope.ends_with(&wanted)
    }
}

/// Whether a pattern with `*` and `?` matches a whole name. A `*` takes as few
/// characters as it can. Where the rest does not match then, the last one takes
/// one more; those before it need not be looked at again.
fn matches(pattern: &str, name: &str) -> bool {
    if pattern.len().saturating_mul(name.len()) > MOST_STEPS {
        return false;
    }
    let (mut wanted, mut rest) = (pattern.chars(), name.chars());
    // What follows the last `*`, and what it has not taken yet.
    let mut last: Option<(Chars, Chars)> = None;
    loop {
        let before = rest.clone();
        match (wanted.next(), rest.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                rest = before;
                last = Some((wanted.clone(), rest.clone()));
            }
            (Some('?'), Some(_)) => {}
            (Some(p), Some(c)) if p == c => {}
            _ => {
                let Some((after, left)) = &mut last else {
                    return false;
                };
                if left.next().is_none() {
                    return false;
                }
                (wanted, rest) = (after.clone(), left.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_more_or_less() {
        let fit = |wanted: &str, name: &str| SymbolQuery::new(wanted).fit(name);
        assert_eq!(fit("Foo::parseRequest", "parseRequest"), Some(Fit::Exact));
        assert_eq!(fit("parserequest", "parseRequest"), Some(Fit::Case));
        assert_eq!(fit("parse_request", "parseRequest"), Some(Fit::Words));
        assert_eq!(fit("parse", "parseRequest"), Some(Fit::Prefix));
        assert_eq!(fit("request()", "parseRequest"), Some(Fit::Contains));
        assert_eq!(fit("parse*st", "parseRequest"), Some(Fit::Contains));
        assert_eq!(fit("parse?", "parseRequest"), None);
    }

    #[test]
    fn wildcards_match_whole_names() {
        for (pattern, name, want) in [
            ("*", "", true),
            ("", "", true),
            ("a*", "a", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("*ab", "aab", true),
            ("*a?b", "aaab", true),
            ("a**b", "ab", true),
            ("?", "", false),
            ("gr?ße", "größe", true),
            ("*ß*", "größe", true),
            (r"a[b]*{c,d}\?", r"a[b]x{c,d}\y", true),
            ("a[b]*", "ab", false),
        ] {
            assert_eq!(matches(pattern, name), want, "{pattern} {name}");
        }
    }

    #[test]
    fn many_wildcards_take_no_longer_than_few() {
        let started = std::time::Instant::now();
        let name = "a".repeat(2_000);
        assert!(!matches(&("*a".repeat(40) + "*b"), &name));
        assert!(matches(&("*a".repeat(40) + "*"), &name));
        assert!(!matches(&"*a".repeat(50_000), &"a".repeat(49_999)));
        assert!(started.elapsed().as_secs() < 10);
    }

    #[test]
    fn a_name_of_one_letter_is_not_like_all_others() {
        assert_eq!(SymbolQuery::new("x").fit("y"), None);
        assert_eq!(SymbolQuery::new("x").fit("max"), Some(Fit::Contains));
    }

    #[test]
    fn what_encloses_a_name_is_heeded() {
        let inside = |wanted: &str, name: &str| SymbolQuery::new(wanted).is_inside(name);
        assert!(inside("push", "Vec::push") && inside("Vec.push", "a::Vec::push"));
        assert!(inside("vec#push", "Vec::push") && !inside("Vec::push", "Stack::push"));
    }
}
