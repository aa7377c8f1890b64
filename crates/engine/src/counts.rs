//! How many units of each file match, without ranking them.

use crate::error::EngineError;
use crate::hits::{common_root, matcher};
use crate::os;
use crate::searched::Searched;
use crate::sources::{file_of, read_indexed};
use scent_index::FileRecord;
use scent_search::{Query, Weights, count};
use scent_types::{FileCount, Request, Response};

pub(crate) fn respond(
    searched: &Searched,
    request: &Request,
    weights: &Weights,
) -> Result<Response, EngineError> {
    let corpus = &searched.corpus();
    let read = |nth: usize, file: &FileRecord| read_indexed(searched.projects[nth].tree(), file);
    let matcher = matcher(request)?;
    let query = Query {
        request,
        matcher: matcher.as_ref(),
        quoted: &[],
        questions: &[],
        body: &[],
    };
    let common = common_root(&searched.roots());
    let mut counts = Vec::new();
    for found in count(corpus, query, weights, &read)? {
        let Some(record) = searched.snapshots[found.snapshot].file(found.file) else {
            continue;
        };
        let file = file_of(searched.projects[found.snapshot].root(), Some(record));
        counts.push(FileCount {
            path: os::portable(file.strip_prefix(&common).unwrap_or(&file)).0,
            units: found.units,
        });
    }
    Ok(counted(searched, request, counts))
}

/// A response that counts and shows nothing.
pub(crate) fn counted(
    searched: &Searched,
    request: &Request,
    mut counts: Vec<FileCount>,
) -> Response {
    counts.sort_by(|a, b| a.path.cmp(&b.path));
    let generations = searched.snapshots.iter().map(|s| s.table().generation);
    Response {
        query: request.query.clone(),
        root: os::display_path(&common_root(&searched.roots())),
        generation: generations.max().unwrap_or(0),
        total: counts.iter().map(|count| count.units).sum(),
        counts,
        ..Response::default()
    }
}
