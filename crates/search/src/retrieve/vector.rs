//! Meanings: the units whose vectors are nearest to that of the question, and
//! among these the ones whose words answer its words best.

use super::RankedList;
use crate::Question;
use crate::corpus::{Corpus, UnitNo};
use crate::units::Allowed;
use crate::weights::{VectorWeights, Weights};
use scent_embed::Scratch;
use scent_index::{Query, Snapshot, Vectors};
use scent_types::Lane;

/// Units by the angle of their vectors to that of the question.
pub(crate) fn vector(
    corpus: &Corpus,
    question: Option<&Question>,
    allowed: &Allowed,
    weights: &Weights,
) -> RankedList {
    let Some(Question { model, asked }) = question.filter(|_| weights.counts_meaning()) else {
        return RankedList { lane: Lane::Vector, units: Vec::new() };
    };
    let query = Query::new(&asked.vector);
    let mut units = Vec::new();
    for (nth, (base, snapshot)) in corpus.parts().enumerate() {
        if let Some(vectors) = snapshot.vectors_of(model) {
            let part = Part { nth, base, snapshot, vectors, allowed };
            units.extend(part.nearest(&query, weights.fusion.pool));
        }
    }
    let nearest = units.iter().map(|(_, score)| *score).fold(f32::MIN, f32::max);
    let VectorWeights { share } = weights.vector;
    // Where even the nearest is as far as unrelated things are, nothing answers.
    units.retain(|(_, score)| nearest > asked.unrelated && *score >= share * nearest);
    RankedList::best(corpus, Lane::Vector, units, weights.fusion.pool)
}

/// The same units by their tokens: every word of the question looks for the
/// one that answers it best.
pub(crate) fn late(
    corpus: &Corpus,
    question: Option<&Question>,
    candidates: &RankedList,
    weights: &Weights,
) -> RankedList {
    let counts = weights.fusion.lane(Lane::Late) > 0.0;
    let late = question.filter(|_| counts).and_then(|q| Some((&q.model, q.asked.late.as_ref()?)));
    let Some((model, late)) = late else {
        return RankedList { lane: Lane::Late, units: Vec::new() };
    };
    let mut scratch = Scratch::default();
    let mut score = |(unit, whole): (UnitNo, f32)| -> Option<(UnitNo, f32)> {
        let at = corpus.unit_ref(unit);
        let snapshot = &corpus.snapshots()[at.snapshot];
        let (file, line) = snapshot.place(at.at);
        let vectors = snapshot.vectors_of(model)?;
        let (body, path) = vectors.tokens(vectors.row_of(file, line)?);
        Some((unit, late.score([body, path], &mut scratch) + weights.late.vector * whole))
    };
    let units = candidates.units.iter().filter_map(|&found| score(found)).collect();
    RankedList::best(corpus, Lane::Late, units, weights.fusion.pool)
}

/// One snapshot of a corpus, and what of it may answer.
struct Part<'a> {
    nth: usize,
    base: UnitNo,
    snapshot: &'a Snapshot,
    vectors: &'a Vectors,
    allowed: &'a Allowed,
}

impl Part<'_> {
    fn nearest(&self, query: &Query, pool: usize) -> Vec<(UnitNo, f32)> {
        let accept = |file: u32| self.allowed.holds_file(self.nth, file);
        let found = self.vectors.search(query, pool, &accept);
        let cut = found.len() == pool;
        let unit = |row| {
            let (file, line) = self.vectors.place(row);
            self.snapshot.unit_at(file, line).map(|at| self.base + at)
        };
        let units: Vec<(UnitNo, f32)> = found
            .iter()
            .filter_map(|found| Some((unit(found.row)?, found.score)))
            .filter(|(unit, _)| self.allowed.holds(*unit))
            .collect();
        match units.len() < found.len() && cut {
            // A filter within files left some out: others may have missed the
            // cut for their sake.
            true => self.all_allowed(query),
            false => units,
        }
    }

    /// Every unit that may answer.
    fn all_allowed(&self, query: &Query) -> Vec<(UnitNo, f32)> {
        let mut units = Vec::new();
        self.snapshot.each_unit(|at| {
            let unit = self.base + at;
            if self.allowed.holds(unit) {
                let (file, line) = self.snapshot.place(at);
                let row = self.vectors.row_of(file, line);
                units.extend(row.map(|row| (unit, self.vectors.score(row, query))));
            }
        });
        units
    }
}
