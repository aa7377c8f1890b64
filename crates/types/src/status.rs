//! What is in an index, and whether it is up to date.

use crate::Health;

/// Whether an index is up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Nothing changed since it was written.
    Fresh,
    /// Files changed since it was written.
    Stale {
        /// New or changed files.
        changed: usize,
        /// Files that no longer exist.
        removed: usize,
    },
    /// It was made with other settings or by another version.
    Outdated,
}

/// How many units of an index a model has embedded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddingCounts {
    /// The name of the model.
    pub model: String,
    /// Units that have vectors.
    pub units: u64,
    /// Units that wait for theirs.
    pub waiting: u64,
    /// Whether a process embeds them right now.
    pub running: bool,
}

/// The new and changed files that an update had not come to, of all files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// How many they are.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How many files there are.
    pub all_files: u64,
    /// The bytes of all.
    pub all_bytes: u64,
    /// Whether a process writes the index right now.
    pub running: bool,
}

/// What is in an index.
#[derive(Clone, Debug)]
pub struct Status {
    /// The folder that is indexed, with `/`.
    pub root: String,
    /// The folder of the index, with `/`.
    pub folder: String,
    /// How many commits it has seen.
    pub generation: u64,
    /// When it was written, in seconds since 1970.
    pub written: u64,
    /// Whether it is up to date.
    pub freshness: Freshness,
    /// What the last update had not come to; none where it came to all files.
    pub backlog: Option<Backlog>,
    /// Indexed files.
    pub files: usize,
    /// Their units.
    pub units: u64,
    /// How many of them each model has embedded, the primary model first.
    pub embeddings: Vec<EmbeddingCounts>,
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
    /// Files by how well they were parsed.
    pub health: HealthCounts,
    /// Files that were not parsed cleanly.
    pub unhealthy: Vec<(String, Health)>,
    /// Files that are not indexed, with the reason.
    pub skipped: Vec<(String, String)>,
}

/// How many files were parsed how well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HealthCounts {
    /// Without an error.
    pub ok: usize,
    /// Around errors.
    pub partial: usize,
    /// Not at all.
    pub error: usize,
    /// There is no grammar for them.
    pub no_grammar: usize,
}

impl HealthCounts {
    /// Counts one more file.
    pub fn add(&mut self, health: Health) {
        let count = match health {
            Health::Ok => &mut self.ok,
            Health::Partial(_) => &mut self.partial,
            Health::Error | Health::Crashed => &mut self.error,
            Health::NoGrammar => &mut self.no_grammar,
        };
        *count += 1;
    }
}
