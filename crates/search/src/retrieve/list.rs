//! What a lane found.

use crate::corpus::{Corpus, UnitNo};
use scent_types::Lane;
use std::cmp::Ordering;

/// What one lane found, best first.
#[derive(Debug)]
pub(crate) struct RankedList {
    pub lane: Lane,
    pub units: Vec<(UnitNo, f32)>,
    /// The greatest score there can be, where a lane knows it; else the best
    /// is what others are compared with.
    pub max_score: Option<f32>,
}

impl RankedList {
    /// What a lane found that was not asked.
    pub fn empty(lane: Lane) -> RankedList {
        RankedList {
            lane,
            units: Vec::new(),
            max_score: None,
        }
    }

    /// The best of these units. Equal scores go by path and line, so that the
    /// same units in another index come in the same order.
    pub fn best(
        corpus: &Corpus,
        lane: Lane,
        mut units: Vec<(UnitNo, f32)>,
        pool: usize,
    ) -> RankedList {
        if units.len() > pool {
            units.select_nth_unstable_by(pool, |&a, &b| better(corpus, a, b));
            units.truncate(pool);
        }
        units.sort_unstable_by(|&a, &b| better(corpus, a, b));
        RankedList {
            lane,
            units,
            max_score: None,
        }
    }
}

impl AsRef<RankedList> for RankedList {
    fn as_ref(&self) -> &RankedList {
        self
    }
}

/// The better score first, then by path and line.
pub(crate) fn better(corpus: &Corpus, a: (UnitNo, f32), b: (UnitNo, f32)) -> Ordering {
    let by_score = b.1.total_cmp(&a.1);
    by_score.then_with(|| corpus.position(a.0).cmp(&corpus.position(b.0)))
}
