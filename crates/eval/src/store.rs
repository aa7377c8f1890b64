//! Where answers are kept.
//!
//! A run is a folder: `run.json` says what was asked of whom and how,
//! `rows/SYSTEM/SUITE/CORPUS.jsonl` holds the raw answers of one system about
//! one repository. Such a file is written as a whole when the last question is
//! answered, so that a run that was killed goes on where it was.

use crate::row::{Outcome, Prepared, Row};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// What was asked of whom, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// The command as it was typed.
    pub command: Vec<String>,
    /// When it began, as `2026-01-31T12:00:00Z`.
    pub started: String,
    /// The version of scent and the digest of the program.
    pub program: String,
    /// The folders of the suites.
    pub suites: Vec<PathBuf>,
    /// The folder of the repositories.
    pub corpora: PathBuf,
    /// Where views and indexes are.
    pub cache: PathBuf,
    /// Where the adapters of peers are.
    pub peers: PathBuf,
    /// The pattern of the repositories that were asked for.
    pub only: Option<String>,
    /// The split that was asked for.
    pub split: Option<String>,
    /// The systems, in order; the first is what the others are held against.
    pub systems: Vec<Named>,
    /// The keys of the answers that hold; none while a run is under way.
    pub keys: Option<Vec<String>>,
    /// The machine it ran on.
    pub machine: String,
    /// What of the suites could not be used.
    pub left_out: Vec<String>,
    /// Answers that are not where the suite says; left out too.
    pub drift: Vec<String>,
}

/// A system by its name, with the weights and the model that it
/// has instead of the default ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// TOML; none for a peer.
    pub weights: Option<String>,
    /// The model, where it is not the one inside the program.
    #[serde(default)]
    pub model: Option<String>,
}

/// The answers of one system about one repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What making it ready took.
    pub prepared: Prepared,
    /// A row for each question.
    pub rows: Vec<Row>,
}

impl Cell {
    /// Why questions failed, one reason for each that did.
    pub fn failures(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(|row| match &row.answer {
            Outcome::Failed(why) => Some(why.as_str()),
            Outcome::Answered(_) | Outcome::Unsupported => None,
        })
    }
}

/// A folder of answers.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// A folder of answers, which may not exist yet.
    pub fn new(folder: &Path) -> Store {
        Store {
            folder: folder.to_owned(),
        }
    }

    fn file(&self, system: &str, suite: &str, corpus: &str) -> PathBuf {
        let rows = self.folder.join("rows");
        rows.join(system)
            .join(suite)
            .join(format!("{corpus}.jsonl"))
    }

    /// The answers of a system about a repository, if they are there in whole.
    pub fn cell(&self, system: &str, suite: &str, corpus: &str) -> Option<Cell> {
        read_cell(&self.file(system, suite, corpus)).ok()
    }

    /// Keeps answers, instead of older ones.
    pub fn put(&self, cell: &Cell) -> anyhow::Result<()> {
        let Prepared {
            system,
            suite,
            corpus,
            ..
        } = &cell.prepared;
        let file = self.file(system, suite, corpus);
        let mut text = serde_json::to_string(&cell.prepared)? + "\n";
        for row in &cell.rows {
            text += &serde_json::to_string(row)?;
            text.push('\n');
        }
        fs::create_dir_all(file.parent().unwrap_or(&self.folder))?;
        let unfinished = file.with_extension("unfinished");
        fs::write(&unfinished, text).with_context(|| unfinished.display().to_string())?;
        fs::rename(&unfinished, &file).with_context(|| file.display().to_string())
    }

    /// All answers that hold, in order of systems, suites and repositories.
    pub fn cells(&self, manifest: &Manifest) -> anyhow::Result<Vec<Cell>> {
        let holds = |cell: &Cell| {
            manifest
                .keys
                .as_ref()
                .is_none_or(|keys| keys.contains(&cell.prepared.key))
        };
        let mut cells = Vec::new();
        for system in &manifest.systems {
            for suite in folders(&self.folder.join("rows").join(&system.name)) {
                for file in folders(&suite) {
                    if file.extension().is_some_and(|e| e == "jsonl") {
                        cells.extend(Some(read_cell(&file)?).filter(holds));
                    }
                }
            }
        }
        Ok(cells)
    }

    /// What the run was.
    pub fn manifest(&self) -> anyhow::Result<Manifest> {
        let file = self.folder.join("run.json");
        let text = fs::read_to_string(&file).with_context(|| {
            format!("{} is no run: there is no run.json", self.folder.display())
        })?;
        serde_json::from_str(&text).with_context(|| file.display().to_string())
    }

    /// Keeps what the run is.
    pub fn describe(&self, manifest: &Manifest) -> anyhow::Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        fs::write(self.folder.join("run.json"), text).context("run.json")
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read_cell(file: &Path) -> anyhow::Result<Cell> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut lines = text.lines();
    let shown = || file.display().to_string();
    let prepared = serde_json::from_str(lines.next().unwrap_or_default()).with_context(shown)?;
    let rows = lines
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .with_context(shown)?;
    Ok(Cell { prepared, rows })
}

/// A name that can be that of a folder.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fine) {
        bail!("{name:?} cannot be the name of a system: use letters, digits and -_.+");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_inside_its_folder() {
        assert!(check_name("semble-bm25").is_ok());
        for bad in ["", "..", "a/b", ".hidden", "a b"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
