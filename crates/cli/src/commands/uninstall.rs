//! `scent uninstall`: takes out what `scent install` wrote.

use super::install::{Carry, carry_out, named, parts, print_changes};
use crate::Outcome;
use crate::agent_files::{Disk, places};
use crate::args::UninstallArgs;
use scent_agents::{Agent, Level, Options, Part, agents, plan_removal};
use scent_engine::is_risky;

pub(crate) fn run(args: &UninstallArgs) -> anyhow::Result<Outcome> {
    let places = places()?;
    let rows: Vec<&'static Agent> = match args.agents.is_empty() {
        true => agents().iter().collect(),
        false => named(&args.agents)?,
    };
    let mut files = Vec::new();
    for level in Level::ALL {
        let is_left_out = match level {
            Level::User => args.project,
            Level::Project => args.user || is_risky(&places.project),
        };
        if is_left_out {
            continue;
        }
        let options = Options {
            level,
            parts: parts(&args.parts, &Part::ALL),
            program: String::new(),
        };
        let disk = Disk::new(&places, level);
        let plan = plan_removal(&rows, &options, &places, &disk);
        files.extend(carry_out(&plan, &disk, Carry::of(args.dry_run, false)));
    }
    print_changes(&files, args.dry_run, args.json)?;
    if files.iter().any(|file| file.action == "failed") {
        return Ok(Outcome::Failed);
    }
    Ok(Outcome::found(!files.is_empty()))
}
