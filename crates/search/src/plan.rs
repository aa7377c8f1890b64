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

    /// What each lane counts, in tenths.
    fn tenths(lanes: &[Lane], intent: &Intent, names_file: bool) -> [i32; 5] {
        let weights = Weights::default();
        let request = Request {
            lanes: lanes.to_vec(),
            ..Request::default()
        };
        let plan = Plan::new(&weights, &request, intent, names_file);
        assert_eq!(plan.alone, lanes.len() == 1);
        Lane::RETRIEVING.map(|lane| (plan.lanes.get(lane) * 10.0).round() as i32)
    }

    #[test]
    fn the_shape_of_a_query_decides_what_counts() {
        let words = Intent::default();
        let names = Intent {
            names_only: true,
            ..Intent::default()
        };
        let docs = Intent {
            docs_only: true,
            ..names.clone()
        };
        for (lanes, intent, names_file, want) in [
            ("", &words, false, [15, 10, 20, 15, 15]),
            ("", &names, false, [15, 20, 20, 3, 0]),
            ("", &names, true, [15, 10, 20, 15, 15]),
            ("", &docs, false, [30, 10, 20, 15, 15]),
            ("text symbol", &names, false, [15, 20, 0, 0, 0]),
            ("late", &names, false, [0, 0, 0, 0, 15]),
        ] {
            let mut asked = Lane::RETRIEVING.to_vec();
            asked.retain(|lane| lanes.contains(lane.as_str()));
            assert_eq!(
                tenths(&asked, intent, names_file),
                want,
                "{lanes} {intent:?}"
            );
        }
    }
}
