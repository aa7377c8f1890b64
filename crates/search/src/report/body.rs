//! The words of a whole text that tell most.

use crate::analyse::content_terms_of;
use crate::corpus::Corpus;
use crate::error::SearchError;
use scent_types::Report;

/// More different words than this are not looked up.
const MOST_LOOKED_UP: usize = 4_000;

/// The terms of a report that fewest units hold, in order of the text. Terms
/// that nothing holds find nothing.
pub(super) fn rarest_terms(
    corpus: &Corpus,
    report: &Report,
    most: usize,
) -> Result<Vec<String>, SearchError> {
    let text = format!("{}\n{}\n{}", report.title, report.prose, report.code);
    let mut terms = content_terms_of(&text);
    terms.truncate(MOST_LOOKED_UP);
    let mut sorted: Vec<&str> = terms.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let mut held = vec![0_u64; sorted.len()];
    for (_, snapshot) in corpus.parts() {
        let words = snapshot.text().words(&sorted)?;
        for (at, held) in held.iter_mut().enumerate() {
            *held += words.count(at)?;
        }
    }
    let mut by_rarity: Vec<(u64, &str)> = held.into_iter().zip(sorted).collect();
    by_rarity.retain(|(count, _)| *count > 0);
    by_rarity.sort_unstable();
    by_rarity.truncate(most);
    let chosen: std::collections::HashSet<&str> =
        by_rarity.into_iter().map(|(_, term)| term).collect();
    let kept = terms.iter().filter(|term| chosen.contains(term.as_str()));
    Ok(kept.cloned().collect())
}
