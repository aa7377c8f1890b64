//! Which files there are: everything that ignore files do not exclude.

use crate::ignored::{self, Rules};
use crate::small_file::read_small;
use crate::{classify, os};
use scent_index::Reason;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

/// Where version control keeps its own data.
const VERSION_CONTROL: [&str; 6] = [".git", ".hg", ".svn", ".jj", ".bzr", "CVS"];

/// A folder that holds one of these can be made again.
const CACHE_MARKS: [&str; 2] = ["CACHEDIR.TAG", "pyvenv.cfg"];

/// More threads than this only wait for the disk.
const MOST_THREADS: usize = 32;

/// A file or folder of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Relative to the root, with `/`.
    pub path: String,
    pub raw_path: Option<Vec<u8>>,
    pub size: u64,
    /// In nanoseconds since 1970.
    pub modified: i64,
    /// Why it is not even read, if so.
    pub skip: Option<Reason>,
    /// `.scentignore` includes it, whatever it looks like.
    pub included: bool,
}

/// What becomes of files that ignore files exclude, and of folders of
/// dependencies and other repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ignored {
    LeaveOut,
    List,
}

/// Everything below a root, in order of the paths.
pub(crate) fn walk(root: &Path, threads: usize, ignored: Ignored) -> Vec<Entry> {
    let (mut all, _) = walk_all(root, threads, ignored);
    all.sort_unstable_by(|a: &Entry, b: &Entry| a.path.cmp(&b.path));
    all.dedup_by(|a, b| a.path == b.path);
    all
}

/// The folders whose files are looked at, the root among them.
pub(crate) fn walked_folders(root: &Path, threads: usize) -> Vec<PathBuf> {
    let (_, mut folders) = walk_all(root, threads, Ignored::LeaveOut);
    folders.push(root.to_owned());
    folders
}

/// Everything below a root, and the folders below it that were read.
fn walk_all(root: &Path, threads: usize, ignored: Ignored) -> (Vec<Entry>, Vec<PathBuf>) {
    let (walk, first) = Walk::new(root, ignored);
    let folders = Folders::default();
    let mut all = first.entries;
    let mut all_folders = Vec::new();
    folders.add(first.below);
    let work = || {
        let (mut found, mut read_folders) = (Vec::new(), Vec::new());
        while let Some(folder) = folders.next() {
            let path = folder.path.clone();
            let read = walk.read(folder);
            if !read.is_left_out {
                read_folders.push(path);
            }
            found.extend(read.entries);
            folders.add(read.below);
            folders.done();
        }
        (found, read_folders)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.clamp(1, MOST_THREADS))
            .map(|_| scope.spawn(work))
            .collect();
        let mut take = |(found, read): (Vec<Entry>, Vec<PathBuf>)| {
            all.extend(found);
            all_folders.extend(read);
        };
        take(work());
        for other in others {
            take(other.join().expect("no walker panics"));
        }
    });
    (all, all_folders)
}

/// A folder to read, and the rules around it.
struct Folder {
    path: PathBuf,
    rules: Arc<Rules>,
}

/// The folders that are still to be read.
#[derive(Default)]
struct Folders {
    state: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    folders: Vec<Folder>,
    /// How many are being read, each of which may lead to others.
    reading: usize,
}

impl Folders {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, mut folders: Vec<Folder>) {
        if !folders.is_empty() {
            self.lock().folders.append(&mut folders);
            self.changed.notify_all();
        }
    }

    /// The next one, once there is one; none when all are read.
    fn next(&self) -> Option<Folder> {
        let mut state = self.lock();
        while state.folders.is_empty() && state.reading > 0 {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let next = state.folders.pop()?;
        state.reading += 1;
        Some(next)
    }

    /// One that was given out is read, and what it leads to is added.
    fn done(&self) {
        let mut state = self.lock();
        state.reading -= 1;
        if state.reading == 0 {
            self.changed.notify_all();
        }
    }
}

/// What was found in a folder.
#[derive(Default)]
struct Read {
    entries: Vec<Entry>,
    below: Vec<Folder>,
    is_left_out: bool,
}

impl Read {
    /// A folder of which only this entry is kept.
    fn skipped(entry: Entry) -> Read {
        Read {
            entries: vec![entry],
            below: Vec::new(),
            is_left_out: true,
        }
    }
}

/// What is the same for all folders.
struct Walk {
    root: PathBuf,
    ignored: Ignored,
    /// The rules of the root, which can ask for what others leave out.
    rules: Arc<Rules>,
    is_repository: bool,
    submodules: Vec<PathBuf>,
}

impl Walk {
    /// A walk that begins at a root, and what is in the root itself.
    fn new(root: &Path, ignored: Ignored) -> (Walk, Read) {
        let rules = Rules::of_user(root);
        let mut walk = Walk {
            root: root.to_owned(),
            ignored,
            rules: Arc::clone(&rules),
            is_repository: root.join(".git").exists(),
            submodules: submodules(root),
        };
        let top = Folder {
            path: root.to_owned(),
            rules,
        };
        let listing = match Listing::of(root) {
            Ok(listing) => listing,
            Err(error) => {
                let read = Read::skipped(walk.unreadable(root, &error));
                return (walk, read);
            }
        };
        let found = listing.rules(&top);
        walk.rules = Arc::clone(&found.rules);
        let read = walk.contents(&top, listing, found);
        (walk, read)
    }

    /// What is in a folder below the root.
    fn read(&self, folder: Folder) -> Read {
        let listing = match Listing::of(&folder.path) {
            Ok(listing) => listing,
            Err(error) => return Read::skipped(self.unreadable(&folder.path, &error)),
        };
        if let Some(reason) = self.leaves_out(&folder.path, &listing) {
            return Read::skipped(self.skipped_folder(&folder.path, reason));
        }
        let found = listing.rules(&folder);
        self.contents(&folder, listing, found)
    }

    fn contents(&self, folder: &Folder, listing: Listing, found: ignored::Found) -> Read {
        let mut read = Read::default();
        for error in &listing.failed {
            read.entries.push(self.unreadable(&folder.path, error));
        }
        for entry in &listing.all {
            let name = entry.file_name();
            let refused = found.refused.iter().find(|(known, _)| name == *known);
            let error = refused.map(|(_, error)| error);
            self.add(entry, &found.rules, error, &mut read);
        }
        read
    }

    /// Adds an entry of a folder to what was found in it.
    fn add(
        &self,
        entry: &DirEntry,
        rules: &Arc<Rules>,
        refused: Option<&io::Error>,
        read: &mut Read,
    ) {
        let (name, path) = (entry.file_name(), entry.path());
        let Ok(kind) = entry.file_type() else { return };
        let of_version_control = VERSION_CONTROL.iter().any(|known| name == *known);
        let lists_ignored = self.ignored == Ignored::List;
        if of_version_control || (!lists_ignored && rules.excludes(&path, kind.is_dir())) {
            return;
        }
        if kind.is_dir() {
            let is_wanted = lists_ignored || self.rules.includes(&path, true);
            if is_of_dependencies(&name) && !is_wanted {
                let folder = self.skipped_folder(&path, Reason::DependencyFolder);
                read.entries.push(folder);
            } else {
                let rules = Arc::clone(rules);
                read.below.push(Folder { path, rules });
            }
            return;
        }
        let metadata = entry.metadata();
        let reason = match (refused, &metadata) {
            (Some(error), _) => Some(Reason::Unreadable(format!("its rules: {error}"))),
            _ if kind.is_symlink() => Some(Reason::Symlink),
            _ if !kind.is_file() => Some(Reason::SpecialFile),
            (_, Err(error)) => Some(Reason::Unreadable(error.to_string())),
            _ => None,
        };
        let entry = self.entry(&path, metadata.ok(), reason);
        read.entries.push(entry);
    }

    /// Why a folder that holds these entries is left out, if it is.
    fn leaves_out(&self, path: &Path, listing: &Listing) -> Option<Reason> {
        if self.ignored == Ignored::List || self.rules.includes(path, true) {
            return None;
        }
        if listing.is_cache {
            return Some(Reason::DependencyFolder);
        }
        if listing.has_git {
            return self.leaves_repository_out(path);
        }
        None
    }

    fn leaves_repository_out(&self, path: &Path) -> Option<Reason> {
        let git = path.join(".git");
        if fs::symlink_metadata(&git).ok()?.is_dir() {
            let own = self.is_repository && !self.submodules.iter().any(|s| s == path);
            return own.then_some(Reason::NestedRepository);
        }
        let points_to = read_small(&git).unwrap_or_default().replace('\\', "/");
        let folder = points_to.trim().rsplit('/').nth(1);
        (folder == Some("worktrees")).then_some(Reason::NestedWorktree)
    }

    fn skipped_folder(&self, path: &Path, reason: Reason) -> Entry {
        let mut folder = self.entry(path, None, Some(reason));
        folder.path.push('/');
        folder
    }

    fn unreadable(&self, path: &Path, error: &io::Error) -> Entry {
        self.entry(path, None, Some(Reason::Unreadable(error.to_string())))
    }

    fn entry(&self, path: &Path, metadata: Option<Metadata>, skip: Option<Reason>) -> Entry {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        let (text, raw_path) = os::portable(inside);
        Entry {
            path: text,
            raw_path,
            size: metadata.as_ref().map_or(0, Metadata::len),
            modified: metadata.as_ref().map_or(0, modified),
            skip,
            included: self.rules.includes(path, false),
        }
    }
}

/// What a folder holds.
#[derive(Default)]
struct Listing {
    all: Vec<DirEntry>,
    failed: Vec<io::Error>,
    /// Which files of rules are among them.
    rules: [bool; ignored::FILES.len()],
    has_git: bool,
    is_cache: bool,
}

impl Listing {
    fn of(folder: &Path) -> io::Result<Listing> {
        let mut listing = Listing::default();
        for entry in fs::read_dir(folder)? {
            match entry {
                Ok(entry) => listing.add(entry),
                Err(error) => listing.failed.push(error),
            }
        }
        Ok(listing)
    }

    fn add(&mut self, entry: DirEntry) {
        let name = entry.file_name();
        if let Some(nth) = ignored::FILES.iter().position(|known| name == *known) {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            self.rules[nth] = !is_folder;
        }
        self.has_git |= name == ".git";
        self.is_cache |= CACHE_MARKS.iter().any(|mark| name == *mark);
        self.all.push(entry);
    }

    fn rules(&self, folder: &Folder) -> ignored::Found {
        folder.rules.inside(&folder.path, self.rules, self.has_git)
    }
}

fn is_of_dependencies(name: &OsStr) -> bool {
    classify::listed(include_str!("../data/skipped_folders.txt")).any(|folder| name == folder)
}

pub(crate) fn modified(metadata: &Metadata) -> i64 {
    let time = metadata.modified().unwrap_or(UNIX_EPOCH);
    let modified = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_nanos() as i64,
        Err(before) => -(before.duration().as_nanos() as i64),
    };
    // A program can set the first back, but not the second.
    modified.max(os::changed(metadata))
}

/// The folders that `.gitmodules` names.
fn submodules(root: &Path) -> Vec<PathBuf> {
    let listed = read_small(&root.join(".gitmodules")).unwrap_or_default();
    let paths = listed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("path")?.trim().strip_prefix('='));
    paths.map(|path| root.join(path.trim())).collect()
}
