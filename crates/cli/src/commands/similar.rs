//! `scent similar PATH:LINE`: units that do something like the one there.

use super::Session;
use super::search::{Shown, show};
use crate::Outcome;
use crate::args::{GlobalArgs, SimilarArgs};
use crate::output::note;
use crate::progress::Bar;
use anyhow::Context;
use scent_engine::{Target, around, canonical, shown};
use scent_types::{Lane, Request};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: SimilarArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let (path, line) = place(&args.place)?;
    let session = Session::new(&[around(&path)], flags)?;
    session.confirm(flags)?;
    let target = &session.targets[0];
    let inside = inside(&path, target)?;
    let request = Request {
        lanes: vec![Lane::Vector],
        limit: args.output.limit(session.config.limit()?)?,
        files_only: args.output.files_with_matches,
        ..Request::default()
    };
    let bar = Bar::new(flags.quiet, false);
    let response = session.engine.similar(target, (&inside, line), &request, &bar)?;
    response.notes.iter().for_each(|text| note(flags, text));
    show(&Shown { args: &args.output, request: &request, session: &session }, &response)?;
    session.read_on(response.meaning.as_ref(), flags);
    Ok(if response.hits.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

/// `PATH:LINE`, or `PATH:FIRST-LAST` as results are printed.
fn place(text: &str) -> anyhow::Result<(PathBuf, u32)> {
    let read = || {
        let (path, lines) = text.rsplit_once(':')?;
        let line = lines.split('-').next()?.parse().ok().filter(|line| *line > 0)?;
        Some((PathBuf::from(path), line))
    };
    read().with_context(|| format!("{text}: not a place; give PATH:LINE"))
}

/// The path relative to the root of its project, as the index has it.
fn inside(path: &Path, target: &Target) -> anyhow::Result<String> {
    let whole = canonical(path).with_context(|| path.display().to_string())?;
    let inside = whole.strip_prefix(&target.root).unwrap_or(&whole);
    Ok(shown(inside))
}
