//! The index on disk.
//!
//! A folder holds one index: a tantivy index for the words of the units, a
//! table of the files (`files-N`), filters of the files' trigrams
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
mod declared;
mod derived;
mod directory;
mod error;
mod facts;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod layout;
mod local;
mod lock;
mod names;
mod os;
mod pending;
mod places;
mod rank_commit;
mod ranks;
mod schema;
mod snapshot;
mod storage;
mod store;
mod stored;
mod text;
mod trigram_filter;
mod usage;
mod vector_cache;
mod vector_commit;
mod vector_sets;
mod vectors;
mod verified;
mod words;
mod writer;

pub use blobs::BlobPlace;
pub use directory::{last_generation, root_of};
pub use error::{IndexError, LockError, Result};
pub use facts::{Facts, FactsReader, HintRef, ImportRef, StoredFacts, SymbolRef, UseRef};
pub use files::{
    Backlog, FORMAT, FileRecord, FileTable, RankStore, Reason, State, VectorModel, VectorSet,
    VectorStores,
};
pub use local::Local;
pub use lock::{Lock, WorkLock};
pub use names::{CharSignature, Names};
pub use pending::{Pending, PendingFile, PendingUnit};
pub use rank_commit::RankCommit;
pub use ranks::{FileRank, RankReader};
pub use schema::TextField;
pub use snapshot::Snapshot;
pub use storage::{Guard, SharedStorage, Storage, Usage};
pub use store::StoreSum;
pub use stored::{StoredUnit, UnitNo};
pub use text::TextReader;
pub use trigram_filter::{RequiredLiterals, TrigramFilter, TrigramFilters};
pub use vector_cache::VectorCache;
pub use vector_commit::VectorCommit;
pub use vectors::{FileParts, Part, Quantised, Query, Row, Scan, Scored, UnitPart, Vectors};
pub use words::Words;
pub use writer::{FOUND_BY, FilePlaces, Staged, UnitTexts, Writer};
