//! Ranked lists of several lanes become one.

use crate::Part;
use crate::corpus::UnitNo;
use crate::retrieve::RankedList;
use crate::weights::{FusionWeights, Method};
use scent_types::{Lane, Lanes};

/// A unit that at least one lane found.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub unit: UnitNo,
    pub score: f32,
    /// The raw score in each lane.
    pub lanes: RawScores,
    /// What the score is made of, where somebody wants to know.
    pub parts: Vec<Part>,
    /// The lines that match the request's pattern.
    pub matched: Vec<u32>,
}

impl Fused {
    pub fn new(unit: UnitNo) -> Fused {
        let lanes = RawScores::default();
        Fused {
            unit,
            score: 0.0,
            lanes,
            parts: Vec::new(),
            matched: Vec::new(),
        }
    }
}

/// What lanes give a unit. There are thousands of these in a search, so they
/// take no memory of their own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RawScores([Option<f32>; Lane::ALL.len()]);

impl RawScores {
    pub fn get(&self, lane: Lane) -> Option<f32> {
        self.0[lane as usize]
    }

    pub fn set(&mut self, lane: Lane, raw: f32) {
        self.0[lane as usize] = Some(raw);
    }

    pub fn by_lane(&self) -> Lanes {
        Lane::ALL
            .into_iter()
            .filter_map(|lane| Some((lane, self.get(lane)?)))
            .collect()
    }
}

/// What scores of the lanes are held against.
#[derive(Debug)]
pub(crate) struct Measure {
    /// The best score of a lane and a full one.
    lanes: [Option<(f32, f32)>; Lane::ALL.len()],
    least: f32,
}

impl Measure {
    pub fn new(lists: &[RankedList], weights: &FusionWeights) -> Measure {
        let mut lanes = [None; Lane::ALL.len()];
        for list in lists {
            let best = list.units.first().map(|(_, best)| *best);
            lanes[list.lane as usize] = best.map(|best| (best, list.full.unwrap_or(best)));
        }
        Measure {
            lanes,
            least: weights.least,
        }
    }

    /// What a score is against a full one, from 0 to 1. Angles of vectors are
    /// never small: what counts is what they are above the least.
    pub fn share(&self, lane: Lane, raw: f32) -> f32 {
        let full = self.full(lane);
        let share = if full > 0.0 { raw / full } else { 1.0 };
        let least = if lane.is_semantic() { self.least } else { 0.0 };
        ((share - least) / (1.0 - least)).max(0.0)
    }

    /// That of the best.
    pub fn best_share(&self, lane: Lane) -> f32 {
        self.lanes[lane as usize].map_or(0.0, |(best, _)| self.share(lane, best))
    }

    /// Whether a lane found anything.
    pub fn has(&self, lane: Lane) -> bool {
        self.lanes[lane as usize].is_some()
    }

    fn full(&self, lane: Lane) -> f32 {
        self.lanes[lane as usize].map_or(0.0, |(_, full)| full)
    }
}

/// A place in the list of a lane.
#[derive(Clone, Copy)]
struct Place {
    unit: UnitNo,
    raw: f32,
    rank: u32,
    lane: Lane,
}

/// Adds up what every lane gives a unit. A full score gets the whole weight of
/// the lane.
pub(crate) fn fuse(
    lists: &[RankedList],
    measure: &Measure,
    weights: &FusionWeights,
    explain: bool,
) -> Vec<Fused> {
    let mut places = Vec::with_capacity(lists.iter().map(|list| list.units.len()).sum());
    for list in lists {
        let ranked = (0..).zip(&list.units);
        places.extend(ranked.map(|(rank, &(unit, raw))| Place {
            unit,
            raw,
            rank,
            lane: list.lane,
        }));
    }
    // Stable: what a unit has of each lane stays in the order of the lanes.
    places.sort_by_key(|place| place.unit);
    let fused = |of_unit: &[Place]| {
        let mut fused = Fused::new(of_unit[0].unit);
        for Place {
            raw, rank, lane, ..
        } in of_unit.iter().copied()
        {
            let weight = weights.lane(lane);
            let amount = weight
                * match weights.method {
                    Method::Ranks => (weights.k + 1.0) / (weights.k + rank as f32 + 1.0),
                    Method::Shares => measure.share(lane, raw),
                };
            fused.score += amount;
            fused.lanes.set(lane, raw);
            if explain && weight > 0.0 {
                let why = format!(
                    "number {} with {raw:.3} of {:.3}",
                    rank + 1,
                    measure.full(lane)
                );
                fused.parts.push(Part {
                    name: lane.as_str(),
                    amount,
                    why,
                });
            }
        }
        fused
    };
    places
        .chunk_by(|a, b| a.unit == b.unit)
        .map(fused)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;

    fn list(lane: Lane, units: Vec<(UnitNo, f32)>) -> RankedList {
        RankedList {
            lane,
            units,
            full: None,
        }
    }

    #[test]
    fn what_two_lanes_found_goes_before_what_one_found() {
        for method in ["ranks", "shares"] {
            let text = list(Lane::Text, vec![(1, 9.0), (2, 8.0)]);
            let symbol = list(Lane::Symbol, vec![(2, 4.0), (3, 1.0)]);
            let weights = Weights::with(&format!("[fusion]\nmethod = \"{method}\"")).unwrap();
            let lists = vec![text, symbol];
            let measure = Measure::new(&lists, &weights.fusion);
            let mut fused = fuse(&lists, &measure, &weights.fusion, true);
            fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
            assert_eq!(
                fused.iter().map(|f| f.unit).collect::<Vec<_>>(),
                [2, 1, 3],
                "{method}"
            );
            assert_eq!(fused[0].lanes.by_lane().len(), 2);
            let parts: f32 = fused[0].parts.iter().map(|part| part.amount).sum();
            assert!((parts - fused[0].score).abs() < 1e-6);
        }
    }
}
