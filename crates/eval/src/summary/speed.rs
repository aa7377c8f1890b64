//! What it took.

use crate::store::Cell;
use serde::{Deserialize, Serialize};

/// What it took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// All repositories of the suite, in milliseconds.
    pub index_ms: f64,
    /// All indexes on disk.
    pub index_bytes: u64,
    /// All files that were given.
    pub given_bytes: u64,
    /// The most that any repository took, where it is known.
    pub peak_bytes: Option<u64>,
    /// Half of the questions took less, in milliseconds.
    pub p50_ms: f64,
    /// 95 of 100 took less.
    pub p95_ms: f64,
    /// Index and first question: the median over repositories.
    pub first_ms: f64,
}

impl Speed {
    /// What a system took on these repositories.
    pub(super) fn of(cells: &[&Cell]) -> Speed {
        let mut speed = Speed::default();
        let mut all = Vec::new();
        let mut first = Vec::new();
        for cell in cells {
            let prepared = &cell.prepared;
            if prepared.error.is_some() {
                continue;
            }
            speed.index_ms += prepared.index_ms;
            speed.index_bytes += prepared.index_bytes;
            speed.given_bytes += prepared.given_bytes;
            speed.peak_bytes = speed.peak_bytes.max(prepared.peak_bytes);
            let answered = cell.rows.iter().filter_map(|row| row.answered());
            let times: Vec<f64> = answered.map(|answer| answer.ms).collect();
            first.extend(times.first().map(|ms| prepared.index_ms + ms));
            all.extend(times);
        }
        speed.p50_ms = quantile(&mut all, 0.5);
        speed.p95_ms = quantile(&mut all, 0.95);
        speed.first_ms = quantile(&mut first, 0.5);
        speed
    }
}

/// The value that this share of all values does not pass; 0 of none.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let at = ((values.len() as f64 * share).ceil() as usize).max(1) - 1;
    values.get(at).copied().unwrap_or(0.0)
}
