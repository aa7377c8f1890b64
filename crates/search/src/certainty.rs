//! How sure it is that the first hit is in the right file.
//!
//! A logistic function of what can be seen of a ranking. Its weights were fitted
//! to questions with known answers (`training/rank.py sure`), so that of a
//! hundred answers that are 80% sure about eighty are right.

use crate::corpus::Corpus;
use crate::fuse::{Fused, Measure, fuse};
use crate::retrieve::RankedList;
use crate::weights::{CertaintyWeights, Weights};
use scent_types::Lane;

/// Whether what the lanes found so far is worth a second look.
pub(crate) fn unsure(corpus: &Corpus, lists: &[RankedList], weights: &Weights) -> bool {
    let measure = Measure::new(lists, &weights.fusion);
    let fused = fuse(lists, &measure, &weights.fusion, false);
    let sure = certainty(corpus, &fused, &measure, &weights.late.certainty);
    sure.is_some_and(|sure| sure < weights.late.unsure)
}

/// From 0 to 1; none where nothing was found by rank.
pub(crate) fn certainty(
    corpus: &Corpus,
    fused: &[Fused],
    measure: &Measure,
    weights: &CertaintyWeights,
) -> Option<f32> {
    let file = |one: &Fused| corpus.file_of(corpus.unit_ref(one.unit));
    let first = fused.iter().max_by(|a, b| a.score.total_cmp(&b.score))?;
    let of_first = file(first);
    let (here, others): (Vec<&Fused>, Vec<&Fused>) =
        fused.iter().partition(|one| file(one) == of_first);
    let other = others.iter().map(|one| one.score).fold(0.0, f32::max);
    let gap = ((first.score - other) / first.score.max(0.1)).clamp(0.0, 1.0);
    let best = |lane: Lane| {
        let scores = here.iter().filter_map(|one| one.lanes.get(lane));
        scores
            .map(|raw| measure.share(lane, raw))
            .fold(0.0, f32::max)
    };
    let words = best(Lane::Text);
    let text = first
        .lanes
        .get(Lane::Text)
        .map_or(0.0, |raw| measure.share(Lane::Text, raw));
    let agrees = words > 0.0 && words >= measure.best_share(Lane::Text);
    let agree = if agrees { 1.0 } else { 0.0 };
    let meaning = if measure.has(Lane::Late) {
        Lane::Late
    } else {
        Lane::Vector
    };
    let sum = weights.base
        + weights.gap * gap
        + weights.text * text
        + weights.meaning * best(meaning)
        + weights.agree * agree
        + weights.symbol * best(Lane::Symbol);
    Some(1.0 / (1.0 + (-sum).exp()))
}
