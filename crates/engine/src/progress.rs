//! How long work goes on, for who waits for it.

/// What an update is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking for files.
    Walking,
    /// Reading and parsing this many files.
    Indexing {
        /// Files to read.
        files: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// Making the vectors of this many units.
    Embedding {
        /// The model that makes them.
        model: String,
        /// Units without vectors.
        units: u64,
    },
    /// Making it permanent.
    Committing,
    /// Waiting for another process, which writes the index.
    Waiting {
        /// Who that is.
        holder: String,
    },
    /// All is done.
    Done,
}

/// Follows how an update goes on.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, stage: Stage);
    /// A file of this many bytes is done.
    fn file(&self, bytes: u64);
    /// So many units have their vectors.
    fn units(&self, units: u64);
    /// Whether nobody waits for the outcome any more: nothing is waited for, but
    /// what was begun is done.
    fn is_cancelled(&self) -> bool {
        false
    }
    /// Whether the user wants the work to stop. What is done is kept.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _: Stage) {}
    fn file(&self, _: u64) {}
    fn units(&self, _: u64) {}
}
