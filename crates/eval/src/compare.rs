//! One system against another, question by question.

use crate::bootstrap::{Interval, RESAMPLES, interval, mean};
use crate::metrics::{Scores, is_blind, less_is_better, score_if_blind};
use crate::row::Row;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// A difference that is smaller is none.
const SAME: f64 = 1e-9;

/// A question with what two systems made of it.
#[derive(Debug)]
pub struct Pair<'r> {
    /// The first system's row.
    pub a: &'r Row,
    /// The second's.
    pub b: &'r Row,
    /// The first system's scores.
    pub scores_a: Scores,
    /// The second's.
    pub scores_b: Scores,
}

/// What both answered, and how much only one of them did.
#[derive(Debug, Default)]
pub struct Pairs<'r> {
    /// Questions that both answered.
    pub both: Vec<Pair<'r>>,
    /// Questions that were left out, because one of them did not answer.
    pub left_out: usize,
}

/// B less A in one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// How many questions both answered.
    pub questions: usize,
    /// The mean of A over those.
    pub a: f64,
    /// The mean of B over those.
    pub b: f64,
    /// B less A.
    pub gain: Interval,
    /// Where B is better.
    pub wins: usize,
    /// Where A is better.
    pub losses: usize,
}

/// What a difference says of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is better, whichever questions are drawn.
    Better,
    /// It is worse, whichever questions are drawn.
    Worse,
    /// Other questions could turn the difference around.
    Noise,
    /// It scores the same at every question.
    Same,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Noise => "noise",
            Verdict::Same => "same",
        })
    }
}

impl Difference {
    /// Whether the interval leaves any doubt which of the two is better.
    pub fn verdict(&self, metric: &str) -> Verdict {
        let (low, high) = (self.gain.low, self.gain.high);
        if self.wins + self.losses == 0 {
            Verdict::Same
        } else if low <= SAME && high >= -SAME {
            Verdict::Noise
        } else if (low > 0.0) == less_is_better(metric) {
            Verdict::Worse
        } else {
            Verdict::Better
        }
    }
}

/// The questions that both systems were asked.
pub fn pairs<'r>(
    a: impl IntoIterator<Item = &'r Row>,
    b: impl IntoIterator<Item = &'r Row>,
) -> Pairs<'r> {
    let (a, b): (Vec<&Row>, Vec<&Row>) = (a.into_iter().collect(), b.into_iter().collect());
    let (blind_a, blind_b) = (is_blind(a.iter().copied()), is_blind(b.iter().copied()));
    let asked: HashSet<_> = a.iter().chain(&b).map(|row| row.question()).collect();
    let rows_b: HashMap<_, &Row> = b.into_iter().map(|row| (row.question(), row)).collect();
    let mut pairs = Pairs::default();
    for a in a {
        // The same question with another answer is another question.
        let same = rows_b
            .get(&a.question())
            .filter(|b| b.expected == a.expected);
        let scored =
            same.and_then(|b| Some((*b, score_if_blind(a, blind_a)?, score_if_blind(b, blind_b)?)));
        let pair = scored.map(|(b, scores_a, scores_b)| Pair {
            a,
            b,
            scores_a,
            scores_b,
        });
        pairs.both.extend(pair);
    }
    pairs.left_out = asked.len() - pairs.both.len();
    pairs
}

impl Pair<'_> {
    /// How much better B is at this question.
    pub fn gain(&self, metric: &str) -> Option<f64> {
        Some(self.scores_b.get(metric)? - self.scores_a.get(metric)?)
    }
}

/// B less A in a metric over these pairs; none where no pair has it.
pub fn difference<'p>(
    pairs: impl Iterator<Item = &'p Pair<'p>>,
    metric: &str,
) -> Option<Difference> {
    // In whatever order rows come, the same questions give the same interval.
    let mut pairs: Vec<&Pair> = pairs.collect();
    pairs.sort_by_key(|pair| pair.a.question());
    let mut strata: BTreeMap<(&str, &str), Stratum> = BTreeMap::new();
    for pair in pairs {
        let both = pair.scores_a.get(metric).zip(pair.scores_b.get(metric));
        if let Some((&a, &b)) = both {
            let stratum = strata.entry((&pair.a.suite, pair.a.stratum()));
            stratum.or_default().push(a, b);
        }
    }
    let strata: Vec<Stratum> = strata.into_values().collect();
    let gains: Vec<Vec<f64>> = strata.iter().map(|s| s.gains.clone()).collect();
    let sign = if less_is_better(metric) { -1.0 } else { 1.0 };
    let better: Vec<f64> = gains.iter().flatten().map(|gain| sign * gain).collect();
    Some(Difference {
        questions: better.len(),
        gain: interval(&gains, RESAMPLES)?,
        a: mean_of_means(strata.iter().map(|stratum| &stratum.a)),
        b: mean_of_means(strata.iter().map(|stratum| &stratum.b)),
        wins: better.iter().filter(|gain| **gain > SAME).count(),
        losses: better.iter().filter(|gain| **gain < -SAME).count(),
    })
}

/// The scores of what counts as one in a mean.
#[derive(Default)]
struct Stratum {
    a: Vec<f64>,
    b: Vec<f64>,
    gains: Vec<f64>,
}

impl Stratum {
    fn push(&mut self, a: f64, b: f64) {
        self.a.push(a);
        self.b.push(b);
        self.gains.push(b - a);
    }
}

fn mean_of_means<'v>(strata: impl Iterator<Item = &'v Vec<f64>>) -> f64 {
    let means: Vec<f64> = strata.map(|values| mean(values)).collect();
    mean(&means)
}

/// The pairs that differ most, the largest loss first among equals.
pub fn most_changed<'p>(pairs: &'p [Pair<'p>], metric: &str, most: usize) -> Vec<&'p Pair<'p>> {
    let gain = |pair: &Pair| pair.gain(metric).unwrap_or(0.0);
    let mut changed: Vec<&Pair> = pairs.iter().filter(|p| gain(p).abs() > SAME).collect();
    changed.sort_by(|p, q| {
        let (p, q) = (gain(p), gain(q));
        q.abs().total_cmp(&p.abs()).then(p.total_cmp(&q))
    });
    changed.truncate(most);
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_needs_an_interval_on_one_side() {
        for (metric, low, high, want) in [
            ("mrr", 0.01, 0.09, Verdict::Better),
            ("mrr", -0.09, -0.01, Verdict::Worse),
            ("mrr", -0.01, 0.09, Verdict::Noise),
            ("mrr", 0.0, 0.09, Verdict::Noise),
            ("tokens_to_hit", 10.0, 90.0, Verdict::Worse),
            ("tokens_to_hit", -90.0, -10.0, Verdict::Better),
        ] {
            let difference = Difference {
                questions: 10,
                a: 0.5,
                b: 0.5,
                gain: Interval {
                    mean: (low + high) / 2.0,
                    low,
                    high,
                },
                wins: 3,
                losses: 1,
            };
            assert_eq!(difference.verdict(metric), want, "{metric} {low} {high}");
        }
    }

    /// The verdict over questions whose true difference is known: 0 is noise
    /// about 19 times in 20, and a difference of a standard deviation is found.
    #[test]
    fn noise_is_called_noise_and_a_gain_is_found() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut found = |truth: f64| {
            let mut trial = |_: &usize| {
                let mut value = || truth + random.f64() + random.f64() + random.f64() - 1.5;
                let groups: Vec<Vec<f64>> =
                    (0..8).map(|_| (0..10).map(|_| value()).collect()).collect();
                let gain = interval(&groups, 400).unwrap();
                gain.low > 0.0 || gain.high < 0.0
            };
            (0..200).filter(|nth| trial(nth)).count()
        };
        let (of_none, of_half) = (found(0.0), found(0.5));
        assert!((2..=20).contains(&of_none), "{of_none} of 200");
        assert!(of_half >= 195, "{of_half} of 200");
    }
}
