//! Why a request is not answered.

use scent_index::IndexError;
use scent_types::Stopped;

/// Why a request is not answered.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is nothing to search for.
    #[error("the query is empty: give words, a name, or a pattern with -e or -F")]
    EmptyQuery,
    /// The pattern is not one.
    #[error("{0}")]
    BadPattern(String),
    /// A glob is not one.
    #[error("{glob}: not a glob: {why}")]
    BadGlob {
        /// The glob as it was given.
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// The request's time was over before it was answered.
    #[error("the deadline passed before the search was done")]
    DeadlineExceeded,
    /// Somebody cancelled the request.
    #[error("the search was cancelled")]
    Cancelled,
    /// The index failed.
    #[error(transparent)]
    Index(IndexError),
}

impl From<IndexError> for SearchError {
    fn from(error: IndexError) -> SearchError {
        match error {
            IndexError::Stopped(stopped) => stopped.into(),
            error => SearchError::Index(error),
        }
    }
}

impl From<Stopped> for SearchError {
    fn from(stopped: Stopped) -> SearchError {
        match stopped {
            Stopped::DeadlineExceeded => SearchError::DeadlineExceeded,
            Stopped::Cancelled => SearchError::Cancelled,
        }
    }
}
