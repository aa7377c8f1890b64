//! `scent def`, `scent refs` and `scent deps`: questions about structure.

use super::Session;
use crate::Outcome;
use crate::args::{DefArgs, DepsArgs, GlobalArgs, RefsArgs};
use crate::output::{note, print};
use crate::progress::Bar;
use anyhow::Context;
use scent_engine::{Reach, Snapshot, Wish, canonical, shown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn define(args: DefArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(args.path.as_deref(), flags)?;
    let found =
        place.session.engine.definitions(&place.root, &place.snapshot, &args.name, args.limit)?;
    tell(flags, &found.notes, &args.name, &found.nearest);
    match args.json {
        true => print(&scent_print::lookup_json(&found))?,
        false => print(&scent_print::definitions(&found))?,
    }
    let more = format!("scent def {} -k {}", args.name, found.total);
    left(flags, found.definitions.len(), found.total, &more);
    Ok(if found.total == 0 { Outcome::Nothing } else { Outcome::Found })
}

pub(crate) fn refer(args: RefsArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(args.path.as_deref(), flags)?;
    let tests = match (args.tests, args.no_tests) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let wish = Wish { roles: args.role, tests, text: args.include_text };
    let (engine, root) = (&place.session.engine, &place.root);
    let found = engine.references(root, &place.snapshot, &args.name, &wish, args.limit)?;
    tell(flags, &found.notes, &args.name, &found.nearest);
    match args.json {
        true => print(&scent_print::lookup_json(&found))?,
        false => print(&scent_print::references(&found))?,
    }
    left(
        flags,
        found.uses.len(),
        found.total,
        &format!("scent refs {} -k {}", args.name, found.total),
    );
    Ok(if found.total == 0 { Outcome::Nothing } else { Outcome::Found })
}

pub(crate) fn depend(args: DepsArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(Some(&args.path), flags)?;
    let whole = canonical(&args.path).with_context(|| args.path.display().to_string())?;
    let inside = shown(whole.strip_prefix(&place.root).unwrap_or(&whole));
    let tests = args.no_tests.then_some(false);
    let reach = Reach { reverse: args.reverse, depth: args.depth, tests };
    let found = place.session.engine.dependencies(&place.root, &place.snapshot, &inside, &reach)?;
    match args.json {
        true => print(&scent_print::lookup_json(&found))?,
        false => print(&scent_print::dependencies(&found, args.reverse))?,
    }
    Ok(if found.dependencies.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

/// The project that is asked about, up to date.
struct Place {
    session: Session,
    root: PathBuf,
    snapshot: Arc<Snapshot>,
}

impl Place {
    fn new(path: Option<&Path>, flags: &GlobalArgs) -> anyhow::Result<Place> {
        let paths: Vec<PathBuf> = path.map(scent_engine::around).into_iter().collect();
        let session = Session::new(&paths, flags)?;
        session.confirm(flags)?;
        let root = session.targets[0].root.clone();
        let update = session.engine.update(&root, &Bar::new(flags.quiet, false))?;
        update.note.iter().for_each(|text| note(flags, text));
        Ok(Place { session, root, snapshot: update.snapshot })
    }
}

fn tell(flags: &GlobalArgs, notes: &[String], name: &str, nearest: &[String]) {
    notes.iter().for_each(|text| note(flags, text));
    if !nearest.is_empty() {
        note(flags, &format!("nothing is called {name}; there is {}", nearest.join(", ")));
    }
}

fn left(flags: &GlobalArgs, shown: usize, total: usize, all: &str) {
    if shown < total {
        note(flags, &format!("{shown} of {total} shown; `{all}` shows all"));
    }
}
