//! What is in an index, and whether it is up to date.

use crate::change::changes;
use crate::project::Project;
use crate::update::Job;
use crate::walk::walk;
use crate::{embed, find_language};
use scent_index::{FileRecord, FileTable, Snapshot, State, VectorModel};
use scent_types::Health;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Whether an index is up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Nothing changed since it was written.
    Fresh,
    /// This many files are new or changed, and this many are removed.
    Stale {
        /// New or changed files.
        changed: usize,
        /// Removed files.
        removed: usize,
    },
    /// It was made with other settings or by another version.
    Outdated,
}

/// How far an index is embedded with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorCounts {
    /// What people call the model.
    pub model: String,
    /// Units that have vectors.
    pub units: u64,
    /// Units that are not embedded yet.
    pub waiting: u64,
    /// Whether a process embeds them right now.
    pub reading: bool,
}

impl VectorCounts {
    fn of(snapshot: &Snapshot, model: &VectorModel) -> VectorCounts {
        let units = snapshot
            .vectors_of(model)
            .map_or(0, |vectors| vectors.live_rows());
        let waiting = snapshot.waiting_for(model);
        let reading = waiting > 0 && embed::is_reading(snapshot.folder(), model);
        VectorCounts {
            model: model.name.clone(),
            units,
            waiting,
            reading,
        }
    }
}

/// What is in an index.
#[derive(Clone, Debug)]
pub struct Status {
    /// The folder that is indexed.
    pub root: PathBuf,
    /// Where the index is.
    pub folder: PathBuf,
    /// How many commits were made to it.
    pub generation: u64,
    /// When it was written, in seconds since 1970.
    pub written: u64,
    /// Whether it is up to date.
    pub freshness: Freshness,
    /// Indexed files.
    pub files: usize,
    /// Their units.
    pub units: u64,
    /// How many of them each model has embedded, the primary model first.
    pub vectors: Vec<VectorCounts>,
    /// Their lines.
    pub lines: u64,
    /// Their bytes.
    pub source_bytes: u64,
    /// Bytes of the index.
    pub index_bytes: u64,
    /// Files by language, most first.
    pub languages: Vec<(String, usize)>,
    /// Units by kind, most first.
    pub kinds: Vec<(String, usize)>,
    /// Files by parse health: ok, partial, error, no grammar.
    pub health: [usize; 4],
    /// Files that were not parsed cleanly, with the share of errors.
    pub unhealthy: Vec<(String, Health)>,
    /// What was left out, with the reason.
    pub skipped: Vec<(String, String)>,
}

impl Status {
    /// What is in a snapshot of a root.
    pub fn of(root: &Path, snapshot: &Snapshot, freshness: Freshness) -> Status {
        let table = snapshot.table();
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        snapshot.text().each_unit(|unit| {
            *kinds
                .entry(snapshot.text().kind(unit).to_string())
                .or_default() += 1
        });
        let mut status = Status {
            root: root.to_owned(),
            folder: snapshot.folder().to_owned(),
            generation: table.generation,
            written: table.written,
            freshness,
            files: 0,
            units: snapshot.text().count(),
            vectors: snapshot
                .models()
                .map(|model| VectorCounts::of(snapshot, model))
                .collect(),
            lines: 0,
            source_bytes: 0,
            index_bytes: folder_bytes(snapshot.folder()),
            languages: Vec::new(),
            kinds: most_first(kinds),
            health: [0; 4],
            unhealthy: Vec::new(),
            skipped: Vec::new(),
        };
        let mut languages: BTreeMap<String, usize> = BTreeMap::new();
        for file in &table.files {
            status.count(file, &mut languages);
        }
        status.languages = most_first(languages);
        status
    }

    fn count(&mut self, file: &FileRecord, by_language: &mut BTreeMap<String, usize>) {
        let (language, health, lines) = match &file.state {
            State::Indexed {
                language,
                health,
                lines,
                ..
            } => (language, *health, *lines),
            State::Skipped(reason) => {
                return self.skipped.push((file.path.clone(), reason.to_string()));
            }
        };
        self.files += 1;
        self.lines += u64::from(lines);
        self.source_bytes += file.size;
        let name = find_language(language).map_or("text", |l| l.name);
        *by_language.entry(name.to_owned()).or_default() += 1;
        let slot = match health {
            Health::Ok => 0,
            Health::Partial(_) => 1,
            Health::Error | Health::Crashed => 2,
            Health::NoGrammar => 3,
        };
        self.health[slot] += 1;
        if health.has_errors() {
            self.unhealthy.push((file.path.clone(), health));
        }
    }
}

pub(crate) fn freshness(project: &Project, table: &FileTable) -> Freshness {
    if table.fingerprint != project.fingerprint() {
        return Freshness::Outdated;
    }
    let entries = walk(project.root(), project.engine().threads());
    let found = changes(table, &entries);
    let job = Job::new(project);
    let changed = found
        .dirty
        .iter()
        .filter(|(entry, before)| !job.is_same_content(entry, *before));
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
