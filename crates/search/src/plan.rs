//! What counts for a request, decided once.

use crate::analyse::Intent;
use crate::weights::{CertaintyWeights, LaneWeights, SignalWeights, Weights};
use scent_types::{Lane, Request};

/// What counts for a request.
#[derive(Debug)]
pub(crate) struct Plan<'w> {
    /// Only one lane is asked: it answers in its own order.
    pub alone: bool,
    /// What each lane counts; 0 for one that is not asked.
    pub lanes: LaneWeights,
    pub signals: &'w SignalWeights,
    pub certainty: &'w CertaintyWeights,
    /// What is the same for every request.
    pub weights: &'w Weights,
}

impl<'w> Plan<'w> {
    /// `names_file` says that the query holds the path of a file.
    pub fn new(
        weights: &'w Weights,
        request: &Request,
        intent: &Intent,
        names_file: bool,
    ) -> Plan<'w> {
        let lanes = weights.fusion.lanes.only(&request.lanes);
        let alone = lanes.counting() == 1;
        let shape = if alone {
            None
        } else if intent.docs_only {
            Some(&weights.docs)
        } else if intent.names_only && !names_file {
            Some(&weights.names)
        } else {
            None
        };
        match shape {
            None => Plan {
                alone,
                lanes,
                signals: &weights.signals,
                certainty: &weights.certainty,
                weights,
            },
            Some(shape) => Plan {
                alone,
                lanes: lanes.times(&shape.lanes),
                signals: &shape.signals,
                certainty: &shape.certainty,
                weights,
            },
        }
    }

    pub fn asks(&self, lane: Lane) -> bool {
        self.lanes.get(lane) > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(lanes: &[Lane], intent: &Intent, names_file: bool) -> (bool, [f32; 5]) {
        let weights = Weights::default();
        let request = Request {
            lanes: lanes.to_vec(),
            ..Request::default()
        };
        let plan = Plan::new(&weights, &request, intent, names_file);
        (
            plan.alone,
            Lane::RETRIEVING.map(|lane| plan.lanes.get(lane)),
        )
    }

    #[test]
    fn the_shape_of_a_query_decides_what_counts() {
        let plain = Intent::default();
        let names = Intent {
            names_only: true,
            ..Intent::default()
        };
        let docs = Intent {
            docs_only: true,
            ..names.clone()
        };
        let words = [1.5, 1.0, 2.0, 1.5, 1.5];
        for (asked, intent, names_file, want) in [
            (vec![], &plain, false, (false, words)),
            (vec![], &names, false, (false, [1.5, 2.0, 2.0, 0.3, 0.0])),
            (vec![], &names, true, (false, words)),
            (vec![], &docs, false, (false, [3.0, 1.0, 2.0, 1.5, 1.5])),
            (
                vec![Lane::Text, Lane::Symbol],
                &names,
                false,
                (false, [1.5, 2.0, 0.0, 0.0, 0.0]),
            ),
            (
                vec![Lane::Late],
                &names,
                false,
                (true, [0.0, 0.0, 0.0, 0.0, 1.5]),
            ),
        ] {
            let (alone, found) = lanes(&asked, intent, names_file);
            assert_eq!(alone, want.0, "{asked:?} {intent:?}");
            for (found, want) in found.into_iter().zip(want.1) {
                assert!((found - want).abs() < 1e-6, "{asked:?} {intent:?} {found}");
            }
        }
    }
}
