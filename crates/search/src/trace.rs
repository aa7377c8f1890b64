//! What each stage of a search had in hand, for whoever asks where a unit was
//! lost. Costs nothing where nobody asks.

use crate::RankedUnit;
use crate::corpus::{Corpus, UnitRef};
use crate::fuse::Fused;
use crate::retrieve::RankedList;

/// The stages of one search in order, if somebody asked for them.
#[derive(Debug, Default)]
pub struct Trace {
    stages: Option<Vec<Stage>>,
}

/// What one stage had, best first.
#[derive(Debug)]
pub struct Stage {
    /// The name of a lane, or of the step.
    pub name: &'static str,
    /// Whether it is a lane.
    pub lane: bool,
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
        Trace { stages: None }
    }

    /// Keeps every stage.
    pub fn on() -> Trace {
        Trace { stages: Some(Vec::new()) }
    }

    /// The stages that were kept.
    pub fn stages(self) -> Vec<Stage> {
        self.stages.unwrap_or_default()
    }

    pub(crate) fn lane(&mut self, corpus: &Corpus, list: &RankedList) {
        let Some(stages) = &mut self.stages else { return };
        let units = list.units.iter().map(|&(unit, score)| (corpus.unit_ref(unit), score));
        stages.push(Stage { name: list.lane.as_str(), lane: true, units: units.collect() });
    }

    pub(crate) fn fused(&mut self, corpus: &Corpus, fused: &[Fused]) {
        let Some(stages) = &mut self.stages else { return };
        let units = fused.iter().map(|one| (corpus.unit_ref(one.unit), one.score)).collect();
        stages.push(Stage { name: FUSED, lane: false, units });
    }

    pub(crate) fn ordered(&mut self, ranked: &[RankedUnit]) {
        let Some(stages) = &mut self.stages else { return };
        let units = ranked.iter().map(|hit| (hit.unit, hit.score)).collect();
        stages.push(Stage { name: ORDERED, lane: false, units });
    }
}
