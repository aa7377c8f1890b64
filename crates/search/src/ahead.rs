//! What goes before everything else, whatever its score: units that hold a text
//! in quotes as it is.

use crate::fuse::Fused;
use crate::pattern::Matches;
use crate::plan::Plan;
use scent_types::Part;
use std::collections::HashMap;

/// Puts the units that hold quoted texts ahead, those with most of the texts
/// first. They are there even where no lane found them.
pub(crate) fn put_quoted(fused: &mut Vec<Fused>, quoted: &[Matches]) {
    if quoted.iter().all(Matches::is_empty) {
        return;
    }
    let places = fused.iter().enumerate().map(|(at, one)| (one.unit, at));
    let mut places: HashMap<_, _> = places.collect();
    for (&unit, found) in quoted.iter().flatten() {
        let at = *places.entry(unit).or_insert_with(|| {
            fused.push(Fused::new(unit));
            fused.len() - 1
        });
        let one = &mut fused[at];
        one.ahead += 1;
        one.matched.extend(&found.lines);
        one.matched.sort_unstable();
        one.matched.dedup();
    }
}

/// Adds to each score what the unit is ahead, so that scores fall in the order
/// of the list.
pub(crate) fn add_to_scores(fused: &mut [Fused], plan: &Plan, explain: bool) {
    for one in fused {
        let amount = f32::from(one.ahead) * plan.weights.fusion.ahead;
        one.score += amount;
        if explain && amount > 0.0 {
            one.parts.push(Part {
                name: "ahead",
                amount,
                why: "it holds the quoted text as it is".into(),
            });
        }
    }
}
