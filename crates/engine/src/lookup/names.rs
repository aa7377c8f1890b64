//! Names as people ask for them: plain, qualified, or with wildcards.

use crate::EngineError;
use scent_index::{CharSignature, Snapshot};
use scent_types::Fit;
use scent_words::names::parts;
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
    lower: String,
}

impl SymbolQuery {
    pub fn new(text: &str) -> SymbolQuery {
        let text = text.trim().trim_end_matches("()").replace("->", ".");
        let mut parts: Vec<String> = parts(&text).map(str::to_owned).collect();
        let name = parts.pop().unwrap_or_default();
        SymbolQuery {
            lower: name.to_lowercase(),
            within: parts,
            name,
        }
    }

    /// The names of symbols that this means, as they are written.
    pub fn names(&self, snapshot: &Snapshot) -> Result<BTreeSet<String>, EngineError> {
        if !self.has_wildcards() {
            return Ok(BTreeSet::from([self.name.clone()]));
        }
        let needed = CharSignature::of(&self.lower);
        let names = snapshot.names()?.iter();
        let names = names.filter(|(_, letters)| needed.are_in(*letters));
        let fitting = names.filter(|(name, _)| self.fit(name).is_some());
        Ok(fitting.map(|(name, _)| name.to_owned()).collect())
    }

    /// The same without the marks that some languages put before the name of a
    /// variable: `@name`, `$name`; none where there are none.
    pub fn without_sigil(&self) -> Option<SymbolQuery> {
        let name = self.name.trim_start_matches(['@', '$']);
        let has_sigil = !name.is_empty() && name.len() < self.name.len();
        has_sigil.then(|| SymbolQuery {
            name: name.to_owned(),
            within: self.within.clone(),
            lower: name.to_lowercase(),
        })
    }

    /// Whether it says what the name is to be inside of.
    pub fn is_qualified(&self) -> bool {
        !self.within.is_empty()
    }

    fn has_wildcards(&self) -> bool {
        self.name.contains(['*', '?'])
    }

    /// How well a name fits, if it does. An operator or a predicate may be called
    /// what a wildcard is.
    pub fn fit(&self, name: &str) -> Option<Fit> {
        if name == self.name {
            return Some(Fit::Exact);
        }
        let is_match = self.has_wildcards() && matches(&self.lower, &name.to_lowercase());
        is_match.then_some(Fit::Wildcard)
    }

    /// Whether a qualified name ends with what was asked for around the name.
    pub fn is_inside(&self, qualified: &str) -> bool {
        let all: Vec<&str> = parts(qualified).collect();
        all[..all.len().saturating_sub(1)].ends_with(&self.scope())
    }

    fn scope(&self) -> Vec<&str> {
        self.within.iter().map(String::as_str).collect()
    }

    /// How many parts of what was asked for around a definition are folders above
    /// it, or its file, from the inside out; none where those are not all that is
    /// left of them. `is_root` knows the names that a project has for itself.
    pub fn by_path(
        &self,
        qualified: &str,
        path: &str,
        is_root: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let own: Vec<&str> = parts(qualified).collect();
        let own = &own[..own.len().saturating_sub(1)];
        let scope = self.scope();
        let outer = scope.strip_suffix(own)?;
        let root = outer.first()?;
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.split('.').next().unwrap_or(file);
        let mut above: Vec<&str> = folders.split('/').collect();
        let in_folder = common_end(outer, &above);
        above.push(stem);
        let shared = in_folder.max(common_end(outer, &above));
        (shared > 0 || is_root(root)).then_some(shared)
    }
}

/// How many parts two paths have in common at their ends, however they are
/// written.
fn common_end(one: &[&str], other: &[&str]) -> usize {
    let written = |part: &str| part.to_lowercase().replace('-', "_");
    let pairs = one.iter().rev().zip(other.iter().rev());
    pairs.take_while(|(a, b)| written(a) == written(b)).count()
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
    fn names_fit_as_they_are_written() {
        for (wanted, name, fit) in [
            ("Foo::parseRequest", "parseRequest", Some(Fit::Exact)),
            ("request()", "request", Some(Fit::Exact)),
            ("parserequest", "parseRequest", None),
            ("parse_request", "parseRequest", None),
            ("level_", "level", None),
            ("parse", "parseRequest", None),
            ("parse*st", "parseRequest", Some(Fit::Wildcard)),
            ("PARSE*", "parseRequest", Some(Fit::Wildcard)),
            ("parse?", "parseRequest", None),
            ("empty?", "empty?", Some(Fit::Exact)),
        ] {
            assert_eq!(SymbolQuery::new(wanted).fit(name), fit, "{wanted} {name}");
        }
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
    fn what_encloses_a_name_is_heeded() {
        for (wanted, name, is_inside) in [
            ("push", "Vec::push", true),
            ("Vec.push", "a::Vec::push", true),
            ("Vec#push", "Vec::push", true),
            ("vec->push", "vec::push", true),
            ("vec::push", "Vec::push", false),
            ("Vec::push", "Stack::push", false),
        ] {
            let query = SymbolQuery::new(wanted);
            assert_eq!(query.is_inside(name), is_inside, "{wanted} {name}");
        }
    }

    #[test]
    fn packages_and_namespaces_are_folders() {
        for (wanted, name, path, shared) in [
            (
                "shop\\cart\\Basket",
                "Basket",
                "src/Cart/Basket.php",
                Some(1),
            ),
            ("Shop\\Basket", "Basket", "src/Basket.php", Some(0)),
            ("Other\\Basket", "Basket", "src/Basket.php", None),
            (
                "com.shop.Cart.add",
                "Cart.add",
                "java/com/shop/Cart.java",
                Some(2),
            ),
            ("shop.prices.total", "total", "shop/prices.py", Some(2)),
            ("shop.prices.total", "Bill.total", "shop/prices.py", None),
            ("my_crate::pool::Pool", "Pool", "my-crate/pool.rs", Some(2)),
            ("total", "total", "shop/prices.py", None),
        ] {
            let query = SymbolQuery::new(wanted);
            let found = query.by_path(name, path, |root| root == "Shop");
            assert_eq!(found, shared, "{wanted} {path}");
        }
    }

    #[test]
    fn marks_of_variables_are_no_part_of_a_name() {
        for (wanted, name) in [
            ("@size", Some("size")),
            ("$a", Some("a")),
            ("a", None),
            ("@", None),
        ] {
            let without = SymbolQuery::new(wanted).without_sigil();
            assert_eq!(without.as_ref().map(|query| query.name.as_str()), name);
        }
    }
}
