//! Long texts as questions: bug reports as people paste them.
//!
//! [`read_report`] takes a text apart without an index. [`search`] asks for its
//! title as for any question, for the rarest words of all of it, and for what
//! else points at code: frames of stack traces, files, messages and names. What
//! they find is added up, with `data/weights.toml` saying what each counts.

mod body;
mod combine;
mod evidence;
mod files;
mod forms;
mod frames;
mod lines;
mod messages;
mod places;
mod read;
mod search;

pub use read::{is_report, read_report};
pub(crate) use search::search;
