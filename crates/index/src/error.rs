//! What can go wrong with an index.

use crate::os;
use scent_types::Stopped;
use std::path::{Path, PathBuf};

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
    #[error("{path}: {why}", path = .path.display())]
    Io {
        /// The file in question.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// A file is in the way that a writer left behind.
    #[error("{0} was left behind by another process")]
    Leftover(String),
    /// The text index failed.
    #[error("text index: {0}")]
    Text(String),
    /// Whoever reads has to stop.
    #[error("reading was stopped")]
    Stopped(Stopped),
}

/// Why there is no lock.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process writes this index.
    #[error("the index is being written by {holder}")]
    Held {
        /// Who holds it.
        holder: String,
    },
    /// The lock file cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// The result of working on an index.
pub type Result<T> = std::result::Result<T, IndexError>;

impl IndexError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> IndexError {
        let path = path.into();
        move |why| IndexError::Io { path, why }
    }

    /// What is wrong where a file of the index cannot be read.
    pub(crate) fn unread(path: &Path, why: std::io::Error) -> IndexError {
        match is_refusal(&why) {
            true => IndexError::Io {
                path: path.to_owned(),
                why,
            },
            false => IndexError::Damaged(format!("{}: {why}", path.display())),
        }
    }

    /// Whether the index has to be rebuilt.
    pub fn wants_rebuild(&self) -> bool {
        matches!(
            self,
            IndexError::Missing | IndexError::OtherVersion | IndexError::Damaged(_)
        )
    }
}

impl From<Stopped> for IndexError {
    fn from(stopped: Stopped) -> IndexError {
        IndexError::Stopped(stopped)
    }
}

impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> IndexError {
        use tantivy::TantivyError as E;
        use tantivy::directory::error::{OpenReadError, OpenWriteError};
        match error {
            // The system said no; that does not make the index bad.
            E::OpenReadError(OpenReadError::IoError { io_error, filepath })
                if is_refusal(&io_error) =>
            {
                IndexError::Io {
                    path: filepath,
                    why: plain(&io_error),
                }
            }
            E::OpenWriteError(OpenWriteError::FileAlreadyExists(path)) => {
                IndexError::Leftover(path.display().to_string())
            }
            E::OpenWriteError(OpenWriteError::IoError { io_error, filepath }) => IndexError::Io {
                path: filepath,
                why: plain(&io_error),
            },
            // A thread that could not write says so to nobody but a log.
            E::ErrorInThread(_) => {
                IndexError::Text("a thread that writes it failed; is the disk full?".into())
            }
            E::IoError(io_error) => IndexError::Io {
                path: PathBuf::from("the text index"),
                why: plain(&io_error),
            },
            E::DataCorruption(_)
            | E::OpenReadError(_)
            | E::IncompatibleIndex(_)
            | E::SchemaError(_) => IndexError::Damaged(error.to_string()),
            other => IndexError::Text(other.to_string()),
        }
    }
}

/// The same error once more, which cannot be cloned.
fn plain(error: &std::io::Error) -> std::io::Error {
    match error.raw_os_error() {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => std::io::Error::new(error.kind(), error.to_string()),
    }
}

/// Whether the system refused to read what may be sound, for want of memory or
/// of room for open files. A file that became a folder, or that nobody may read,
/// is as good as gone.
fn is_refusal(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as Kind;
    let busy = [
        Kind::OutOfMemory,
        Kind::Interrupted,
        Kind::TimedOut,
        Kind::ResourceBusy,
    ];
    busy.contains(&error.kind()) || os::is_too_many_files(error)
}
