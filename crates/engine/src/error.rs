//! Errors, each with what to do next.

use crate::request_error::RequestError;
use scent_embed::ModelError;
use scent_index::{IndexError, LockError, Snapshot};
use scent_search::SearchError;
use std::path::{Path, PathBuf};

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A path does not exist.
    #[error("{}: no such file or folder", .0.display())]
    NoSuchPath(PathBuf),
    /// There is no unit at a line of a file.
    #[error("{path}:{line}: no indexed unit at this line; `scent units {path}` lists the units")]
    NoSuchPlace {
        /// The path relative to the root.
        path: String,
        /// The line.
        line: u32,
    },
    /// A line defines more than one name.
    #[error(
        "{path}:{line}: several names are defined at this line; give one of them, or its column \
         as in {path}:{line}:COLUMN: {}", .names.join(", ")
    )]
    NoOneName {
        /// The path relative to the root.
        path: String,
        /// The line.
        line: u32,
        /// The names.
        names: Vec<String>,
    },
    /// A file has no such line.
    #[error("{path}:{line}: the file has {lines} lines")]
    NoSuchLine {
        /// The path relative to the root.
        path: String,
        /// The line.
        line: u32,
        /// How many lines the file has.
        lines: u32,
    },
    /// No name stands at a column.
    #[error("{path}:{line}:{column}: no name at this column; {}", names_in_line(.names))]
    NoNameAt {
        /// The path relative to the root.
        path: String,
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The names in the line, each with its column.
        names: Vec<(String, u32)>,
    },
    /// No definition is around a line.
    #[error(
        "{path}:{line}: no definition around this line; give a column, {path}:{line}:COLUMN, for a \
         name in it; {}", names_in_line(.names)
    )]
    NoDefinition {
        /// The path relative to the root.
        path: String,
        /// The line.
        line: u32,
        /// The names in the line, each with its column.
        names: Vec<(String, u32)>,
    },
    /// git cannot tell what changed.
    #[error("cannot tell what changed since {commit}: {why}")]
    Git {
        /// The commit.
        commit: String,
        /// What git said.
        why: String,
    },
    /// The folder of the index is not writable.
    #[error(
        "{}: cannot write the index: {why}; choose another folder with --data-dir or SCENT_DATA_DIR",
        .folder.display()
    )]
    NotWritable {
        /// The folder of the index.
        folder: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// A writer could not write, as on a full disk. What is there is sound.
    #[error("{0}")]
    NotWritten(String),
    /// The user interrupted it. What was done until then is kept.
    #[error("interrupted; {} and the next command goes on from there", so_far(*.files, *.all_files))]
    Interrupted {
        /// How many files are indexed.
        files: u64,
        /// How many there are.
        all_files: u64,
    },
    /// A bug that damage of the index does not explain.
    #[error("internal error: {0}")]
    Internal(String),
    /// There is no index, and it may not be created.
    #[error("{}: not indexed yet; run `scent index {}`", .0.display(), .0.display())]
    NotIndexed(PathBuf),
    /// Another process writes the index.
    #[error("{}: {holder} is writing the index; try again when it is done", .root.display())]
    Locked {
        /// The folder that is indexed.
        root: PathBuf,
        /// Who holds the lock.
        holder: String,
    },
    /// The index cannot be used as it is.
    #[error("{}: {error}; run `scent index {}` to rebuild it", .root.display(), .root.display())]
    BadIndex {
        /// The folder that is indexed.
        root: PathBuf,
        /// What is wrong.
        error: IndexError,
    },
    /// The index was embedded with another model.
    #[error(
        "the index is embedded with the model {has}, not {wants}; run `scent index` to embed it again"
    )]
    OtherModel {
        /// The model of the index.
        has: String,
        /// The model in use.
        wants: String,
    },
    /// Ranking weights are not what they should be.
    #[error("{0}")]
    Weights(String),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// None of several folders can be searched.
    #[error("{0}")]
    NothingToSearch(String),
    /// A request does not parse.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The request cannot be answered.
    #[error(transparent)]
    Search(SearchError),
    /// The index failed.
    #[error(transparent)]
    Index(IndexError),
}

impl From<IndexError> for EngineError {
    fn from(error: IndexError) -> EngineError {
        match error {
            IndexError::Stopped(stopped) => EngineError::Search(stopped.into()),
            error => EngineError::Index(error),
        }
    }
}

fn search_code(error: &SearchError) -> &'static str {
    match error {
        SearchError::EmptyQuery => "empty-query",
        SearchError::BadPattern(_) => "bad-pattern",
        SearchError::BadGlob { .. } => "bad-glob",
        SearchError::DeadlineExceeded => "deadline-exceeded",
        SearchError::Cancelled => "cancelled",
        SearchError::Index(_) => "index",
    }
}

/// The most names of a line that an error lists.
const MOST_NAMES: usize = 12;

fn names_in_line(names: &[(String, u32)]) -> String {
    if names.is_empty() {
        return "no name is known in this line".to_owned();
    }
    let listed = names.iter().take(MOST_NAMES);
    let listed: Vec<String> = listed
        .map(|(name, column)| format!("{name} (column {column})"))
        .collect();
    format!("names in this line: {}", listed.join(", "))
}

fn so_far(files: u64, all_files: u64) -> String {
    match files * 100 / all_files.max(1) {
        100.. => "all files are indexed,".to_owned(),
        percent => format!("{percent}% of {all_files} files are indexed,"),
    }
}

impl EngineError {
    /// What is said of a generation where the user interrupted the work on it.
    pub(crate) fn interrupted(snapshot: &Snapshot) -> EngineError {
        let backlog = snapshot.table().backlog;
        EngineError::Interrupted {
            files: backlog.all_files.saturating_sub(backlog.files),
            all_files: backlog.all_files,
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        matches!(self, EngineError::Interrupted { .. })
    }

    /// The same error with another path of the place that it is about.
    pub fn with_path(mut self, other: &str) -> EngineError {
        if let EngineError::NoSuchPlace { path, .. }
        | EngineError::NoOneName { path, .. }
        | EngineError::NoSuchLine { path, .. }
        | EngineError::NoNameAt { path, .. }
        | EngineError::NoDefinition { path, .. } = &mut self
        {
            other.clone_into(path);
        }
        self
    }

    /// The error for programs. A code never changes; new ones may come.
    pub fn code(&self) -> &'static str {
        match self {
            EngineError::NoSuchPath(_) => "no-such-path",
            EngineError::NoSuchPlace { .. } => "no-such-place",
            EngineError::NoOneName { .. } => "no-one-name",
            EngineError::NoSuchLine { .. } => "no-such-line",
            EngineError::NoNameAt { .. } => "no-name-at",
            EngineError::NoDefinition { .. } => "no-definition",
            EngineError::Git { .. } => "git",
            EngineError::NotWritable { .. } => "not-writable",
            EngineError::NotWritten(_) => "not-written",
            EngineError::Interrupted { .. } => "interrupted",
            EngineError::Internal(_) => "internal",
            EngineError::NotIndexed(_) => "not-indexed",
            EngineError::Locked { .. } => "locked",
            EngineError::BadIndex { .. } => "bad-index",
            EngineError::OtherModel { .. } => "other-model",
            EngineError::Weights(_) => "weights",
            EngineError::Model(_) => "model",
            EngineError::NothingToSearch(_) => "nothing-to-search",
            EngineError::Request(error) => error.code(),
            EngineError::Search(error) => search_code(error),
            EngineError::Index(_) => "index",
        }
    }

    pub(crate) fn index(root: &Path, error: IndexError) -> EngineError {
        match error {
            IndexError::Missing => EngineError::NotIndexed(root.to_owned()),
            error if error.wants_rebuild() => EngineError::BadIndex {
                root: root.to_owned(),
                error,
            },
            error => EngineError::Index(error),
        }
    }

    pub(crate) fn lock(root: &Path, folder: &Path, error: LockError) -> EngineError {
        match error {
            LockError::Held { holder } => EngineError::Locked {
                root: root.to_owned(),
                holder,
            },
            LockError::Index(IndexError::Io { why, .. }) => EngineError::NotWritable {
                folder: folder.to_owned(),
                why,
            },
            LockError::Index(error) => EngineError::Index(error),
        }
    }

    /// The same error from a writer. Failing to write is no damage, whatever
    /// its message.
    pub(crate) fn of_writer(self) -> EngineError {
        match self {
            EngineError::Index(error @ (IndexError::Text(_) | IndexError::Io { .. })) => {
                EngineError::NotWritten(error.to_string())
            }
            other => other,
        }
    }

    /// Whether a damaged index would explain it.
    pub(crate) fn may_be_damage(&self) -> bool {
        match self {
            EngineError::BadIndex { .. } | EngineError::Internal(_) => true,
            EngineError::NotIndexed(_) => true,
            // An error of a decoder has no number of the system.
            EngineError::Index(IndexError::Io { why, .. }) => why.raw_os_error().is_none(),
            EngineError::Index(error) => !matches!(error, IndexError::Busy),
            _ => false,
        }
    }

    /// Whether a file is in the way that no manifest names.
    pub(crate) fn is_of_leftovers(&self) -> bool {
        matches!(self, EngineError::Index(IndexError::Leftover(_)))
    }
}

impl From<SearchError> for EngineError {
    fn from(error: SearchError) -> EngineError {
        match error {
            SearchError::Index(error) => EngineError::Index(error),
            error => EngineError::Search(error),
        }
    }
}
