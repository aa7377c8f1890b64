//! The shared nouns of scent: what a file, a unit, a request and a hit are.
//!
//! Nothing here reads a disk or decides anything. Every other crate speaks in
//! these words, so that a unit means the same thing to the parser, the index
//! and the printer.

mod category;
mod context;
mod deadline;
mod file_units;
mod health;
mod hint;
mod imports;
mod indexes;
mod kind;
mod line;
mod lookup;
mod map;
mod model;
mod note;
mod outline;
mod report;
mod request;
mod response;
mod source;
mod status;
mod symbol;
mod unit;

pub use category::FileCategory;
pub use context::{CodeContext, ContextReason, ContextSnippet};
pub use deadline::{Deadline, Stopped};
pub use file_units::{FileUnits, UnitWords};
pub use health::{Cycle, Cycles, Unused, UnusedDefinition};
pub use hint::{ToldBy, TypeHint, Typed};
pub use imports::{ImportRules, ImportStyle};
pub use indexes::IndexInfo;
pub use kind::{FileClass, Kind, UnknownKind};
pub use line::{Line, cut};
pub use lookup::{
    Affected, CallPath, Defined, Definitions, Dependencies, Dependency, FileOutline, Fit, Folder,
    Impact, Member, References, Signature, Subject, Used,
};
pub use map::{Entry, ProjectMap};
pub use model::ModelInfo;
pub use note::{Files, NotCompared, Note};
pub use outline::Outline;
pub use report::{Frame, NamedPlace, Report};
pub use request::{
    Case, Condition, Context, Excerpt, Filters, Pattern, RawRequest, Request, Scan, Syntax,
};
pub use response::{
    Duplicate, Embeddings, FileCount, Hit, Lane, Lanes, Neighbour, Part, Passage, Refined,
    Response, Stage, StagedUnit, Timing,
};
pub use source::Source;
pub use status::{Backlog, EmbeddingCounts, Freshness, HealthCounts, Status};
pub use symbol::{Arity, Import, Reference, Role, Root, Symbol, Visibility};
pub use unit::{Health, Lines, Unit};
