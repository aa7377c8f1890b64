//! Paths that stand in a query: the files that are meant, each with its first
//! unit before the others.

use super::RankedList;
use crate::SearchError;
use crate::analyse::Intent;
use crate::corpus::Corpus;
use crate::units::Allowed;
use crate::weights::Weights;
use scent_index::FileRecord;
use scent_types::Lane;

/// More files than this are no longer what somebody means.
const MOST_FILES: usize = 20;
/// What the path itself is worth, one that ends so, and one that lies below.
const SAME: f32 = 1.0;
const ENDS_SO: f32 = 0.9;
const BELOW: f32 = 0.3;
/// What the further units of a file are worth.
const FURTHER: f32 = 0.5;

pub(crate) fn path(
    corpus: &Corpus,
    intent: &Intent,
    allowed: &Allowed,
    weights: &Weights,
) -> Result<RankedList, SearchError> {
    let asked = weights.fusion.lane(Lane::Path) > 0.0 && !intent.paths.is_empty();
    let mut units = Vec::new();
    for (nth, (base, snapshot)) in corpus.parts().enumerate().filter(|_| asked) {
        let fitting = |file: &FileRecord| {
            let id = file.id().filter(|&id| allowed.holds_file(nth, id))?;
            Some((id, fit(&file.path, &intent.paths)?))
        };
        let mut files: Vec<(u32, f32)> =
            snapshot.table().files.iter().filter_map(fitting).collect();
        files.sort_by(|a, b| b.1.total_cmp(&a.1));
        files.truncate(MOST_FILES);
        for (id, worth) in files {
            for (at, (unit, _)) in snapshot.units_of(id)?.into_iter().enumerate() {
                units.push((base + unit, if at == 0 { worth } else { FURTHER * worth }));
            }
        }
    }
    units.retain(|&(unit, _)| allowed.holds(unit));
    let list = RankedList::best(corpus, Lane::Path, units, weights.fusion.pool);
    Ok(RankedList {
        full: Some(SAME),
        ..list
    })
}

fn fit(path: &str, asked: &[String]) -> Option<f32> {
    let path = path.to_lowercase();
    asked
        .iter()
        .filter_map(|asked| fit_one(&path, asked))
        .reduce(f32::max)
}

fn fit_one(path: &str, asked: &str) -> Option<f32> {
    let before = |rest: &str| rest.is_empty() || rest.ends_with('/');
    match () {
        () if path == asked => Some(SAME),
        () if path.strip_suffix(asked).is_some_and(before) => Some(ENDS_SO),
        () if !asked.contains('/') => None,
        () => {
            let folder = format!("{}/", asked.trim_end_matches('/'));
            let at = path.find(&folder)?;
            before(&path[..at]).then_some(BELOW)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_meant_whole_or_from_a_folder_on() {
        for (path, asked, want) in [
            ("src/http/client.rs", "src/http/client.rs", Some(SAME)),
            ("src/http/client.rs", "http/client.rs", Some(ENDS_SO)),
            ("src/http/client.rs", "client.rs", Some(ENDS_SO)),
            ("src/http/client.rs", "lient.rs", None),
            ("src/http/client.rs", "src/http", Some(BELOW)),
            ("src/http/client.rs", "http/", Some(BELOW)),
            ("src/xhttp/client.rs", "http/", None),
            ("src/http/client.rs", "http", None),
        ] {
            assert_eq!(fit_one(path, asked), want, "{path} {asked}");
        }
    }
}
