//! One writer at a time.

use crate::error::{IndexError, Result};
use crate::files::VectorModel;
use crate::{directory, os};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The right to write an index. The system takes it back when the process
/// ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    _file: File,
}

/// The right to make vectors of a model for an index, or to compute how important
/// its files are. One process has it at a time, and holds it while it works;
/// texts may be written meanwhile, and other work may be done.
#[derive(Debug)]
pub struct WorkLock {
    _file: File,
}

/// How the names of the files of these locks begin.
const WORK: &str = "turn-";

impl WorkLock {
    /// Takes the lock of a model, unless another process has it.
    pub fn take(folder: &Path, model: &VectorModel) -> Result<Option<WorkLock>> {
        WorkLock::named(folder, &format!("{:016x}", model.fingerprint))
    }

    /// Takes the lock to compute ranks, unless another process has it.
    pub fn to_rank(folder: &Path) -> Result<Option<WorkLock>> {
        WorkLock::named(folder, "ranks")
    }

    fn named(folder: &Path, name: &str) -> Result<Option<WorkLock>> {
        let path = folder.join(format!("{WORK}{name}"));
        let file = open(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(WorkLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(IndexError::io(path)(e)),
        }
    }
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

impl Lock {
    /// Waits up to `patience` for the lock of an index folder.
    pub fn acquire(folder: &Path, patience: Duration) -> std::result::Result<Lock, LockError> {
        let path = folder.join("lock");
        let started = Instant::now();
        let file = loop {
            std::fs::create_dir_all(folder).map_err(IndexError::io(folder))?;
            os::make_private(folder);
            let file = open(&path)?;
            match file.try_lock() {
                // Who held it may have removed the folder; then this is the
                // lock of nothing.
                Ok(()) if path.exists() => break file,
                Ok(()) => {}
                Err(TryLockError::Error(e)) => return Err(IndexError::io(path)(e).into()),
                Err(TryLockError::WouldBlock) if started.elapsed() > patience => {
                    return Err(LockError::Held {
                        holder: read_holder(&folder.join("holder")),
                    });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        // A separate file, since a locked one cannot be read on every system.
        let holder = format!("process {}", std::process::id());
        let _ = std::fs::write(folder.join("holder"), holder);
        Ok(Lock {
            folder: folder.to_owned(),
            _file: file,
        })
    }

    /// Removes every file of the index, but not what else is in the folder.
    pub fn remove_index(&self) -> Result<()> {
        directory::remove_index(&self.folder)
    }

    /// Removes what a writer left behind that did not come to its end.
    pub fn sweep(&self) -> Result<()> {
        let metas = directory::open_text_index(&self.folder)?.load_metas()?;
        let generation = directory::generation(&metas)?;
        directory::sweep_leftovers(&self.folder, &metas, generation);
        Ok(())
    }
}

fn open(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    // What is in its place is moved away, and its owner may always write to it.
    let again = |error: std::io::Error| {
        match error.kind() {
            ErrorKind::IsADirectory => directory::set_aside(path)?,
            ErrorKind::PermissionDenied => os::allow_owner(path)?,
            _ => return Err(error),
        }
        options.open(path)
    };
    options
        .open(path)
        .or_else(again)
        .map_err(IndexError::io(path))
}

fn read_holder(path: &Path) -> String {
    let mut holder = String::new();
    let read = File::open(path).and_then(|mut f| f.read_to_string(&mut holder));
    match read {
        Ok(_) if !holder.is_empty() => holder,
        _ => "another process".into(),
    }
}
