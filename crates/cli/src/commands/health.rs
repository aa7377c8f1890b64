//! Questions about the health of code: `scent unused`, `scent cycles`.

use super::inside;
use super::lookup::{Place, show};
use crate::Outcome;
use crate::args::{CyclesArgs, GlobalArgs, UnusedArgs};
use crate::output::note;
use scent_engine::UnusedOptions;
use std::path::Path;

pub(crate) fn unused(args: UnusedArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(args.path.as_deref(), &args.patience, flags)?;
    let path = below(args.path.as_deref(), &place)?;
    let options = UnusedOptions {
        kinds: args.kind,
        limit: args.limit,
        confidence: args.min_confidence,
    };
    let (mut found, notes) = place.ask(flags, |project| project.unused(&path, &options))?;
    if found.total == 0 {
        note(flags, "everything that is defined is used");
    }
    show(&mut found, &place.paths(), notes, &args.answer, flags)?;
    Ok(outcome(found.total))
}

pub(crate) fn cycles(args: CyclesArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(args.path.as_deref(), &args.patience, flags)?;
    let path = below(args.path.as_deref(), &place)?;
    let (mut found, notes) = place.ask(flags, |project| project.cycles(&path, args.limit))?;
    if found.total == 0 {
        note(flags, "no files import each other in a circle");
    }
    show(&mut found, &place.paths(), notes, &args.answer, flags)?;
    Ok(outcome(found.total))
}

/// A path relative to the root; the root where none is given.
fn below(path: Option<&Path>, place: &Place) -> anyhow::Result<String> {
    match path {
        Some(path) => inside(path, place.root()),
        None => Ok(String::new()),
    }
}

fn outcome(total: usize) -> Outcome {
    match total {
        0 => Outcome::Nothing,
        _ => Outcome::Found,
    }
}
