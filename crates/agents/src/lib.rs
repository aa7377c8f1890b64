//! What coding agents read: where each keeps its settings and in what form, as
//! data (`agents/*.toml`), and edits that put scent there and take it out
//! again.
//!
//! [`hook`] reads what an agent is about to search for, and gives the agent
//! the places that were looked up for it.
//!
//! Nothing here reads or writes a file. The caller gives the texts through
//! [`Files`] and carries a [`Plan`] out.

mod check;
mod diff;
mod edit;
pub mod hook;
mod places;
mod plan;
mod row;
mod texts;
mod value;

pub use check::{Checked, State, check};
pub use diff::unified;
pub use edit::{Format, Refusal};
pub use places::{Files, Level, Places, System};
pub use plan::{FileChange, Kept, Options, Plan, Refused, Snippet, plan, plan_removal, snippets};
pub use row::{Agent, Installed, InstalledHook, Part, agent, agents};
