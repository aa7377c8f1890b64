//! The index on disk.
//!
//! A folder holds one index: a tantivy index for the words of the units, a
//! table of the files (`files-N`), and sketches of the files' trigrams
//! (`sketch-N`). The metadata of tantivy names the generation, and through it
//! the other stores, so that replacing that one small file swaps all of them
//! at once. See `snapshot` for reading and `writer` for writing.
//!
//! This crate knows neither grammars nor models: it is handed units and words.

mod error;
mod files;
mod lock;
mod schema;
mod seal;
mod sketch;
mod snapshot;
mod stored;
pub mod tokens;
mod writer;

pub use error::{IndexError, Result};
pub use files::{FileRecord, FileTable, Reason, State};
pub use lock::{Lock, LockError};
pub use schema::TextField;
pub use sketch::{Need, Sketch, SketchPlace};
pub use snapshot::{Snapshot, UnitAt};
pub use stored::StoredUnit;
pub use writer::{UnitTexts, Writer};
