//! Right and wrong, counted.

use std::iter::Sum;
use std::ops::Add;

/// How many places are right, wrong and missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Expected and found.
    pub right: usize,
    /// Found and not expected.
    pub wrong: usize,
    /// Expected and not found.
    pub missed: usize,
    /// Found where nobody knows what is right.
    pub not_judged: usize,
}

impl Counts {
    /// How much of what was found is right; none where nothing was.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.right + self.wrong)
    }

    /// How much of what is right was found; none where nothing is.
    pub fn recall(&self) -> Option<f64> {
        share(self.right, self.right + self.missed)
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            right: self.right + other.right,
            wrong: self.wrong + other.wrong,
            missed: self.missed + other.missed,
            not_judged: self.not_judged + other.not_judged,
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(counts: I) -> Counts {
        counts.fold(Counts::default(), Counts::add)
    }
}
