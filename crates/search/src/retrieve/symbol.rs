//! Names: units that are called what the query says, or where nobody holds the
//! name, those that are called much like it.

use super::list::RankedList;
use crate::corpus::UnitNo;
use crate::error::SearchError;
use crate::names::{QueryName, called, declaring as declaring_units};
use crate::plan::Plan;
use crate::query::Context;
use crate::weights::SymbolWeights;
use scent_index::StoredUnit;
use scent_types::{Kind, Lane};
use scent_words::names;
use std::collections::HashMap;

pub(crate) fn symbol(cx: &Context, plan: &Plan) -> Result<RankedList, SearchError> {
    let weights = plan.weights;
    let mut found: HashMap<UnitNo, f32> = HashMap::new();
    if plan.asks(Lane::Symbol) {
        for name in &cx.names {
            cx.check_deadline()?;
            let mut scored = same_name(cx, name, &weights.symbol)?;
            scored.extend(declaring(cx, name, &weights.symbol)?);
            scored.extend(like_name(cx, name, &weights.symbol)?);
            for (unit, score) in scored {
                let best = found.entry(unit).or_insert(score);
                *best = best.max(score);
            }
        }
    }
    let units = found.into_iter().collect();
    let list = RankedList::best(cx.corpus, Lane::Symbol, units, weights.fusion.pool);
    Ok(RankedList {
        max_score: Some(weights.symbol.same),
        ..list
    })
}

/// Units that are called so.
fn same_name(
    cx: &Context,
    name: &QueryName,
    weights: &SymbolWeights,
) -> Result<Vec<(UnitNo, f32)>, SearchError> {
    let stored = cx.corpus.units(&name.namesakes)?;
    let scores = stored.iter().map(|unit| fit(unit, &name.typed, weights));
    Ok(name.namesakes.iter().copied().zip(scores).collect())
}

/// Units that declare what is called so. Where the name says what that is in,
/// those that are called otherwise only have its last part.
fn declaring(
    cx: &Context,
    name: &QueryName,
    weights: &SymbolWeights,
) -> Result<Vec<(UnitNo, f32)>, SearchError> {
    let asked: Vec<&str> = names::parts(&name.typed).collect();
    let scope = &asked[..asked.len().saturating_sub(1)];
    let stored = cx.corpus.units(&name.declaring)?;
    let score = |unit: &StoredUnit| {
        let ours: Vec<&str> = names::parts(&unit.qualified).collect();
        let is_inside = ours.ends_with(scope);
        if is_inside {
            weights.declares
        } else {
            weights.last_part
        }
    };
    let scores = stored.iter().map(score);
    Ok(name.declaring.iter().copied().zip(scores).collect())
}

/// Units that are called almost so; the farther away, the less.
fn like_name(
    cx: &Context,
    name: &QueryName,
    weights: &SymbolWeights,
) -> Result<Vec<(UnitNo, f32)>, SearchError> {
    let mut found = Vec::new();
    let least = name.nearest.first().map_or(0, |(away, _)| *away);
    for (away, other) in &name.nearest {
        let score = weights.nearest * (1 + least) as f32 / (1 + away) as f32;
        let mut units = called(cx.corpus, &[other.to_lowercase()], &cx.allowed)?;
        units.extend(declaring_units(cx.corpus, other, &cx.allowed)?);
        found.extend(units.into_iter().map(|unit| (unit, score)));
    }
    Ok(found)
}

fn fit(stored: &StoredUnit, symbol: &str, weights: &SymbolWeights) -> f32 {
    let asked: Vec<&str> = names::parts(symbol).collect();
    let ours: Vec<&str> = names::parts(&stored.qualified).collect();
    let tail = &ours[ours.len().saturating_sub(asked.len())..];
    let same = tail == asked || stored.name == symbol;
    let mut score = if same {
        weights.same
    } else if folded(tail) == folded(&asked) {
        weights.same_but_case
    } else {
        weights.last_part
    };
    // A definition goes before its further passages and its impl blocks.
    if stored.passage > 0 || stored.kind == Kind::Impl {
        score -= weights.lesser;
    }
    score
}

/// The parts of a name in lower case.
fn folded(parts: &[&str]) -> String {
    parts.join(".").to_lowercase()
}
