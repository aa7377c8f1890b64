//! How sure a difference is: the paired bootstrap.
//!
//! Questions are drawn again, with replacement, inside each repository, and
//! the mean over repositories is taken each time, as it is for the scores
//! themselves. Both systems answered the same drawn questions, so that hard
//! questions do not count as noise.

use serde::{Deserialize, Serialize};

/// How often questions are drawn again.
pub const RESAMPLES: usize = 10_000;

const SEED: u64 = 0x5ce7;

/// A mean difference with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// 2.5% of resamples are below.
    pub low: f64,
    /// 2.5% of resamples are above.
    pub high: f64,
}

/// The interval of the mean over groups of the mean of each group; none where
/// there is nothing.
pub fn interval(groups: &[Vec<f64>], resamples: usize) -> Option<Interval> {
    let groups: Vec<&Vec<f64>> = groups.iter().filter(|group| !group.is_empty()).collect();
    if groups.is_empty() || resamples == 0 {
        return None;
    }
    let mean = groups.iter().map(|group| mean(group)).sum::<f64>() / groups.len() as f64;
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut drawn: Vec<f64> = (0..resamples).map(|_| draw(&groups, &mut random)).collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| drawn[((resamples - 1) as f64 * share).round() as usize];
    Some(Interval {
        mean,
        low: at(0.025),
        high: at(0.975),
    })
}

/// Draws each group again. A small group drawn from itself varies too little,
/// by (n − 1)/n; its deviation is stretched by as much.
fn draw(groups: &[&Vec<f64>], random: &mut fastrand::Rng) -> f64 {
    let mut total = 0.0;
    for group in groups {
        let size = group.len() as f64;
        let mut sum = 0.0;
        for _ in 0..group.len() {
            sum += group[random.usize(..group.len())];
        }
        let mean = mean(group);
        let stretch = (size / (size - 1.0).max(1.0)).sqrt();
        total += mean + (sum / size - mean) * stretch;
    }
    total / groups.len() as f64
}

/// The mean of values, of which there is at least one.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws from a distribution whose mean is known: the interval is to cover
    /// it about 95 times in 100.
    #[test]
    fn the_interval_covers_the_truth() {
        let mut random = fastrand::Rng::with_seed(7);
        for (groups, size) in [(8, 25), (10, 3), (42, 4), (1, 100)] {
            let share = coverage(groups, size, &mut random);
            assert!(
                (0.915..=0.98).contains(&share),
                "{groups} of {size}: {share}"
            );
        }
    }

    fn coverage(groups: usize, size: usize, random: &mut fastrand::Rng) -> f64 {
        let (truth, trials) = (0.1, 400);
        let mut value = || truth + (random.f64() + random.f64() + random.f64() - 1.5) / 3.0;
        let mut group = || (0..size).map(|_| value()).collect();
        let covers = |interval: Interval| interval.low <= truth && truth <= interval.high;
        let mut trial = || interval(&(0..groups).map(|_| group()).collect::<Vec<_>>(), 400);
        let covered = (0..trials)
            .filter_map(|_| trial())
            .filter(|i| covers(*i))
            .count();
        covered as f64 / trials as f64
    }

    #[test]
    fn the_same_rows_give_the_same_interval() {
        let groups = vec![vec![0.1, 0.5, -0.2], vec![0.3, 0.0]];
        assert_eq!(interval(&groups, RESAMPLES), interval(&groups, RESAMPLES));
    }

    #[test]
    fn a_constant_difference_is_certain() {
        let interval = interval(&[vec![0.25; 10]], 100).unwrap();
        assert_eq!(
            (interval.low, interval.mean, interval.high),
            (0.25, 0.25, 0.25)
        );
    }

    #[test]
    fn nothing_has_no_interval() {
        assert_eq!(interval(&[], 100), None);
        assert_eq!(interval(&[vec![]], 100), None);
    }
}
