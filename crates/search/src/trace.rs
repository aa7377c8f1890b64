//! What each stage of a search had in hand, for whoever asks where a unit was
//! lost. Costs nothing where nobody asks.

use crate::corpus::{Corpus, UnitNo, UnitRef};
use crate::error::SearchError;
use crate::fuse::Fused;
use crate::retrieve::RankedList;
use std::time::{Duration, Instant};

/// The stages of one search in order, where the request wants them.
#[derive(Debug)]
pub struct Trace {
    stages: Option<Vec<Kept>>,
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

#[derive(Debug)]
struct Kept {
    name: &'static str,
    lane: bool,
    took: Duration,
    units: Vec<(UnitNo, f32)>,
}

impl Trace {
    /// Keeps nothing.
    pub fn off() -> Trace {
        Trace { stages: None }
    }

    /// Keeps every stage.
    pub fn on() -> Trace {
        Trace {
            stages: Some(Vec::new()),
        }
    }

    /// The stages that were kept, of a search in this corpus.
    pub fn stages(self, corpus: &Corpus) -> Vec<Stage> {
        let mut stages = Vec::new();
        for kept in self.stages.unwrap_or_default() {
            let units = kept.units.into_iter();
            stages.push(Stage {
                name: kept.name,
                lane: kept.lane,
                micros: kept.took.as_micros() as u64,
                units: units
                    .map(|(unit, score)| (corpus.unit_ref(unit), score))
                    .collect(),
            });
        }
        stages
    }

    /// Asks a lane.
    pub(crate) fn lane<L: AsRef<RankedList>>(
        &mut self,
        retrieve: impl FnOnce() -> Result<L, SearchError>,
    ) -> Result<L, SearchError> {
        let (found, took) = timed(retrieve);
        let found = found?;
        self.keep_lane(found.as_ref(), took);
        Ok(found)
    }

    /// Asks two lanes at the same time.
    pub(crate) fn lanes<A, B>(
        &mut self,
        first: impl FnOnce() -> Result<A, SearchError> + Send,
        second: impl FnOnce() -> Result<B, SearchError> + Send,
    ) -> Result<(A, B), SearchError>
    where
        A: AsRef<RankedList> + Send,
        B: AsRef<RankedList> + Send,
    {
        let ((first, took_first), (second, took_second)) =
            rayon::join(|| timed(first), || timed(second));
        let (first, second) = (first?, second?);
        self.keep_lane(first.as_ref(), took_first);
        self.keep_lane(second.as_ref(), took_second);
        Ok((first, second))
    }

    /// Does a step that follows the lanes.
    pub(crate) fn step<F: AsRef<[Fused]>>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<F, SearchError>,
    ) -> Result<F, SearchError> {
        let (done, took) = timed(work);
        let done = done?;
        if let Some(stages) = &mut self.stages {
            let all = done.as_ref().iter();
            stages.push(Kept {
                name,
                lane: false,
                took,
                units: all.map(|one| (one.unit, one.score)).collect(),
            });
        }
        Ok(done)
    }

    fn keep_lane(&mut self, list: &RankedList, took: Duration) {
        if let Some(stages) = &mut self.stages {
            stages.push(Kept {
                name: list.lane.as_str(),
                lane: true,
                took,
                units: list.units.clone(),
            });
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    (work(), begun.elapsed())
}
