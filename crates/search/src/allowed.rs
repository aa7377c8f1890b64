//! Which units may answer, decided before anything is retrieved: those that
//! pass the filters, and of these the ones that the operators of the query
//! (`AND`, `OR`, `-word`) leave.

use crate::corpus::Corpus;
use crate::error::SearchError;
use crate::filter;
use crate::secrets;
use crate::units::{Allowed, UnitSet};
use scent_types::{Condition, Filters, Request};
use scent_words::terms;

pub(crate) fn allowed(corpus: &Corpus, request: &Request) -> Result<Allowed, SearchError> {
    let filters = &request.filters;
    let scoped = corpus.scopes().iter().any(|scope| !scope.is_empty());
    let allowed = if *filters == Filters::default() && !scoped {
        Allowed::default()
    } else {
        let (units, files) = filter::passing(corpus, filters)?;
        Allowed::these(meeting(corpus, &filters.conditions, units)?, files)
    };
    if !request.hide_secrets {
        return Ok(allowed);
    }
    let (mut units, mut files) = (UnitSet::default(), Vec::new());
    for (base, snapshot) in corpus.parts() {
        let secret = secrets::hidden_in(snapshot)?;
        secret
            .units
            .iter()
            .for_each(|unit| units.insert(base + unit));
        files.push(secret.files.clone());
    }
    Ok(allowed.without(units, files))
}

/// Those of some units that meet all conditions.
fn meeting(
    corpus: &Corpus,
    conditions: &[Condition],
    mut units: UnitSet,
) -> Result<UnitSet, SearchError> {
    for condition in conditions {
        units = apply(corpus, condition, units)?;
    }
    Ok(units)
}

fn apply(corpus: &Corpus, condition: &Condition, units: UnitSet) -> Result<UnitSet, SearchError> {
    match condition {
        Condition::Has(word) => having(corpus, word, units),
        Condition::Passes(filters) => {
            let (passing, _) = filter::passing(corpus, filters)?;
            meeting(corpus, &filters.conditions, units.both(&passing))
        }
        Condition::Not(condition) => {
            let without = apply(corpus, condition, units.clone())?;
            Ok(units.minus(&without))
        }
        Condition::All(conditions) => meeting(corpus, conditions, units),
        Condition::Any(conditions) => {
            let mut any = UnitSet::default();
            for condition in conditions {
                any.add(&apply(corpus, condition, units.clone())?);
            }
            Ok(any)
        }
    }
}

/// Those that have a word in any field, all parts of it where it is several. A
/// definition has a word if any of its passages has.
fn having(corpus: &Corpus, word: &str, mut units: UnitSet) -> Result<UnitSet, SearchError> {
    for term in terms::unique(word) {
        let mut holding = UnitSet::default();
        for (base, snapshot) in corpus.parts() {
            let words = snapshot.text().words(&[&term])?;
            words.postings(0, |_, unit, _, _| holding.insert(base + unit))?;
        }
        units = units.both(&with_other_passages(corpus, holding));
    }
    Ok(units)
}

/// The same units, and all passages of those of which one is among them. The
/// passages of a definition have numbers in a row.
fn with_other_passages(corpus: &Corpus, units: UnitSet) -> UnitSet {
    let mut all = units.clone();
    for unit in units.iter() {
        let whole = corpus.whole_of(unit);
        for before in (0..unit).rev() {
            if corpus.whole_of(before) != whole {
                break;
            }
            all.insert(before);
        }
        for after in unit + 1..corpus.space() as u32 {
            if corpus.whole_of(after) != whole {
                break;
            }
            all.insert(after);
        }
    }
    all
}
