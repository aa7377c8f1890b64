//! What there is to know of an embedding model.

/// What an index has to know of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// What people call it.
    pub name: String,
    /// Another value means other vectors, which do not compare with these.
    pub fingerprint: u64,
    /// How many numbers a vector has.
    pub dims: usize,
    /// How many bytes the code of a token has; 0 where there are none.
    pub token_bytes: usize,
}
