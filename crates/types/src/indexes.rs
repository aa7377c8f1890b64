//! The indexes that there are.

/// An index in the data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexInfo {
    /// Its folder, with `/`.
    pub folder: String,
    /// The folder that is indexed; none where that is not known.
    pub root: Option<String>,
    /// How many bytes it takes.
    pub bytes: u64,
    /// When it was used last, in seconds since 1970, to the hour.
    pub last_used: u64,
    /// Whether the folder that is indexed still exists; none where it is not
    /// known.
    pub project_exists: Option<bool>,
}
