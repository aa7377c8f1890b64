//! Ranked lists of several lanes become one.

use crate::Part;
use crate::corpus::UnitNo;
use crate::retrieve::RankedList;
use crate::weights::{FusionWeights, Method};
use scent_types::{Lane, Lanes};
use std::collections::{BTreeMap, HashMap};

/// A unit that at least one lane found.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub unit: UnitNo,
    pub score: f32,
    /// The raw score in each lane.
    pub lanes: Lanes,
    /// What the score is made of, where somebody wants to know.
    pub parts: Vec<Part>,
}

/// What scores of the lanes are held against.
#[derive(Debug)]
pub(crate) struct Measure {
    /// The best score of a lane and a full one.
    lanes: BTreeMap<Lane, (f32, f32)>,
    least: f32,
}

impl Measure {
    pub fn new(lists: &[RankedList], weights: &FusionWeights) -> Measure {
        let of = |list: &RankedList| {
            let (_, best) = list.units.first()?;
            Some((list.lane, (*best, list.full.unwrap_or(*best))))
        };
        Measure { lanes: lists.iter().filter_map(of).collect(), least: weights.least }
    }

    /// What a score is against a full one, from 0 to 1. Angles of vectors are
    /// never small: what counts is what they are above the least.
    pub fn share(&self, lane: Lane, raw: f32) -> f32 {
        let (_, full) = self.lanes.get(&lane).copied().unwrap_or((0.0, 0.0));
        let share = if full > 0.0 { raw / full } else { 1.0 };
        let least = if lane.is_semantic() { self.least } else { 0.0 };
        ((share - least) / (1.0 - least)).max(0.0)
    }

    /// That of the best.
    pub fn best_share(&self, lane: Lane) -> f32 {
        self.lanes.get(&lane).map_or(0.0, |&(best, _)| self.share(lane, best))
    }

    /// Whether a lane found anything.
    pub fn has(&self, lane: Lane) -> bool {
        self.lanes.contains_key(&lane)
    }

    fn full(&self, lane: Lane) -> f32 {
        self.lanes.get(&lane).map_or(0.0, |&(_, full)| full)
    }
}

/// Adds up what every lane gives a unit. A full score gets the whole weight of
/// the lane.
pub(crate) fn fuse(
    lists: &[RankedList],
    measure: &Measure,
    weights: &FusionWeights,
    explain: bool,
) -> Vec<Fused> {
    let mut fused: HashMap<UnitNo, Fused> = HashMap::new();
    for list in lists {
        let weight = weights.lane(list.lane);
        for (rank, &(unit, raw)) in list.units.iter().enumerate() {
            let new = || Fused { unit, score: 0.0, lanes: Lanes::new(), parts: Vec::new() };
            let entry = fused.entry(unit).or_insert_with(new);
            let amount = weight
                * match weights.method {
                    Method::Ranks => (weights.k + 1.0) / (weights.k + rank as f32 + 1.0),
                    Method::Shares => measure.share(list.lane, raw),
                };
            entry.score += amount;
            entry.lanes.insert(list.lane, raw);
            if explain && weight > 0.0 {
                let full = measure.full(list.lane);
                let why = format!("number {} with {raw:.3} of {full:.3}", rank + 1);
                entry.parts.push(Part { name: list.lane.as_str(), amount, why });
            }
        }
    }
    fused.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;

    fn list(lane: Lane, units: Vec<(UnitNo, f32)>) -> RankedList {
        RankedList { lane, units, full: None }
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
            assert_eq!(fused.iter().map(|f| f.unit).collect::<Vec<_>>(), [2, 1, 3], "{method}");
            assert_eq!(fused[0].lanes.len(), 2);
            let parts: f32 = fused[0].parts.iter().map(|part| part.amount).sum();
            assert!((parts - fused[0].score).abs() < 1e-6);
        }
    }
}
