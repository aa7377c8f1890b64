//! How sure it is that the first hit is in the right file.
//!
//! A logistic function of what can be seen of a ranking. Its weights were fitted
//! to questions with known answers (`training/rank.py sure`), so that of a
//! hundred answers that are 80% sure about eighty are right.

use crate::corpus::Corpus;
use crate::fuse::{Fused, ScoreNorm, fuse};
use crate::plan::Plan;
use crate::retrieve::RankedList;
use crate::weights::CertaintyWeights;
use scent_types::Lane;

/// Whether what the lanes found so far is worth a second look.
pub(crate) fn is_unsure(corpus: &Corpus, lists: &[RankedList], plan: &Plan) -> bool {
    let late = &plan.weights.late;
    let norm = ScoreNorm::new(lists, plan.weights.fusion.floor);
    let fused = fuse(lists, &norm, plan, false);
    match certainty(corpus, &fused, &norm, 0.0, &late.certainty) {
        Some(certainty) => certainty < late.unsure,
        None => false,
    }
}

/// From 0 to 1; none where nothing was found by rank. `missing` is how much of
/// the query no unit contains.
pub(crate) fn certainty(
    corpus: &Corpus,
    fused: &[Fused],
    norm: &ScoreNorm,
    missing: f32,
    weights: &CertaintyWeights,
) -> Option<f32> {
    let by_order = |a: &&Fused, b: &&Fused| {
        let by_score = a.score.total_cmp(&b.score);
        a.ahead.cmp(&b.ahead).then(by_score)
    };
    let first = fused.iter().max_by(by_order)?;
    let (here, mut others) = by_file(corpus, fused, first);
    others.retain(|other| other.ahead == first.ahead);
    let semantic = if norm.has(Lane::Late) {
        Lane::Late
    } else {
        Lane::Vector
    };
    let sum = weights.base
        + weights.gap * gap(first, &others)
        + weights.text * best(&[first], Lane::Text, norm)
        + weights.semantic * best(&here, semantic, norm)
        + weights.agree * agreement(&here, norm)
        + weights.symbol * best(&here, Lane::Symbol, norm)
        + weights.missing * missing;
    Some(1.0 / (1.0 + (-sum).exp()))
}

/// How far the best of other files is behind, from 0 to 1.
fn gap(first: &Fused, others: &[&Fused]) -> f32 {
    let other = others.iter().map(|one| one.score).fold(0.0, f32::max);
    ((first.score - other) / first.score.max(0.1)).clamp(0.0, 1.0)
}

/// Whether the text lane has its best in the same file, as 0 or 1.
fn agreement(here: &[&Fused], norm: &ScoreNorm) -> f32 {
    let words = best(here, Lane::Text, norm);
    if words > 0.0 && words >= norm.best(Lane::Text) {
        1.0
    } else {
        0.0
    }
}

/// The units in the same file as one of them, and those in others.
fn by_file<'f>(
    corpus: &Corpus,
    fused: &'f [Fused],
    first: &Fused,
) -> (Vec<&'f Fused>, Vec<&'f Fused>) {
    let file = |one: &Fused| corpus.file_of(corpus.unit_ref(one.unit));
    let of_first = file(first);
    fused.iter().partition(|one| file(one) == of_first)
}

/// The best normalized score that a lane gives any of these units.
fn best(units: &[&Fused], lane: Lane, norm: &ScoreNorm) -> f32 {
    let mut best: f32 = 0.0;
    for unit in units {
        if let Some(raw) = unit.lanes.get(lane) {
            best = best.max(norm.normalized(lane, raw));
        }
    }
    best
}
