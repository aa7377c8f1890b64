//! Which files of a project the map shows, and in which order.

use super::weights::weights;
use crate::categories::categories_of;
use crate::signals::is_entry_file;
use scent_index::{FileRecord, Snapshot, State};
use scent_types::{FileCategory, FileClass};
use std::collections::BTreeMap;

/// What a map shows before what: code of the product, then documentation, then
/// what only serves the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Tier {
    Product,
    Docs,
    Tests,
    Config,
    Copies,
}

/// A file that the map may show.
#[derive(Clone, Copy, Debug)]
pub struct RankedFile<'s> {
    /// The file.
    pub record: &'s FileRecord,
    /// How much of the repository leads to it.
    pub importance: f32,
    pub(super) tier: Tier,
    /// What it is worth within its tier.
    pub(super) score: f32,
}

/// The files of a snapshot that lie at a path, those to read first before.
pub fn ranked_files<'s>(snapshot: &'s Snapshot, path: &str) -> Vec<RankedFile<'s>> {
    let mut files = Vec::new();
    for record in &snapshot.table().files {
        if is_inside(&record.path, path)
            && let State::Indexed { id, class, .. } = &record.state
        {
            files.push(rank(record, *class, snapshot.ranks().file(*id)));
        }
    }
    sort(&mut files);
    spread(&mut files);
    sort(&mut files);
    files
}

/// Whether a file lies at a path or below it; the empty path is the root.
pub(super) fn is_inside(file: &str, path: &str) -> bool {
    let rest = file.strip_prefix(path);
    path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn rank(record: &FileRecord, class: FileClass, importance: f32) -> RankedFile<'_> {
    let categories = categories_of(&record.path);
    let weights = &weights().files;
    let mut score = importance;
    if is_entry_file(file_name(&record.path)) {
        score *= weights.entry;
    }
    if weights.is_helper(&record.path) {
        score *= weights.helper;
    }
    if categories.contains(&FileCategory::Barrel) {
        score *= weights.barrel;
    }
    RankedFile {
        record,
        tier: if weights.is_stub(&record.path) {
            Tier::Copies
        } else {
            tier(class, &categories)
        },
        importance,
        score,
    }
}

fn tier(class: FileClass, categories: &[FileCategory]) -> Tier {
    let mut tier = match class {
        FileClass::Code => Tier::Product,
        FileClass::Docs => Tier::Docs,
        FileClass::Config => Tier::Config,
    };
    for category in categories {
        let least = match category {
            FileCategory::Barrel => Tier::Product,
            FileCategory::Docs => Tier::Docs,
            FileCategory::Test | FileCategory::Example | FileCategory::Benchmark => Tier::Tests,
            FileCategory::Fixture
            | FileCategory::Compat
            | FileCategory::Generated
            | FileCategory::Vendored
            | FileCategory::Stub => Tier::Copies,
        };
        tier = tier.max(least);
    }
    tier
}

/// Files near the top come first among those that are equally important.
fn sort(files: &mut [RankedFile]) {
    files.sort_by(|a, b| {
        let depth = |file: &RankedFile| file.record.path.matches('/').count();
        let by_score = a.tier.cmp(&b.tier).then(b.score.total_cmp(&a.score));
        by_score
            .then(depth(a).cmp(&depth(b)))
            .then(a.record.path.cmp(&b.record.path))
    });
}

/// Lets each further file of a folder count for less.
fn spread(files: &mut [RankedFile]) {
    let mut before: BTreeMap<&str, f32> = BTreeMap::new();
    for file in files {
        let seen = before.entry(folder_of(&file.record.path)).or_default();
        file.score /= 1.0 + weights().files.further * *seen;
        *seen += 1.0;
    }
}

/// The folder of a file; empty for the root.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
