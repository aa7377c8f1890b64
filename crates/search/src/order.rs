//! The final order, and how much of it is asked for.

use crate::RankedUnit;
use crate::corpus::Corpus;
use crate::fuse::Fused;
use crate::pattern::{Match, Matches};
use crate::retrieve::better;
use crate::weights::PatternWeights;
use scent_types::{Kind, Lane, Lanes, Request};
use std::collections::HashSet;

/// Everything found, best first. What only the pattern found comes last.
pub(crate) fn order(
    corpus: &Corpus,
    mut fused: Vec<Fused>,
    matches: Option<Matches>,
    weights: &PatternWeights,
) -> Vec<RankedUnit> {
    fused.sort_unstable_by(|a, b| better(corpus, (a.unit, a.score), (b.unit, b.score)));
    let mut matches = matches.unwrap_or_default();
    let mut ranked = Vec::with_capacity(fused.len() + matches.len());
    for Fused { unit, score, mut lanes } in fused {
        let found = matches.remove(&unit);
        if let Some(found) = &found {
            lanes.insert(Lane::Pattern, pattern_score(corpus, unit, found, weights));
        }
        let matched = found.map(|found| found.lines).unwrap_or_default();
        ranked.push(RankedUnit { unit: corpus.unit_ref(unit), score, lanes, matched });
    }
    let mut rest: Vec<(u32, f32)> = matches
        .iter()
        .map(|(&unit, found)| (unit, pattern_score(corpus, unit, found, weights)))
        .collect();
    rest.sort_unstable_by(|a, b| better(corpus, *a, *b));
    for (unit, score) in rest {
        let matched = matches.remove(&unit).map(|found| found.lines).unwrap_or_default();
        let lanes = Lanes::from([(Lane::Pattern, score)]);
        let score = score * weights.alone;
        ranked.push(RankedUnit { unit: corpus.unit_ref(unit), score, lanes, matched });
    }
    ranked
}

fn pattern_score(corpus: &Corpus, unit: u32, found: &Match, weights: &PatternWeights) -> f32 {
    let named = !matches!(corpus.kind(unit), Kind::Code | Kind::Text | Kind::Module);
    if named && found.in_name { weights.in_definition } else { weights.in_body }
}

/// As many as were asked for, and how many there are; of each file the best,
/// where files are asked for.
pub(crate) fn cut(
    corpus: &Corpus,
    mut ranked: Vec<RankedUnit>,
    found: usize,
    request: &Request,
) -> (usize, Vec<RankedUnit>) {
    let mut total = found.max(ranked.len());
    if request.files_only {
        let mut seen = HashSet::new();
        ranked.retain(|hit| seen.insert(corpus.file_of(hit.unit)));
        total = ranked.len();
    }
    ranked.truncate(request.limit);
    (total, ranked)
}
