//! What counts for a request, decided once.

use crate::analyse::Intent;
use crate::names::QueryName;
use crate::query::Context;
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
    /// The query is one name, and no pattern decides what answers.
    is_identifier: bool,
    /// What is the same for every request.
    pub weights: &'w Weights,
}

impl<'w> Plan<'w> {
    /// `are_names` says that words which look like names are names here, and
    /// not the path of a file.
    pub fn new(
        weights: &'w Weights,
        request: &Request,
        intent: &Intent,
        are_names: bool,
    ) -> Plan<'w> {
        let lanes = weights.fusion.lanes.only(&request.lanes);
        let alone = lanes.counting() == 1;
        let by_name = intent.names_only && are_names;
        let shape = if alone {
            None
        } else if intent.docs_only {
            Some(&weights.docs)
        } else if intent.in_report {
            Some(&weights.report)
        } else if by_name {
            Some(&weights.names)
        } else {
            None
        };
        let words = Plan {
            alone,
            lanes,
            signals: &weights.signals,
            certainty: &weights.certainty,
            is_identifier: by_name
                && !alone
                && intent.symbols.len() == 1
                && request.pattern.is_none()
                && request.quoted.is_empty(),
            weights,
        };
        match shape {
            None => words,
            Some(shape) => Plan {
                lanes: words.lanes.times(&shape.lanes),
                signals: &shape.signals,
                certainty: &shape.certainty,
                ..words
            },
        }
    }

    /// The name that the query is, where it is one name and nothing else.
    pub fn identifier<'c>(&self, cx: &'c Context) -> Option<&'c QueryName> {
        cx.names.first().filter(|_| self.is_identifier)
    }

    /// Does without a lane.
    pub fn leave_out(&mut self, lane: Lane) {
        let others = Lane::RETRIEVING.into_iter().filter(|other| *other != lane);
        self.lanes = self.lanes.only(&others.collect::<Vec<_>>());
    }

    pub fn asks(&self, lane: Lane) -> bool {
        self.lanes.get(lane) > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each lane counts, in tenths.
    fn tenths(lanes: &[Lane], intent: &Intent, are_names: bool) -> [i32; 5] {
        let weights = Weights::default();
        let request = Request {
            lanes: lanes.to_vec(),
            ..Request::default()
        };
        let plan = Plan::new(&weights, &request, intent, are_names);
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
        for (lanes, intent, are_names, want) in [
            ("", &words, false, [15, 10, 20, 15, 15]),
            ("", &words, true, [15, 10, 20, 15, 15]),
            ("", &names, true, [15, 20, 20, 3, 0]),
            ("", &names, false, [15, 10, 20, 15, 15]),
            ("", &docs, true, [30, 10, 20, 15, 15]),
            ("text symbol", &names, true, [15, 20, 0, 0, 0]),
            ("late", &names, true, [0, 0, 0, 0, 15]),
        ] {
            let mut asked = Lane::RETRIEVING.to_vec();
            asked.retain(|lane| lanes.contains(lane.as_str()));
            assert_eq!(
                tenths(&asked, intent, are_names),
                want,
                "{lanes} {intent:?}"
            );
        }
    }
}
