//! What can go wrong with an index.

use std::path::PathBuf;

/// What can go wrong with an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The folder holds no index.
    #[error("there is no index")]
    Missing,
    /// The index was made by another version.
    #[error("the index was made by another version of scent")]
    OtherVersion,
    /// Writers were always faster.
    #[error("the index keeps changing; try again")]
    Busy,
    /// Something in the folder is not as it was written.
    #[error("the index is damaged ({0})")]
    Damaged(String),
    /// The system refused to read or write.
    #[error("{path}: {source}")]
    Io {
        /// The file in question.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The text index failed.
    #[error("text index: {0}")]
    Text(String),
}

/// The result of working on an index.
pub type Result<T> = std::result::Result<T, IndexError>;

impl IndexError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> IndexError {
        let path = path.into();
        move |source| IndexError::Io { path, source }
    }

    /// Whether the remedy is to build the index anew.
    pub fn wants_rebuild(&self) -> bool {
        matches!(self, IndexError::Missing | IndexError::OtherVersion | IndexError::Damaged(_))
    }
}

impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> IndexError {
        use tantivy::TantivyError as E;
        use tantivy::directory::error::OpenReadError;
        match error {
            // The system said no; that does not make the index bad.
            E::OpenReadError(OpenReadError::IoError { ref io_error, .. })
                if io_error.raw_os_error().is_some() =>
            {
                IndexError::Text(error.to_string())
            }
            E::DataCorruption(_)
            | E::OpenReadError(_)
            | E::IncompatibleIndex(_)
            | E::SchemaError(_) => IndexError::Damaged(error.to_string()),
            other => IndexError::Text(other.to_string()),
        }
    }
}
