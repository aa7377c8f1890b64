//! How what was installed stands: there, as it would be written now, or in the
//! way of it.

use crate::edit::Refusal;
use crate::places::{Files, Level, Places};
use crate::plan::{Options, plan, plan_removal};
use crate::row::{Agent, Part};
use std::path::PathBuf;

/// How a part of an agent stands at one level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The part.
    pub part: Part,
    /// For the user or for the project.
    pub level: Level,
    /// The files that matter.
    pub paths: Vec<PathBuf>,
    /// How it stands.
    pub state: State,
}

/// How a part stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is not installed.
    Absent,
    /// It is as it would be installed now.
    Current,
    /// It is installed in another form, or with another program.
    Outdated,
    /// A file of it cannot be read, or holds something else under our name.
    Refused(Refusal),
}

/// How each part of an agent stands at a level, given the path of the program as
/// entries would name it. There is nothing where the agent has no such part.
pub fn check(
    agent: &'static Agent,
    level: Level,
    program: &str,
    (places, files): (&Places, &dyn Files),
) -> Vec<Checked> {
    let parts = Part::ALL.into_iter().filter(|part| agent.has(*part, level));
    let rows = [agent];
    let options = |parts: Vec<Part>| Options {
        level,
        parts,
        program: program.to_owned(),
    };
    let checked = |part: Part| {
        let with = match part {
            // Leave may be granted in the entry itself, which is to be there.
            Part::Approval => vec![Part::Mcp, part],
            _ => vec![part],
        };
        let install = plan(&rows, &options(with), places, files);
        let removal = plan_removal(&rows, &options(vec![part]), places, files);
        let mut paths: Vec<PathBuf> = removal.changes.into_iter().map(|c| c.path).collect();
        paths.extend(removal.kept.into_iter().map(|kept| kept.path));
        // What was written and then changed by somebody cannot be removed.
        paths.extend(removal.refused.into_iter().map(|refused| refused.path));
        let state = match (install.refused.into_iter().next(), paths.is_empty()) {
            (Some(refused), _) => {
                paths = vec![refused.path];
                State::Refused(refused.why)
            }
            (None, true) => State::Absent,
            (None, false) => {
                let mut changes = install.changes.iter();
                match changes.any(|change| paths.contains(&change.path)) {
                    true => State::Outdated,
                    false => State::Current,
                }
            }
        };
        Checked {
            part,
            level,
            paths,
            state,
        }
    };
    parts.map(checked).collect()
}
