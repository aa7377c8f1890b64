//! How many units of each file match.

use crate::allowed;
use crate::analyse;
use crate::corpus::{Corpus, UnitNo};
use crate::error::SearchError;
use crate::own_names::OwnNames;
use crate::pattern;
use crate::plan::Plan;
use crate::query::{Context, Query, ReadFile};
use crate::retrieve;
use crate::weights::Weights;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A whole unit: its snapshot, file and first line.
type Whole = (usize, u32, u32);

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
/// of the words. As in a list of results, equal texts are one unit, that which
/// comes first by path and line; a pattern finds every place.
pub fn count(
    corpus: &Corpus,
    query: Query,
    weights: &Weights,
    read: ReadFile,
) -> Result<Vec<Count>, SearchError> {
    let intent = analyse::analyse(query.request, &OwnNames::of(corpus)?, false)?;
    let allowed = allowed::allowed(corpus, query.request)?;
    let matches = pattern::matches(corpus, query, &intent, &allowed, read)?;
    let allowed = pattern::narrowed(allowed, matches.as_ref());
    let cx = Context::new(corpus, query, intent, Vec::new(), allowed, read);
    let wholes: BTreeSet<Whole> = match matches {
        Some(matches) => matches
            .into_keys()
            .map(|unit| corpus.whole_of(unit))
            .collect(),
        None => {
            let plan = Plan::new(weights, query.request, &cx.intent, false);
            without_copies(corpus, retrieve::holding(&cx, &plan)?)
        }
    };
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

/// Whole units, of those with equal texts the first.
fn without_copies(corpus: &Corpus, mut units: Vec<UnitNo>) -> BTreeSet<Whole> {
    units.sort_by_cached_key(|&unit| {
        let (snapshot, path, line) = corpus.position(unit);
        (snapshot, path.to_owned(), line)
    });
    let mut texts = HashSet::new();
    let mut wholes = BTreeSet::new();
    for unit in units {
        if texts.insert(corpus.digest(unit)) {
            wholes.insert(corpus.whole_of(unit));
        }
    }
    wholes
}
