//! Meanings: the units whose vectors are nearest to that of the question, and
//! among these the ones whose words answer its words best.
//!
//! Where two models have read the units, a unit's score is the mean of what
//! each of them gives it: they miss different things.

use super::RankedList;
use crate::Question;
use crate::corpus::{Corpus, UnitNo};
use crate::units::Allowed;
use crate::weights::{VectorWeights, Weights};
use rayon::prelude::*;
use scent_embed::{LateQuery, Scratch};
use scent_index::{Query, Row, Snapshot, Vectors};
use scent_types::Lane;

/// So many units are worth a thread of their own.
const HANDFUL: usize = 64;

/// Units by the angle of their vectors to that of the question.
pub(crate) fn vector(
    corpus: &Corpus,
    questions: &[Question],
    allowed: &Allowed,
    weights: &Weights,
) -> RankedList {
    let voices = match weights.counts_meaning() {
        true => voices(questions, weights),
        false => Vec::new(),
    };
    let mut units = Vec::new();
    for (nth, (base, snapshot)) in corpus.parts().enumerate() {
        let sets = voices
            .iter()
            .filter_map(|voice| Set::new(voice, snapshot))
            .collect();
        let part = Part {
            nth,
            base,
            snapshot,
            sets,
            allowed,
        };
        units.extend(part.nearest(weights.fusion.pool));
    }
    let nearest = units
        .iter()
        .map(|(_, score)| *score)
        .fold(f32::MIN, f32::max);
    let unrelated: f32 = voices
        .iter()
        .map(|v| v.share * v.question.asked.unrelated)
        .sum();
    let VectorWeights { share } = weights.vector;
    // Where even the nearest is as far as unrelated things are, nothing answers.
    units.retain(|(_, score)| nearest > unrelated && *score >= share * nearest);
    RankedList::best(corpus, Lane::Vector, units, weights.fusion.pool)
}

/// The units of the vector lane by their tokens: every word of the question
/// looks for the one that answers it best.
pub(crate) fn late(
    corpus: &Corpus,
    questions: &[Question],
    lists: &[RankedList],
    weights: &Weights,
) -> RankedList {
    let counts = weights.fusion.lane(Lane::Late) > 0.0;
    let voices = voices(questions, weights);
    let late: Option<Vec<&LateQuery>> = voices
        .iter()
        .map(|voice| voice.question.asked.late.as_ref())
        .collect();
    let Some(late) = late.filter(|late| counts && !late.is_empty()) else {
        return RankedList {
            lane: Lane::Late,
            units: Vec::new(),
            full: None,
        };
    };
    let score =
        |scratch: &mut Scratch, &&(unit, whole): &&(UnitNo, f32)| -> Option<(UnitNo, f32)> {
            let at = corpus.unit_ref(unit);
            let snapshot = &corpus.snapshots()[at.snapshot];
            let mut tokens = 0.0;
            for (voice, late) in voices.iter().zip(&late) {
                let set = Set::new(voice, snapshot)?;
                let (body, path) = set.vectors.tokens(set.row_of(snapshot, at.at)?);
                tokens += voice.share * late.score([body, path], scratch);
            }
            Some((unit, tokens + weights.late.vector * whole))
        };
    let candidates = lists.iter().filter(|list| list.lane == Lane::Vector);
    let nearest: Vec<_> = candidates
        .flat_map(|l| l.units.iter().take(weights.late.pool))
        .collect();
    let scored = nearest
        .par_iter()
        .with_min_len(HANDFUL)
        .map_init(Scratch::default, score);
    let units = scored.flatten().collect();
    RankedList::best(corpus, Lane::Late, units, weights.fusion.pool)
}

/// What one model has to say to a question.
struct Voice<'a> {
    question: &'a Question,
    query: Query,
    /// What its scores count; the shares of all are one.
    share: f32,
}

fn voices<'a>(questions: &'a [Question], weights: &Weights) -> Vec<Voice<'a>> {
    let counting = |nth| {
        if questions.len() == 1 {
            1.0
        } else {
            weights.models.at(nth)
        }
    };
    let all: f32 = (0..questions.len()).map(counting).sum();
    let voice = |(nth, question): (usize, &'a Question)| Voice {
        question,
        query: Query::new(&question.asked.vector),
        share: counting(nth) / all,
    };
    questions
        .iter()
        .enumerate()
        .map(voice)
        .filter(|voice| voice.share > 0.0)
        .collect()
}

/// The vectors of a snapshot that a voice compares with.
struct Set<'a> {
    voice: &'a Voice<'a>,
    vectors: &'a Vectors,
}

impl<'a> Set<'a> {
    fn new(voice: &'a Voice, snapshot: &'a Snapshot) -> Option<Set<'a>> {
        Some(Set {
            voice,
            vectors: snapshot.vectors_of(&voice.question.model)?,
        })
    }

    fn row_of(&self, snapshot: &Snapshot, at: u32) -> Option<Row> {
        let (file, line) = snapshot.place(at);
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
        let score = |set: &Set| {
            let row = set.row_of(self.snapshot, unit - self.base)?;
            Some(set.voice.share * set.vectors.score(row, &set.voice.query))
        };
        self.sets.iter().map(score).sum()
    }

    fn nearest_in(&self, set: &Set, pool: usize) -> Vec<(UnitNo, f32)> {
        let accept = |file: u32| self.allowed.holds_file(self.nth, file);
        let found = set.vectors.search(&set.voice.query, pool, &accept);
        let cut = found.len() == pool;
        let unit = |row| {
            let (file, line) = set.vectors.place(row);
            self.snapshot.unit_at(file, line).map(|at| self.base + at)
        };
        let units: Vec<(UnitNo, f32)> = found
            .par_iter()
            .with_min_len(HANDFUL)
            .filter_map(|found| Some((unit(found.row)?, found.score)))
            .filter(|(unit, _)| self.allowed.holds(*unit))
            .collect();
        match units.len() < found.len() && cut {
            // A filter within files left some out: others may have missed the
            // cut for their sake.
            true => self.all_allowed(set),
            false => units,
        }
    }

    /// Every unit that may answer.
    fn all_allowed(&self, set: &Set) -> Vec<(UnitNo, f32)> {
        let mut units = Vec::new();
        self.snapshot.each_unit(|at| {
            let unit = self.base + at;
            if self.allowed.holds(unit) {
                let row = set.row_of(self.snapshot, at);
                units.extend(row.map(|row| (unit, set.vectors.score(row, &set.voice.query))));
            }
        });
        units
    }
}
