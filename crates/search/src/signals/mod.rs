//! What speaks for a candidate beside its lanes.
//!
//! Each signal is one file: what it adds to the score, and why in words. What
//! a signal counts stands in `data/weights.toml`; 1 is what the best of a lane
//! with the weight 1 gets.

mod candidate;
mod category;
mod coherence;
mod container;
mod entry;
mod files;
mod folder;
mod importance;
mod kind;
mod length;
mod name;
mod near;
mod stem;
mod terms;
mod whole_stem;

pub(crate) use entry::{entry_names, is_entry_file};

use crate::categories::is_named_by;
use crate::corpus::UnitNo;
use crate::error::SearchError;
use crate::fuse::Fused;
use crate::query::Context;
use crate::weights::SignalWeights;
use candidate::{Candidate, QuerySignals, Signal};
use rayon::prelude::*;
use scent_types::{FileCategory, Part};
use terms::QueryTerms;

/// So many units are worth a thread of their own.
const HANDFUL: usize = 16;

const SIGNALS: [Signal; 13] = [
    name::SIGNAL,
    container::SIGNAL,
    stem::SIGNAL,
    whole_stem::SIGNAL,
    folder::SIGNAL,
    kind::SIGNAL,
    length::SIGNAL,
    coherence::SIGNAL,
    category::SIGNAL,
    near::SIGNAL,
    entry::SIGNAL,
    importance::SYMBOL,
    importance::FILE,
];

/// Adds the signals of the first candidates, which are in order of their
/// lanes, to their scores.
pub(crate) fn add(
    cx: &Context,
    terms: &[(String, f32)],
    candidates: &mut [Fused],
    weights: &SignalWeights,
) -> Result<(), SearchError> {
    let query = query_signals(cx, terms);
    let files = files::files(cx.corpus, &query, candidates);
    let numbers: Vec<UnitNo> = candidates.iter().map(|one| one.unit).collect();
    let units = cx.corpus.units(&numbers)?;
    let all = candidates.par_iter_mut().zip(&units);
    all.with_min_len(HANDFUL).for_each(|(one, unit)| {
        let (snapshot, id) = cx.corpus.file_of(cx.corpus.unit_ref(one.unit));
        let snapshots = cx.corpus.snapshots();
        let candidate = Candidate {
            query: &query,
            unit,
            file: &files[&(snapshot, id)],
            importance: snapshots[snapshot].ranks().lines(id, unit.lines),
        };
        add_to(one, &candidate, weights, cx.request.explain);
    });
    Ok(())
}

fn query_signals<'a>(cx: &'a Context, terms: &[(String, f32)]) -> QuerySignals<'a> {
    let words = &cx.intent.words;
    let named = |category: &FileCategory| is_named_by(*category, words);
    QuerySignals {
        terms: QueryTerms::new(terms),
        categories: FileCategory::ALL.into_iter().filter(named).collect(),
        near: cx.request.near.as_deref(),
        entry: entry::asks_for_entry(words),
    }
}

fn add_to(one: &mut Fused, candidate: &Candidate, weights: &SignalWeights, explain: bool) {
    for signal in &SIGNALS {
        let amount = (signal.amount)(candidate, weights);
        one.score += amount;
        if explain && amount != 0.0 {
            one.parts.push(Part {
                name: signal.name,
                amount,
                why: (signal.why)(candidate),
            });
        }
    }
}
