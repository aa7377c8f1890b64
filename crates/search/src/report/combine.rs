//! What the parts of a report found becomes one list.

use super::evidence::{Clue, Evidence};
use crate::categories::{categories_of, is_named_by};
use crate::corpus::UnitNo;
use crate::fuse::Fused;
use crate::query::Context;
use crate::rank;
use crate::weights::SignalWeights;
use scent_types::Part as ScorePart;
use std::collections::HashMap;

/// What one part of a report found, best first, and what it counts.
pub(super) struct Part {
    pub name: &'static str,
    pub weight: f32,
    pub list: Vec<Fused>,
}

/// Adds up what all parts give a unit. What a clue gives a file counts for all
/// of its units that something else speaks for.
pub(super) fn combine(
    cx: &Context,
    parts: [Part; 2],
    evidence: &Evidence,
    weights: &SignalWeights,
) -> Vec<Fused> {
    let mut all: Vec<Fused> = Vec::new();
    let mut places: HashMap<UnitNo, usize> = HashMap::new();
    for Part { name, weight, list } in parts {
        let best = list
            .first()
            .map_or(1.0, |one| one.score.max(f32::MIN_POSITIVE));
        for (rank, one) in (1..).zip(list) {
            let at = *places.entry(one.unit).or_insert_with(|| {
                all.push(Fused {
                    lanes: one.lanes,
                    ..Fused::new(one.unit)
                });
                all.len() - 1
            });
            let amount = weight * (one.score / best).max(0.0);
            let why = || format!("number {rank} by the {name} alone");
            add(cx, &mut all[at], name, amount, why);
        }
    }
    let units = evidence.units.keys();
    for unit in units {
        places.entry(*unit).or_insert_with(|| {
            all.push(Fused::new(*unit));
            all.len() - 1
        });
    }
    for one in &mut all {
        let file = cx.corpus.file_of(cx.corpus.unit_ref(one.unit));
        let of_unit = evidence.units.get(&one.unit).into_iter().flatten();
        let of_file = evidence.files.get(&file).into_iter().flatten();
        let clues: Vec<&Clue> = of_unit.chain(of_file).collect();
        if clues.is_empty() {
            continue;
        }
        let factor = if is_beside(cx, one.unit, weights) {
            0.3
        } else {
            1.0
        };
        for clue in clues {
            add(cx, one, clue.name, factor * clue.amount, || {
                clue.why.clone()
            });
        }
    }
    rank::sort(cx.corpus, &mut all);
    all
}

fn add(cx: &Context, one: &mut Fused, name: &'static str, amount: f32, why: impl Fn() -> String) {
    one.score += amount;
    if cx.request.explain && amount != 0.0 {
        one.parts.push(ScorePart {
            name,
            amount,
            why: why(),
        });
    }
}

/// Whether a file is a test, documentation or the like, which faults are rarely
/// in, and the title is not about such files.
fn is_beside(cx: &Context, unit: UnitNo, weights: &SignalWeights) -> bool {
    let (_, path, _) = cx.corpus.position(unit);
    let mut categories = categories_of(path).into_iter();
    categories.any(|category| {
        let counts = weights.category(category) < -0.2;
        counts && !is_named_by(category, &cx.intent.words)
    })
}
