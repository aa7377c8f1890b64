//! Which lines changed since a commit, as git tells it.

use super::Changed;
use crate::error::EngineError;
use scent_types::Lines;
use std::path::Path;
use std::process::Command;

/// What changed below a root since a commit, the working tree included.
pub(crate) fn changed_since(root: &Path, commit: &str) -> Result<Vec<Changed>, EngineError> {
    let refused = |why: String| EngineError::Git { commit: commit.to_owned(), why };
    if commit.starts_with('-') {
        return Err(refused("not the name of a commit".into()));
    }
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "core.quotepath=off", "diff", "--relative", "--no-color", "--no-ext-diff"])
        .args(["--no-renames", "-U0", commit, "--", "."])
        .output();
    let output = output.map_err(|error| refused(format!("git cannot be run: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(refused(said.lines().next().unwrap_or("git failed").to_owned()));
    }
    Ok(parse(&String::from_utf8_lossy(&output.stdout)))
}

/// The files of a diff without context, each with the lines that are new or
/// that stand around something that is gone.
fn parse(diff: &str) -> Vec<Changed> {
    let files = diff.split("\n+++ ").skip(1);
    // What is gone altogether has no name here: `/dev/null`.
    let files = files.filter_map(|file| file.strip_prefix("b/"));
    let file = |file: &str| {
        let path = file.lines().next().unwrap_or_default().trim_end();
        let hunks = file.lines().filter_map(|line| line.strip_prefix("@@ "));
        Changed::Lines(path.to_owned(), hunks.filter_map(new_lines).collect())
    };
    files.map(file).collect()
}

/// The lines after `+` in `-3,2 +4,0 @@ …`.
fn new_lines(hunk: &str) -> Option<Lines> {
    let new = hunk.split(' ').find_map(|part| part.strip_prefix('+'))?;
    let (start, count) = new.split_once(',').unwrap_or((new, "1"));
    let (start, count): (u32, u32) = (start.parse().ok()?, count.parse().ok()?);
    let start = start.max(1);
    Some(Lines::new(start, start + count.max(1) - 1))
}

#[cfg(test)]
mod cases {
    use super::*;

    #[test]
    fn hunks_are_lines() {
        let diff = "diff --git a/x b/x\n--- a/src/a b.rs\n+++ b/src/a b.rs\n@@ -1 +1,2 @@ fn f\n-a\n+b\n+c\n\
                    @@ -9,3 +10,0 @@\n-x\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n";
        let lines = vec![Lines::new(1, 2), Lines::new(10, 10)];
        assert_eq!(parse(diff), [Changed::Lines("src/a b.rs".into(), lines)]);
    }
}
