//! The final order, and how much of it is asked for.

use crate::corpus::Corpus;
use crate::fuse::Fused;
use crate::pattern::{Match, Matches};
use crate::retrieve::better;
use crate::weights::PatternWeights;
use crate::{Part, RankedUnit};
use scent_types::{Kind, Lane, Request};
use std::collections::HashMap;

/// The best first; equal scores by path and line.
pub(crate) fn sort(corpus: &Corpus, fused: &mut [Fused]) {
    fused.sort_unstable_by(|a, b| better(corpus, (a.unit, a.score), (b.unit, b.score)));
}

/// Each further unit of a file keeps only a part of its score: several places
/// in one file may answer, but they are not all there is.
pub(crate) fn spread(corpus: &Corpus, fused: &mut [Fused], further: f32, explain: bool) {
    sort(corpus, fused);
    let mut seen: HashMap<(usize, u32), i32> = HashMap::new();
    for one in fused.iter_mut() {
        let before = seen
            .entry(corpus.file_of(corpus.unit_ref(one.unit)))
            .or_default();
        let loss = one.score.max(0.0) * (1.0 - further.powi(*before));
        if explain && loss > 0.0 {
            let why = format!("{before} of this file came before");
            one.parts.push(Part {
                name: "further",
                amount: -loss,
                why,
            });
        }
        one.score -= loss;
        *before += 1;
    }
    sort(corpus, fused);
}

/// Everything found, best first. What only the pattern found comes last.
pub(crate) fn order(
    corpus: &Corpus,
    mut ranked: Vec<Fused>,
    matches: Option<Matches>,
    weights: &PatternWeights,
) -> Vec<Fused> {
    let mut matches = matches.unwrap_or_default();
    for one in &mut ranked {
        if let Some(found) = matches.remove(&one.unit) {
            one.lanes.set(
                Lane::Pattern,
                pattern_score(corpus, one.unit, &found, weights),
            );
            one.matched = found.lines;
        }
    }
    let mut rest: Vec<Fused> = matches
        .into_iter()
        .map(|(unit, found)| {
            let score = pattern_score(corpus, unit, &found, weights);
            let mut one = Fused {
                score,
                matched: found.lines,
                ..Fused::new(unit)
            };
            one.lanes.set(Lane::Pattern, score);
            one
        })
        .collect();
    sort(corpus, &mut rest);
    rest.iter_mut().for_each(|one| one.score *= weights.alone);
    ranked.extend(rest);
    ranked
}

fn pattern_score(corpus: &Corpus, unit: u32, found: &Match, weights: &PatternWeights) -> f32 {
    let named = !matches!(corpus.kind(unit), Kind::Code | Kind::Text | Kind::Module);
    if named && found.in_name {
        weights.in_definition
    } else {
        weights.in_body
    }
}

/// As many as were asked for, and how many there are; of each file the best,
/// where files are asked for.
pub(crate) fn cut(
    corpus: &Corpus,
    mut ranked: Vec<Fused>,
    found: usize,
    request: &Request,
) -> (usize, Vec<RankedUnit>) {
    let mut total = found.max(ranked.len());
    let most = if request.files_only {
        Some(1)
    } else {
        request.per_file
    };
    if let Some(most) = most {
        let mut seen: HashMap<(usize, u32), usize> = HashMap::new();
        ranked.retain(|one| {
            let so_far = seen
                .entry(corpus.file_of(corpus.unit_ref(one.unit)))
                .or_default();
            *so_far += 1;
            *so_far <= most
        });
    }
    if request.files_only {
        total = ranked.len();
    }
    ranked.truncate(request.limit);
    let hit = |Fused {
                   unit,
                   score,
                   lanes,
                   parts,
                   matched,
               }: Fused| RankedUnit {
        unit: corpus.unit_ref(unit),
        score,
        lanes: lanes.by_lane(),
        parts,
        matched,
    };
    (total, ranked.into_iter().map(hit).collect())
}
