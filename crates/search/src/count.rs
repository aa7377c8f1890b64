//! How many units of each file match.

use crate::analyse;
use crate::corpus::{Corpus, UnitNo};
use crate::error::SearchError;
use crate::filter;
use crate::own_names::OwnNames;
use crate::pattern;
use crate::plan::Plan;
use crate::query::{Context, Query, ReadFile};
use crate::retrieve;
use crate::weights::Weights;
use std::collections::{BTreeMap, HashSet};

/// How many units of a file match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The position of the snapshot in the corpus.
    pub snapshot: usize,
    /// The id of the file.
    pub file: u32,
    /// How many of its units.
    pub units: usize,
}

/// The files with units that match the pattern or, without one, that have any
/// of the words.
pub fn count(
    corpus: &Corpus,
    query: Query,
    weights: &Weights,
    read: ReadFile,
) -> Result<Vec<Count>, SearchError> {
    let intent = analyse::analyse(query.request, &OwnNames::of(corpus)?, false)?;
    let allowed = filter::allowed(corpus, &query.request.filters)?;
    let matches = pattern::matches(corpus, query, &intent, &allowed, read)?;
    let allowed = pattern::narrowed(allowed, matches.as_ref());
    let cx = Context::new(corpus, query, intent, Vec::new(), allowed, read);
    let units: Vec<UnitNo> = match matches {
        Some(matches) => matches.into_keys().collect(),
        None => {
            let plan = Plan::new(weights, query.request, &cx.intent, false);
            retrieve::holding(&cx, &plan)?
        }
    };
    let wholes: HashSet<_> = units
        .into_iter()
        .map(|unit| corpus.whole_of(unit))
        .collect();
    let mut counts: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    for (snapshot, file, _) in wholes {
        *counts.entry((snapshot, file)).or_default() += 1;
    }
    let mut all = Vec::with_capacity(counts.len());
    for ((snapshot, file), units) in counts {
        all.push(Count {
            snapshot,
            file,
            units,
        });
    }
    Ok(all)
}
