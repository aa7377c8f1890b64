//! The worktrees of a repository, which share most of their texts.

use crate::small_file::read_small;
use std::fs;
use std::path::{Path, PathBuf};

/// The root itself, and the other worktrees of its repository.
pub(crate) fn of(root: &Path) -> Vec<PathBuf> {
    let mut roots = vec![root.to_owned()];
    let Some(common) = common_folder(root) else {
        return roots;
    };
    let main = common
        .file_name()
        .is_some_and(|name| name == ".git")
        .then(|| common.parent());
    let linked = fs::read_dir(common.join("worktrees"))
        .into_iter()
        .flatten()
        .flatten();
    let linked = linked.filter_map(|entry| {
        let file = read_small(&entry.path().join("gitdir")).ok()?;
        Path::new(file.trim()).parent().map(Path::to_owned)
    });
    for other in main.flatten().map(Path::to_owned).into_iter().chain(linked) {
        if !roots.contains(&other) {
            roots.push(other);
        }
    }
    roots
}

/// The folder that all worktrees of a repository share.
pub(crate) fn common_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    // In a linked worktree `.git` is a file that says where its own folder is.
    let file = read_small(&git).ok()?;
    let own = root.join(file.trim().strip_prefix("gitdir:")?.trim());
    let common = read_small(&own.join("commondir")).ok()?;
    own.join(common.trim()).canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktrees_find_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let (main, linked) = (base.join("main"), base.join("linked"));
        let own = main.join(".git/worktrees/linked");
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(&linked).unwrap();
        fs::write(
            own.join("gitdir"),
            format!("{}\n", linked.join(".git").display()),
        )
        .unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        fs::write(linked.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        assert_eq!(of(&main), [main.clone(), linked.clone()]);
        assert_eq!(of(&linked), [linked, main]);
        assert_eq!(of(&base), [base]);
    }
}
