//! `scent hook`: what an agent is told beside a search of its own.
//!
//! An agent that waits for this command waits with every shell command that it
//! runs. So there is one deadline for all of it, the index is read as it is,
//! nothing is loaded that takes long, and where anything is not as it should
//! be, nothing is said.

use super::engine_for;
use super::hook_memory::Memory;
use crate::Outcome;
use crate::args::GlobalArgs;
use crate::config::Config;
use crate::output::print;
use scent_agents::hook::{Call, Caller, Finding, Place, Question, read, reply, start_reply};
use scent_engine::{Project, ReferenceFilter, canonical, display_path, targets};
use scent_print::Text;
use scent_types::{Definitions, Fit, Role, Used};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// When nobody waits for the answer any more.
const DEADLINE: Duration = Duration::from_millis(1500);

/// What an agent hands over is a call of a tool, which may hold a whole file.
const MOST_INPUT: u64 = 4 << 20;

/// A name with more definitions tells nothing about which one is meant.
const MOST_DEFINITIONS: usize = 6;

/// So many definitions and uses of a name are named.
const SHOWN: usize = 3;

/// So many uses are looked at to choose from.
const MOST_USES: usize = 200;

/// Says nothing and fails at nothing, whatever happens: some agents take a
/// failure for a refusal of their own call.
pub(crate) fn run(flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    // Beyond the panics that the engine catches, nobody is to see any.
    std::panic::set_hook(Box::new(|_| {}));
    let (sender, answers) = channel();
    let flags = GlobalArgs {
        quiet: true,
        ..flags.clone()
    };
    // What still runs at the deadline ends with the process.
    thread::spawn(move || {
        let _ = sender.send(answer(&flags));
    });
    if let Ok(Some(text)) = answers.recv_timeout(DEADLINE) {
        let _ = print(text);
    }
    Ok(Outcome::Found)
}

fn answer(flags: &GlobalArgs) -> Option<Text> {
    let mut input = String::new();
    let standard = std::io::stdin().lock();
    standard.take(MOST_INPUT).read_to_string(&mut input).ok()?;
    let (caller, call) = read(&input)?;
    let folder = match &caller.folder {
        Some(folder) => folder.clone(),
        None => std::env::current_dir().ok()?,
    };
    let asked = Asked::at(&canonical(&folder).ok()?, flags)?;
    match call {
        Call::Start => Some(Text::json(&start_reply(&caller))),
        Call::Search(question) => asked.beside(&caller, &question),
    }
}

/// The indexed project that an agent works in.
struct Asked {
    project: Project,
    folder: PathBuf,
    data: PathBuf,
}

impl Asked {
    fn at(folder: &Path, flags: &GlobalArgs) -> Option<Asked> {
        let found = targets(&[folder.to_owned()], flags.exact).ok()?;
        let config = Config::load(Some(&found.first()?.root), flags).ok()?;
        let engine = engine_for(&config).ok()?;
        let found = engine.in_indexes_above(found);
        let project = engine.open_with(&found.first()?.root, config.settings().ok()?);
        project.is_indexed().then_some(Asked {
            project: project.as_is(),
            folder: folder.to_owned(),
            data: config.data_dir().ok()?,
        })
    }

    fn beside(&self, caller: &Caller, question: &Question) -> Option<Text> {
        if !self.is_of_project(&question.paths) {
            return None;
        }
        let memory = Memory::of(&self.data, caller.session.as_deref());
        if memory.has(&question.pattern) {
            return None;
        }
        let names = question.names.iter();
        let findings: Vec<Finding> = names.filter_map(|name| self.finding(name)).collect();
        let reply = reply(caller, &findings)?;
        memory.keep(&question.pattern);
        Some(Text::json(&reply))
    }

    /// Whether some of what the agent searches belongs to the project.
    fn is_of_project(&self, paths: &[String]) -> bool {
        let is_inside = |path: &String| {
            // What a shell expands lies in the folder before it.
            let is_plain = |part: &Component| {
                !part
                    .as_os_str()
                    .to_string_lossy()
                    .contains(['*', '?', '[', '{', '~', '$'])
            };
            let fixed: PathBuf = Path::new(path).components().take_while(is_plain).collect();
            let whole = canonical(&self.folder.join(fixed));
            whole.is_ok_and(|whole| whole.starts_with(self.project.root()))
        };
        paths.is_empty() || paths.iter().any(is_inside)
    }

    /// Where a name is defined, if that says something, and where it is used.
    fn finding(&self, name: &str) -> Option<Finding> {
        let found = self.project.definitions(name, MOST_DEFINITIONS).ok()?;
        if !is_telling(&found) {
            return None;
        }
        let definitions = found.definitions.iter().take(SHOWN);
        let definitions = definitions.map(|at| self.place(&at.path, at.line));
        let mut finding = Finding {
            name: name.to_owned(),
            definitions: definitions.collect(),
            ..Finding::default()
        };
        let filter = ReferenceFilter::default();
        if let Ok(used) = self.project.references(name, &filter, MOST_USES) {
            finding.total_uses = used.total;
            for used in telling(&used.uses) {
                finding.uses.push(self.place(&used.path, used.line));
            }
        }
        Some(finding)
    }

    /// A place as it can be read from where the agent is.
    fn place(&self, path: &str, line: u32) -> Place {
        let whole = self.project.root().join(path);
        let near = whole.strip_prefix(&self.folder).unwrap_or(&whole);
        Place {
            path: display_path(near),
            line: line as usize,
        }
    }
}

/// Whether definitions are of that very name, and few.
fn is_telling(found: &Definitions) -> bool {
    let is_same = |fit: Fit| fit == Fit::Exact;
    let all_same = found.definitions.iter().all(|found| is_same(found.fit));
    (1..=MOST_DEFINITIONS).contains(&found.total) && all_same
}

/// The uses to name: calls before others, code before tests, one of a file.
fn telling(uses: &[Used]) -> Vec<&Used> {
    let mut ordered: Vec<&Used> = uses.iter().collect();
    ordered.sort_by_key(|used| {
        let is_import = used.role == Some(Role::Import);
        let is_call = used.role == Some(Role::Call);
        (used.test, is_import, !is_call)
    });
    let mut files = BTreeSet::new();
    ordered.retain(|used| files.insert(&used.path));
    ordered.truncate(SHOWN);
    ordered
}
