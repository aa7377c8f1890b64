//! Words to the numbers of their pieces in a vocabulary.
//!
//! A word is cut greedily: the longest piece that it begins with, then the
//! longest continuation, written with `##` in the vocabulary, and so on.
//! `training/tokens.py` does exactly the same.

use crate::ModelError;

/// Longer words are numbers, keys or accidents, and left out.
const MOST_CHARS: usize = 40;

/// What a word of `MOST_CHARS` has at most in UTF-8.
const MOST_BYTES: usize = 4 * MOST_CHARS;

/// The first ids stand for padding and for the unknown, never for a word.
const FIRST_ID: usize = 2;

/// An entry of the table is an id in the lower bits and a part of the hash in
/// the upper ones, which tells most other words apart without reading them.
const ID_BITS: u32 = 20;

/// Vocabularies have fewer lines than this.
pub(crate) const MOST_LINES: usize = 1 << ID_BITS;

/// An odd number without a pattern, from the digits of the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// A vocabulary with a way to look its pieces up by hash.
pub(crate) struct Tokenizer {
    /// The pieces one after the other, without their `##`.
    bytes: Vec<u8>,
    /// Where each piece begins, and at last where the last one ends.
    starts: Vec<u32>,
    /// Whether a piece is a continuation.
    continues: Vec<bool>,
    /// Open addressing; 0 is an empty slot.
    slots: Vec<u32>,
    /// The bytes of the longest piece.
    longest: usize,
}

impl Tokenizer {
    /// From a vocabulary with one piece a line.
    pub fn new(lines: &str, count: usize) -> Result<Tokenizer, ModelError> {
        let mut tokenizer = Tokenizer {
            bytes: Vec::with_capacity(lines.len()),
            starts: Vec::with_capacity(count + 1),
            continues: Vec::with_capacity(count),
            slots: vec![0; (2 * count).next_power_of_two()],
            longest: 0,
        };
        tokenizer.starts.push(0);
        let mut rest = lines.split('\n');
        rest.by_ref()
            .take(count)
            .for_each(|line| tokenizer.add(line));
        if tokenizer.continues.len() != count || rest.next().is_some() {
            return Err(ModelError::Vocabulary(
                "it has another number of lines than the config",
            ));
        }
        Ok(tokenizer)
    }

    fn add(&mut self, line: &str) {
        let id = self.continues.len();
        let rest = line.strip_prefix("##");
        let (piece, continues) = (rest.unwrap_or(line).as_bytes(), rest.is_some());
        let hash = piece
            .iter()
            .fold(seed(continues), |hash, &byte| mixed(hash, byte));
        self.bytes.extend_from_slice(piece);
        self.starts.push(self.bytes.len() as u32);
        self.continues.push(continues);
        if id >= FIRST_ID && !piece.is_empty() {
            self.longest = self.longest.max(piece.len());
            // Of a line that stands there twice, the first is found first.
            let free = self.probe(hash).find(|&slot| self.slots[slot] == 0);
            self.slots[free.expect("the table is twice as large")] = entry(hash, id as u32);
        }
    }

    /// Appends the ids of words that have spaces between them, `most` ids at
    /// most. A word that has no complete cut gives none.
    pub fn append(&self, words: &str, most: usize, ids: &mut Vec<u32>) {
        let most = ids.len() + most;
        for word in words.as_bytes().split(|&byte| byte == b' ') {
            if ids.len() >= most {
                break;
            }
            self.cut(word, ids);
        }
        ids.truncate(most);
    }

    fn cut(&self, word: &[u8], ids: &mut Vec<u32>) {
        if is_too_long(word) {
            return;
        }
        let before = ids.len();
        let mut rest = word;
        while !rest.is_empty() {
            let Some((id, length)) = self.longest_piece(rest, rest.len() < word.len()) else {
                ids.truncate(before);
                return;
            };
            ids.push(id);
            rest = &rest[length..];
        }
    }

    /// The longest piece at the beginning of a text, and its length.
    fn longest_piece(&self, text: &[u8], continues: bool) -> Option<(u32, usize)> {
        let most = text.len().min(self.longest);
        // The hashes of all prefixes come from one walk.
        let mut hashes = [0; MOST_BYTES];
        let mut hash = seed(continues);
        for (slot, &byte) in hashes.iter_mut().zip(&text[..most]) {
            hash = mixed(hash, byte);
            *slot = hash;
        }
        (1..=most).rev().find_map(|length| {
            let id = self.find(&text[..length], continues, hashes[length - 1])?;
            Some((id, length))
        })
    }

    fn find(&self, piece: &[u8], continues: bool, hash: u64) -> Option<u32> {
        for slot in self.probe(hash) {
            let found = self.slots[slot];
            if found == 0 {
                return None;
            }
            let id = found % MOST_LINES as u32;
            if found == entry(hash, id) && self.is(id as usize, piece, continues) {
                return Some(id);
            }
        }
        None
    }

    fn is(&self, id: usize, piece: &[u8], continues: bool) -> bool {
        let place = self.starts[id] as usize..self.starts[id + 1] as usize;
        self.continues[id] == continues && self.bytes[place] == *piece
    }

    /// The slots that a piece may be in, in order.
    fn probe(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        // The upper bits of a product depend on all bytes.
        let first = (hash >> 40) as usize;
        (0..=mask).map(move |step| (first + step) & mask)
    }
}

fn seed(continues: bool) -> u64 {
    if continues { 1 << 32 } else { 1 << 33 }
}

fn mixed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(MIX)
}

fn entry(hash: u64, id: u32) -> u32 {
    ((hash >> 28) as u32) << ID_BITS | id
}

fn is_too_long(word: &[u8]) -> bool {
    let begins_char = |byte: &&u8| (**byte as i8) >= -0x40;
    word.len() > MOST_CHARS && word.iter().filter(begins_char).count() > MOST_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "[PAD]\n[UNK]\na\nb\n##b\n##c\nab\nabc\n##bcd\n##d\ngrö\n##ße\nab";

    fn ids(words: &str, most: usize) -> Vec<u32> {
        let tokenizer = Tokenizer::new(LINES, 13).expect("thirteen lines");
        let mut ids = Vec::new();
        tokenizer.append(words, most, &mut ids);
        ids
    }

    #[test]
    fn the_longest_piece_wins() {
        assert_eq!(ids("ab", 9), [6]);
        assert_eq!(ids("abcd", 9), [7, 9]);
        assert_eq!(ids("abb bb", 9), [6, 4, 3, 4]);
        assert_eq!(ids("größe", 9), [10, 11]);
    }

    #[test]
    fn what_cannot_be_cut_is_left_out() {
        assert_eq!(ids("a abx b c", 9), [2, 3]);
        assert_eq!(ids("[PAD] [UNK] ##b  a", 9), [2]);
        assert!(ids("", 9).is_empty());
        assert_eq!(ids(&"b".repeat(40), 99).len(), 40);
        assert!(ids(&"b".repeat(41), 99).is_empty());
        assert!(!is_too_long("ö".repeat(40).as_bytes()) && is_too_long("ö".repeat(41).as_bytes()));
    }

    #[test]
    fn ids_end_where_they_are_told_to() {
        assert_eq!(ids("abb bb", 3), [6, 4, 3]);
        // The word is left out though its first pieces would have fit.
        assert_eq!(ids("a abbx b", 2), [2, 3]);
        assert!(ids("a", 0).is_empty());
    }

    #[test]
    fn another_number_of_lines_is_refused() {
        assert!(Tokenizer::new(LINES, 12).is_err());
        assert!(Tokenizer::new(LINES, 14).is_err());
    }
}
