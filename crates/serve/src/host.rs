//! What the program lends to a server: settings are read in one place, and it
//! is not here.

use scent_engine::{Engine, Project};
use scent_types::RawRequest;
use std::path::Path;

/// What a server asks of the program that it is part of.
pub trait Host: Send + Sync + 'static {
    /// The project around a folder or a file, open, with the settings that hold
    /// there. Neither index nor model is read yet. A folder that nobody can have
    /// meant, such as a whole disk, is refused.
    fn open(&self, path: &Path) -> Result<Opened, HostError>;

    /// Lets the worker in the background index and embed what a project lacks.
    /// Returns what the user should know where that is impossible.
    fn complete_later(&self, project: &Project) -> Option<String>;
}

/// A project that was opened for a server.
#[derive(Clone)]
pub struct Opened {
    /// What answers. Projects with the same models share it.
    pub engine: Engine,
    /// The project, whole.
    pub project: Project,
    /// Those that are searched with it where nothing narrower was asked.
    pub linked: Vec<Project>,
    /// A request in which nothing is asked: how results look, as the settings
    /// have it.
    pub blank: RawRequest,
    /// What the user should know about its settings.
    pub notes: Vec<String>,
}

/// Why a project cannot be opened, in words for the user.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct HostError(pub String);
