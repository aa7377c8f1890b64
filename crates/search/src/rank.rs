//! The final order, and as much of it as the request wants.

use crate::ahead;
use crate::certainty::certainty;
use crate::corpus::{Corpus, UnitNo, UnitRef};
use crate::error::SearchError;
use crate::fold::{Folded, fold_copies};
use crate::fuse::{Fused, Passage, ScoreNorm, fuse};
use crate::missing::{Missing, missing};
use crate::pattern::{Match, Matches};
use crate::plan::Plan;
use crate::query::Context;
use crate::retrieve::{RankedList, Terms, better};
use crate::signals;
use crate::weights::{PatternWeights, SignalWeights};
use scent_types::{Kind, Lane, Lanes, Part};
use std::collections::HashMap;

/// So many other units of a file are named with its first.
const NEIGHBOURS: usize = 4;

/// The answer to a request: units in order.
#[derive(Debug, Default)]
pub struct Ranking {
    /// How many units matched.
    pub total: usize,
    /// The best of them, but for as many as the request passes over.
    pub hits: Vec<RankedUnit>,
    /// Where to go on for more; none where these are the last.
    pub next_offset: Option<usize>,
    /// The terms of the query, each with its idf.
    pub terms: Vec<(String, f32)>,
    /// How sure it is that the first is in the right file, from 0 to 1.
    pub certainty: Option<f32>,
    /// Of each quoted text, whether no unit that may answer holds it.
    pub unquoted: Vec<bool>,
    /// What no unit contains.
    pub missing: Missing,
}

/// A unit with its score.
#[derive(Clone, Debug)]
pub struct RankedUnit {
    /// The unit.
    pub unit: UnitRef,
    /// What it is ordered by.
    pub score: f32,
    /// The raw scores behind it.
    pub lanes: Lanes,
    /// What the score is made of, where the request wants an explanation.
    pub parts: Vec<Part>,
    /// The lines that match the request's pattern, or a text in its quotes.
    pub matched: Vec<u32>,
    /// Other passages of the same definition, best first.
    pub further: Vec<RankedPassage>,
    /// Other units of the same file that score nearly as well, best first; only
    /// the first of a file has them.
    pub neighbours: Vec<UnitRef>,
    /// Units with the same text in other places, best first.
    pub copies: Vec<UnitRef>,
}

/// A passage of a definition that stands in the list with its best one.
#[derive(Clone, Copy, Debug)]
pub struct RankedPassage {
    /// The unit.
    pub unit: UnitRef,
    /// Its own score.
    pub score: f32,
}

/// Everything found, best first.
pub(crate) struct Ranked {
    units: Vec<Fused>,
    /// How many passages were folded into others.
    folded: usize,
    certainty: Option<f32>,
    missing: Missing,
}

impl AsRef<[Fused]> for Ranked {
    fn as_ref(&self) -> &[Fused] {
        &self.units
    }
}

/// What the lanes found as one list, best first.
pub(crate) fn fused(
    cx: &Context,
    lists: &[RankedList],
    quoted: &[Matches],
    norm: &ScoreNorm,
    plan: &Plan,
) -> Result<Vec<Fused>, SearchError> {
    cx.check_deadline()?;
    let mut fused = fuse(lists, norm, plan, cx.request.explain);
    ahead::put_quoted(&mut fused, quoted);
    ahead::put_holders(cx, plan, &mut fused);
    sort(cx.corpus, &mut fused);
    Ok(fused)
}

/// The fused list after all signals, each definition once. What only the
/// pattern found comes last.
pub(crate) fn rank(
    cx: &Context,
    plan: &Plan,
    norm: &ScoreNorm,
    terms: &Terms,
    mut fused: Vec<Fused>,
    matches: Option<Matches>,
) -> Result<Ranked, SearchError> {
    let depth = if plan.alone {
        0
    } else {
        plan.signals.depth.min(fused.len())
    };
    signals::add(cx, &terms.idf, &mut fused[..depth], plan.signals)?;
    sort(cx.corpus, &mut fused[..depth]);
    ahead::put_verbatim(cx, plan, &mut fused[..depth])?;
    sort(cx.corpus, &mut fused[..depth]);
    let is_question = matches.is_none();
    let (mut units, found) = in_order(cx, plan, (fused, depth), matches);
    let missing = missing(cx, terms);
    let certainty = if plan.alone || !is_question {
        None
    } else {
        certainty(cx.corpus, &units, norm, missing.share, plan.certainty)
    };
    ahead::add_to_scores(cx, plan, &mut units);
    // Whoever looks for a text wants every place.
    if is_question && !cx.request.files_only {
        units = fold_copies(cx.corpus, units);
    }
    Ok(Ranked {
        folded: found - units.len(),
        units,
        certainty,
        missing,
    })
}

/// The combined list of a report, each definition once.
pub(crate) fn finished(
    cx: &Context,
    plan: &Plan,
    combined: Vec<Fused>,
    matches: Option<Matches>,
) -> Ranked {
    let is_question = matches.is_none();
    let depth = combined.len();
    let (mut units, found) = in_order(cx, plan, (combined, depth), matches);
    if is_question && !cx.request.files_only {
        units = fold_copies(cx.corpus, units);
    }
    Ranked {
        folded: found - units.len(),
        units,
        certainty: None,
        missing: Missing::default(),
    }
}

/// A list of which so many have all of their score, each definition once and no
/// file crowding out others, and how many units there were.
fn in_order(
    cx: &Context,
    plan: &Plan,
    (mut fused, depth): (Vec<Fused>, usize),
    matches: Option<Matches>,
) -> (Vec<Fused>, usize) {
    if let Some(matches) = matches {
        fused = with_matches(cx.corpus, fused, matches, &plan.weights.pattern);
    }
    let found = fused.len();
    let mut folded = Folded::new(cx.corpus);
    let rest = fused.split_off(depth);
    folded.extend(fused);
    let depth = folded.len();
    folded.extend(rest);
    let mut units = folded.into_units();
    diversify(cx, &mut units[..depth], plan.signals);
    (units, found)
}

/// As many as the request wants, and how many there are; of each file the best,
/// where it wants files.
pub(crate) fn top_k(
    cx: &Context,
    ranked: Ranked,
    found: usize,
    terms: Vec<(String, f32)>,
) -> Ranking {
    let request = cx.request;
    let mut units = ranked.units;
    let mut total = found.saturating_sub(ranked.folded).max(units.len());
    if request.files_only {
        keep_per_file(cx.corpus, &mut units, 1);
        total = units.len();
    } else if let Some(most) = request.per_file {
        keep_per_file(cx.corpus, &mut units, most);
    }
    let end = request.offset.saturating_add(request.limit);
    let next_offset = (units.len() > end).then_some(end);
    units.drain(..request.offset.min(units.len()));
    units.truncate(request.limit);
    let mut hits = Vec::with_capacity(units.len());
    for one in units {
        hits.push(RankedUnit {
            unit: cx.corpus.unit_ref(one.unit),
            score: one.score,
            lanes: one.lanes.by_lane(),
            parts: one.parts,
            matched: one.matched,
            further: further(cx.corpus, &one.further),
            neighbours: unit_refs(cx.corpus, &one.neighbours),
            copies: unit_refs(cx.corpus, &one.copies),
        });
    }
    Ranking {
        total,
        hits,
        next_offset,
        terms,
        // It is that of the very first.
        certainty: ranked.certainty.filter(|_| request.offset == 0),
        unquoted: Vec::new(),
        missing: ranked.missing,
    }
}

fn unit_refs(corpus: &Corpus, units: &[UnitNo]) -> Vec<UnitRef> {
    units.iter().map(|unit| corpus.unit_ref(*unit)).collect()
}

fn further(corpus: &Corpus, passages: &[Passage]) -> Vec<RankedPassage> {
    let mut further = Vec::with_capacity(passages.len());
    for Passage { unit, score } in passages {
        further.push(RankedPassage {
            unit: corpus.unit_ref(*unit),
            score: *score,
        });
    }
    further
}

/// The best first; equal scores by path and line.
pub(crate) fn sort(corpus: &Corpus, fused: &mut [Fused]) {
    fused.sort_unstable_by(|a, b| {
        let by_score = || better(corpus, (a.unit, a.score), (b.unit, b.score));
        b.ahead.cmp(&a.ahead).then_with(by_score)
    });
}

/// Each further unit of a file keeps only a part of its score: several places
/// in one file may answer, but they are not all there is.
fn diversify(cx: &Context, fused: &mut [Fused], weights: &SignalWeights) {
    name_neighbours(cx.corpus, fused, weights.neighbour);
    let mut seen: HashMap<(usize, u32), i32> = HashMap::new();
    for one in fused.iter_mut() {
        let file = cx.corpus.file_of(cx.corpus.unit_ref(one.unit));
        let before = seen.entry(file).or_default();
        let loss = one.score.max(0.0) * (1.0 - weights.per_file_decay.powi(*before));
        if cx.request.explain && loss > 0.0 {
            one.parts.push(Part {
                name: "further",
                amount: -loss,
                why: format!("{before} of this file came before"),
            });
        }
        one.score -= loss;
        *before += 1;
    }
    sort(cx.corpus, fused);
}

/// Keeps with the first unit of each file the others that score at least a part
/// of what it scores: what follows may take them out of sight.
fn name_neighbours(corpus: &Corpus, fused: &mut [Fused], part: f32) {
    let mut firsts: HashMap<(usize, u32), usize> = HashMap::new();
    for at in 0..fused.len() {
        let Fused { unit, score, .. } = fused[at];
        let file = corpus.file_of(corpus.unit_ref(unit));
        let first = &mut fused[*firsts.entry(file).or_insert(at)];
        let is_near = first.unit != unit && score >= part * first.score;
        if is_near && first.neighbours.len() < NEIGHBOURS {
            first.neighbours.push(unit);
        }
    }
}

/// Adds what only the pattern found, after everything else.
fn with_matches(
    corpus: &Corpus,
    mut ranked: Vec<Fused>,
    mut matches: Matches,
    weights: &PatternWeights,
) -> Vec<Fused> {
    for one in &mut ranked {
        if let Some(found) = matches.remove(&one.unit) {
            let score = pattern_score(corpus, one.unit, &found, weights);
            one.lanes.set(Lane::Pattern, score);
            one.matched = found.lines;
        }
    }
    let mut rest = Vec::with_capacity(matches.len());
    for (unit, found) in matches {
        let mut one = Fused::new(unit);
        one.score = pattern_score(corpus, unit, &found, weights);
        one.lanes.set(Lane::Pattern, one.score);
        one.matched = found.lines;
        rest.push(one);
    }
    sort(corpus, &mut rest);
    for one in &mut rest {
        one.score *= weights.alone;
    }
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

/// At most so many units of one file, the first of them.
fn keep_per_file(corpus: &Corpus, units: &mut Vec<Fused>, most: usize) {
    let mut seen: HashMap<(usize, u32), usize> = HashMap::new();
    units.retain(|one| {
        let file = corpus.file_of(corpus.unit_ref(one.unit));
        let count = seen.entry(file).or_default();
        *count += 1;
        *count <= most
    });
}
