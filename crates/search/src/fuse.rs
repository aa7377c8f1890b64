//! Ranked lists of several lanes become one.

use crate::corpus::UnitNo;
use crate::retrieve::RankedList;
use crate::weights::FusionWeights;
use scent_types::Lanes;
use std::collections::HashMap;

/// A unit that at least one lane found.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub unit: UnitNo,
    pub score: f32,
    /// The raw score in each lane.
    pub lanes: Lanes,
}

/// Reciprocal rank fusion: a unit gets w/(k + rank) from every list it is in.
/// Ranks of different lanes compare where their scores do not.
pub(crate) fn fuse(lists: Vec<RankedList>, weights: &FusionWeights) -> Vec<Fused> {
    let mut fused: HashMap<UnitNo, Fused> = HashMap::new();
    for list in lists {
        for (rank, (unit, raw)) in list.units.into_iter().enumerate() {
            let entry = fused.entry(unit);
            let entry = entry.or_insert_with(|| Fused { unit, score: 0.0, lanes: Lanes::new() });
            entry.score += weights.lane(list.lane) / (weights.k + rank as f32 + 1.0);
            entry.lanes.insert(list.lane, raw);
        }
    }
    fused.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;
    use scent_types::Lane;

    #[test]
    fn what_two_lanes_found_goes_before_what_one_found() {
        let text = RankedList { lane: Lane::Text, units: vec![(1, 9.0), (2, 8.0)] };
        let symbol = RankedList { lane: Lane::Symbol, units: vec![(2, 4.0), (3, 1.0)] };
        let mut fused = fuse(vec![text, symbol], &Weights::default().fusion);
        fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
        assert_eq!(fused.iter().map(|f| f.unit).collect::<Vec<_>>(), [2, 1, 3]);
        assert_eq!(fused[0].lanes.len(), 2);
    }
}
