//! What each stage of a search had in hand, for whoever asks where a unit was
//! lost. Costs nothing where nobody asks.

use crate::corpus::{Corpus, UnitRef};
use crate::fuse::Fused;
use crate::retrieve::RankedList;
use std::time::{Duration, Instant};

/// The stages of one search in order, if somebody asked for them.
#[derive(Debug)]
pub struct Trace {
    stages: Option<Vec<Stage>>,
    since: Instant,
}

/// What one stage had, best first.
#[derive(Debug)]
pub struct Stage {
    /// The name of a lane, or of the step.
    pub name: &'static str,
    /// Whether it is a lane.
    pub lane: bool,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// The units with their scores.
    pub units: Vec<(UnitRef, f32)>,
}

/// The stage at which all lanes are one list.
const FUSED: &str = "fused";
/// The stage after all signals.
const ORDERED: &str = "ordered";

impl Trace {
    /// Keeps nothing.
    pub fn off() -> Trace {
        Trace {
            stages: None,
            since: Instant::now(),
        }
    }

    /// Keeps every stage.
    pub fn on() -> Trace {
        Trace {
            stages: Some(Vec::new()),
            since: Instant::now(),
        }
    }

    /// The stages that were kept.
    pub fn stages(self) -> Vec<Stage> {
        self.stages.unwrap_or_default()
    }

    /// What a lane found; nothing where it was not asked.
    pub(crate) fn lane(&mut self, corpus: &Corpus, list: &RankedList, took: Duration) {
        let units = || {
            list.units
                .iter()
                .map(|&(unit, score)| (corpus.unit_ref(unit), score))
        };
        self.add(list.lane.as_str(), true, took, || units().collect());
    }

    pub(crate) fn fused(&mut self, corpus: &Corpus, fused: &[Fused]) {
        self.step(FUSED, corpus, fused);
    }

    pub(crate) fn ordered(&mut self, corpus: &Corpus, ranked: &[Fused]) {
        self.step(ORDERED, corpus, ranked);
    }

    fn step(&mut self, name: &'static str, corpus: &Corpus, all: &[Fused]) {
        let took = self.since.elapsed();
        let units = || all.iter().map(|one| (corpus.unit_ref(one.unit), one.score));
        self.add(name, false, took, || units().collect());
    }

    fn add(
        &mut self,
        name: &'static str,
        lane: bool,
        took: Duration,
        units: impl Fn() -> Vec<(UnitRef, f32)>,
    ) {
        if let Some(stages) = &mut self.stages {
            stages.push(Stage {
                name,
                lane,
                micros: took.as_micros() as u64,
                units: units(),
            });
        }
        self.since = Instant::now();
    }
}

/// What is done, and how long it takes. Lanes are asked at the same time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    (work(), begun.elapsed())
}
