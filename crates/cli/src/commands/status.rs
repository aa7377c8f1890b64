//! `scent status`: what is in an index, and whether it is up to date.

use super::Session;
use crate::Outcome;
use crate::args::{GlobalArgs, StatusArgs};
use crate::output::print;
use scent_print::{skipped_text, status_json, status_text, unhealthy_text};

pub(crate) fn run(args: StatusArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let paths: Vec<_> = args.path.iter().cloned().collect();
    let session = Session::new(&paths, flags)?;
    let status = session.project().status()?;
    let text = match (args.json, args.skipped, args.unhealthy) {
        (true, ..) => status_json(&status),
        (_, true, _) => skipped_text(&status),
        (_, _, true) => unhealthy_text(&status),
        _ => status_text(&status),
    };
    print(text)?;
    Ok(Outcome::Found)
}
