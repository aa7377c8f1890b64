//! Issues as tasks of an agent: it is given the title.

use super::{Corpus, Task};
use crate::issues::{Issue, Issues};
use std::path::Path;

/// The issues of a folder, each with the checkout of its base commit, as
/// `CORPORA/NAME/COMMIT`; those without one are left out.
pub fn read_issues(folder: &Path, corpora: &Path) -> anyhow::Result<Vec<Corpus>> {
    let suite = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut found = Vec::new();
    for (issue, checkout) in Issues::read(folder, corpora)?.found {
        found.push(Corpus {
            suite: suite.to_string(),
            name: issue.repo.clone(),
            folder: checkout,
            tasks: vec![task(issue)],
        });
    }
    Ok(found)
}

fn task(issue: Issue) -> Task {
    let spans = issue.spans.iter();
    Task {
        right: spans
            .map(|span| (span.path.clone(), span.lines()))
            .collect(),
        id: issue.id,
        question: issue.title,
    }
}
