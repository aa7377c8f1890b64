//! How much of what the next lines need is in the context of a cursor.
//!
//! At places drawn by a seed, ten lines are taken out of a copy of a repository,
//! so that nothing has seen them, and contexts are made for the place. What
//! counts is the share of the project's own names in those lines whose
//! definition is in the context. `eval/context/README.md` has all of it.

mod judge;
mod places;
mod systems;

pub use judge::{Judged, share, table};
pub use places::{HIDDEN, Needed, Place, draw, needed, without};
pub use systems::{Chunks, Shown, of_context, of_similar};
