//! Suites about symbols: one file a repository, a task a line behind a line
//! that says where the tasks are from. `eval/symbols/README.md` has the format.

use anyhow::{Context, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Tasks about one repository.
#[derive(Clone, Debug, Deserialize)]
pub struct Suite {
    /// The folder of the repository.
    #[serde(rename = "suite")]
    pub name: String,
    /// Its language.
    pub language: String,
    /// Where it is from.
    pub repository: String,
    /// The commit that the places are of.
    pub commit: String,
    /// What knew the answers.
    pub made_by: String,
    /// The files that were read for the answers. What scent finds in others is
    /// not judged.
    pub read: BTreeSet<String>,
    /// What is asked.
    #[serde(skip)]
    pub tasks: Vec<Task>,
}

/// One question.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Task {
    /// Tells it from all others.
    pub id: String,
    /// What is asked for.
    #[serde(rename = "task")]
    pub kind: TaskKind,
    /// A name, or the path of a file; of a call path, the caller.
    pub name: String,
    /// The place of a definition, as `PATH:LINE:COLUMN`.
    #[serde(default)]
    pub at: String,
    /// Where a call path leads to, as a name.
    #[serde(default)]
    pub to: String,
    /// Whether another definition, which is no override of it, has the name too.
    #[serde(default)]
    pub shared: bool,
    /// What is right.
    pub expected: Vec<String>,
    /// What is neither right nor wrong.
    #[serde(default)]
    pub either: Vec<String>,
}

/// What a task asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// Where a function, method or type is defined.
    #[default]
    Definition,
    /// Where a field, variant or constant is defined.
    Member,
    /// Who uses a definition.
    References,
    /// Which files a file imports.
    Imports,
    /// Which files import a file.
    Importers,
    /// How one function comes to call another.
    Callpath,
}

impl Suite {
    /// Reads a suite, or all of a folder.
    pub fn read_all(path: &Path) -> anyhow::Result<Vec<Suite>> {
        let mut files: Vec<PathBuf> = vec![path.to_owned()];
        if path.is_dir() {
            files.clear();
            for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
                files.push(entry?.path());
            }
            files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
            files.sort();
        }
        let mut suites = Vec::new();
        for file in &files {
            let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
            suites.push(Suite::parse(&text).with_context(|| file.display().to_string())?);
        }
        if suites.is_empty() {
            bail!("{}: no file ends in .jsonl", path.display());
        }
        Ok(suites)
    }

    /// A suite from the text of its file.
    pub fn parse(text: &str) -> anyhow::Result<Suite> {
        let mut lines = (1..).zip(text.lines());
        let (_, head) = lines.next().context("the file is empty")?;
        let mut suite: Suite = serde_json::from_str(head).context("line 1")?;
        for (number, line) in lines {
            let task = serde_json::from_str(line).with_context(|| format!("line {number}"))?;
            suite.tasks.push(task);
        }
        Ok(suite)
    }
}
