//! Names: units that are called what the query says.

use super::list::RankedList;
use crate::corpus::{Corpus, UnitNo};
use crate::error::SearchError;
use crate::plan::Plan;
use crate::query::Context;
use crate::units::Allowed;
use crate::weights::SymbolWeights;
use scent_index::StoredUnit;
use scent_types::{Kind, Lane};
use scent_words::names;
use std::collections::HashMap;

/// Looking at more namesakes than this tells them no better apart.
const NAMESAKES: usize = 500;

pub(crate) fn symbol(cx: &Context, plan: &Plan) -> Result<RankedList, SearchError> {
    let weights = plan.weights;
    let mut found: HashMap<UnitNo, f32> = HashMap::new();
    if plan.asks(Lane::Symbol) {
        for symbol in &cx.intent.symbols {
            cx.check_deadline()?;
            for (unit, score) in scored(cx, symbol, &weights.symbol)? {
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

fn scored(
    cx: &Context,
    symbol: &str,
    weights: &SymbolWeights,
) -> Result<Vec<(UnitNo, f32)>, SearchError> {
    let units = namesakes(cx.corpus, symbol, &cx.allowed)?;
    let stored = cx.corpus.units(&units)?;
    let scores = stored.iter().map(|stored| fit(stored, symbol, weights));
    Ok(units.into_iter().zip(scores).collect())
}

/// Units with this name. Where a qualified name is nobody's, those with its
/// last part.
fn namesakes(corpus: &Corpus, symbol: &str, allowed: &Allowed) -> Result<Vec<UnitNo>, SearchError> {
    let parts: Vec<&str> = names::parts(symbol).collect();
    let whole = names::spellings(&parts).map(|name| name.to_lowercase());
    let mut units = called(corpus, &whole, allowed)?;
    if units.is_empty()
        && let [_, .., last] = parts.as_slice()
    {
        units = called(corpus, &[last.to_lowercase()], allowed)?;
    }
    units.sort_unstable();
    units.dedup();
    Ok(units)
}

/// Units with one of these names, in lower case; the first where they are many.
fn called(
    corpus: &Corpus,
    names: &[String],
    allowed: &Allowed,
) -> Result<Vec<UnitNo>, SearchError> {
    let mut units = Vec::new();
    for (base, snapshot) in corpus.parts() {
        for name in names {
            snapshot
                .text()
                .named(name, |unit| units.push(base + unit))?;
        }
    }
    units.retain(|&unit| allowed.holds(unit));
    if units.len() > NAMESAKES {
        units.sort_by_cached_key(|&unit| {
            let (snapshot, path, line) = corpus.position(unit);
            (snapshot, path.to_owned(), line)
        });
        units.truncate(NAMESAKES);
    }
    Ok(units)
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
