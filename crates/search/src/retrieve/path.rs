//! Paths in a query: the files that they name, each with its first unit before
//! the others.

use super::list::RankedList;
use crate::corpus::UnitNo;
use crate::error::SearchError;
use crate::query::Context;
use crate::units::Allowed;
use crate::weights::Weights;
use scent_index::Snapshot;
use scent_types::Lane;

/// A path that names more files than this names none in particular.
const MOST_FILES: usize = 20;
/// The scores of the path itself, of one that ends so, and of one that lies below.
const SAME: f32 = 1.0;
const ENDS_SO: f32 = 0.9;
const BELOW: f32 = 0.3;
/// The score of the further units of a file, times that of the file.
const FURTHER: f32 = 0.5;

pub(crate) fn path(cx: &Context, weights: &Weights) -> Result<RankedList, SearchError> {
    let lanes = weights.fusion.lanes.only(&cx.request.lanes);
    let mut units = Vec::new();
    if lanes.get(Lane::Path) > 0.0 && !cx.intent.paths.is_empty() {
        for (nth, (base, snapshot)) in cx.corpus.parts().enumerate() {
            cx.check_deadline()?;
            let files = named_files(snapshot, nth, &cx.intent.paths, &cx.allowed);
            for (id, score) in files {
                add_units(snapshot, base, id, score, &mut units)?;
            }
        }
    }
    units.retain(|&(unit, _)| cx.allowed.holds(unit));
    let list = RankedList::best(cx.corpus, Lane::Path, units, weights.fusion.pool);
    Ok(RankedList {
        max_score: Some(SAME),
        ..list
    })
}

/// The files that the paths name, best first.
fn named_files(
    snapshot: &Snapshot,
    nth: usize,
    paths: &[String],
    allowed: &Allowed,
) -> Vec<(u32, f32)> {
    let mut files = Vec::new();
    for file in &snapshot.table().files {
        if let Some(id) = file.id()
            && allowed.holds_file(nth, id)
            && let Some(score) = fit(&file.path, paths)
        {
            files.push((id, score));
        }
    }
    files.sort_by(|a, b| b.1.total_cmp(&a.1));
    files.truncate(MOST_FILES);
    files
}

fn add_units(
    snapshot: &Snapshot,
    base: UnitNo,
    file: u32,
    score: f32,
    units: &mut Vec<(UnitNo, f32)>,
) -> Result<(), SearchError> {
    for (nth, (unit, _)) in snapshot.text().units_of(file)?.into_iter().enumerate() {
        let factor = if nth == 0 { 1.0 } else { FURTHER };
        units.push((base + unit, factor * score));
    }
    Ok(())
}

fn fit(path: &str, asked: &[String]) -> Option<f32> {
    let path = path.to_lowercase();
    let fits = asked.iter().filter_map(|asked| fit_one(&path, asked));
    fits.reduce(f32::max)
}

fn fit_one(path: &str, asked: &str) -> Option<f32> {
    if path == asked {
        return Some(SAME);
    }
    if let Some(before) = path.strip_suffix(asked)
        && ends_a_folder(before)
    {
        return Some(ENDS_SO);
    }
    if !asked.contains('/') {
        return None;
    }
    let folder = format!("{}/", asked.trim_end_matches('/'));
    let at = path.find(&folder)?;
    ends_a_folder(&path[..at]).then_some(BELOW)
}

fn ends_a_folder(path: &str) -> bool {
    path.is_empty() || path.ends_with('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_named_whole_or_from_a_folder_on() {
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
