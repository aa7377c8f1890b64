//! What is in an index, and whether it is up to date.

use crate::change::changes;
use crate::find_language;
use crate::index_file::Job;
use crate::project::Project;
use crate::{embed, os};
use scent_index::{FileRecord, FileTable, Lock, LockError, Snapshot, State, VectorModel};
use scent_types::{Backlog, EmbeddingCounts, Freshness, HealthCounts, Status};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What is in a snapshot of a root.
pub(crate) fn status_of(root: &Path, snapshot: &Snapshot, freshness: Freshness) -> Status {
    let table = snapshot.table();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let text = snapshot.text();
    text.each_unit(|unit| *kinds.entry(text.kind(unit).to_string()).or_default() += 1);
    let mut embeddings = Vec::new();
    for model in snapshot.models() {
        embeddings.push(embedding_counts(snapshot, model));
    }
    let mut status = Status {
        root: os::display_path(root),
        folder: os::display_path(snapshot.storage().directory()),
        generation: table.generation,
        written: table.written,
        freshness,
        backlog: backlog(snapshot),
        files: 0,
        units: text.count(),
        embeddings,
        lines: 0,
        source_bytes: 0,
        index_bytes: folder_bytes(snapshot.storage().directory()),
        languages: Vec::new(),
        kinds: most_first(kinds),
        health: HealthCounts::default(),
        unhealthy: Vec::new(),
        skipped: Vec::new(),
    };
    let mut languages: BTreeMap<String, usize> = BTreeMap::new();
    for file in &table.files {
        add_file(&mut status, &mut languages, file);
    }
    status.languages = most_first(languages);
    status
}

fn add_file(status: &mut Status, languages: &mut BTreeMap<String, usize>, file: &FileRecord) {
    let (language, health, lines) = match &file.state {
        State::Indexed {
            language,
            health,
            lines,
            ..
        } => (language, *health, *lines),
        State::Skipped(reason) => {
            let skipped = (file.path.clone(), reason.to_string());
            return status.skipped.push(skipped);
        }
    };
    status.files += 1;
    status.lines += u64::from(lines);
    status.source_bytes += file.size;
    let name = find_language(language).map_or("text", |l| l.name);
    *languages.entry(name.to_owned()).or_default() += 1;
    status.health.add(health);
    if health.has_errors() {
        status.unhealthy.push((file.path.clone(), health));
    }
}

fn backlog(snapshot: &Snapshot) -> Option<Backlog> {
    let backlog = snapshot.table().backlog;
    let lock = || Lock::acquire(snapshot.storage(), Duration::ZERO);
    snapshot.table().is_partial().then(|| Backlog {
        files: backlog.files,
        bytes: backlog.bytes,
        all_files: backlog.all_files,
        all_bytes: backlog.all_bytes,
        running: matches!(lock(), Err(LockError::Held { .. })),
    })
}

fn embedding_counts(snapshot: &Snapshot, model: &VectorModel) -> EmbeddingCounts {
    let vectors = snapshot.vectors_of(model);
    let waiting = snapshot.waiting_for(model);
    EmbeddingCounts {
        model: model.name.clone(),
        units: vectors.map_or(0, |vectors| vectors.live_rows()),
        waiting,
        running: waiting > 0 && embed::is_reading(snapshot.storage(), model),
    }
}

pub(crate) fn freshness(project: &Project, table: &FileTable) -> Freshness {
    if table.fingerprint != project.fingerprint() {
        return Freshness::Outdated;
    }
    let entries = project.tree().list();
    let found = changes(table, &entries, false);
    let job = Job::new(project);
    let changed = found
        .dirty
        .iter()
        .filter(|dirty| !job.is_same_content(dirty));
    match (changed.count(), found.removed.len()) {
        (0, 0) => Freshness::Fresh,
        (changed, removed) => Freshness::Stale { changed, removed },
    }
}

fn most_first(counts: BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn folder_bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.metadata().ok())
        .map(|data| data.len())
        .sum()
}
