//! The lanes: each turns an intent into one ranked list of its own.

mod path;
mod symbol;
mod text;
mod vector;

pub(crate) use path::path;
pub(crate) use symbol::symbol;
pub(crate) use text::text;
pub(crate) use vector::{late, vector};

use crate::corpus::{Corpus, UnitNo};
use scent_types::Lane;
use std::cmp::Ordering;

/// What one lane found, best first.
#[derive(Debug)]
pub(crate) struct RankedList {
    pub lane: Lane,
    pub units: Vec<(UnitNo, f32)>,
    /// The score that could not be better, where a lane knows it; else the
    /// best is what others are held against.
    pub full: Option<f32>,
}

impl RankedList {
    /// The best of these units. Equal scores go by path and line, so that the
    /// same units in another index come in the same order.
    fn best(corpus: &Corpus, lane: Lane, mut units: Vec<(UnitNo, f32)>, pool: usize) -> RankedList {
        let by_rank = |a: &(UnitNo, f32), b: &(UnitNo, f32)| better(corpus, *a, *b);
        if units.len() > pool {
            units.select_nth_unstable_by(pool, by_rank);
            units.truncate(pool);
        }
        units.sort_unstable_by(by_rank);
        RankedList {
            lane,
            units,
            full: None,
        }
    }
}

pub(crate) fn better(corpus: &Corpus, a: (UnitNo, f32), b: (UnitNo, f32)) -> Ordering {
    b.1.total_cmp(&a.1)
        .then_with(|| corpus.position(a.0).cmp(&corpus.position(b.0)))
}
