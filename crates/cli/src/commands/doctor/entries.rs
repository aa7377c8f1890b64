//! Entries and hooks of agents: whether what they start is there, is this
//! program, and answers.

use super::handshake::{Met, shake_hands};
use super::{as_installed, command, ok, problem, warning};
use crate::agent_files::Disk;
use scent_agents::{Agent, Checked, Installed, InstalledHook, Level, Part, Places, State};
use scent_engine::{canonical, display_path};
use scent_print::wire::Check;
use std::path::{Path, PathBuf};

/// Tools that a server of this version has.
const TOOLS: usize = 6;

/// What one agent starts at one level.
pub(super) struct Entries<'e> {
    pub row: &'static Agent,
    pub level: Level,
    /// The program that entries ought to name.
    pub program: &'e str,
}

/// The program of an entry.
enum Named {
    /// There is none.
    Gone,
    /// This one, by whatever name.
    This,
    Other(PathBuf),
}

impl Entries<'_> {
    /// A check for each entry that starts the server.
    pub fn servers(&self, places: &Places, disk: &Disk) -> Vec<Check> {
        let all = self.row.installed(places, disk).into_iter();
        let own = all.filter(|entry| entry.level == self.level);
        own.map(|entry| Check {
            path: Some(display_path(&entry.path)),
            ..self.server(&entry)
        })
        .collect()
    }

    fn server(&self, entry: &Installed) -> Check {
        let part = Part::Mcp.as_str();
        let install = format!("run `{}`", command(self.row, Part::Mcp, self.level));
        let words = entry.command.join(" ");
        let program = entry.command.first().map_or("", String::as_str);
        let other = match self.named(program) {
            Named::Gone => {
                return problem(part, format!("{program} is not there any more"), install);
            }
            Named::This => None,
            // Whoever wrote the project must not choose what runs here.
            Named::Other(path) if self.level == Level::Project => {
                let path = path.display();
                let why = format!("starts {path}, which is another program and was not started");
                return warning(part, why, install);
            }
            Named::Other(path) => Some(path),
        };
        // What a project's file sets is not handed to a program either.
        let environment = match self.level {
            Level::User => entry.environment.as_slice(),
            Level::Project => &[],
        };
        let met = match shake_hands(&entry.command, environment) {
            Ok(met) => met,
            Err(why) => return problem(part, format!("`{words}`: {why}"), install),
        };
        let took = u64::try_from(met.took.as_millis()).ok();
        Check {
            took_ms: took,
            ..self.judged(&met, &words, other.as_deref(), install)
        }
    }

    fn judged(&self, met: &Met, words: &str, other: Option<&Path>, install: String) -> Check {
        let part = Part::Mcp.as_str();
        if met.name != "scent" || met.tools < TOOLS {
            let Met { name, tools, .. } = met;
            let why = format!("`{words}` answers as {name} with {tools} tools");
            return problem(part, why, install);
        }
        if met.version != env!("CARGO_PKG_VERSION") {
            let why = format!("`{words}` is version {}", met.version);
            return warning(part, why, install);
        }
        if let Some(other) = other {
            let why = format!("starts {}, not this program", other.display());
            return warning(part, why, install);
        }
        let took = met.took.as_millis();
        let tools = met.tools;
        ok(
            part,
            format!("`{words}` answers in {took} ms with {tools} tools"),
        )
    }

    /// Checks of the hooks in a part that is installed.
    pub fn hooks(&self, part: &Checked, places: &Places, disk: &Disk) -> Vec<Check> {
        let all = self.row.installed_hooks(places, disk).into_iter();
        let own = all.filter(|hook| hook.level == self.level);
        let mut checks: Vec<Check> = own.filter_map(|hook| self.hook(&hook)).collect();
        if checks.is_empty() {
            checks.push(match part.state {
                State::Current => as_installed(part),
                _ => super::outdated(self.row, part),
            });
        }
        checks
    }

    /// What is wrong with a hook.
    fn hook(&self, hook: &InstalledHook) -> Option<Check> {
        let part = Part::Hook.as_str();
        let install = format!("run `{}`", command(self.row, Part::Hook, self.level));
        let program = hook.command.first()?;
        let found = match self.named(program) {
            Named::This => return None,
            Named::Gone => problem(part, format!("{program} is not there any more"), install),
            Named::Other(path) => {
                let why = format!("runs {}, not this program", path.display());
                warning(part, why, install)
            }
        };
        Some(Check {
            path: Some(display_path(&hook.path)),
            ..found
        })
    }

    fn named(&self, program: &str) -> Named {
        let path = Path::new(program);
        let found = match path.components().count() {
            0 => None,
            1 => on_path(path),
            _ => path.is_file().then(|| path.to_owned()),
        };
        let Some(found) = found else {
            return Named::Gone;
        };
        let this = canonical(Path::new(self.program)).ok();
        match this.is_some() && canonical(&found).ok() == this {
            true => Named::This,
            false => Named::Other(found),
        }
    }
}

/// Where the shell finds a program.
fn on_path(name: &Path) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let suffix = std::env::consts::EXE_SUFFIX.trim_start_matches('.');
    let mut paths = std::env::split_paths(&folders).map(|folder| {
        let path = folder.join(name);
        match suffix {
            "" => path,
            suffix => path.with_extension(suffix),
        }
    });
    paths.find(|path| path.is_file())
}
