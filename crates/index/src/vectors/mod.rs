//! The vectors of units, and the search among them.
//!
//! A model gives an unnormalised part for the text of a unit and one for the
//! path of its file ([`part`]); the vector of the unit is their sum, made unit
//! length. Vectors lie in segments ([`segment`]), which are written once: a
//! commit adds one (`vector_commit`), and what belongs to files that changed or
//! went stays behind as a cache (`vector_cache`) until segments are joined.
//!
//! A search looks at every row of the files that may answer ([`scan`]), and
//! there is no index over the rows beside the rows. Up to about a hundred
//! thousand of them it computes all scores; beyond, it estimates them from two
//! bits a number ([`coarse`]) and computes those of the best. A graph over the
//! vectors would take fewer looks, but it takes minutes to build, has to be
//! kept through every edit, depends on the order of the edits, and loses its
//! way where a filter leaves few rows. A scan has none of these troubles, and
//! is fast enough: the measurements are in [`scan`].

mod build;
mod coarse;
mod kernel;
mod part;
mod scan;
mod segment;
mod set;

pub(crate) use build::SegmentWriter;
pub use part::{FileParts, Part, Quantised, UnitPart};
pub use scan::{Query, Scan, Scored};
pub(crate) use segment::{Block, Segment, header};
pub use set::{Row, Vectors};
