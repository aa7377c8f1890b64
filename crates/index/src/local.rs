//! An index in a folder of this machine.

use crate::error::{IndexError, LockError, Result};
use crate::layout::{HOLDER, MANAGED, MANIFEST, USED, WRITER_LOCK, is_store};
use crate::os;
use crate::storage::{Guard, SharedStorage, Storage, Usage};
use crate::usage;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::{Directory, MmapDirectory};

/// A folder that holds an index.
#[derive(Debug)]
pub struct Local {
    folder: PathBuf,
}

impl Local {
    /// The storage of the index in a folder, which need not be there yet.
    pub fn shared(folder: &Path) -> SharedStorage {
        let folder = folder.to_owned();
        Arc::new(Local { folder })
    }
}

impl Storage for Local {
    fn manifest(&self) -> Result<Option<Vec<u8>>> {
        let path = self.path(MANIFEST);
        match fs::read(&path) {
            Ok(manifest) => Ok(Some(manifest)),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
                _ => Err(IndexError::unread(&path, error)),
            },
        }
    }

    /// The caller has the writer's lock, so nobody comes between the two steps.
    fn publish(&self, base: Option<&[u8]>, manifest: &[u8]) -> io::Result<()> {
        let current = self.manifest().map_err(io::Error::other)?;
        if current.as_deref() != base {
            return Err(ErrorKind::ResourceBusy.into());
        }
        let files = MmapDirectory::open(&self.folder).map_err(io::Error::other)?;
        files.atomic_write(Path::new(MANIFEST), manifest)
    }

    fn open(&self, name: &str) -> io::Result<File> {
        File::open(self.path(name))
    }

    fn create(&self, name: &str) -> io::Result<File> {
        File::create(self.path(name))
    }

    fn metadata(&self, name: &str) -> io::Result<Metadata> {
        fs::metadata(self.path(name))
    }

    fn lock(&self, name: &str) -> std::result::Result<Guard, LockError> {
        let is_writer = name == WRITER_LOCK;
        if is_writer {
            fs::create_dir_all(&self.folder).map_err(IndexError::io(&self.folder))?;
            os::make_private(&self.folder);
        }
        let path = self.path(name);
        let file = open_lock(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = self.holder();
                return Err(LockError::Held { holder });
            }
            Err(TryLockError::Error(error)) => return Err(IndexError::io(path)(error).into()),
        }
        if is_writer {
            // A separate file, since a locked one cannot be read on every system.
            let holder = format!("process {}", std::process::id());
            let _ = fs::write(self.path(HOLDER), holder);
        }
        Ok(Box::new(file))
    }

    fn note_use(&self, root: &[u8]) -> Option<Guard> {
        let file = usage::note(&self.path(USED), root)?;
        Some(Box::new(file))
    }

    fn usage(&self) -> Option<Usage> {
        let (root, last) = usage::read(&self.path(USED))?;
        Some(Usage { root, last })
    }

    fn lock_use(&self) -> Option<Guard> {
        let path = self.path(USED);
        if !usage::is_noted(&path) {
            return Some(Box::new(()));
        }
        let file = usage::lock(&path)?;
        Some(Box::new(file))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.collect()
    }

    fn sweep(&self, keep: &dyn Fn(&str) -> bool) {
        for name in self.names() {
            if is_store(&name) && !keep(&name) {
                let _ = fs::remove_file(self.path(&name));
            }
        }
    }

    /// Were locks removed, one who waits for a lock and one who makes it again
    /// could both have it. Without the manifest a reader sees no index. What is
    /// not ours stays.
    fn clear(&self) -> Result<()> {
        remove(&self.path(MANIFEST))?;
        let entries = fs::read_dir(&self.folder).map_err(IndexError::io(&self.folder))?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_store(&name) || [MANAGED, USED].contains(&name.as_str()) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    fn directory(&self) -> &Path {
        &self.folder
    }
}

impl Local {
    /// Who has the writer's lock.
    fn holder(&self) -> String {
        match fs::read_to_string(self.path(HOLDER)) {
            Ok(holder) if !holder.is_empty() => holder,
            _ => "another process".into(),
        }
    }
}

fn open_lock(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    let opened = match options.open(path) {
        // What is in its place is moved away, and its owner may always write to
        // it.
        Err(error) if error.kind() == ErrorKind::IsADirectory => {
            set_aside(path).and_then(|()| options.open(path))
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            os::allow_owner(path).and_then(|()| options.open(path))
        }
        opened => opened,
    };
    opened.map_err(IndexError::io(path))
}

/// Removes a file. A folder in the place of one is nothing of ours: it is moved
/// out of the way where there is something in it.
fn remove(path: &Path) -> Result<()> {
    let Ok(data) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let removed = if data.is_dir() {
        fs::remove_dir(path).or_else(|_| set_aside(path))
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(IndexError::io(path)(error)),
        _ => Ok(()),
    }
}

fn set_aside(path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for nth in 0..100 {
        let aside = path.with_file_name(format!("set-aside-{nth}-{name}"));
        if !aside.exists() {
            return fs::rename(path, aside);
        }
    }
    Err(ErrorKind::DirectoryNotEmpty.into())
}
