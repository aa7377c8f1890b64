//! Which trigrams a file may hold, in a few bits each.
//!
//! A literal of three bytes or more can only be in a file that holds all of
//! its trigrams. The filter of a file is a bit set with one bit for each
//! distinct trigram (hashed, lower case), about five bits of room a trigram:
//! one that is absent is seen to be absent four times in five, so that a word
//! of six letters passes by chance once in a thousand files. Filters are blobs
//! in `sketch-N`.

use crate::blobs::{self, BlobReader};
use crate::error::Result;
use crate::files::{FileRecord, FileTable};
use crate::storage::SharedStorage;

/// Trigrams are hashed to this many bits.
const HASH_BITS: u32 = 18;

/// Room in a filter for each distinct trigram.
const BITS_EACH: usize = 5;

/// The trigrams of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrigramFilter(Vec<u8>);

impl TrigramFilter {
    /// The filter of a text.
    pub fn of(text: &str) -> TrigramFilter {
        let mut seen = vec![0u64; (1 << HASH_BITS) / 64];
        let mut distinct = add_trigrams(text, &mut seen);
        if let Some(folded) = folded(text) {
            distinct += add_trigrams(&folded, &mut seen);
        }
        let bits = (distinct * BITS_EACH).min(1 << HASH_BITS);
        let mut filter = vec![0u8; bits.div_ceil(8).max(8)];
        for (word, mut set) in seen.into_iter().enumerate() {
            while set != 0 {
                let hash = (word * 64) as u32 + set.trailing_zeros();
                let at = place(hash, filter.len());
                filter[at / 8] |= 1 << (at % 8);
                set &= set - 1;
            }
        }
        TrigramFilter(filter)
    }

    /// The bits.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Adds the trigrams of a text to a set of hashes; returns how many are new.
fn add_trigrams(text: &str, seen: &mut [u64]) -> usize {
    let mut new = 0;
    for trigram in text.as_bytes().windows(3) {
        if trigram.contains(&b'\n') {
            continue;
        }
        let hash = hash(trigram) as usize;
        let (word, bit) = (hash / 64, 1 << (hash % 64));
        new += usize::from(seen[word] & bit == 0);
        seen[word] |= bit;
    }
    new
}

/// The filters of the files of one generation, mapped.
#[derive(Debug)]
pub struct TrigramFilters {
    blobs: BlobReader,
}

impl TrigramFilters {
    pub(crate) fn open(storage: &SharedStorage, table: &FileTable) -> Result<TrigramFilters> {
        let places = table.files.iter().filter_map(FileRecord::trigrams);
        let blobs = BlobReader::open(storage, blobs::TRIGRAMS, places)?;
        Ok(TrigramFilters { blobs })
    }

    /// The trigrams that a file may hold; empty where that is not known.
    pub fn of(&self, file: &FileRecord) -> &[u8] {
        let filter = file.trigrams().and_then(|place| self.blobs.get(place));
        filter.unwrap_or_default()
    }
}

/// The only letters beyond ASCII that are one of its letters where case does not
/// count: the long s, and the sign for Kelvin.
const FOLDED: [(&str, &str); 2] = [("\u{17f}", "s"), ("\u{212a}", "k")];

/// A text with these letters as ASCII has them; none where it has none of them.
fn folded(text: &str) -> Option<String> {
    let has = |letter: &str| memchr::memmem::find(text.as_bytes(), letter.as_bytes()).is_some();
    if !FOLDED.iter().any(|(letter, _)| has(letter)) {
        return None;
    }
    let mut folded = text.to_owned();
    for (letter, plain) in FOLDED {
        folded = folded.replace(letter, plain);
    }
    Some(folded)
}

fn hash(trigram: &[u8]) -> u32 {
    let lower = |at: usize| u32::from(trigram[at].to_ascii_lowercase());
    let key = lower(0) | lower(1) << 8 | lower(2) << 16;
    key.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)
}

fn place(hash: u32, bytes: usize) -> usize {
    ((u64::from(hash) * (bytes as u64 * 8)) >> HASH_BITS) as usize
}

/// What a text must hold for a pattern to match in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequiredLiterals {
    /// Nothing is known: every text may match.
    Nothing,
    /// All trigrams of a literal.
    Literal(String),
    /// All of these.
    All(Vec<RequiredLiterals>),
    /// One of these.
    Any(Vec<RequiredLiterals>),
}

impl RequiredLiterals {
    /// Whether a text with this filter may match.
    pub fn allows(&self, filter: &[u8]) -> bool {
        match self {
            RequiredLiterals::Nothing => true,
            // Other letters than ASCII are not folded, so they say nothing.
            RequiredLiterals::Literal(text) => {
                let mut trigrams = text.as_bytes().windows(3).filter(|t| t.is_ascii());
                trigrams.all(|trigram| has(filter, hash(trigram)))
            }
            RequiredLiterals::All(all) => all.iter().all(|one| one.allows(filter)),
            RequiredLiterals::Any(any) => any.iter().any(|one| one.allows(filter)),
        }
    }
}

fn has(filter: &[u8], hash: u32) -> bool {
    if filter.is_empty() {
        return true;
    }
    let at = place(hash, filter.len());
    filter[at / 8] & (1 << (at % 8)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_fold_to_ascii_are_found_by_it() {
        for text in ["a mi\u{17f}take", "10 \u{212a}elvin", "MISTAKE of a Kelvin"] {
            let filter = TrigramFilter::of(text);
            let words = ["mistake", "kelvin"].map(|word| RequiredLiterals::Literal(word.into()));
            assert!(
                words.iter().any(|word| word.allows(filter.bytes())),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_there_is_always_allowed() {
        let text = "fn retry_delay(attempt: u32) -> Duration {\n    BASE * 2u32.pow(attempt)\n}\n";
        let filter = TrigramFilter::of(text);
        for line in text.lines() {
            for from in 0..line.len() {
                let need = RequiredLiterals::Literal(line[from..].to_uppercase());
                assert!(need.allows(filter.bytes()), "{line} from {from}");
            }
        }
    }

    #[test]
    fn what_is_absent_is_mostly_refused() {
        let filter = TrigramFilter::of(&"fn retry_delay(attempt: u32) -> Duration\n".repeat(50));
        let absent = (0..1000)
            .filter(|n| RequiredLiterals::Literal(format!("zq{n}xk")).allows(filter.bytes()));
        assert!(absent.count() < 20);
    }

    #[test]
    fn needs_combine() {
        let filter = TrigramFilter::of("alpha beta");
        let word = |text: &str| RequiredLiterals::Literal(text.into());
        assert!(RequiredLiterals::Any(vec![word("gamma"), word("beta")]).allows(filter.bytes()));
        assert!(!RequiredLiterals::All(vec![word("gamma"), word("beta")]).allows(filter.bytes()));
        assert!(RequiredLiterals::Nothing.allows(filter.bytes()));
    }
}
