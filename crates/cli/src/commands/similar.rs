//! `scent similar PATH:LINE`: units that do something like the one there.

use super::search::{output_request, show};
use super::{Session, as_typed, inside, place};
use crate::Outcome;
use crate::args::{GlobalArgs, SimilarArgs};
use crate::output::print_notes;
use crate::progress::Bar;
use scent_engine::{enclosing, parse_request};
use scent_types::{Lane, Request};

pub(crate) fn run(args: SimilarArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let (path, line) = place(&args.place)?;
    let session = Session::new(&[enclosing(&path)], flags)?;
    session.confirm(flags)?;
    let project = session.project();
    let inside = inside(&path, project.root())?;
    let request = Request {
        lanes: vec![Lane::Vector],
        ..parse_request(&output_request(&args.output, &session)?)?
    };
    let bar = Bar::new(flags.quiet, false);
    let refresh = session.refresh(&args.patience)?;
    let answer = project.similar((&inside, line), &request, refresh, &bar);
    let response = answer.map_err(|error| as_typed(error, &path))?;
    bar.finish()?;
    print_notes(flags, &response.notes);
    show(&response, &args.output, &session, flags)?;
    session.go_on(&response, refresh, flags);
    Ok(Outcome::found(!response.hits.is_empty()))
}
