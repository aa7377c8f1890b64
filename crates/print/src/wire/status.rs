//! `status` and `indexes`.

use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The answer of `scent indexes`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Indexes {
    /// The version of this format.
    pub schema: u32,
    /// How many bytes all indexes together take.
    pub total_bytes: u64,
    /// The indexes, in the order that was asked for.
    pub indexes: Vec<Index>,
}

/// An index.
#[derive(Debug, Serialize, ToSchema)]
pub struct Index {
    /// The folder that holds it.
    pub index: String,
    /// The folder that is indexed. Absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub root: Option<String>,
    /// Whether the folder that is indexed still exists. Absent where that is not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub project_exists: Option<bool>,
    /// How many bytes it takes.
    pub bytes: u64,
    /// When it was used last, in seconds since 1970, to the hour.
    pub last_used: u64,
}

/// The answer of `scent status`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Status {
    /// The version of this format.
    pub schema: u32,
    /// The folder that is indexed.
    pub root: String,
    /// The folder that holds the index.
    pub index: String,
    /// How many commits the index has seen.
    pub generation: u64,
    /// When the index was written, in seconds since 1970.
    pub written: u64,
    /// Whether the index is up to date.
    pub freshness: Freshness,
    /// What the last update had not come to; absent where it came to all files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backlog: Option<Backlog>,
    /// How many files are indexed.
    pub files: usize,
    /// How many lines they have.
    pub lines: u64,
    /// How many units they have.
    pub units: u64,
    /// How many units each model has embedded, the primary model first.
    pub embeddings: Vec<EmbeddingStatus>,
    /// The size of the indexed files, in bytes.
    pub source_bytes: u64,
    /// The size of the index, in bytes.
    pub index_bytes: u64,
    /// How many files were parsed how well.
    pub health: HealthCounts,
    /// Files by language.
    pub languages: BTreeMap<String, usize>,
    /// Units by kind.
    pub kinds: BTreeMap<String, usize>,
    /// Files that were not parsed cleanly.
    pub unhealthy: Vec<UnhealthyFile>,
    /// Files that are not indexed.
    pub skipped: Vec<SkippedFile>,
}

/// Whether an index is up to date.
#[derive(Debug, Serialize, ToSchema)]
pub struct Freshness {
    /// Nothing changed since the index was written.
    pub fresh: bool,
    /// How many files are new or changed.
    pub changed: usize,
    /// How many files no longer exist.
    pub removed: usize,
    /// The index was made with other settings or by another version; the next
    /// search rebuilds it.
    pub outdated: bool,
}

/// The new and changed files that an update had not come to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Backlog {
    /// How many they are.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How many files there are.
    pub all_files: u64,
    /// The bytes of all files.
    pub all_bytes: u64,
    /// Whether a process writes the index right now.
    pub running: bool,
}

/// How many units a model has embedded.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmbeddingStatus {
    /// The model.
    pub model: String,
    /// How many units have vectors.
    pub units: u64,
    /// How many units are not embedded yet.
    pub waiting: u64,
    /// Whether a process embeds them right now.
    pub running: bool,
}

/// How many files were parsed how well.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthCounts {
    /// Without an error.
    pub ok: usize,
    /// Around errors.
    pub partial: usize,
    /// Not at all; such a file is indexed by paragraphs.
    pub error: usize,
    /// There is no grammar for the file; it is indexed by paragraphs.
    pub no_grammar: usize,
}

/// A file that was not parsed cleanly.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnhealthyFile {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// How well it was parsed, in words.
    pub health: String,
}

/// A file that is not indexed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SkippedFile {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// Why it is not indexed, in words.
    pub reason: String,
}

impl From<scent_types::Freshness> for Freshness {
    fn from(freshness: scent_types::Freshness) -> Freshness {
        let (changed, removed) = match freshness {
            scent_types::Freshness::Stale { changed, removed } => (changed, removed),
            _ => (0, 0),
        };
        Freshness {
            fresh: freshness == scent_types::Freshness::Fresh,
            changed,
            removed,
            outdated: freshness == scent_types::Freshness::Outdated,
        }
    }
}

impl From<&scent_types::Backlog> for Backlog {
    fn from(backlog: &scent_types::Backlog) -> Backlog {
        Backlog {
            files: backlog.files,
            bytes: backlog.bytes,
            all_files: backlog.all_files,
            all_bytes: backlog.all_bytes,
            running: backlog.running,
        }
    }
}

impl From<&scent_types::EmbeddingCounts> for EmbeddingStatus {
    fn from(counts: &scent_types::EmbeddingCounts) -> EmbeddingStatus {
        EmbeddingStatus {
            model: counts.model.clone(),
            units: counts.units,
            waiting: counts.waiting,
            running: counts.running,
        }
    }
}

impl From<scent_types::HealthCounts> for HealthCounts {
    fn from(counts: scent_types::HealthCounts) -> HealthCounts {
        HealthCounts {
            ok: counts.ok,
            partial: counts.partial,
            error: counts.error,
            no_grammar: counts.no_grammar,
        }
    }
}
