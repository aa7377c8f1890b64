//! What a search reads.

use crate::project::Project;
use scent_index::Snapshot;
use scent_search::Corpus;
use std::path::Path;
use std::sync::Arc;

/// Projects, each with the generation that answers.
pub(crate) struct Searched<'p> {
    pub projects: Vec<&'p Project>,
    pub snapshots: Vec<Arc<Snapshot>>,
}

impl<'p> Searched<'p> {
    pub fn nothing() -> Searched<'p> {
        Searched {
            projects: Vec::new(),
            snapshots: Vec::new(),
        }
    }

    pub fn add(&mut self, project: &'p Project, snapshot: Arc<Snapshot>) {
        self.projects.push(project);
        self.snapshots.push(snapshot);
    }

    pub fn roots(&self) -> Vec<&Path> {
        self.projects.iter().map(|project| project.root()).collect()
    }

    /// The paths that the search is limited to.
    pub fn scopes(&self) -> Vec<&str> {
        let scopes = self.projects.iter().flat_map(|project| project.scope());
        scopes.map(String::as_str).collect()
    }

    pub fn corpus(&self) -> Corpus {
        let scopes = self.projects.iter().map(|project| project.scope().to_vec());
        Corpus::new(self.snapshots.iter().cloned().zip(scopes).collect())
    }
}
