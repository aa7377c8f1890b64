//! A unit as it is kept in the index.

use scent_types::{Kind, Lines, Unit};
use serde::{Deserialize, Serialize};

/// The number of a unit in a snapshot.
pub type UnitNo = u32;

/// A unit as it is kept in the index: all but its texts, which are on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredUnit {
    /// The same for the same unit of the same path in every generation.
    pub id: u64,
    /// The id of its file.
    pub file: u32,
    /// What it is.
    pub kind: Kind,
    /// Its own name.
    pub name: String,
    /// Its name with everything that encloses it.
    pub qualified: String,
    /// Its declaration on one line.
    pub signature: String,
    /// The lines to show.
    pub lines: Lines,
    /// The lines it answers for.
    pub cover: Lines,
    /// The lines of what it is a part of, as one answer.
    pub whole: Lines,
    /// The unit that encloses it, as a position in the file's list.
    pub parent: Option<u32>,
    /// Which passage of its definition it is.
    pub passage: u32,
}

impl StoredUnit {
    pub(crate) fn new(id: u64, file: u32, unit: &Unit) -> StoredUnit {
        StoredUnit {
            id,
            file,
            kind: unit.kind,
            name: unit.name.clone(),
            qualified: unit.qualified.clone(),
            signature: unit.signature.clone(),
            lines: unit.lines,
            cover: unit.cover,
            whole: unit.whole,
            parent: unit.parent,
            passage: unit.passage,
        }
    }
}
