//! Any bytes in the place of a file of an index.

use crate::headed;
use scent_index::fuzzing::READERS;

/// The first line is the name of a store, the rest what is in it.
pub fn index(bytes: &[u8]) -> bool {
    let Some((name, rest)) = headed(bytes) else {
        return false;
    };
    let reader = READERS.iter().find(|(known, _)| *known == name);
    if let Some((_, read)) = reader {
        read(rest);
    }
    reader.is_some()
}
