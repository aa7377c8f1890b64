//! The project that a path belongs to.

use crate::Engine;
use crate::error::EngineError;
use crate::os;
use std::path::{Path, PathBuf};

/// A folder to search, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The folder that is indexed.
    pub root: PathBuf,
    /// Paths inside it that answers must lie in; empty for all.
    pub scope: Vec<String>,
}

/// The folders to search for these paths: each path's project, narrowed to the
/// path. With `exact`, a path is a project of its own.
pub fn targets(paths: &[PathBuf], exact: bool) -> Result<Vec<Target>, EngineError> {
    let mut targets: Vec<Target> = Vec::new();
    for path in paths {
        let (root, inside) = locate(path, exact)?;
        let scope = inside.map(|inside| os::portable(&inside).0);
        let scope = scope.into_iter().collect();
        add(&mut targets, Target { root, scope });
    }
    // What lies inside a folder that is searched whole is searched with it.
    let whole = targets.iter().filter(|target| target.scope.is_empty());
    let whole: Vec<PathBuf> = whole.map(|target| target.root.clone()).collect();
    targets.retain(|target| {
        let root = &target.root;
        !whole.iter().any(|w| w != root && root.starts_with(w))
    });
    Ok(targets)
}

/// Adds a target, or what it adds to one with the same root.
fn add(targets: &mut Vec<Target>, target: Target) {
    match targets.iter_mut().find(|known| known.root == target.root) {
        // A path of a root that is searched whole adds nothing.
        Some(known) if known.scope.is_empty() => {}
        Some(known) if target.scope.is_empty() => known.scope.clear(),
        Some(known) => known.scope.extend(target.scope),
        None => targets.push(target),
    }
}

impl Engine {
    /// The same targets, where those that are of no project and have no index of
    /// their own are looked for in the index of a folder above them.
    pub fn in_indexes_above(&self, targets: Vec<Target>) -> Vec<Target> {
        let mut all = Vec::new();
        for target in targets {
            let above = self.in_index_above(&target);
            add(&mut all, above.unwrap_or(target));
        }
        all
    }

    fn in_index_above(&self, target: &Target) -> Option<Target> {
        let own = &target.root;
        if own.ancestors().any(is_project) || self.open(own).is_indexed() {
            return None;
        }
        for root in own.ancestors().skip(1) {
            let project = self.open(root);
            if !project.is_indexed() {
                continue;
            }
            let inside = os::portable(own.strip_prefix(root).ok()?).0;
            // Rules may leave the folder out.
            let snapshot = project.snapshot().ok()?;
            let below = format!("{inside}/");
            let mut files = snapshot.table().files.iter();
            if !files.any(|file| file.id().is_some() && file.path.starts_with(&below)) {
                return None;
            }
            let mut scope = Vec::new();
            for path in &target.scope {
                scope.push(format!("{below}{path}"));
            }
            if scope.is_empty() {
                scope.push(inside);
            }
            let root = root.to_owned();
            return Some(Target { root, scope });
        }
        None
    }
}

/// The root of a path, and the path inside it unless it is the root.
fn locate(path: &Path, exact: bool) -> Result<(PathBuf, Option<PathBuf>), EngineError> {
    let full = os::canonical(path).map_err(|_| EngineError::NoSuchPath(path.to_owned()))?;
    let folder = if full.is_dir() {
        full.as_path()
    } else {
        full.parent().unwrap_or(&full)
    };
    let root = if exact { folder } else { project_root(folder) };
    let inside = full
        .strip_prefix(root)
        .ok()
        .filter(|inside| !inside.as_os_str().is_empty());
    Ok((root.to_owned(), inside.map(Path::to_owned)))
}

/// The nearest folder above that is a project: it holds a repository or a
/// `scent.toml`. Where there is none, the folder itself.
fn project_root(folder: &Path) -> &Path {
    folder
        .ancestors()
        .find(|above| is_project(above))
        .unwrap_or(folder)
}

/// Whether a folder holds a repository or a `scent.toml`.
fn is_project(folder: &Path) -> bool {
    [".git", "scent.toml", ".hg"]
        .iter()
        .any(|mark| folder.join(mark).exists())
}

/// Whether a folder or file lies in a project, or is the folder of one.
pub fn is_in_project(path: &Path) -> bool {
    path.ancestors().any(is_project)
}

/// The path to search for a file: where no project contains it, the current
/// folder rather than only the folder of the file.
pub fn enclosing(file: &Path) -> PathBuf {
    let here = os::canonical(Path::new("."))
        .ok()
        .filter(|here| !is_risky(here));
    let full = os::canonical(file)
        .ok()
        .filter(|full| !full.ancestors().any(is_project));
    match (here, full) {
        (Some(here), Some(full)) if full.starts_with(&here) => here,
        _ => file.to_owned(),
    }
}

/// Whether indexing a folder is most likely an accident: a home directory, or
/// the root of a file system.
pub fn is_risky(root: &Path) -> bool {
    let home = os::home().and_then(|home| os::canonical(&home).ok());
    root.parent().is_none() || home.is_some_and(|home| home.starts_with(root))
}
