//! `scent clear`: remove an index.

use super::Session;
use crate::Outcome;
use crate::args::{ClearArgs, GlobalArgs};
use crate::output::{count, print};
use scent_print::Text;

pub(crate) fn run(args: ClearArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let session = Session::new(&args.paths, flags)?;
    if args.all {
        let removed = session.engine.clear_all()?;
        print(Text::line(&format!("removed {}", count(removed, "index"))))?;
        return Ok(if removed > 0 {
            Outcome::Found
        } else {
            Outcome::Nothing
        });
    }
    let mut outcome = Outcome::Nothing;
    for project in &session.projects {
        let removed = project.clear()?;
        let did = if removed {
            "removed the index"
        } else {
            "there was no index"
        };
        print(Text::line(&format!("{}: {did}", project.root().display())))?;
        if removed {
            outcome = Outcome::Found;
        }
    }
    Ok(outcome)
}
