//! Which files there are: everything that ignore files do not exclude.

use crate::{classify, os};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use scent_index::Reason;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

const OWN_IGNORE_FILE: &str = ".scentignore";

/// Where version control keeps its own data.
const VERSION_CONTROL: [&str; 6] = [".git", ".hg", ".svn", ".jj", ".bzr", "CVS"];

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
    let rules = Arc::new(Rules::new(root));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let skipped = Arc::new(Mutex::new(Vec::new()));
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(false)
        .parents(false)
        .require_git(false)
        .follow_links(false)
        .threads(threads)
        .add_custom_ignore_filename(OWN_IGNORE_FILE);
    let (filter_rules, filter_skipped) = (Arc::clone(&rules), Arc::clone(&skipped));
    builder.filter_entry(move |entry| filter_rules.enters(entry, &filter_skipped));
    builder.build_parallel().run(|| {
        let mut found = Batch { all: Arc::clone(&seen), own: Vec::new() };
        let rules = Arc::clone(&rules);
        Box::new(move |entry| {
            found.own.extend(rules.describe(entry));
            WalkState::Continue
        })
    });
    let mut all = std::mem::take(&mut *seen.lock().expect("no walker panics"));
    all.append(&mut skipped.lock().expect("no walker panics"));
    all.sort_unstable_by(|a: &Seen, b: &Seen| a.path.cmp(&b.path));
    all.dedup_by(|a, b| a.path == b.path);
    all
}

/// What one thread saw; handed over when the thread is done.
struct Batch {
    all: Arc<Mutex<Vec<Seen>>>,
    own: Vec<Seen>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        if let Ok(mut all) = self.all.lock() {
            all.append(&mut self.own);
        }
    }
}

/// What decides beyond the ignore files.
struct Rules {
    root: PathBuf,
    own: Gitignore,
    is_repository: bool,
    submodules: Vec<PathBuf>,
}

impl Rules {
    fn new(root: &Path) -> Rules {
        let mut own = GitignoreBuilder::new(root);
        own.add(root.join(OWN_IGNORE_FILE));
        Rules {
            root: root.to_owned(),
            own: own.build().unwrap_or_else(|_| Gitignore::empty()),
            is_repository: root.join(".git").exists(),
            submodules: submodules(root),
        }
    }

    fn forced(&self, path: &Path, is_dir: bool) -> bool {
        self.own.num_whitelists() > 0 && self.own.matched(path, is_dir).is_whitelist()
    }

    /// Whether to go on with an entry; notes folders that are left out.
    fn enters(&self, entry: &DirEntry, skipped: &Mutex<Vec<Seen>>) -> bool {
        if entry.depth() == 0 {
            return true;
        }
        let name = entry.file_name().to_string_lossy();
        if VERSION_CONTROL.contains(&&*name) {
            return false;
        }
        let is_dir = entry.file_type().is_some_and(|t| t.is_dir());
        let reason = is_dir.then(|| self.leaves_out(&name, entry.path())).flatten();
        let Some(reason) = reason.filter(|_| !self.forced(entry.path(), true)) else { return true };
        let mut folder = self.seen(entry.path(), None, Some(reason));
        folder.path.push('/');
        skipped.lock().expect("no walker panics").push(folder);
        false
    }

    /// Why a folder is left out, if it is.
    fn leaves_out(&self, name: &str, path: &Path) -> Option<Reason> {
        let mut folders = classify::listed(include_str!("../data/skipped_folders.txt"));
        let by_name = folders.any(|folder| folder == name);
        if by_name || path.join("CACHEDIR.TAG").exists() || path.join("pyvenv.cfg").exists() {
            return Some(Reason::DependencyFolder);
        }
        let git = path.join(".git");
        let data = fs::symlink_metadata(&git).ok()?;
        if data.is_dir() {
            let own = self.is_repository && !self.submodules.iter().any(|s| s == path);
            return own.then_some(Reason::NestedRepository);
        }
        let points_to = fs::read_to_string(&git).unwrap_or_default().replace('\\', "/");
        let folder = points_to.trim().rsplit('/').nth(1);
        (folder == Some("worktrees")).then_some(Reason::NestedWorktree)
    }

    fn describe(&self, entry: Result<DirEntry, ignore::Error>) -> Option<Seen> {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return self.unreadable(&error),
        };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            return None;
        }
        let reason = match () {
            () if kind.is_symlink() => Some(Reason::Symlink),
            () if !kind.is_file() => Some(Reason::SpecialFile),
            () => None,
        };
        let metadata = entry.metadata();
        let reason =
            reason.or_else(|| Some(Reason::Unreadable(metadata.as_ref().err()?.to_string())));
        Some(self.seen(entry.path(), metadata.ok(), reason))
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
            forced: self.forced(path, false),
        }
    }

    fn unreadable(&self, error: &ignore::Error) -> Option<Seen> {
        let path = path_of(error)?;
        let why = error.io_error().map_or_else(|| error.to_string(), |e| e.to_string());
        Some(self.seen(path, None, Some(Reason::Unreadable(why))))
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    use ignore::Error as E;
    match error {
        E::WithPath { path, .. } => Some(path),
        E::WithDepth { err, .. } | E::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
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
    let listed = fs::read_to_string(root.join(".gitmodules")).unwrap_or_default();
    let paths = listed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("path")?.trim().strip_prefix('='));
    paths.map(|path| root.join(path.trim())).collect()
}
