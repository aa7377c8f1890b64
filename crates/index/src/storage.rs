//! Where the files of an index are kept: everything that an index reads or
//! writes goes through this.

use crate::error::{LockError, Result};
use std::fmt::Debug;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A storage that readers and writers hold together.
pub type SharedStorage = Arc<dyn Storage>;

/// A lock that is held until it is dropped.
pub type Guard = Box<dyn Debug + Send + Sync>;

/// What is known of the uses of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The folder that is indexed, as it was noted.
    pub root: Vec<u8>,
    /// When it was used last.
    pub last: SystemTime,
}

/// Where the files of one index are kept. A file is written once, before a
/// manifest refers to it, and only removed afterwards.
pub trait Storage: Debug + Send + Sync {
    /// What names the current generation and its files; none where there is no
    /// index. Every generation has another one.
    fn manifest(&self) -> Result<Option<Vec<u8>>>;

    /// Replaces the manifest, all of whose files are there. Fails where it is not
    /// `base` any more.
    fn publish(&self, base: Option<&[u8]>, manifest: &[u8]) -> io::Result<()>;

    /// Opens a file to read it.
    fn open(&self, name: &str) -> io::Result<File>;

    /// Creates a file to write it.
    fn create(&self, name: &str) -> io::Result<File>;

    /// Size, times and identity of a file.
    fn metadata(&self, name: &str) -> io::Result<Metadata>;

    /// Takes a lock, unless another process has it.
    fn lock(&self, name: &str) -> std::result::Result<Guard, LockError>;

    /// Notes that the index of a folder is used, until the guard is dropped; none
    /// where nothing can be noted.
    fn note_use(&self, root: &[u8]) -> Option<Guard>;

    /// When the index was used last; none where that was not noted.
    fn usage(&self) -> Option<Usage>;

    /// Lets nobody use the index until the guard is dropped; none while somebody
    /// does.
    fn lock_use(&self) -> Option<Guard>;

    /// The names of all files.
    fn names(&self) -> Vec<String>;

    /// Removes files of an index that are not to be kept. One that cannot be
    /// removed is tried again the next time.
    fn sweep(&self, keep: &dyn Fn(&str) -> bool);

    /// Removes every file of an index but for the locks, the manifest first.
    fn clear(&self) -> Result<()>;

    /// The local folder of the files, from which the text index maps its own.
    fn directory(&self) -> &Path;

    /// What errors call a file.
    fn path(&self, name: &str) -> PathBuf {
        self.directory().join(name)
    }
}
