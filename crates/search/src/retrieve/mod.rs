//! The lanes: each turns an intent into one ranked list of its own.

mod list;
mod path;
mod symbol;
mod text;
mod vector;

pub(crate) use list::{RankedList, better};
pub(crate) use path::path;
pub(crate) use symbol::symbol;
pub(crate) use text::{FileKey, Terms, by_file, holding, text};
pub use vector::token_matches;
pub(crate) use vector::{late, vector};
