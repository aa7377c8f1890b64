//! Embeddings: the units whose vectors are nearest to that of the question,
//! and among these the ones whose tokens answer its tokens best.
//!
//! Where two models have embedded the units, a unit's score is the mean of what
//! each of them gives it: they miss different things.

use super::list::RankedList;
use crate::corpus::{Corpus, UnitNo, UnitRef};
use crate::error::SearchError;
use crate::plan::Plan;
use crate::query::{Context, Question};
use crate::units::Allowed;
use crate::weights::ModelWeights;
use rayon::prelude::*;
use scent_embed::{LateQuery, Scratch, TokenMatches};
use scent_index::{Query, Row, Snapshot, Vectors};
use scent_types::Lane;

/// So many units are worth a thread of their own.
const HANDFUL: usize = 64;

/// Units by the cosine of their vectors to that of the question.
pub(crate) fn vector(cx: &Context, plan: &Plan) -> Result<RankedList, SearchError> {
    if !plan.lanes.count_semantic() {
        return Ok(RankedList::empty(Lane::Vector));
    }
    let pool = plan.weights.fusion.pool;
    let voices = voices(cx.questions, &plan.weights.models);
    let mut units = Vec::new();
    for (nth, (base, snapshot)) in cx.corpus.parts().enumerate() {
        cx.check_deadline()?;
        let part = Part {
            nth,
            base,
            snapshot,
            sets: sets(&voices, snapshot),
            allowed: &cx.allowed,
        };
        units.extend(part.nearest(pool));
    }
    leave_out_unrelated(&mut units, &voices, plan.weights.vector.floor);
    Ok(RankedList::best(cx.corpus, Lane::Vector, units, pool))
}

/// Keeps what is near enough to the nearest. Where even that is as far as
/// unrelated things are, nothing answers.
fn leave_out_unrelated(units: &mut Vec<(UnitNo, f32)>, voices: &[Voice], floor: f32) {
    let scores = units.iter().map(|(_, score)| *score);
    let nearest = scores.fold(f32::MIN, f32::max);
    let each = voices.iter();
    let unrelated: f32 = each
        .map(|v| v.weight * v.question.embedding.unrelated)
        .sum();
    units.retain(|(_, score)| nearest > unrelated && *score >= floor * nearest);
}

/// The units of the vector lane by their tokens: every token of the question
/// looks for the one that answers it best.
pub(crate) fn late(
    cx: &Context,
    lists: &[RankedList],
    plan: &Plan,
) -> Result<RankedList, SearchError> {
    cx.check_deadline()?;
    let voices = late_voices(cx.questions, plan);
    if voices.is_empty() {
        return Ok(RankedList::empty(Lane::Late));
    }
    let weights = &plan.weights.late;
    let vector = lists.iter().find(|list| list.lane == Lane::Vector);
    let nearest = vector.map_or(&[][..], |list| &list.units);
    let scored = nearest[..nearest.len().min(weights.pool)]
        .par_iter()
        .with_min_len(HANDFUL)
        .map_init(Scratch::default, |scratch, &(unit, cosine)| {
            let tokens = late_score(cx.corpus, unit, &voices, scratch)?;
            Some((unit, tokens + weights.vector * cosine))
        });
    let units = scored.flatten().collect();
    let pool = plan.weights.fusion.pool;
    Ok(RankedList::best(cx.corpus, Lane::Late, units, pool))
}

/// How well the tokens of a unit's lines answer those of a question; none where
/// either has no vectors of tokens.
pub fn token_matches(corpus: &Corpus, question: &Question, unit: UnitRef) -> Option<TokenMatches> {
    let late = question.embedding.late.as_ref()?;
    let snapshot = &corpus.snapshots()[unit.snapshot];
    let vectors = snapshot.vectors_of(&question.model)?;
    let (file, line) = snapshot.text().place(unit.at);
    let (body, _) = vectors.tokens(vectors.row_of(file, line)?);
    Some(late.matches(body))
}

/// What one model has to say to a question.
struct Voice<'a> {
    question: &'a Question,
    query: Query,
    /// What its scores count; the weights of all add up to 1.
    weight: f32,
}

fn voices<'a>(questions: &'a [Question], weights: &ModelWeights) -> Vec<Voice<'a>> {
    let weight = |nth| match questions {
        [_] => 1.0,
        _ => weights.at(nth),
    };
    let all: f32 = (0..questions.len()).map(weight).sum();
    let mut voices = Vec::with_capacity(questions.len());
    for (nth, question) in questions.iter().enumerate() {
        let weight = weight(nth) / all;
        if weight > 0.0 {
            voices.push(Voice {
                question,
                query: Query::new(&question.embedding.vector),
                weight,
            });
        }
    }
    voices
}

/// Every voice with its question as tokens; none unless all have them and the
/// lane is asked.
fn late_voices<'a>(questions: &'a [Question], plan: &Plan) -> Vec<(Voice<'a>, &'a LateQuery)> {
    let mut with_tokens = Vec::new();
    if plan.asks(Lane::Late) {
        for voice in voices(questions, &plan.weights.models) {
            let Some(late) = &voice.question.embedding.late else {
                return Vec::new();
            };
            with_tokens.push((voice, late));
        }
    }
    with_tokens
}

/// What all voices give a unit by its tokens.
fn late_score(
    corpus: &Corpus,
    unit: UnitNo,
    voices: &[(Voice, &LateQuery)],
    scratch: &mut Scratch,
) -> Option<f32> {
    let at = corpus.unit_ref(unit);
    let snapshot = &corpus.snapshots()[at.snapshot];
    let mut score = 0.0;
    for (voice, late) in voices {
        let set = Set::new(voice, snapshot)?;
        let (body, path) = set.vectors.tokens(set.row_of(snapshot, at.at)?);
        score += voice.weight * late.score([body, path], scratch);
    }
    Some(score)
}

/// The vectors of a snapshot that a voice compares with.
struct Set<'a> {
    voice: &'a Voice<'a>,
    vectors: &'a Vectors,
}

fn sets<'a>(voices: &'a [Voice], snapshot: &'a Snapshot) -> Vec<Set<'a>> {
    let sets = voices.iter().map(|voice| Set::new(voice, snapshot));
    sets.flatten().collect()
}

impl<'a> Set<'a> {
    fn new(voice: &'a Voice, snapshot: &'a Snapshot) -> Option<Set<'a>> {
        Some(Set {
            voice,
            vectors: snapshot.vectors_of(&voice.question.model)?,
        })
    }

    fn row_of(&self, snapshot: &Snapshot, at: u32) -> Option<Row> {
        let (file, line) = snapshot.text().place(at);
        self.vectors.row_of(file, line)
    }
}

/// One snapshot of a corpus, and what of it may answer.
struct Part<'a> {
    nth: usize,
    base: UnitNo,
    snapshot: &'a Snapshot,
    sets: Vec<Set<'a>>,
    allowed: &'a Allowed,
}

impl Part<'_> {
    /// The nearest units. A unit that is near for one model counts for all.
    fn nearest(&self, pool: usize) -> Vec<(UnitNo, f32)> {
        if let [set] = self.sets.as_slice() {
            return self.nearest_in(set, pool);
        }
        let found = self.sets.iter().flat_map(|set| self.nearest_in(set, pool));
        let mut units: Vec<UnitNo> = found.map(|(unit, _)| unit).collect();
        units.sort_unstable();
        units.dedup();
        units
            .into_iter()
            .filter_map(|unit| Some((unit, self.score(unit)?)))
            .collect()
    }

    fn score(&self, unit: UnitNo) -> Option<f32> {
        let mut score = 0.0;
        for set in &self.sets {
            let row = set.row_of(self.snapshot, unit - self.base)?;
            score += set.voice.weight * set.vectors.score(row, &set.voice.query);
        }
        Some(score)
    }

    fn nearest_in(&self, set: &Set, pool: usize) -> Vec<(UnitNo, f32)> {
        let accept = |file: u32| self.allowed.holds_file(self.nth, file);
        let found = set.vectors.search(&set.voice.query, pool, &accept);
        let units: Vec<(UnitNo, f32)> = found
            .par_iter()
            .with_min_len(HANDFUL)
            .filter_map(|found| Some((self.unit(set, found.row)?, found.score)))
            .filter(|(unit, _)| self.allowed.holds(*unit))
            .collect();
        // A filter within files left some out: others may have missed the cut
        // for their sake.
        if units.len() < found.len() && found.len() == pool {
            return self.all_allowed(set);
        }
        units
    }

    fn unit(&self, set: &Set, row: Row) -> Option<UnitNo> {
        let (file, line) = set.vectors.place(row);
        Some(self.base + self.snapshot.text().unit_at(file, line)?)
    }

    /// Every unit that may answer.
    fn all_allowed(&self, set: &Set) -> Vec<(UnitNo, f32)> {
        let mut units = Vec::new();
        self.snapshot.text().each_unit(|at| {
            let unit = self.base + at;
            if self.allowed.holds(unit)
                && let Some(row) = set.row_of(self.snapshot, at)
            {
                units.push((unit, set.vectors.score(row, &set.voice.query)));
            }
        });
        units
    }
}
