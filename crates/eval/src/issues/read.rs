//! The tasks of a suite, and which of them can be asked here.

use anyhow::Context;
use scent_types::Lines;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// An issue, and what its fix changed.
#[derive(Clone, Debug, Deserialize)]
pub struct Issue {
    /// Tells it from all others.
    pub id: String,
    /// The name of the repository.
    pub repo: String,
    /// The language of the fix.
    pub language: String,
    /// The commit that is searched.
    pub base_commit: String,
    /// Its first line.
    pub title: String,
    /// All of it.
    pub text: String,
    /// The source files that the fix changes.
    pub files: Vec<String>,
    /// The lines that it changes.
    pub spans: Vec<Span>,
}

/// Lines that a fix changes.
#[derive(Clone, Debug, Deserialize)]
pub struct Span {
    /// The file, relative to the repository.
    pub path: String,
    start_line: u32,
    end_line: u32,
    /// The name of the function around them, where there is one.
    pub function: Option<String>,
    function_lines: Option<(u32, u32)>,
}

impl Span {
    /// The lines.
    pub fn lines(&self) -> Lines {
        Lines::new(self.start_line, self.end_line)
    }

    /// The lines of the function around them.
    pub fn function_lines(&self) -> Option<Lines> {
        let (start, end) = self.function_lines?;
        Some(Lines::new(start, end))
    }
}

/// The issues of a suite.
#[derive(Debug, Default)]
pub struct Issues {
    /// Those that can be asked, each with the checkout of its commit.
    pub found: Vec<(Issue, PathBuf)>,
    /// The ids of those without a checkout.
    pub left_out: Vec<String>,
}

impl Issues {
    /// Reads a folder of issues; checkouts are `CORPORA/NAME/COMMIT`.
    pub fn read(folder: &Path, corpora: &Path) -> anyhow::Result<Issues> {
        let mut issues = Issues::default();
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.extension().is_none_or(|ending| ending != "jsonl") {
                continue;
            }
            let text = fs::read_to_string(&path)?;
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                let issue: Issue =
                    serde_json::from_str(line).with_context(|| path.display().to_string())?;
                let checkout = corpora.join(&issue.repo).join(&issue.base_commit);
                if checkout.is_dir() {
                    issues.found.push((issue, checkout));
                } else {
                    issues.left_out.push(issue.id);
                }
            }
        }
        issues
            .found
            .sort_by(|(a, _), (b, _)| (&a.repo, &a.id).cmp(&(&b.repo, &b.id)));
        issues.left_out.sort();
        Ok(issues)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_checkout_is_left_out_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let line = |id: &str, commit: &str| {
            format!(
                r#"{{"id": "{id}", "repo": "pool", "language": "go", "base_commit": "{commit}",
                    "title": "t", "text": "t", "files": [], "spans": []}}"#
            )
            .replace('\n', " ")
        };
        let text = [line("b", "1"), line("a", "1"), line("c", "2")].join("\n");
        fs::write(folder.path().join("pool.jsonl"), text).unwrap();
        fs::create_dir_all(folder.path().join("corpora/pool/1")).unwrap();
        let issues = Issues::read(folder.path(), &folder.path().join("corpora")).unwrap();
        let ids: Vec<&str> = issues
            .found
            .iter()
            .map(|(issue, _)| issue.id.as_str())
            .collect();
        assert_eq!(
            (ids, issues.left_out),
            (vec!["a", "b"], vec!["c".to_owned()])
        );
    }
}
