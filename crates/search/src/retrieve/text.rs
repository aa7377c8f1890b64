//! Words in fields: BM25F over the units.
//!
//! The occurrences of a term in all fields of a unit are weighed and added up
//! before they saturate, so that a word in the name and in the body is one
//! piece of evidence and not two. Statistics count the units that exist, not
//! those deleted since: an edited index scores exactly as a fresh one.

use super::RankedList;
use crate::SearchError;
use crate::analyse::Intent;
use crate::corpus::{Corpus, UnitNo};
use crate::units::Allowed;
use crate::weights::{FieldWeight, TextWeights, Weights};
use scent_index::{Snapshot, TextField, Words};
use scent_types::Lane;
use scent_words::inflections;

/// The text lane's list, and what it learnt on the way.
#[derive(Debug)]
pub(crate) struct TextList {
    pub list: RankedList,
    /// How many units hold any of the terms.
    pub total: usize,
    /// The terms, each with how rare it is.
    pub terms: Vec<(String, f32)>,
}

pub(crate) fn text(
    corpus: &Corpus,
    intent: &Intent,
    allowed: &Allowed,
    weights: &Weights,
) -> Result<TextList, SearchError> {
    let saturation = weights.text.saturation;
    let asked = weights.fusion.lane(Lane::Text) > 0.0;
    let families: Vec<Vec<String>> = intent
        .terms
        .iter()
        .map(|term| family(term, weights))
        .collect();
    let written = Written::new(corpus, &families, &weights.text)?;
    let mut scores = Scores::new(corpus.space());
    let mut evidence = Scores::new(corpus.space());
    let mut terms = Vec::with_capacity(intent.terms.len());
    for (term, family) in intent.terms.iter().zip(&families) {
        for word in family {
            let worth = if word == term {
                1.0
            } else {
                weights.text.forms
            };
            written.gather(word, worth, &mut evidence)?;
        }
        let rarity = rarity(corpus.count(), evidence.touched.len());
        terms.push((term.clone(), rarity));
        evidence.drain(|unit, amount| {
            if asked && allowed.holds(unit) {
                scores.add(
                    unit,
                    rarity * amount * (saturation + 1.0) / (amount + saturation),
                );
            }
        });
    }
    let mut units = Vec::with_capacity(scores.touched.len());
    scores.drain(|unit, score| units.push((unit, score)));
    let total = units.len();
    let mut list = RankedList::best(corpus, Lane::Text, units, weights.fusion.pool);
    // All terms, each as often as counts: a question that few words of its
    // answers share is left to the lanes of meaning.
    list.full = Some(
        terms
            .iter()
            .map(|(_, rarity)| rarity * (saturation + 1.0))
            .sum(),
    );
    Ok(TextList { list, total, terms })
}

/// A term, and its other forms where they count.
fn family(term: &str, weights: &Weights) -> Vec<String> {
    let others = if weights.text.forms > 0.0 {
        inflections(term)
    } else {
        Vec::new()
    };
    std::iter::once(term.to_owned()).chain(others).collect()
}

/// Where the words of a query are written.
struct Written<'c> {
    /// Every word once, sorted.
    words: Vec<&'c str>,
    /// The words in each snapshot, and the number of its first unit.
    found: Vec<(UnitNo, Words<'c>)>,
    /// What an occurrence in a field is worth, and how long the field is in
    /// the mean.
    fields: [(FieldWeight, f32); TextField::ALL.len()],
}

impl<'c> Written<'c> {
    fn new(
        corpus: &'c Corpus,
        families: &'c [Vec<String>],
        weights: &TextWeights,
    ) -> Result<Written<'c>, SearchError> {
        let mut words: Vec<&str> = families.iter().flatten().map(String::as_str).collect();
        words.sort_unstable();
        words.dedup();
        let find = |(base, snapshot): (UnitNo, &'c Snapshot)| Ok((base, snapshot.words(&words)?));
        let found = corpus
            .parts()
            .map(find)
            .collect::<Result<_, SearchError>>()?;
        let fields = TextField::ALL.map(|field| (weights.field(field), corpus.mean_length(field)));
        Ok(Written {
            words,
            found,
            fields,
        })
    }

    /// Adds up the weighed occurrences of a word in every field.
    fn gather(&self, word: &str, worth: f32, evidence: &mut Scores) -> Result<(), SearchError> {
        let Ok(word) = self.words.binary_search(&word) else {
            return Ok(());
        };
        for (base, words) in &self.found {
            words.postings(word, |field, unit, count, length| {
                let (weight, mean) = self.fields[field as usize];
                let norm = 1.0 - weight.length + weight.length * length as f32 / mean;
                let amount = worth * weight.weight * count as f32 / norm;
                if amount > 0.0 {
                    evidence.add(base + unit, amount);
                }
            })?;
        }
        Ok(())
    }
}

/// How much a term tells: the fewer units hold it, the more.
fn rarity(units: u64, holding: usize) -> f32 {
    let (units, holding) = (units as f32, holding as f32);
    (1.0 + (units - holding + 0.5) / (holding + 0.5)).ln()
}

/// A number for each unit, most of them 0.
struct Scores {
    values: Vec<f32>,
    touched: Vec<UnitNo>,
}

impl Scores {
    fn new(space: usize) -> Scores {
        Scores {
            values: vec![0.0; space],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, unit: UnitNo, amount: f32) {
        let value = &mut self.values[unit as usize];
        if *value == 0.0 {
            self.touched.push(unit);
        }
        *value += amount;
    }

    /// Hands out every value that is not 0 and sets it back to 0.
    fn drain(&mut self, mut each: impl FnMut(UnitNo, f32)) {
        for unit in self.touched.drain(..) {
            each(unit, std::mem::take(&mut self.values[unit as usize]));
        }
    }
}
