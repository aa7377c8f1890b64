//! The numbers that decide the order. All of them are here.

use scent_index::TextField;

/// How one field counts in the text lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldWeight {
    pub field: TextField,
    /// What an occurrence is worth.
    pub weight: f32,
    /// How much a longer field discounts it, 0 to 1 (BM25's b).
    pub length: f32,
}

pub(crate) const FIELDS: [FieldWeight; 5] = [
    FieldWeight { field: TextField::Name, weight: 4.0, length: 0.4 },
    FieldWeight { field: TextField::Signature, weight: 1.5, length: 0.4 },
    FieldWeight { field: TextField::Path, weight: 2.0, length: 0.4 },
    FieldWeight { field: TextField::Doc, weight: 1.5, length: 0.5 },
    FieldWeight { field: TextField::Body, weight: 1.0, length: 0.6 },
];

/// How fast further occurrences stop counting (BM25's k1).
pub(crate) const SATURATION: f32 = 1.4;

/// How flat reciprocal rank fusion is.
pub(crate) const FUSION_K: f32 = 60.0;

/// How many candidates each lane may bring, whatever is asked for.
pub(crate) const POOL: usize = 1000;

/// How well a name fits the one that was asked for.
pub(crate) const SAME: f32 = 4.0;
pub(crate) const SAME_BUT_CASE: f32 = 3.0;
pub(crate) const LAST_PART: f32 = 1.0;

/// What a further passage or an impl block is behind its definition.
pub(crate) const LESSER: f32 = 0.5;

/// A pattern that matches the name of a definition is worth more than one
/// that is mentioned in it.
pub(crate) const IN_DEFINITION: f32 = 1.0;
pub(crate) const IN_BODY: f32 = 0.5;

/// What only the pattern found comes after the last of what words found too,
/// which has 1/(60 + 1000).
pub(crate) const PATTERN_ONLY: f32 = 1e-4;
