//! What became of each file of a project.

use crate::error::EngineError;
use crate::project::Project;
use crate::walk::walked_folders;
use scent_index::{FileRecord, Reason, State};
use std::path::PathBuf;

/// A file, indexed or left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// The path relative to the root, with `/`.
    pub path: String,
    /// Whether the path is all that the system calls the file.
    pub is_unicode: bool,
    /// In bytes.
    pub size: u64,
    /// A hash of the contents; 0 where they were not read.
    pub hash: u128,
    /// Why it was left out; none where it is indexed.
    pub skipped: Option<Skipped>,
}

/// Why a file was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The reason for people.
    pub reason: String,
    /// Whether it is text that a tool wrote or shortened, which settings can
    /// include.
    pub is_generated: bool,
}

impl Project {
    /// All files of the generation that the project holds, in order of their
    /// paths.
    pub fn files(&self) -> Result<Vec<FileInfo>, EngineError> {
        let snapshot = self.snapshot()?;
        Ok(snapshot.table().files.iter().map(info).collect())
    }

    /// Whether the generation that the project holds has a file at a path,
    /// indexed or left out for its contents.
    pub fn has_file(&self, path: &str) -> Result<bool, EngineError> {
        let snapshot = self.snapshot()?;
        let record = snapshot.table().find(path);
        Ok(record.is_some_and(|record| record.id().is_some()))
    }

    /// The folders in which a change may change what is indexed, as they are on
    /// disk now.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders = walked_folders(self.root(), self.engine().threads());
        let own_rules = self.root().join(".git").join("info");
        folders.extend(own_rules.is_dir().then_some(own_rules));
        folders
    }
}

impl Project {
    /// The text of a file of the generation that the project holds, as it is on
    /// disk; none where no such file is indexed.
    pub fn file_text(&self, path: &str) -> Result<Option<String>, EngineError> {
        match self.text(path) {
            Err(EngineError::NoSuchPath(_)) => Ok(None),
            text => text.map(Some),
        }
    }
}

fn info(record: &FileRecord) -> FileInfo {
    let skipped = match &record.state {
        State::Indexed { .. } => None,
        State::Skipped(reason) => Some(Skipped {
            reason: reason.to_string(),
            is_generated: matches!(reason, Reason::Generated | Reason::Minified),
        }),
    };
    FileInfo {
        path: record.path.clone(),
        is_unicode: record.raw_path.is_none(),
        size: record.size,
        hash: record.hash,
        skipped,
    }
}
