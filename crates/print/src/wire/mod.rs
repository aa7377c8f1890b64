//! What `--json` writes: the wire schema, defined once for every interface.
//!
//! Every command has a struct here that stands for its whole answer. The
//! comments of their fields are the documentation that users read in
//! `docs/schema.json`.

mod agents;
mod context;
mod doctor;
mod failure;
mod health;
mod http;
mod listing;
mod lookup;
mod search;
mod status;

pub use agents::{Agent, AgentChanges, AgentEntry, AgentFile, AgentSnippet, Agents};
pub use context::{Context, ContextPiece};
pub use doctor::{Check, Doctor};
pub use failure::Failure;
pub use health::{Cycle, Cycles, Unused, UnusedDefinition};
pub use http::{Done, Event, Health, Problem, Refreshing, Root, Roots};
pub use listing::{Config, Language, Languages, Setting, Unit};
pub use lookup::{
    Affected, CallPath, Definition, Definitions, Dependencies, Dependency, Entry, FileOutline,
    Folder, Impact, Member, Outline, ProjectMap, Reference, References, Subject, Symbol,
};
pub use search::{
    Embeddings, FileCount, LeftOut, ModelCoverage, Note, Part, Search, SearchResult, Stage,
    StagedUnit, Step, Timing,
};
pub use status::{
    EmbeddingStatus, Freshness, HealthCounts, Index, Indexes, SkippedFile, Status, UnhealthyFile,
};

/// Grows when a field changes its meaning or goes away; new fields may come
/// without it.
pub const SCHEMA_VERSION: u32 = 2;
