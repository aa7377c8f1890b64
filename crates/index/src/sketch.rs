//! Which trigrams a file may hold, in a few bits each.
//!
//! A literal of three bytes or more can only be in a file that holds all of
//! its trigrams. The sketch of a file is a bit set with one bit for each
//! distinct trigram (hashed, lower case), about five bits of room a trigram:
//! one that is absent is seen to be absent four times in five, so that a word
//! of six letters passes by chance once in a thousand files. Sketches are blobs
//! in `sketch-N`.

/// Trigrams are hashed to this many bits.
const HASH_BITS: u32 = 18;

/// Room in a sketch for each distinct trigram.
const BITS_EACH: usize = 5;

/// The trigrams of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch(Vec<u8>);

impl Sketch {
    /// The sketch of a text.
    pub fn of(text: &str) -> Sketch {
        let mut seen = vec![0u64; (1 << HASH_BITS) / 64];
        let mut distinct = 0;
        let folded = folded(text);
        let texts = [text].into_iter().chain(folded.as_deref());
        let trigrams = texts.flat_map(|text| text.as_bytes().windows(3));
        for trigram in trigrams.filter(|t| !t.contains(&b'\n')) {
            let hash = hash(trigram) as usize;
            let (word, bit) = (hash / 64, 1 << (hash % 64));
            distinct += usize::from(seen[word] & bit == 0);
            seen[word] |= bit;
        }
        let bytes = (distinct * BITS_EACH)
            .min(1 << HASH_BITS)
            .div_ceil(8)
            .max(8);
        let mut bits = vec![0u8; bytes];
        for (word, mut set) in seen.into_iter().enumerate().filter(|(_, set)| *set != 0) {
            while set != 0 {
                let at = place((word * 64) as u32 + set.trailing_zeros(), bytes);
                bits[at / 8] |= 1 << (at % 8);
                set &= set - 1;
            }
        }
        Sketch(bits)
    }

    /// The bits.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The only letters beyond ASCII that are one of its letters where case does not
/// count: the long s, and the sign for Kelvin.
const FOLDED: [(&str, &str); 2] = [("\u{17f}", "s"), ("\u{212a}", "k")];

/// A text with these letters as ASCII has them; none where it has none of them.
fn folded(text: &str) -> Option<String> {
    let has = |letter: &str| memchr::memmem::find(text.as_bytes(), letter.as_bytes()).is_some();
    FOLDED.iter().any(|(letter, _)| has(letter)).then(|| {
        FOLDED
            .iter()
            .fold(text.to_owned(), |text, (letter, plain)| {
                text.replace(letter, plain)
            })
    })
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
pub enum Need {
    /// Nothing is known: every text may match.
    Nothing,
    /// All trigrams of a literal.
    Literal(String),
    /// All of these.
    All(Vec<Need>),
    /// One of these.
    Any(Vec<Need>),
}

impl Need {
    /// Whether a text with this sketch may match.
    pub fn allows(&self, sketch: &[u8]) -> bool {
        match self {
            Need::Nothing => true,
            // Other letters than ASCII are not folded, so they say nothing.
            Need::Literal(text) => text
                .as_bytes()
                .windows(3)
                .filter(|t| t.is_ascii())
                .all(|trigram| has(sketch, hash(trigram))),
            Need::All(needs) => needs.iter().all(|need| need.allows(sketch)),
            Need::Any(needs) => needs.iter().any(|need| need.allows(sketch)),
        }
    }
}

fn has(sketch: &[u8], hash: u32) -> bool {
    if sketch.is_empty() {
        return true;
    }
    let at = place(hash, sketch.len());
    sketch[at / 8] & (1 << (at % 8)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_fold_to_ascii_are_found_by_it() {
        for text in ["a mi\u{17f}take", "10 \u{212a}elvin", "MISTAKE of a Kelvin"] {
            let sketch = Sketch::of(text);
            let needs = ["mistake", "kelvin"].map(|word| Need::Literal(word.into()));
            assert!(
                needs.iter().any(|need| need.allows(sketch.bytes())),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_there_is_always_allowed() {
        let text = "fn retry_delay(attempt: u32) -> Duration {\n    BASE * 2u32.pow(attempt)\n}\n";
        let sketch = Sketch::of(text);
        for line in text.lines() {
            for from in 0..line.len() {
                let need = Need::Literal(line[from..].to_uppercase());
                assert!(need.allows(sketch.bytes()), "{line} from {from}");
            }
        }
    }

    #[test]
    fn what_is_absent_is_mostly_refused() {
        let sketch = Sketch::of(&"fn retry_delay(attempt: u32) -> Duration\n".repeat(50));
        let absent = (0..1000).filter(|n| Need::Literal(format!("zq{n}xk")).allows(sketch.bytes()));
        assert!(absent.count() < 20);
    }

    #[test]
    fn needs_combine() {
        let sketch = Sketch::of("alpha beta");
        let word = |text: &str| Need::Literal(text.into());
        assert!(Need::Any(vec![word("gamma"), word("beta")]).allows(sketch.bytes()));
        assert!(!Need::All(vec![word("gamma"), word("beta")]).allows(sketch.bytes()));
        assert!(Need::Nothing.allows(sketch.bytes()));
    }
}
