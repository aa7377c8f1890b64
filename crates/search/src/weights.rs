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
