//! The files that candidates are in.

use super::candidate::{CandidateFile, QuerySignals};
use super::terms::words_of;
use super::{entry, near};
use crate::categories::categories_of;
use crate::corpus::Corpus;
use crate::fuse::Fused;
use scent_types::FileCategory;
use std::collections::HashMap;

/// A file by its snapshot and id.
pub(super) type FileKey = (usize, u32);

/// Every file with a candidate in it.
pub(super) fn files(
    corpus: &Corpus,
    query: &QuerySignals,
    candidates: &[Fused],
) -> HashMap<FileKey, CandidateFile> {
    let mut files: HashMap<FileKey, CandidateFile> = HashMap::new();
    for candidate in candidates {
        let key = corpus.file_of(corpus.unit_ref(candidate.unit));
        let file = files.entry(key).or_insert_with(|| {
            let (_, path, _) = corpus.position(candidate.unit);
            let mut file = CandidateFile::new(path, query);
            file.importance = corpus.snapshots()[key.0].ranks().file(key.1);
            file
        });
        file.coherence += candidate.score;
    }
    normalize_coherence(&mut files);
    files
}

/// Divides by the most that a plain file has.
fn normalize_coherence(files: &mut HashMap<FileKey, CandidateFile>) {
    // Tests and the like often have most: that says nothing against the others.
    let plain = files.values().filter(|file| file.categories.is_empty());
    let sums = plain.map(|file| file.coherence);
    let most = sums.fold(f32::MIN_POSITIVE, f32::max);
    for file in files.values_mut() {
        file.coherence = (file.coherence / most).min(1.0);
    }
}

impl CandidateFile {
    fn new(path: &str, query: &QuerySignals) -> CandidateFile {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut categories = categories_of(path);
        // A file that stands for its folder is called like it.
        let stem = if categories.contains(&FileCategory::Barrel) && !folders.is_empty() {
            last_part(folders)
        } else {
            first_part(name)
        };
        categories.retain(|category| !query.categories.contains(category));
        let (stem, folders) = (words_of(stem), words_of(folders));
        CandidateFile {
            stem_recall: query.terms.recall_in(&stem),
            folder_recall: query.terms.recall_in(&folders),
            stem_precision: query.terms.precision_of(&stem),
            stem,
            folders,
            categories,
            coherence: 0.0,
            near: query.near.map_or(0.0, |near| near::nearness(path, near)),
            holds_entry: entry::is_entry_file(name),
            importance: 1.0,
        }
    }
}

fn last_part(folders: &str) -> &str {
    folders.rsplit('/').next().unwrap_or(folders)
}

/// The name up to its first dot, but for those that it begins with.
fn first_part(name: &str) -> &str {
    let mut parts = name.split('.');
    parts.find(|part| !part.is_empty()).unwrap_or(name)
}
