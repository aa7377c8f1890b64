//! The files of a project, wherever they are kept.

use crate::os;
use crate::small_file::read_unlinked;
use crate::walk::{Entry, Ignored, walk};
use scent_index::FileRecord;
use std::io;
use std::path::{Path, PathBuf};

/// A file that was smaller when it was indexed is read up to this size, in bytes.
const GROWN: u64 = 64 << 20;

/// Files to index and to show. Today a folder on disk; a commit is another.
pub(crate) trait Tree: Send + Sync {
    /// All files, in order of their paths, also those that are left out, with
    /// the reason.
    fn list(&self) -> Vec<Entry>;

    /// The same, with what ignore files exclude and folders of dependencies.
    fn list_ignored(&self) -> Vec<Entry>;

    /// The bytes of a file, unless there are more than `most`. What stands at
    /// the path now may be anything.
    fn read(&self, path: FilePath, most: u64) -> io::Result<Vec<u8>>;
}

/// A path relative to the root of a tree, as indexes keep it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilePath<'a> {
    /// With `/`, and what is not Unicode replaced.
    path: &'a str,
    /// The bytes, where `path` is not the same.
    raw: Option<&'a [u8]>,
}

impl<'a> From<&'a Entry> for FilePath<'a> {
    fn from(entry: &'a Entry) -> FilePath<'a> {
        FilePath {
            path: &entry.path,
            raw: entry.raw_path.as_deref(),
        }
    }
}

impl<'a> From<&'a FileRecord> for FilePath<'a> {
    fn from(record: &'a FileRecord) -> FilePath<'a> {
        FilePath {
            path: &record.path,
            raw: record.raw_path.as_deref(),
        }
    }
}

/// The bytes of a file that was indexed, as it is now.
pub(crate) fn read_record(tree: &dyn Tree, record: &FileRecord) -> io::Result<Vec<u8>> {
    tree.read(record.into(), record.size.max(GROWN))
}

/// A folder on disk. No link is followed.
#[derive(Clone, Debug)]
pub(crate) struct WorkTree {
    root: PathBuf,
    threads: usize,
}

impl WorkTree {
    pub fn new(root: &Path, threads: usize) -> WorkTree {
        WorkTree {
            root: root.to_owned(),
            threads,
        }
    }
}

impl Tree for WorkTree {
    fn list(&self) -> Vec<Entry> {
        walk(&self.root, self.threads, Ignored::LeaveOut)
    }

    fn list_ignored(&self) -> Vec<Entry> {
        walk(&self.root, self.threads, Ignored::List)
    }

    fn read(&self, path: FilePath, most: u64) -> io::Result<Vec<u8>> {
        let inside = os::native(path.path, path.raw);
        check_unlinked(&self.root, &inside)?;
        read_unlinked(&self.root.join(inside), most)
    }
}

/// Fails where a folder on the way to a file is a link: what was a folder of the
/// project when it was indexed may lead out of it now.
fn check_unlinked(root: &Path, inside: &Path) -> io::Result<()> {
    let mut folder = root.to_owned();
    let above = inside.parent().into_iter().flat_map(Path::components);
    for part in above {
        folder.push(part);
        if !folder.symlink_metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
    }
    Ok(())
}
