//! Issues with the lines that their fixes changed: a folder of `*.jsonl` whose
//! tasks have a base commit each.

use super::{Corpus, Task};
use anyhow::Context;
use scent_types::Lines;
use serde::Deserialize;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
struct Issue {
    id: String,
    repo: String,
    base_commit: String,
    title: String,
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    path: String,
    start_line: u32,
    end_line: u32,
}

/// The issues of a folder, each with the checkout of its base commit, as
/// `CORPORA/NAME/COMMIT`; those without one are left out.
pub fn read_issues(folder: &Path, corpora: &Path) -> anyhow::Result<Vec<Corpus>> {
    let mut found = Vec::new();
    let suite = folder.file_name().unwrap_or_default().to_string_lossy();
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
            let folder = match checkout.is_dir() {
                true => checkout,
                false => continue,
            };
            found.push(Corpus {
                suite: suite.to_string(),
                name: issue.repo.clone(),
                folder,
                tasks: vec![task(issue)],
            });
        }
    }
    found.sort_by(|a, b| (&a.name, &a.tasks[0].id).cmp(&(&b.name, &b.tasks[0].id)));
    Ok(found)
}

fn task(issue: Issue) -> Task {
    let span = |span: Span| (span.path, Lines::new(span.start_line, span.end_line));
    Task {
        id: issue.id,
        question: issue.title,
        right: issue.spans.into_iter().map(span).collect(),
    }
}
