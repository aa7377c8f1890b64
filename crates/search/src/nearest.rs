//! Names like one that does not exist.

use scent_index::{CharSignature, Result, Snapshot};
use scent_words::names::parts;
use scent_words::terms::{self, Splitter};
use std::collections::BTreeSet;

/// So many other letters are as much as a word that only the wanted name has.
const WORD: usize = 3;

/// Nobody mistypes a longer name, and telling how far two such names are apart
/// takes the product of their lengths.
const LONGEST: usize = 200;

/// Names by how far away they are.
type Ranked<'s> = BTreeSet<(usize, &'s str)>;

/// Names like one that does not exist: those that share words with it, then
/// those a few letters away.
pub fn nearest_names(snapshot: &Snapshot, name: &str, count: usize) -> Result<Vec<String>> {
    let found = nearest(snapshot, name, count)?;
    Ok(found.into_iter().map(|(_, name)| name).collect())
}

/// The same, with how far away each is.
pub(crate) fn nearest(
    snapshot: &Snapshot,
    name: &str,
    count: usize,
) -> Result<Vec<(usize, String)>> {
    let wanted = Wanted::new(name);
    if wanted.lower.len() > LONGEST {
        return Ok(Vec::new());
    }
    let found = Near::new(&wanted).nearest(snapshot.names()?.iter(), count);
    let mut names = Vec::with_capacity(found.len());
    for (away, name) in found {
        names.push((away, name.to_owned()));
    }
    Ok(names)
}

/// The last part of a name that is looked for.
struct Wanted {
    lower: String,
    words: Vec<String>,
}

impl Wanted {
    fn new(name: &str) -> Wanted {
        let name = last_part(name.trim().trim_end_matches("()"));
        Wanted {
            lower: name.to_lowercase(),
            words: terms::unique(name),
        }
    }
}

/// A name that others are held against. Those are all names of a repository, so
/// nothing is allocated for one, and most are set apart by their letters alone.
struct Near<'w> {
    wanted: &'w Wanted,
    letters: CharSignature,
    /// The letters of each word, and which of the words another name has.
    words: Vec<(CharSignature, bool)>,
    /// So many letters may be different where no word is the same.
    limit: usize,
    edits: Edits<'w>,
    splitter: Splitter,
    /// A name in lower case.
    lower: String,
}

impl<'w> Near<'w> {
    fn new(wanted: &'w Wanted) -> Near<'w> {
        Near {
            wanted,
            letters: CharSignature::of(&wanted.lower),
            words: wanted
                .words
                .iter()
                .map(|word| (CharSignature::of(word), false))
                .collect(),
            limit: 1 + wanted.lower.len() / 4,
            edits: Edits::new(&wanted.lower),
            splitter: Splitter::default(),
            lower: String::new(),
        }
    }

    /// The nearest of some names, each with the letters that it may have. Those
    /// that can be nearest come first, so most are never looked into.
    fn nearest<'s>(
        &mut self,
        names: impl Iterator<Item = (&'s str, CharSignature)>,
        count: usize,
    ) -> Ranked<'s> {
        let may_be_near = |(name, letters): (&'s str, CharSignature)| {
            let apart = self.letters.apart(letters) as usize;
            let may_have = |word: &&(CharSignature, bool)| word.0.are_all_in(letters);
            let words = self.words.iter().filter(may_have).count();
            Some((self.away(apart, words)?, apart, name))
        };
        let names = names.filter(|(name, _)| is_typed(name));
        let mut names: Vec<(usize, usize, &str)> = names.filter_map(may_be_near).collect();
        names.sort_unstable_by_key(|(least, ..)| *least);
        let mut found = Ranked::new();
        for (least, apart, name) in names {
            let farthest = match found.last() {
                Some((farthest, _)) if found.len() == count => *farthest,
                _ => usize::MAX,
            };
            if least > farthest {
                break;
            }
            found.extend(
                self.distance(name, apart, farthest)
                    .map(|distance| (distance, name)),
            );
            if found.len() > count {
                found.pop_last();
            }
        }
        found
    }

    /// How far away another name is, where it is near and no farther than asked
    /// for. At least so many letters are different.
    fn distance(&mut self, name: &str, apart: usize, farthest: usize) -> Option<usize> {
        let within = |away: &usize| *away <= farthest;
        lower_into(name, &mut self.lower);
        let words = self.shared(name);
        self.away(apart, words).filter(within)?;
        let letters = self.edits.to(last_part(&self.lower));
        self.away(letters, words).filter(within)
    }

    /// What so many other letters and so many words in common amount to.
    fn away(&self, letters: usize, words: usize) -> Option<usize> {
        let near = words > 0 || letters <= self.limit;
        near.then_some(letters + WORD * (self.words.len() - words))
    }

    /// How many words a name has in common with the wanted one. Capitals part
    /// words, so it is not the name in lower case that is taken apart.
    fn shared(&mut self, name: &str) -> usize {
        let words = &mut self.words;
        words.iter_mut().for_each(|(_, has)| *has = false);
        self.splitter.each(last_part(name), |word| {
            if let Some(at) = self.wanted.words.iter().position(|known| known == word) {
                words[at].1 = true;
            }
        });
        words.iter().filter(|(_, has)| *has).count()
    }
}

/// Whether somebody may have wanted to type this. Headings and selectors are
/// names too, but nobody looks for them letter by letter.
fn is_typed(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_alphanumeric() || "_$@".contains(c));
    begins && name.len() <= LONGEST && !name.bytes().any(|byte| byte.is_ascii_whitespace())
}

/// How many letters have to be added, left out, changed or swapped with their
/// neighbour to make one name of another. For names of up to 64 letters it is
/// worked out for all places in the name at once, a bit each: H. Hyyrö, "A
/// bit-vector algorithm for computing Levenshtein and Damerau edit distances".
struct Edits<'w> {
    name: &'w str,
    /// Where each letter stands.
    places: [u64; 128],
}

impl<'w> Edits<'w> {
    fn new(name: &'w str) -> Edits<'w> {
        let mut places = [0; 128];
        if Edits::fits(name) {
            name.bytes()
                .enumerate()
                .for_each(|(at, letter)| places[letter as usize] |= 1 << at);
        }
        Edits { name, places }
    }

    fn fits(name: &str) -> bool {
        name.is_ascii() && (1..=64).contains(&name.len())
    }

    fn to(&self, other: &str) -> usize {
        if !Edits::fits(self.name) || !other.is_ascii() {
            return strsim::osa_distance(self.name, other);
        }
        let mut distance = self.name.len();
        let last = 1 << (distance - 1);
        // Where a distance is one more, or one less, than that of the place before.
        let (mut more, mut less): (u64, u64) = (u64::MAX, 0);
        let (mut kept, mut before): (u64, u64) = (0, 0);
        for letter in other.bytes() {
            let same = self.places[letter as usize];
            let swapped = ((!kept & same) << 1) & before;
            kept = (((same & more).wrapping_add(more)) ^ more) | same | less | swapped;
            let (up, down) = (less | !(kept | more), kept & more);
            distance += usize::from(up & last != 0);
            distance -= usize::from(down & last != 0);
            let (up, down) = ((up << 1) | 1, down << 1);
            (more, less) = (down | !(kept | up), up & kept);
            before = same;
        }
        distance
    }
}

fn last_part(name: &str) -> &str {
    parts(name).last().unwrap_or(name)
}

fn lower_into(name: &str, lower: &mut String) {
    lower.clear();
    match name.is_ascii() {
        true => lower.extend(name.chars().map(|letter| letter.to_ascii_lowercase())),
        false => lower.push_str(&name.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a distance is, without a way around any of the work.
    fn plain(wanted: &Wanted, other: &str) -> Option<usize> {
        let letters = strsim::osa_distance(&other.to_lowercase(), &wanted.lower);
        let words = terms::unique(other);
        let shared = words
            .iter()
            .filter(|word| wanted.words.contains(word))
            .count();
        let near = letters <= 1 + wanted.lower.len() / 4 || shared > 0;
        near.then_some(letters + WORD * (wanted.words.len() - shared))
    }

    const NAMES: [&str; 16] = [
        "connect_to_database",
        "conect_to_databse",
        "connect",
        "to_s",
        "too",
        "database_connector",
        "databsae_to_conect",
        "parse_request",
        "parserequest",
        "pares_request",
        "sha256_of",
        "größe",
        "größer_als",
        "getContentHash",
        "getLockHash",
        "x",
    ];

    #[test]
    fn headings_and_selectors_are_not_offered() {
        let names = [
            "parse_requests",
            "a heading: parse_requst",
            "&:parse_requst",
        ];
        let wanted = Wanted::new("parse_requst");
        let names = names
            .iter()
            .map(|name| (*name, CharSignature::possible(name)));
        let found = Near::new(&wanted).nearest(names, 5);
        assert_eq!(
            found.into_iter().map(|(_, name)| name).collect::<Vec<_>>(),
            ["parse_requests"]
        );
    }

    #[test]
    fn a_quick_distance_is_the_plain_one() {
        for wanted in NAMES.map(Wanted::new) {
            let mut near = Near::new(&wanted);
            for other in NAMES {
                let apart = near.letters.apart(CharSignature::possible(other)) as usize;
                let expected = plain(&wanted, other);
                for farthest in [0, 2, 5, usize::MAX] {
                    let found = near.distance(other, apart, farthest);
                    let expected = expected.filter(|distance| *distance <= farthest);
                    assert_eq!(found, expected, "{} {other} {farthest}", wanted.lower);
                }
            }
        }
    }

    #[test]
    fn the_nearest_are_those_of_all() {
        for wanted in NAMES.map(Wanted::new) {
            let plain = |name| plain(&wanted, name).map(|distance| (distance, name));
            let expected: Ranked = NAMES.into_iter().filter_map(plain).collect();
            let names = NAMES
                .into_iter()
                .map(|name| (name, CharSignature::possible(name)));
            let found = Near::new(&wanted).nearest(names, 3);
            assert!(
                found.iter().eq(expected.iter().take(3)),
                "{}: {found:?}",
                wanted.lower
            );
        }
    }

    #[test]
    fn the_nearest_names_come_first() {
        let nearest = |name: &str, count| -> Vec<&str> {
            let names = NAMES
                .into_iter()
                .map(|name| (name, CharSignature::possible(name)));
            let found = Near::new(&Wanted::new(name)).nearest(names, count);
            found.into_iter().map(|(_, name)| name).collect()
        };
        assert_eq!(nearest("ParseRequst", 2), ["parse_request", "parserequest"]);
        assert_eq!(nearest("database_conector", 1), ["database_connector"]);
        assert_eq!(
            nearest("setContentHash", 2),
            ["getContentHash", "getLockHash"]
        );
        assert_eq!(nearest("unlike", 5), [""; 0]);
    }
}
