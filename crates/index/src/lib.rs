//! The index on disk.
//!
//! A folder holds one index: a tantivy index for the words of the units, a
//! table of the files (`files-N`), sketches of the files' trigrams
//! (`sketch-N`), what they define, use and import (`facts-N`), how important they
//! are (`ranks-N`), vectors of the units (`vectors-N`) and texts that wait for
//! theirs (`pending-N`). The metadata of tantivy names the generation, and
//! through it the other stores, so that replacing that one small file swaps
//! all of them at once. See `snapshot` for reading, `writer` for writing units
//! and `vectors` for writing and searching vectors.
//!
//! This crate knows neither grammars nor models: it is handed units, words,
//! vectors, and codes of tokens that it does not look into.

mod blobs;
mod commit;
mod directory;
mod error;
mod facts;
mod files;
#[doc(hidden)]
pub mod fuzzing;
pub mod graph;
mod lock;
mod names;
mod os;
mod pending;
mod places;
mod ranks;
mod schema;
mod seal;
mod sketch;
mod snapshot;
mod store;
mod stored;
mod vectors;
mod words;
mod writer;

pub use blobs::BlobPlace;
pub use directory::{META as MANIFEST, last_generation};
pub use error::{IndexError, Result};
pub use facts::{Facts, ImportRef, StoredFacts, SymbolRef, UseRef};
pub use files::{
    FORMAT, FileRecord, FileTable, Reason, State, VectorModel, VectorSet, VectorStores,
};
pub use lock::{Lock, LockError, Turn};
pub use names::{Letters, Names};
pub use pending::{Pending, PendingFile, PendingUnit};
pub use ranks::{RankCommit, RankStore};
pub use schema::TextField;
pub use sketch::{Need, Sketch};
pub use snapshot::{Snapshot, UnitNo};
pub use store::StoreSum;
pub use stored::StoredUnit;
pub use vectors::{
    FileParts, Part, Quantised, Query, Row, Scan, Scored, UnitPart, VectorCache, VectorCommit,
    Vectors,
};
pub use words::Words;
pub use writer::{FOUND_BY, FilePlaces, UnitTexts, Writer};
