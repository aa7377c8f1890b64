//! Units by the words that they have: `AND`, `OR` and `-word` of a query.

use crate::corpus::Corpus;
use crate::error::SearchError;
use crate::units::UnitSet;
use scent_types::WordFilter;
use scent_words::terms;

/// Those of some units that pass all filters.
pub(crate) fn passing(
    corpus: &Corpus,
    filters: &[WordFilter],
    mut units: UnitSet,
) -> Result<UnitSet, SearchError> {
    for filter in filters {
        units = apply(corpus, filter, units)?;
    }
    Ok(units)
}

fn apply(corpus: &Corpus, filter: &WordFilter, units: UnitSet) -> Result<UnitSet, SearchError> {
    match filter {
        WordFilter::Has(word) => having(corpus, word, units),
        WordFilter::Not(filter) => {
            let without = apply(corpus, filter, units.clone())?;
            Ok(units.minus(&without))
        }
        WordFilter::All(filters) => passing(corpus, filters, units),
        WordFilter::Any(filters) => {
            let mut any = UnitSet::default();
            for filter in filters {
                any.add(&apply(corpus, filter, units.clone())?);
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
