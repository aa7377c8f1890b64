//! Floors that a run has to reach before a change is let through.
//!
//! ```toml
//! [[floor]]                       # a mean of one system
//! system = "scent"
//! suite = "self"
//! metric = "hit@5"
//! at_least = 0.70
//! group = "category: standard"    # optional; all questions otherwise
//! split = "dev"                   # optional; the first that was asked otherwise
//!
//! [[gain]]                        # one system over another
//! a = "scent"
//! b = "reranked"
//! suite = "hard"
//! metric = "ndcg_file"
//! at_least = 0.0                  # and the lower bound above 0; what is less
//!                                 # where less of the metric is better
//! no_loss_on = ["symbol"]
//! p95_ms = 50
//! ```

use crate::bootstrap::Interval;
use crate::compare::{Pair, difference, pairs};
use crate::metrics::less_is_better;
use crate::row::Row;
use crate::store::Cell;
use crate::summary::{ALL, CATEGORY, SuiteSummary, Summary};
use serde::Deserialize;

/// A file of floors.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    #[serde(default)]
    floor: Vec<Floor>,
    #[serde(default)]
    gain: Vec<Gain>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Floor {
    system: String,
    suite: String,
    metric: String,
    group: Option<String>,
    split: Option<String>,
    at_least: Option<f64>,
    at_most: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Gain {
    a: String,
    b: String,
    suite: String,
    metric: String,
    #[serde(default)]
    at_least: f64,
    #[serde(default)]
    no_loss_on: Vec<String>,
    p95_ms: Option<f64>,
}

impl Interval {
    /// The gain as what is better, where less of a metric is.
    fn better(self, metric: &str) -> Interval {
        if !less_is_better(metric) {
            return self;
        }
        Interval {
            mean: -self.mean,
            low: -self.high,
            high: -self.low,
        }
    }
}

/// One condition, and whether it holds.
#[derive(Debug, PartialEq)]
pub struct Verdict {
    /// Whether it holds.
    pub holds: bool,
    /// The condition with the number that was seen.
    pub says: String,
}

impl Gate {
    /// Reads a file of floors; one without any is refused.
    pub fn parse(text: &str) -> Result<Gate, String> {
        let gate: Gate = toml::from_str(text).map_err(|e| e.to_string())?;
        let unbound = gate
            .floor
            .iter()
            .find(|f| f.at_least.is_none() && f.at_most.is_none());
        match unbound {
            _ if gate.floor.len() + gate.gain.len() == 0 => {
                Err("there is no [[floor]] and no [[gain]] in it".into())
            }
            Some(floor) => Err(format!(
                "the floor of {} on {} holds whatever is measured: give at_least or at_most",
                floor.system, floor.suite
            )),
            None => Ok(gate),
        }
    }

    /// Holds a run against every floor. What was not measured does not hold.
    pub fn judge(&self, summary: &Summary, cells: &[Cell]) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        for floor in &self.floor {
            verdicts.push(floor.judge(summary));
        }
        for gain in &self.gain {
            verdicts.extend(gain.judge(summary, cells));
        }
        verdicts
    }
}

impl Floor {
    fn judge(&self, summary: &Summary) -> Verdict {
        let group = self.group.as_deref().unwrap_or(ALL);
        let what = format!(
            "{} on {}, {group}: {}",
            self.system, self.suite, self.metric
        );
        let suite = summary.suites.iter().find(|suite| self.is_on(suite));
        let Some(measured) = suite.and_then(|suite| self.measured(suite, group)) else {
            let says = format!("{what} was not measured; {}", known(summary));
            return Verdict { holds: false, says };
        };
        // What failed is in no mean, and must not raise one unseen.
        let mut failures = suite.iter().flat_map(|suite| &suite.failures);
        if let Some(failure) = failures.find(|failure| failure.system == self.system) {
            return Verdict {
                holds: false,
                says: format!("{what}: {}", failure.says),
            };
        }
        let is_enough = self.at_least.is_none_or(|low| measured >= low);
        let is_little = self.at_most.is_none_or(|high| measured <= high);
        let bound = match (self.at_least, self.at_most) {
            (low, None) => format!("at least {}", low.unwrap_or_default()),
            (None, Some(high)) => format!("at most {high}"),
            (Some(low), Some(high)) => format!("from {low} to {high}"),
        };
        Verdict {
            holds: is_enough && is_little,
            says: format!("{what} is {measured:.4}, to be {bound}"),
        }
    }

    fn is_on(&self, suite: &SuiteSummary) -> bool {
        let is_split = self.split.as_ref().is_none_or(|s| *s == suite.split);
        is_split && suite.name == self.suite
    }

    fn measured(&self, suite: &SuiteSummary, group: &str) -> Option<f64> {
        let mut systems = suite.systems.iter();
        let system = systems.find(|system| system.name == self.system)?;
        match self.metric.as_str() {
            "p50_ms" => Some(system.speed.p50_ms),
            "p95_ms" => Some(system.speed.p95_ms),
            "index_ms" => Some(system.speed.index_ms),
            metric => system.groups.get(group)?.means.get(metric).copied(),
        }
    }
}

/// What a floor may name.
fn known(summary: &Summary) -> String {
    let suites = summary.suites.iter().map(|suite| {
        let systems: Vec<&str> = suite.systems.iter().map(|s| s.name.as_str()).collect();
        let groups = suite
            .systems
            .first()
            .into_iter()
            .flat_map(|s| s.groups.keys());
        let groups = groups.filter(|group| *group == ALL || group.starts_with(CATEGORY));
        let groups: Vec<&str> = groups.map(String::as_str).collect();
        format!(
            "{} ({}): {}; {}",
            suite.name,
            suite.split,
            systems.join(", "),
            groups.join(", ")
        )
    });
    format!("there are {}", suites.collect::<Vec<_>>().join(" | "))
}

impl Gain {
    fn judge(&self, summary: &Summary, cells: &[Cell]) -> Vec<Verdict> {
        let of = |system: &str| -> Vec<&Row> {
            let rows = cells.iter().flat_map(|cell| &cell.rows);
            rows.filter(|row| row.system == system && row.suite == self.suite)
                .collect()
        };
        let pairs = pairs(of(&self.a), of(&self.b));
        let mut verdicts = vec![self.overall(&pairs.both)];
        for name in &self.no_loss_on {
            verdicts.push(self.no_loss(&pairs.both, name));
        }
        if self.p95_ms.is_some() {
            let floor = Floor {
                system: self.b.clone(),
                suite: self.suite.clone(),
                metric: "p95_ms".to_owned(),
                group: None,
                split: None,
                at_least: None,
                at_most: self.p95_ms,
            };
            verdicts.push(floor.judge(summary));
        }
        verdicts
    }

    fn overall(&self, pairs: &[Pair]) -> Verdict {
        let what = format!(
            "{} over {} on {}: {}",
            self.b, self.a, self.suite, self.metric
        );
        let Some(seen) = difference(pairs.iter(), &self.metric) else {
            return Verdict {
                holds: false,
                says: format!("{what} was not measured"),
            };
        };
        let gain = seen.gain.better(&self.metric);
        Verdict {
            holds: gain.mean >= self.at_least && gain.low > 0.0,
            says: format!(
                "{what} is {:+.4} ({:+.4} to {:+.4}), to be at least {} with the lower bound above 0",
                gain.mean, gain.low, gain.high, self.at_least
            ),
        }
    }

    fn no_loss(&self, pairs: &[Pair], category: &str) -> Verdict {
        let what = format!("{} over {} on {}{category}", self.b, self.a, CATEGORY);
        let inside = pairs.iter().filter(|pair| pair.a.category == category);
        match difference(inside, &self.metric) {
            None => Verdict {
                holds: false,
                says: format!("{what} was not measured"),
            },
            Some(seen) => Verdict {
                holds: seen.gain.better(&self.metric).mean >= 0.0,
                says: format!("{what} is {:+.4}, to be no loss", seen.gain.mean),
            },
        }
    }
}
