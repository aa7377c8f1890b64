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

/// A file or folder that was seen.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Relative to the root, with `/`.
    pub path: String,
    pub raw_path: Option<Vec<u8>>,
    pub size: u64,
    /// In nanoseconds since 1970.
    pub modified: i64,
    /// Why it is not even read, if so.
    pub skip: Option<Reason>,
    /// `.scentignore` asks for it, whatever it looks like.
    pub forced: bool,
}

/// Everything below a root, in order of the paths.
pub(crate) fn walk(root: &Path, threads: usize) -> Vec<Seen> {
    let (walk, first) = Walk::new(root);
    let folders = Folders::default();
    let mut all = first.seen;
    folders.add(first.below);
    let work = || {
        let mut seen = Vec::new();
        while let Some(folder) = folders.next() {
            let read = walk.read(folder);
            seen.extend(read.seen);
            folders.add(read.below);
            folders.done();
        }
        seen
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.clamp(1, MOST_THREADS))
            .map(|_| scope.spawn(work))
            .collect();
        all.extend(work());
        for other in others {
            all.extend(other.join().expect("no walker panics"));
        }
    });
    all.sort_unstable_by(|a: &Seen, b: &Seen| a.path.cmp(&b.path));
    all.dedup_by(|a, b| a.path == b.path);
    all
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
    seen: Vec<Seen>,
    below: Vec<Folder>,
}

/// What is the same for all folders.
struct Walk {
    root: PathBuf,
    /// The rules of the root, which can ask for what others leave out.
    rules: Arc<Rules>,
    is_repository: bool,
    submodules: Vec<PathBuf>,
}

impl Walk {
    /// A walk that begins at a root, and what is in the root itself.
    fn new(root: &Path) -> (Walk, Read) {
        let rules = Rules::of_user(root);
        let mut walk = Walk {
            root: root.to_owned(),
            rules: Arc::clone(&rules),
            is_repository: root.join(".git").exists(),
            submodules: submodules(root),
        };
        let top = Folder {
            path: root.to_owned(),
            rules,
        };
        let entries = match Entries::of(root) {
            Ok(entries) => entries,
            Err(error) => {
                let seen = vec![walk.unreadable(root, &error)];
                return (
                    walk,
                    Read {
                        seen,
                        below: Vec::new(),
                    },
                );
            }
        };
        let found = entries.rules(&top);
        walk.rules = Arc::clone(&found.rules);
        let read = walk.contents(&top, entries, found);
        (walk, read)
    }

    /// What is in a folder below the root.
    fn read(&self, folder: Folder) -> Read {
        let left_out = |seen| Read {
            seen: vec![seen],
            below: Vec::new(),
        };
        let entries = match Entries::of(&folder.path) {
            Ok(entries) => entries,
            Err(error) => return left_out(self.unreadable(&folder.path, &error)),
        };
        if let Some(reason) = self.leaves_out(&folder.path, &entries) {
            return left_out(self.skipped_folder(&folder.path, reason));
        }
        let found = entries.rules(&folder);
        self.contents(&folder, entries, found)
    }

    fn contents(&self, folder: &Folder, entries: Entries, found: ignored::Found) -> Read {
        let mut read = Read::default();
        let failed = entries
            .failed
            .iter()
            .map(|error| self.unreadable(&folder.path, error));
        read.seen.extend(failed);
        for entry in &entries.all {
            let refused = found
                .refused
                .iter()
                .find(|(name, _)| entry.file_name() == *name);
            self.entry(
                entry,
                &found.rules,
                refused.map(|(_, error)| error),
                &mut read,
            );
        }
        read
    }

    /// Adds an entry of a folder to what was found in it.
    fn entry(
        &self,
        entry: &DirEntry,
        rules: &Arc<Rules>,
        refused: Option<&io::Error>,
        read: &mut Read,
    ) {
        let (name, path) = (entry.file_name(), entry.path());
        let Ok(kind) = entry.file_type() else { return };
        let of_version_control = VERSION_CONTROL.iter().any(|known| name == *known);
        if of_version_control || rules.leave_out(&path, kind.is_dir()) {
            return;
        }
        if kind.is_dir() {
            match is_of_dependencies(&name) && !self.rules.ask_for(&path, true) {
                true => read
                    .seen
                    .push(self.skipped_folder(&path, Reason::DependencyFolder)),
                false => read.below.push(Folder {
                    path,
                    rules: Arc::clone(rules),
                }),
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
        read.seen.push(self.seen(&path, metadata.ok(), reason));
    }

    /// Why a folder that holds these entries is left out, if it is.
    fn leaves_out(&self, path: &Path, entries: &Entries) -> Option<Reason> {
        let reason = match () {
            () if entries.is_cache => Some(Reason::DependencyFolder),
            () if entries.has_git => self.leaves_repository_out(path),
            () => None,
        };
        reason.filter(|_| !self.rules.ask_for(path, true))
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

    fn skipped_folder(&self, path: &Path, reason: Reason) -> Seen {
        let mut folder = self.seen(path, None, Some(reason));
        folder.path.push('/');
        folder
    }

    fn unreadable(&self, path: &Path, error: &io::Error) -> Seen {
        self.seen(path, None, Some(Reason::Unreadable(error.to_string())))
    }

    fn seen(&self, path: &Path, metadata: Option<Metadata>, skip: Option<Reason>) -> Seen {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        let (text, raw_path) = os::portable(inside);
        Seen {
            path: text,
            raw_path,
            size: metadata.as_ref().map_or(0, Metadata::len),
            modified: metadata.as_ref().map_or(0, modified),
            skip,
            forced: self.rules.ask_for(path, false),
        }
    }
}

/// What a folder holds.
#[derive(Default)]
struct Entries {
    all: Vec<DirEntry>,
    failed: Vec<io::Error>,
    /// Which files of rules are among them.
    rules: [bool; ignored::FILES.len()],
    has_git: bool,
    is_cache: bool,
}

impl Entries {
    fn of(folder: &Path) -> io::Result<Entries> {
        let mut entries = Entries::default();
        for entry in fs::read_dir(folder)? {
            match entry {
                Ok(entry) => entries.add(entry),
                Err(error) => entries.failed.push(error),
            }
        }
        Ok(entries)
    }

    fn add(&mut self, entry: DirEntry) {
        let name = entry.file_name();
        let is_folder = || entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let Some(nth) = ignored::FILES.iter().position(|known| name == *known) {
            self.rules[nth] = !is_folder();
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
