//! What is fuzzed: one function for each target, which takes any bytes and
//! panics where a promise does not hold.
//!
//! Two drivers call them: `fuzz/`, where libFuzzer makes up the bytes, and
//! `tests/replay.rs`, which runs the seeds and every input that once broke
//! something, on stable and in seconds.
//!
//! Where a target has several readers, the first line of an input names the one
//! that is meant. So an input says what it is about, and means the same after a
//! reader or a language was added.

mod index;
mod manifest;
mod model;
mod query;
mod settings;
mod syntax;

pub use index::index;
pub use manifest::manifest;
pub use model::model;
pub use query::query;
pub use settings::settings;
pub use syntax::syntax;

/// A target: whether the bytes were of use to it.
pub type Target = fn(&[u8]) -> bool;

/// Every target by its name.
pub const TARGETS: [(&str, Target); 6] = [
    ("index", index),
    ("manifest", manifest),
    ("model", model),
    ("query", query),
    ("settings", settings),
    ("syntax", syntax),
];

/// The first line and what follows it.
fn headed(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().take(64).position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}
