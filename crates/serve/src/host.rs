//! What the program lends to a server: settings are read in one place, and it
//! is not here.

use scent_engine::{Engine, Project};
use std::path::Path;
use std::time::Duration;

/// What a server asks of the program that it is part of.
pub trait Host: Send + Sync + 'static {
    /// The engine that the user's settings describe. Made when it is first
    /// needed, so that a server starts without touching index or model.
    fn engine(&self) -> Result<Engine, HostError>;

    /// The project around a folder or a file, open, with the settings that hold
    /// there.
    fn open(&self, path: &Path) -> Result<Opened, HostError>;

    /// Lets the worker in the background index and embed what a project lacks.
    fn complete_later(&self, project: &Project);

    /// How long an answer may take while files wait to be indexed; none for
    /// ever.
    fn patience(&self) -> Option<Duration>;
}

/// A project that was opened for a server.
#[derive(Clone)]
pub struct Opened {
    /// The project.
    pub project: Project,
    /// Those that are searched with it where nothing narrower was asked.
    pub linked: Vec<Project>,
    /// What the user should know about its settings.
    pub notes: Vec<String>,
}

/// Why a project cannot be opened, in words for the user.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct HostError(pub String);
