//! The names of all symbols in one place, for whoever looks for a name that is
//! not there. It is not stored: to gather them from the facts is quicker than to
//! go through the terms of the text index.

use crate::error::Result;
use crate::facts::FactsReader;
use crate::files::{FileRecord, FileTable};
use rayon::prelude::*;
use scent_words::names::SEPARATORS;

/// Files whose names one thread gathers at a time.
const PIECE: usize = 64;

/// The names of all symbols, as they are written, some of them more than once.
#[derive(Debug, Default)]
pub struct Names {
    /// One after the other.
    text: String,
    /// Where each ends, and what letters it may have.
    ends: Vec<(usize, CharSignature)>,
}

/// The letters and digits of a name, without regard to case: which it has once,
/// twice and three times. Some are taken for each other, so two names are at
/// least as different as this says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharSignature([u64; 3]);

impl CharSignature {
    /// What a name has that may be anything in lower case, or of which only the
    /// last part is meant.
    const ANY: CharSignature = CharSignature([u64::MAX; 3]);

    /// Those that a text has for certain.
    pub fn of(text: &str) -> CharSignature {
        let [mut once, mut twice, mut thrice] = [0; 3];
        for bit in text.bytes().map(|byte| BITS[byte as usize]) {
            thrice |= twice & bit;
            twice |= once & bit;
            once |= bit;
        }
        CharSignature([once, twice, thrice])
    }

    /// Those that a name may have in lower case.
    pub fn possible(name: &str) -> CharSignature {
        match name.is_ascii() && !name.contains(SEPARATORS) {
            true => CharSignature::of(name),
            false => CharSignature::ANY,
        }
    }

    /// Whether each of these is among others, however often.
    pub fn are_in(self, others: CharSignature) -> bool {
        self.0[0] & !others.0[0] == 0
    }

    /// Whether each of these is among others at least as often.
    pub fn are_all_in(self, others: CharSignature) -> bool {
        self.0
            .iter()
            .zip(others.0)
            .all(|(own, other)| own & !other == 0)
    }

    fn missing_in(self, others: CharSignature) -> u32 {
        self.0
            .iter()
            .zip(others.0)
            .map(|(own, other)| (own & !other).count_ones())
            .sum()
    }

    /// At least so many letters of one name have to change to make the other.
    pub fn apart(self, other: CharSignature) -> u32 {
        match other == CharSignature::ANY {
            true => 0,
            false => self.missing_in(other).max(other.missing_in(self)),
        }
    }
}

/// The bit of each byte that is a letter or a digit.
const BITS: [u64; 256] = {
    let mut bits = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let letter = byte as u8;
        if letter.is_ascii_alphanumeric() {
            bits[byte] = 1 << (letter.to_ascii_lowercase() % 64);
        }
        byte += 1;
    }
    bits
};

impl Names {
    pub(crate) fn gather(table: &FileTable, facts: &FactsReader) -> Result<Names> {
        let files: Vec<&FileRecord> = table.files.iter().filter(|f| f.id().is_some()).collect();
        let gathered = files.par_chunks(PIECE).map(|files| {
            let mut names = Names::default();
            for file in files {
                facts.each_name(file, |name| names.push(name))?;
            }
            Ok(names)
        });
        let mut all = Names::default();
        for piece in gathered.collect::<Result<Vec<Names>>>()? {
            let before = all.text.len();
            all.text.push_str(&piece.text);
            all.ends.extend(
                piece
                    .ends
                    .iter()
                    .map(|(end, letters)| (before + end, *letters)),
            );
        }
        Ok(all)
    }

    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends
            .push((self.text.len(), CharSignature::possible(name)));
    }

    /// Each name, and the letters that it may have.
    pub fn iter(&self) -> impl Iterator<Item = (&str, CharSignature)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, letters)| {
            let name = &self.text[start..end];
            start = end;
            (name, letters)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_never_tell_like_names_apart() {
        let both = |a: &str, b: &str| (CharSignature::of(a), CharSignature::possible(b));
        for (wanted, name) in [
            ("parse_request", "parseRequest"),
            ("é", "É"),
            ("k", "\u{212a}"),
        ] {
            let (wanted, name) = both(wanted, name);
            assert!(wanted.are_in(name) && wanted.are_all_in(name) && wanted.apart(name) == 0);
        }
        for (a, b, apart) in [
            ("parse", "prose", 1),
            ("xyz", "Y", 2),
            ("ab", "abab", 2),
            ("a", "very/a", 0),
        ] {
            let (a, b) = both(a, b);
            assert_eq!(a.apart(b), apart);
        }
        let (twice, once) = both("tt", "t");
        assert!(twice.are_in(once) && !twice.are_all_in(once));
    }
}
