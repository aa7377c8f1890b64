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
use crate::forms::forms;
use crate::units::Allowed;
use crate::weights::{TextWeights, Weights};
use scent_index::TextField;
use scent_types::Lane;

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
    let mut scores = Scores::new(corpus.space());
    let mut evidence = Scores::new(corpus.space());
    let mut terms = Vec::with_capacity(intent.terms.len());
    for term in &intent.terms {
        gather(corpus, term, 1.0, &weights.text, &mut evidence)?;
        for form in forms(term).iter().filter(|_| weights.text.forms > 0.0) {
            gather(corpus, form, weights.text.forms, &weights.text, &mut evidence)?;
        }
        let rarity = rarity(corpus.count(), evidence.touched.len());
        terms.push((term.clone(), rarity));
        evidence.drain(|unit, amount| {
            if asked && allowed.holds(unit) {
                scores.add(unit, rarity * amount * (saturation + 1.0) / (amount + saturation));
            }
        });
    }
    let mut units = Vec::with_capacity(scores.touched.len());
    scores.drain(|unit, score| units.push((unit, score)));
    let total = units.len();
    let mut list = RankedList::best(corpus, Lane::Text, units, weights.fusion.pool);
    // All terms, each as often as counts: a question that few words of its
    // answers share is left to the lanes of meaning.
    list.full = Some(terms.iter().map(|(_, rarity)| rarity * (saturation + 1.0)).sum());
    Ok(TextList { list, total, terms })
}

/// Adds up the weighed occurrences of a word in every field.
fn gather(
    corpus: &Corpus,
    word: &str,
    worth: f32,
    weights: &TextWeights,
    evidence: &mut Scores,
) -> Result<(), SearchError> {
    for field in TextField::ALL {
        let (weight, mean) = (weights.field(field), corpus.mean_length(field));
        if weight.weight == 0.0 {
            continue;
        }
        for (base, snapshot) in corpus.parts() {
            snapshot.postings(field, word, |unit, count, length| {
                let norm = 1.0 - weight.length + weight.length * length as f32 / mean;
                evidence.add(base + unit, worth * weight.weight * count as f32 / norm);
            })?;
        }
    }
    Ok(())
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
        Scores { values: vec![0.0; space], touched: Vec::new() }
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
