//! `scent status`: what is in an index, and whether it is up to date.

use super::Session;
use crate::Outcome;
use crate::args::{GlobalArgs, StatusArgs};
use crate::output::{json_layout, print};
use scent_print::{skipped_text, status_json, status_text, unhealthy_text};

pub(crate) fn run(args: StatusArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let paths: Vec<_> = args.path.iter().cloned().collect();
    let session = Session::new(&paths, flags)?;
    let status = session.project().status()?;
    let paths = session.paths();
    let text = match (args.json, args.skipped, args.unhealthy) {
        (true, ..) => status_json(&status, json_layout()),
        (_, true, _) => skipped_text(&status, &paths),
        (_, _, true) => unhealthy_text(&status, &paths),
        _ => status_text(&status),
    };
    print(text)?;
    Ok(Outcome::Found)
}
