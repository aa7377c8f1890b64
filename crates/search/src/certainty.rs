//! How sure it is that the first hit is in the right file.
//!
//! A logistic function of what can be seen of a ranking. Its weights were fitted
//! to questions with known answers (`training/rank.py sure`), so that of a
//! hundred answers that are 80% sure about eighty are right.

use crate::RankedUnit;
use crate::corpus::Corpus;
use crate::fuse::Measure;
use crate::weights::CertaintyWeights;
use scent_types::Lane;

/// From 0 to 1; none where nothing was found by rank.
pub(crate) fn certainty(
    corpus: &Corpus,
    ranked: &[RankedUnit],
    measure: &Measure,
    weights: &CertaintyWeights,
) -> Option<f32> {
    let first = ranked.first().filter(|first| !first.lanes.contains_key(&Lane::Pattern))?;
    let file = corpus.file_of(first.unit);
    let is_here = |hit: &&RankedUnit| corpus.file_of(hit.unit) == file;
    let other = ranked.iter().find(|hit| !is_here(hit)).map_or(0.0, |hit| hit.score);
    let gap = ((first.score - other) / first.score.max(0.1)).clamp(0.0, 1.0);
    let best = |lane: Lane| {
        let here = ranked.iter().filter(is_here).filter_map(|hit| hit.lanes.get(&lane));
        here.map(|&raw| measure.share(lane, raw)).fold(0.0, f32::max)
    };
    let text = first.lanes.get(&Lane::Text).map_or(0.0, |&raw| measure.share(Lane::Text, raw));
    let agree = if best(Lane::Text) >= measure.best_share(Lane::Text) { 1.0 } else { 0.0 };
    let sum = weights.base
        + weights.gap * gap
        + weights.text * text
        + weights.late * best(Lane::Late)
        + weights.agree * agree
        + weights.symbol * best(Lane::Symbol);
    Some(1.0 / (1.0 + (-sum).exp()))
}
