//! How right the answers about symbols are: tasks whose answers a compiler's
//! front end knows, asked of scent and judged place by place.
//!
//! The flow: a [`Suite`] is read, [`Asker`] asks a project each [`Task`],
//! [`judge`] holds the answer against what is expected, and [`table`] adds
//! up the [`Counts`].

mod ask;
mod counts;
mod judge;
mod suite;
mod table;

pub use ask::{Answer, Asker, Place, SURE};
pub use counts::Counts;
pub use judge::{Judged, judge};
pub use suite::{Suite, Task, TaskKind};
pub use table::{short, table};
