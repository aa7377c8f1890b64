//! Which units may answer, decided before anything is retrieved: those that
//! pass the filters, and of these the ones that the operators of the query
//! (`AND`, `OR`, `-word`) leave.

use crate::corpus::Corpus;
use crate::error::SearchError;
use crate::filter;
use crate::secrets::is_secret;
use crate::units::{Allowed, UnitSet};
use scent_types::{Condition, Filters, Request};
use scent_words::terms;

pub(crate) fn allowed(corpus: &Corpus, request: &Request) -> Result<Allowed, SearchError> {
    let filters = &request.filters;
    let scoped = corpus.scopes().iter().any(|scope| !scope.is_empty());
    let secrets = match request.hide_secrets {
        true => secret_files(corpus),
        false => Vec::new(),
    };
    if *filters == Filters::default() && !scoped && secrets.is_empty() {
        return Ok(Allowed::default());
    }
    let (units, mut files) = filter::passing(corpus, filters)?;
    let units = meeting(corpus, &filters.conditions, units)?;
    if secrets.is_empty() {
        return Ok(Allowed::these(units, files));
    }
    for (snapshot, id) in secrets {
        files[snapshot].remove(&id);
    }
    let mut shown = UnitSet::default();
    for (nth, (base, snapshot)) in corpus.parts().enumerate() {
        snapshot.text().each_unit(|unit| {
            let file = snapshot.text().place(unit).0;
            if units.holds(base + unit) && files[nth].contains(&file) {
                shown.insert(base + unit);
            }
        });
    }
    Ok(Allowed::these(shown, files))
}

/// The files that are not for everybody, each with the position of its snapshot.
fn secret_files(corpus: &Corpus) -> Vec<(usize, u32)> {
    let mut secret = Vec::new();
    for (nth, snapshot) in corpus.snapshots().iter().enumerate() {
        let files = snapshot.table().files.iter();
        let ids = files.filter(|file| is_secret(&file.path));
        secret.extend(ids.filter_map(|file| Some((nth, file.id()?))));
    }
    secret
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
