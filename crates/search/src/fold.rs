//! Passages of one definition become one answer, and so do equal texts.

use crate::corpus::Corpus;
use crate::fuse::{Fused, Passage};
use std::collections::HashMap;

/// A whole unit: its snapshot, file and first line.
type Whole = (usize, u32, u32);

/// Ranked units, each definition once, where its best passage is.
pub(crate) struct Folded<'c> {
    corpus: &'c Corpus,
    units: Vec<Fused>,
    places: HashMap<Whole, usize>,
}

impl<'c> Folded<'c> {
    pub fn new(corpus: &'c Corpus) -> Folded<'c> {
        Folded {
            corpus,
            units: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Adds units that come after all that are there, best first.
    pub fn extend(&mut self, units: impl IntoIterator<Item = Fused>) {
        for one in units {
            let next = self.units.len();
            let whole = self.corpus.whole_of(one.unit);
            let place = *self.places.entry(whole).or_insert(next);
            if place == next {
                self.units.push(one);
            } else {
                self.units[place].absorb(one);
            }
        }
    }

    /// How many different units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    pub fn into_units(self) -> Vec<Fused> {
        self.units
    }
}

/// Ranked units, each text once, where its best-ranked copy is.
pub(crate) fn fold_copies(corpus: &Corpus, ranked: Vec<Fused>) -> Vec<Fused> {
    let mut units: Vec<Fused> = Vec::with_capacity(ranked.len());
    let mut places: HashMap<u64, usize> = HashMap::new();
    for one in ranked {
        let place = *places.entry(corpus.digest(one.unit)).or_insert(units.len());
        if place == units.len() {
            units.push(one);
        } else {
            units[place].copies.push(one.unit);
        }
    }
    units
}

impl Fused {
    /// Takes in a passage of the same definition that comes after this one.
    fn absorb(&mut self, other: Fused) {
        self.further.push(Passage {
            unit: other.unit,
            score: other.score,
        });
        self.matched.extend(other.matched);
        self.matched.sort_unstable();
    }
}
