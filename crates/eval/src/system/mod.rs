//! Who is asked: our own engine, and peers behind adapters.

mod peer;
mod scent;

pub use peer::{Agreement, Peer, PeerList, Published};
pub use scent::{Indexes, Scent, exe_digest, request};

use crate::row::{Outcome, Task};
use crate::view::View;
use scent_types::FileClass;
use std::path::Path;

/// Something that answers questions about a repository.
pub trait System {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Changes with whatever its answers depend on, the files apart.
    fn key(&self) -> String;

    /// Makes it ready to be asked about these files; `scratch` is its own.
    fn prepare(&self, view: &View, scratch: &Path) -> Result<Box<dyn Session>, String>;
}

/// A system that is ready.
pub trait Session {
    /// What making it ready took.
    fn ready(&self) -> Ready;

    /// Asks one question. Paths in the answer are relative to the view.
    fn ask(&mut self, ask: Ask) -> Outcome;

    /// Ends it; the most memory it took, where it knows.
    fn end(self: Box<Self>) -> Option<u64>;
}

/// One question to a system.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'q> {
    /// What kind of answer is asked for.
    pub task: Task,
    /// The words, the name or the path.
    pub text: &'q str,
    /// Only files of this sort, for systems that know sorts of files.
    pub class: Option<FileClass>,
    /// How many results.
    pub limit: usize,
}

/// What making a system ready took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ready {
    /// The system in its own words.
    pub version: String,
    /// How long indexing took, in milliseconds.
    pub index_ms: f64,
    /// How large the index is on disk.
    pub index_bytes: u64,
    /// How many files it says it read.
    pub files: Option<u64>,
    /// Whether the first 10 of 50 results are the 10 results.
    pub prefix: bool,
}
