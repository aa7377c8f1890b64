//! Ranked lists of several lanes become one.

use crate::corpus::UnitNo;
use crate::plan::Plan;
use crate::retrieve::RankedList;
use crate::weights::Method;
use scent_types::{Lane, Lanes, Part};

/// A unit that at least one lane found.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub unit: UnitNo,
    pub score: f32,
    /// Units with more of this come first, whatever their scores.
    pub ahead: u8,
    /// The raw score in each lane.
    pub lanes: RawScores,
    /// What the score is made of, where the request wants an explanation.
    pub parts: Vec<Part>,
    /// The lines that match the request's pattern, or a text in its quotes.
    pub matched: Vec<u32>,
    /// Other passages of the same definition, best first.
    pub further: Vec<Passage>,
    /// Other units of the same file that score nearly as well.
    pub neighbours: Vec<UnitNo>,
    /// Units with the same text in other places, best first.
    pub copies: Vec<UnitNo>,
}

/// A passage of a definition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    pub unit: UnitNo,
    pub score: f32,
}

impl Fused {
    pub fn new(unit: UnitNo) -> Fused {
        Fused {
            unit,
            score: 0.0,
            ahead: 0,
            lanes: RawScores::default(),
            parts: Vec::new(),
            matched: Vec::new(),
            further: Vec::new(),
            neighbours: Vec::new(),
            copies: Vec::new(),
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
        let scores = Lane::ALL.into_iter().zip(self.0);
        scores
            .filter_map(|(lane, raw)| Some((lane, raw?)))
            .collect()
    }
}

/// Makes scores of different lanes comparable: each against the best that its
/// lane can give.
#[derive(Debug)]
pub(crate) struct ScoreNorm {
    /// The best score that a lane gave, and the greatest that it can give.
    lanes: [Option<(f32, f32)>; Lane::ALL.len()],
    floor: f32,
}

impl ScoreNorm {
    pub fn new(lists: &[RankedList], floor: f32) -> ScoreNorm {
        let mut lanes = [None; Lane::ALL.len()];
        for list in lists {
            if let Some(&(_, best)) = list.units.first() {
                let max_score = list.max_score.unwrap_or(best);
                lanes[list.lane as usize] = Some((best, max_score));
            }
        }
        ScoreNorm { lanes, floor }
    }

    /// A score from 0 to 1. Cosines are never small: what counts is what they
    /// are above the floor.
    pub fn normalized(&self, lane: Lane, raw: f32) -> f32 {
        let max_score = self.max_score(lane);
        let ratio = if max_score > 0.0 {
            raw / max_score
        } else {
            1.0
        };
        let floor = if lane.is_semantic() { self.floor } else { 0.0 };
        ((ratio - floor) / (1.0 - floor)).max(0.0)
    }

    /// That of the best.
    pub fn best(&self, lane: Lane) -> f32 {
        match self.lanes[lane as usize] {
            Some((best, _)) => self.normalized(lane, best),
            None => 0.0,
        }
    }

    /// Whether a lane found anything.
    pub fn has(&self, lane: Lane) -> bool {
        self.lanes[lane as usize].is_some()
    }

    fn max_score(&self, lane: Lane) -> f32 {
        self.lanes[lane as usize].map_or(0.0, |(_, max_score)| max_score)
    }

    /// What a lane counts. The late lane orders the units of the vector lane
    /// again: where it found anything, it counts in place of that.
    fn weight(&self, lane: Lane, plan: &Plan) -> f32 {
        if lane == Lane::Vector && self.has(Lane::Late) {
            0.0
        } else {
            plan.lanes.get(lane)
        }
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

/// Adds up what every lane gives a unit. The greatest score of a lane gets its
/// whole weight.
pub(crate) fn fuse(
    lists: &[RankedList],
    norm: &ScoreNorm,
    plan: &Plan,
    explain: bool,
) -> Vec<Fused> {
    let mut places = Vec::with_capacity(lists.iter().map(|list| list.units.len()).sum());
    for list in lists {
        for (rank, &(unit, raw)) in (0..).zip(&list.units) {
            places.push(Place {
                unit,
                raw,
                rank,
                lane: list.lane,
            });
        }
    }
    // Stable: what a unit has of each lane stays in the order of the lanes.
    places.sort_by_key(|place| place.unit);
    places
        .chunk_by(|a, b| a.unit == b.unit)
        .map(|of_unit| fuse_unit(of_unit, norm, plan, explain))
        .collect()
}

fn fuse_unit(places: &[Place], norm: &ScoreNorm, plan: &Plan, explain: bool) -> Fused {
    let fusion = &plan.weights.fusion;
    let mut fused = Fused::new(places[0].unit);
    for place in places {
        let Place { raw, lane, .. } = *place;
        let weight = norm.weight(lane, plan);
        let amount = match fusion.method {
            Method::Ranks => weight * ((fusion.k + 1.0) / (fusion.k + place.rank as f32 + 1.0)),
            Method::Normalized => weight * norm.normalized(lane, raw),
        };
        fused.score += amount;
        fused.lanes.set(lane, raw);
        if explain && weight > 0.0 {
            let max_score = norm.max_score(lane);
            fused.parts.push(Part {
                name: lane.as_str(),
                amount,
                why: format!("number {} with {raw:.3} of {max_score:.3}", place.rank + 1),
            });
        }
    }
    fused
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Intent;
    use crate::weights::Weights;
    use scent_types::Request;

    fn list(lane: Lane, units: Vec<(UnitNo, f32)>) -> RankedList {
        RankedList {
            lane,
            units,
            max_score: None,
        }
    }

    fn fused(weights: &Weights, lists: &[RankedList]) -> Vec<Fused> {
        let plan = Plan::new(weights, &Request::default(), &Intent::default(), false);
        let norm = ScoreNorm::new(lists, weights.fusion.floor);
        let mut fused = fuse(lists, &norm, &plan, true);
        fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
        fused
    }

    fn units(fused: &[Fused]) -> Vec<UnitNo> {
        fused.iter().map(|one| one.unit).collect()
    }

    #[test]
    fn what_two_lanes_found_goes_before_what_one_found() {
        for method in ["ranks", "normalized"] {
            let text = list(Lane::Text, vec![(1, 9.0), (2, 8.0)]);
            let symbol = list(Lane::Symbol, vec![(2, 4.0), (3, 1.0)]);
            let weights = Weights::with(&format!("[fusion]\nmethod = \"{method}\"")).unwrap();
            let fused = fused(&weights, &[text, symbol]);
            assert_eq!(units(&fused), [2, 1, 3], "{method}");
            assert_eq!(fused[0].lanes.by_lane().len(), 2);
            let parts: f32 = fused[0].parts.iter().map(|part| part.amount).sum();
            assert!((parts - fused[0].score).abs() < 1e-6);
        }
    }

    #[test]
    fn the_late_lane_counts_in_place_of_the_vector_lane() {
        let vector = || list(Lane::Vector, vec![(1, 0.9), (2, 0.7)]);
        let late = |units| list(Lane::Late, units);
        let weights = Weights::default();
        for (late, want) in [
            (late(vec![(2, 0.9), (1, 0.7)]), [2, 1]),
            (late(Vec::new()), [1, 2]),
        ] {
            assert_eq!(units(&fused(&weights, &[vector(), late])), want);
        }
    }
}
