//! What the parts of a report found becomes one list.

use super::evidence::Evidence;
use super::forms::is_bundle;
use crate::categories::{categories_of, is_named_by};
use crate::corpus::UnitNo;
use crate::fuse::Fused;
use crate::query::Context;
use crate::rank;
use crate::weights::SignalWeights;
use scent_index::{FileRecord, State};
use scent_types::{FileCategory, FileClass, Part as ScorePart};
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
    aside: &Aside,
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
        for clue in of_unit.chain(of_file) {
            add(cx, one, clue.name, clue.amount, || clue.why.clone());
        }
        if aside.is_aside(cx, one.unit) {
            add(cx, one, "aside", -aside.weight, || {
                "it is no code to mend".into()
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

/// What faults are rarely in: tests, documentation, settings and copies, unless
/// the title is about such files.
pub(super) struct Aside<'a> {
    pub weight: f32,
    pub signals: &'a SignalWeights,
}

/// Categories that count less for their sort than this are no code to mend.
const LITTLE: f32 = -0.2;

impl Aside<'_> {
    fn is_aside(&self, cx: &Context, unit: UnitNo) -> bool {
        let words = &cx.intent.words;
        let (_, path, _) = cx.corpus.position(unit);
        let categories = categories_of(path);
        if categories
            .iter()
            .any(|category| is_named_by(*category, words))
        {
            return false;
        }
        let counts_little = |category: &FileCategory| self.signals.category(*category) < LITTLE;
        let file = cx.corpus.record(cx.corpus.unit_ref(unit));
        categories.iter().any(counts_little)
            || is_bundle(path)
            || file.is_some_and(|file| !is_code(file))
    }
}

fn is_code(file: &FileRecord) -> bool {
    match &file.state {
        State::Indexed { class, .. } => *class == FileClass::Code,
        State::Skipped(_) => false,
    }
}
