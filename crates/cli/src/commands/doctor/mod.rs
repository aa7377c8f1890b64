//! `scent doctor`: what agents have of scent, whether it works, and what to do
//! where it does not. It changes nothing.

mod entries;
mod handshake;
mod own;

use super::install::{named, on_path};
use crate::Outcome;
use crate::agent_files::{Disk, places};
use crate::args::{DoctorArgs, GlobalArgs};
use crate::output::{json_layout, note, print};
use anyhow::Context;
use entries::Entries;
use scent_agents::{Agent, Checked, Level, Part, Places, Refusal, State, agents, check};
use scent_engine::{display_path, is_risky};
use scent_print::wire::{self, Check};
use scent_print::{Text, doctor_text};

pub(crate) fn run(args: &DoctorArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let places = places()?;
    let rows: Vec<&'static Agent> = match args.agents.is_empty() {
        true => agents().iter().collect(),
        false => named(&args.agents)?,
    };
    let program = on_path(&std::env::current_exe()?);
    let program = program.to_str().context("the path of scent is not UTF-8")?;
    let visit = Visit {
        places: &places,
        program,
        all: args.agents.is_empty(),
    };
    let mut checks = own::checks(program, flags);
    let own = checks.len();
    for row in rows {
        checks.extend(visit.agent(row));
    }
    let is_installed = checks[own..].iter().any(|check| check.part != "agent");
    let is_broken = checks.iter().any(|check| check.status == "problem");
    let found = wire::Doctor {
        schema: wire::SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION"),
        program: program.to_owned(),
        checks,
    };
    match args.json {
        true => print(Text::json_in(json_layout(), &found))?,
        false => print(doctor_text(&found))?,
    }
    if is_broken {
        return Ok(Outcome::Failed);
    }
    if !is_installed {
        note(flags, "installed for no agent; `scent install` does that");
    }
    Ok(Outcome::found(is_installed))
}

fn ok(part: &'static str, message: impl Into<String>) -> Check {
    Check {
        part,
        status: "ok",
        message: message.into(),
        ..Check::default()
    }
}

fn warning(part: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Check {
    Check {
        status: "warning",
        advice: Some(advice.into()),
        ..ok(part, message)
    }
}

fn problem(part: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Check {
    Check {
        status: "problem",
        ..warning(part, message, advice)
    }
}

/// A look at agents.
struct Visit<'v> {
    places: &'v Places,
    /// The program that entries ought to name.
    program: &'v str,
    /// Whether nobody named the agents, so that those which are not there are
    /// left out.
    all: bool,
}

impl Visit<'_> {
    fn agent(&self, row: &'static Agent) -> Vec<Check> {
        let mut checks = Vec::new();
        for level in Level::ALL {
            if level == Level::User || !is_risky(&self.places.project) {
                checks.extend(self.level(row, level));
            }
        }
        let user = Disk::new(self.places, Level::User);
        let is_wanted = !self.all || row.is_detected(self.places, &user);
        // A broken file that another agent reads, too, matters to that one.
        if !is_wanted && checks.iter().all(|check| check.status != "ok") {
            return Vec::new();
        }
        if checks.is_empty() && is_wanted {
            let what = format!("nothing of scent is installed for {}", row.name);
            let install = format!("scent install {}", row.id);
            checks.push(warning("agent", what, format!("run `{install}`")));
        }
        for check in &mut checks {
            check.agent = Some(row.id);
        }
        checks
    }

    fn level(&self, row: &'static Agent, level: Level) -> Vec<Check> {
        let disk = Disk::new(self.places, level);
        let found = check(row, level, self.program, (self.places, &disk));
        let entries = Entries {
            row,
            level,
            program: self.program,
        };
        let mut checks = Vec::new();
        for part in &found {
            let known = match (part.part, &part.state) {
                (_, State::Absent) => continue,
                (_, State::Refused(why)) => vec![self.refused(row, part, why)],
                (Part::Mcp, _) => entries.servers(self.places, &disk),
                (Part::Hook, _) => entries.hooks(part, self.places, &disk),
                (_, State::Current) => vec![as_installed(part)],
                (_, State::Outdated) => vec![outdated(row, part)],
            };
            for mut check in known {
                check.level = Some(level.as_str());
                // One broken file is named once, whatever was to be in it.
                let is_known =
                    |other: &Check| (&other.path, &other.message) == (&check.path, &check.message);
                if !checks.iter().any(is_known) {
                    checks.push(check);
                }
            }
        }
        checks
    }

    fn refused(&self, row: &Agent, part: &Checked, why: &Refusal) -> Check {
        let install = install_command(row, part);
        let advice = match why {
            Refusal::Broken(_) => format!("mend the file, and then run `{install}`"),
            Refusal::Foreign(name) => {
                format!("rename the entry {name:?}, and then run `{install}`")
            }
            Refusal::Shape(_) => format!("paste what `{install} --print` prints"),
            Refusal::Changed => {
                format!("keep it, or remove it and run `{install}` for the one of this version")
            }
            Refusal::Unreadable(_) => "make it a file that you can read".to_owned(),
        };
        let name = part.part.as_str();
        let mut check = match why {
            Refusal::Changed | Refusal::Shape(_) => warning(name, why.to_string(), advice),
            _ => problem(name, why.to_string(), advice),
        };
        check.path = path_of(part);
        check
    }
}

fn as_installed(part: &Checked) -> Check {
    Check {
        path: path_of(part),
        ..ok(part.part.as_str(), "installed")
    }
}

fn outdated(row: &Agent, part: &Checked) -> Check {
    let advice = format!("run `{}`", install_command(row, part));
    Check {
        path: path_of(part),
        ..warning(
            part.part.as_str(),
            "installed by another version of scent",
            advice,
        )
    }
}

fn path_of(part: &Checked) -> Option<String> {
    part.paths.first().map(|path| display_path(path))
}

/// The command that installs a part, and no other.
fn install_command(row: &Agent, part: &Checked) -> String {
    command(row, part.part, part.level)
}

fn command(row: &Agent, part: Part, level: Level) -> String {
    let level = match level {
        Level::User => "",
        Level::Project => " --project",
    };
    format!("scent install {} --{}{level}", row.id, part.as_str())
}
