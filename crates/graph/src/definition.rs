//! A symbol where it is defined.

use crate::paths::FileNo;
use scent_index::SymbolRef;

/// A symbol and the file it is defined in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition<'s> {
    /// The file.
    pub file: FileNo,
    /// The symbol.
    pub symbol: SymbolRef<'s>,
}
