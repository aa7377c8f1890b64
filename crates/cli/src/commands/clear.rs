//! `scent clear`: remove an index.

use super::Session;
use crate::Outcome;
use crate::args::{ClearArgs, GlobalArgs};
use crate::output::print;
use scent_print::{Text, count};

pub(crate) fn run(args: ClearArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let session = Session::new(&args.paths, flags)?;
    if args.all {
        let removed = session.engine.clear_all()?;
        print(Text::line(&format!("removed {}", count(removed, "index"))))?;
        return Ok(Outcome::found(removed > 0));
    }
    let mut found = false;
    for project in &session.projects {
        let removed = project.clear()?;
        found |= removed;
        let did = if removed { "index removed" } else { "no index" };
        print(Text::line(&format!("{}: {did}", project.root().display())))?;
    }
    Ok(Outcome::found(found))
}
