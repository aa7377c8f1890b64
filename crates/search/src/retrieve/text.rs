//! Words in fields: BM25F over the units.
//!
//! The occurrences of a term in all fields of a unit are weighed and added up
//! before they saturate, so that a word in the name and in the body is one
//! piece of evidence and not two. Statistics count the units that exist, not
//! those deleted since: an edited index scores exactly as a fresh one.

use super::list::RankedList;
use crate::corpus::{Corpus, UnitNo};
use crate::error::SearchError;
use crate::plan::Plan;
use crate::query::Context;
use crate::weights::{FieldWeight, TextWeights};
use scent_index::{TextField, Words};
use scent_types::Lane;
use scent_words::inflections;
use std::collections::HashMap;

/// The text lane's list, and what it learnt on the way.
#[derive(Debug)]
pub(crate) struct TextList {
    pub list: RankedList,
    /// How many units hold any of the terms.
    pub total: usize,
    /// The terms of the query.
    pub terms: Terms,
}

/// The terms of a query.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    /// Each with its idf.
    pub idf: Vec<(String, f32)>,
    /// Those that are in no unit, nor any inflection of them.
    pub nowhere: Vec<String>,
}

impl AsRef<RankedList> for TextList {
    fn as_ref(&self) -> &RankedList {
        &self.list
    }
}

pub(crate) fn text(cx: &Context, plan: &Plan) -> Result<TextList, SearchError> {
    let (units, terms) = scored(cx, plan)?;
    let total = units.len();
    let mut list = RankedList::best(cx.corpus, Lane::Text, units, plan.weights.fusion.pool);
    list.max_score = Some(max_score(&terms.idf, plan.weights.text.k1));
    Ok(TextList { list, total, terms })
}

/// All units that hold any of the words.
pub(crate) fn holding(cx: &Context, plan: &Plan) -> Result<Vec<UnitNo>, SearchError> {
    let (units, _) = scored(cx, plan)?;
    Ok(units.into_iter().map(|(unit, _)| unit).collect())
}

/// Every file that holds a term, with a score for all that it holds: BM25 over
/// files, for what is spread over several units of one. Paths do not count.
pub(crate) fn by_file(
    cx: &Context,
    plan: &Plan,
    (k1, b): (f32, f32),
) -> Result<HashMap<FileKey, f32>, SearchError> {
    let weights = &plan.weights.text;
    let families: Vec<Family> = cx.intent.terms.iter().map(|t| family(t, weights)).collect();
    let mut written = Written::new(cx.corpus, &families, weights)?;
    for (nth, (field, _)) in written.fields.iter_mut().enumerate() {
        field.b = 0.0;
        if nth == TextField::Path as usize {
            field.weight = 0.0;
        }
    }
    let lengths = Lengths::new(cx.corpus);
    let mut evidence = Scores::new(cx.corpus.space());
    let mut scores: HashMap<FileKey, f32> = HashMap::new();
    for family in &families {
        cx.check_deadline()?;
        written.gather(family, &mut evidence)?;
        let mut of_files: HashMap<FileKey, f32> = HashMap::new();
        evidence.drain(|unit, amount| {
            let file = cx.corpus.file_of(cx.corpus.unit_ref(unit));
            *of_files.entry(file).or_default() += amount;
        });
        let idf = idf(lengths.count, of_files.len());
        for (file, amount) in of_files {
            let amount = amount / (1.0 - b + b * lengths.of(cx.corpus, file));
            *scores.entry(file).or_default() += bm25(idf, amount, k1);
        }
    }
    Ok(scores)
}

/// How long files are.
struct Lengths {
    count: u64,
    mean: f32,
}

impl Lengths {
    fn new(corpus: &Corpus) -> Lengths {
        let (mut count, mut bytes) = (0, 0);
        for snapshot in corpus.snapshots() {
            for file in &snapshot.table().files {
                if file.id().is_some() {
                    count += 1;
                    bytes += file.size;
                }
            }
        }
        let mean = bytes as f32 / count.max(1) as f32;
        Lengths {
            count,
            mean: mean.max(1.0),
        }
    }

    /// That of a file, against the mean.
    fn of(&self, corpus: &Corpus, (snapshot, id): FileKey) -> f32 {
        let file = corpus.snapshots()[snapshot].file(id);
        file.map_or(1.0, |file| file.size as f32 / self.mean)
    }
}

/// A file by its snapshot and id.
pub(crate) type FileKey = (usize, u32);

/// Units with their scores.
type Scored = Vec<(UnitNo, f32)>;

/// Every unit that holds a term with its score, and the terms.
fn scored(cx: &Context, plan: &Plan) -> Result<(Scored, Terms), SearchError> {
    let weights = &plan.weights.text;
    let families: Vec<Family> = cx.intent.terms.iter().map(|t| family(t, weights)).collect();
    let written = Written::new(cx.corpus, &families, weights)?;
    let mut scores = Scores::new(cx.corpus.space());
    let mut evidence = Scores::new(cx.corpus.space());
    let mut terms = Vec::with_capacity(families.len());
    let mut nowhere = Vec::new();
    for family in &families {
        cx.check_deadline()?;
        written.gather(family, &mut evidence)?;
        if evidence.touched.is_empty() {
            nowhere.push(family[0].0.clone());
        }
        let idf = idf(cx.corpus.count(), evidence.touched.len());
        terms.push((family[0].0.clone(), idf));
        evidence.drain(|unit, amount| {
            if plan.asks(Lane::Text) && cx.allowed.holds(unit) {
                scores.add(unit, bm25(idf, amount, weights.k1));
            }
        });
    }
    let mut units = Vec::with_capacity(scores.touched.len());
    scores.drain(|unit, score| units.push((unit, score)));
    let terms = Terms {
        idf: terms,
        nowhere,
    };
    Ok((units, terms))
}

/// All terms, each as often as counts: a question that few words of its answers
/// share is left to the lanes that compare vectors.
fn max_score(terms: &[(String, f32)], k1: f32) -> f32 {
    terms.iter().map(|(_, idf)| idf * (k1 + 1.0)).sum()
}

/// A term and its inflections, each with what an occurrence is worth.
type Family = Vec<(String, f32)>;

/// The term comes first, then its inflections, where they count.
fn family(term: &str, weights: &TextWeights) -> Family {
    let mut family = vec![(term.to_owned(), 1.0)];
    if weights.inflections > 0.0 {
        for form in inflections(term) {
            family.push((form, weights.inflections));
        }
    }
    family
}

/// What a term adds to a score: more evidence counts ever less.
fn bm25(idf: f32, evidence: f32, k1: f32) -> f32 {
    idf * evidence * (k1 + 1.0) / (evidence + k1)
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
        families: &'c [Family],
        weights: &TextWeights,
    ) -> Result<Written<'c>, SearchError> {
        let all = families.iter().flatten();
        let mut words: Vec<&str> = all.map(|(word, _)| word.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        let mut found = Vec::new();
        for (base, snapshot) in corpus.parts() {
            found.push((base, snapshot.text().words(&words)?));
        }
        let fields = TextField::ALL.map(|field| (weights.field(field), corpus.mean_length(field)));
        Ok(Written {
            words,
            found,
            fields,
        })
    }

    /// Adds up the weighed occurrences of the words of a family in every field.
    fn gather(&self, family: &Family, evidence: &mut Scores) -> Result<(), SearchError> {
        for (word, worth) in family {
            if let Ok(word) = self.words.binary_search(&word.as_str()) {
                self.gather_word(word, *worth, evidence)?;
            }
        }
        Ok(())
    }

    fn gather_word(
        &self,
        word: usize,
        worth: f32,
        evidence: &mut Scores,
    ) -> Result<(), SearchError> {
        for (base, words) in &self.found {
            words.postings(word, |field, unit, count, length| {
                let (weight, mean) = self.fields[field as usize];
                let norm = 1.0 - weight.b + weight.b * length as f32 / mean;
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
fn idf(units: u64, holding: usize) -> f32 {
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
