//! What goes before everything else, whatever its score: units that hold a text
//! in quotes as it is, and for a query that is one name, those that hold the
//! name.
//!
//! The index knows which units hold the letters of a name. Whether one holds it
//! as it was typed, and not in another spelling, stands in its text alone, which
//! is read for the first of them.

use crate::corpus::UnitNo;
use crate::error::SearchError;
use crate::fuse::Fused;
use crate::letters::letters;
use crate::names::{QueryName, whole_term};
use crate::pattern::Matches;
use crate::plan::Plan;
use crate::query::Context;
use rayon::prelude::*;
use scent_index::{RequiredLiterals, StoredUnit};
use scent_types::{Lane, Part, Source};
use scent_words::names;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many units are looked into.
const VERIFIED: usize = 100;

/// How far ahead a unit is that holds the letters of a name, the last part of a
/// qualified name as it was typed, and all of it.
const LETTERS: u8 = 1;
const LAST_PART: u8 = 2;
const WHOLE: u8 = 3;

/// Puts the units that hold quoted texts ahead, those with most of the texts
/// first. They are there even where no lane found them.
pub(crate) fn put_quoted(fused: &mut Vec<Fused>, quoted: &[Matches]) {
    if quoted.iter().all(Matches::is_empty) {
        return;
    }
    let places = fused.iter().enumerate().map(|(at, one)| (one.unit, at));
    let mut places: HashMap<UnitNo, usize> = places.collect();
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

/// Puts the units ahead that hold the letters of the name.
pub(crate) fn put_holders(cx: &Context, plan: &Plan, fused: &mut [Fused]) {
    let Some(name) = plan.identifier(cx) else {
        return;
    };
    for one in fused {
        if name.holders.holds(one.unit) {
            one.ahead = LETTERS;
        }
    }
}

/// Puts the units ahead that hold the name as it was typed, among the first of
/// a list in order.
pub(crate) fn put_verbatim(
    cx: &Context,
    plan: &Plan,
    fused: &mut [Fused],
) -> Result<(), SearchError> {
    let Some(name) = plan.identifier(cx) else {
        return Ok(());
    };
    let spelled = Spelled::new(name);
    let count = fused.len().min(VERIFIED);
    let first = &mut fused[..count];
    // What is called so is what was asked for, in whatever case.
    for one in first.iter_mut() {
        if let Some(raw) = one.lanes.get(Lane::Symbol) {
            let is_whole = raw > plan.weights.symbol.last_part;
            one.ahead = if is_whole { WHOLE } else { LAST_PART };
        }
    }
    put_files(cx, name, first);
    let open: Vec<&mut Fused> = first
        .iter_mut()
        .filter(|one| one.ahead == LETTERS)
        .collect();
    let numbers: Vec<UnitNo> = open.iter().map(|one| one.unit).collect();
    let units = cx.corpus.units(&numbers)?;
    let mut files: BTreeMap<(usize, u32), Vec<(&mut Fused, &StoredUnit)>> = BTreeMap::new();
    for (one, unit) in open.into_iter().zip(&units) {
        let file = cx.corpus.file_of(cx.corpus.unit_ref(one.unit));
        files.entry(file).or_default().push((one, unit));
    }
    files.into_par_iter().for_each(|(file, units)| {
        if let Some(source) = spelled.source(cx, file) {
            for (one, unit) in units {
                one.ahead = spelled.level(source.slice(unit.cover));
            }
        }
    });
    Ok(())
}

/// Puts the first unit ahead of each file that is called like the name.
fn put_files(cx: &Context, name: &QueryName, fused: &mut [Fused]) {
    let Some(term) = whole_term(&name.typed) else {
        return;
    };
    let mut files = BTreeSet::new();
    for one in fused {
        let (snapshot, path, _) = cx.corpus.position(one.unit);
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.split('.').next().unwrap_or(file);
        if letters(stem) == term && files.insert((snapshot, path)) {
            one.ahead = WHOLE;
        }
    }
}

/// A name in each way to write it.
struct Spelled {
    whole: Vec<String>,
    last: String,
}

impl Spelled {
    fn new(name: &QueryName) -> Spelled {
        let parts: Vec<&str> = names::parts(&name.typed).collect();
        let last = parts.last().copied().unwrap_or_default().to_owned();
        let whole = match parts.as_slice() {
            [_, _, ..] => names::spellings(&parts).to_vec(),
            _ => vec![last.clone()],
        };
        Spelled { whole, last }
    }

    /// A file that may hold the name, read.
    fn source(&self, cx: &Context, file: (usize, u32)) -> Option<Source> {
        let snapshot = &cx.corpus.snapshots()[file.0];
        let record = snapshot.file(file.1)?;
        let needed = RequiredLiterals::Literal(self.last.clone());
        let may_hold = needed.allows(snapshot.trigram_filters().of(record));
        if !may_hold {
            return None;
        }
        (cx.read)(file.0, record).map(Source::new)
    }

    fn level(&self, text: &str) -> u8 {
        if self.whole.iter().any(|name| holds_name(text, name)) {
            WHOLE
        } else if holds_name(text, &self.last) {
            LAST_PART
        } else {
            LETTERS
        }
    }
}

/// Whether a text holds a name as it is, not as a part of another one.
fn holds_name(text: &str, name: &str) -> bool {
    let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_in_name) && !after.is_some_and(is_in_name)
    })
}

/// Adds to each score what the unit is ahead, so that scores fall in the order
/// of the list.
pub(crate) fn add_to_scores(cx: &Context, plan: &Plan, fused: &mut [Fused]) {
    let is_name = plan.identifier(cx).is_some();
    for one in fused {
        let amount = f32::from(one.ahead) * plan.weights.fusion.ahead;
        one.score += amount;
        if cx.request.explain && amount > 0.0 {
            let why = if is_name {
                why(one.ahead)
            } else {
                "it holds the quoted text"
            };
            one.parts.push(Part {
                name: "ahead",
                amount,
                why: why.into(),
            });
        }
    }
}

fn why(ahead: u8) -> &'static str {
    match ahead {
        WHOLE => "it or its file is called so, or it holds the name as it was typed",
        LAST_PART => "it holds the last part of the name as it was typed",
        _ => "it holds the letters of the name",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::UnitSet;

    #[test]
    fn a_name_is_held_whole_in_part_or_in_other_spelling() {
        let name = |typed: &str| QueryName {
            typed: typed.into(),
            namesakes: Vec::new(),
            declaring: Vec::new(),
            holders: UnitSet::default(),
            nearest: Vec::new(),
        };
        for (typed, text, want) in [
            ("parse_all", "x = parse_all(y)", WHOLE),
            ("parse_all", "reparse_all(parse_all_files)", LETTERS),
            ("parse_all", "$parse_all->x", WHOLE),
            ("parse_all", "parseAll()", LETTERS),
            ("Foo::bar", "a::Foo::bar()", WHOLE),
            ("Foo.bar", "Foo::bar()", WHOLE),
            ("Foo::bar", "foo.bar()", LAST_PART),
            ("Foo::bar", "foo.bare()", LETTERS),
        ] {
            assert_eq!(
                Spelled::new(&name(typed)).level(text),
                want,
                "{typed} in {text}"
            );
        }
    }
}
