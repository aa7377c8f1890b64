//! What code at a place will need, for whoever completes it.

use crate::{Kind, Lines};

/// Snippets for a cursor, the most useful first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeContext {
    /// The file that the cursor is in, relative to the root.
    pub path: String,
    /// The line that the cursor is on.
    pub line: u32,
    /// What code there is likely to need.
    pub snippets: Vec<ContextSnippet>,
    /// How many snippets there were before the budget cut them.
    pub total: usize,
}

/// A piece of code from elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextSnippet {
    /// The file, relative to the root.
    pub path: String,
    /// The lines that `text` is from.
    pub lines: Lines,
    /// What it defines.
    pub kind: Kind,
    /// The name of that, with everything that encloses it.
    pub qualified: String,
    /// The signature, or the code where it is similar code.
    pub text: String,
    /// Why it is here.
    pub reason: ContextReason,
    /// How likely it is needed, against the others.
    pub score: f32,
}

/// Why a snippet is likely to be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContextReason {
    /// An import of the file brings it.
    Imported,
    /// It is a member of the type around the cursor, or of one that is used there.
    Member,
    /// It is used near the cursor.
    Used,
    /// Code like that around the cursor uses it.
    UsedBySimilar,
    /// It is defined in the same file or folder.
    Near,
    /// It is code like that around the cursor.
    Similar,
}

impl ContextReason {
    /// The word that users read.
    pub fn as_str(self) -> &'static str {
        match self {
            ContextReason::Imported => "imported",
            ContextReason::Member => "member",
            ContextReason::Used => "used",
            ContextReason::UsedBySimilar => "used-by-similar",
            ContextReason::Near => "near",
            ContextReason::Similar => "similar",
        }
    }
}
