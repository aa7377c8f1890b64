//! A scripted agent: how many tokens it reads until the right lines were among
//! them, with each of three tools. The policy stands in `docs/evaluation.md`; it
//! says nothing about real models.

mod bm25;
mod files;
mod issues;
mod reader;
mod ripgrep;
mod scent;
mod table;

pub use bm25::Functions;
pub use files::Files;
pub use issues::read_issues;
pub use reader::{BUDGET, Log, Reader};
pub use ripgrep::ripgrep;
pub use scent::Scent;
pub use table::{Row, table};

use scent_types::Lines;
use std::path::PathBuf;

/// The tools, in the order in which they are reported.
pub const TOOLS: [&str; 3] = ["ripgrep", "bm25", "scent"];

/// Questions about one folder.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The suite.
    pub suite: String,
    /// The repository.
    pub name: String,
    /// What is searched.
    pub folder: PathBuf,
    /// What is asked.
    pub tasks: Vec<Task>,
}

/// A question, and the places that answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Tells it from others.
    pub id: String,
    /// The question.
    pub question: String,
    /// The right places. A path may be longer than that of a file by folders
    /// before it.
    pub right: Vec<(String, Lines)>,
}
