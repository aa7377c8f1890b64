//! How the symbols of a repository hang together.
//!
//! Nothing of this is stored. A file keeps what it defines, uses and imports
//! (`facts-N`); what a name means there is resolved when somebody asks, from
//! the facts of the files that mention the name. So an edit costs what the
//! file costs, a new file satisfies an old import at once, and the graph after
//! edits is that of a fresh index.
//!
//! [`importance`] resolves everything at once, for the numbers that an index
//! stores.

mod calls;
mod context;
mod definition;
mod graph;
mod importance;
mod imports;
mod links;
mod load_path;
mod modules;
mod paths;
mod receivers;
mod resolve;
mod scope;
mod suitable;
mod types;
mod usage;
mod written;

pub use calls::Calls;
pub use definition::Definition;
pub use graph::{Dependency, Edge, Graph};
pub use importance::importance;
pub use paths::{FileNo, PathIndex, RulesOf};
pub use resolve::Reason;
pub use usage::{Usage, usages};
