//! From agents and wishes to changes of files.

use crate::diff;
use crate::edit::{Edited, Refusal, Step};
use crate::places::{Files, Level, Places};
use crate::row::{Agent, Part, Target, agents};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is to be installed, and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// For the user or for one project.
    pub level: Level,
    /// The parts.
    pub parts: Vec<Part>,
    /// The path of the program, as entries are to name it.
    pub program: String,
}

/// A file that is to be written, or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// Its text; none where there is no file.
    pub before: Option<String>,
    /// The text it is to have; none where it is to be removed.
    pub after: Option<String>,
    /// The agents that read it, by their words on the command line.
    pub agents: Vec<&'static str>,
}

impl FileChange {
    /// The change as a unified diff.
    pub fn diff(&self) -> String {
        let path = self.path.display().to_string();
        diff::unified(&path, self.before.as_deref(), self.after.as_deref())
    }
}

/// A file that is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The file.
    pub path: PathBuf,
    /// The agent it is of.
    pub agent: &'static str,
    /// What would have been changed.
    pub part: Part,
    /// Why it is not.
    pub why: Refusal,
    /// What to paste into it by hand.
    pub snippet: Option<String>,
}

/// A file that is not changed because another agent reads it too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// An agent that still has our entry.
    pub used_by: &'static str,
}

/// What is to be done. Nothing has been done yet.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Files to write or to remove, each once.
    pub changes: Vec<FileChange>,
    /// Files that cannot be changed.
    pub refused: Vec<Refused>,
    /// Files that others use.
    pub kept: Vec<Kept>,
}

/// What to put into a file by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The file.
    pub path: PathBuf,
    /// The agent that reads it.
    pub agent: &'static str,
    /// What it is.
    pub part: Part,
    /// The text.
    pub text: String,
}

/// The snippets to paste where nothing is to be written.
pub fn snippets(
    rows: &[&'static Agent],
    options: &Options,
    places: &Places,
    files: &dyn Files,
) -> Vec<Snippet> {
    let work = Work::new(places, files);
    let mut snippets = Vec::new();
    for (agent, target) in targets(rows, options, &work) {
        let texts: Vec<String> = target.steps.iter().filter_map(Step::snippet).collect();
        snippets.push(Snippet {
            path: target.path,
            agent: agent.id,
            part: target.part,
            text: texts.join("\n"),
        });
    }
    snippets
}

/// What installing for some agents changes.
pub fn plan(
    rows: &[&'static Agent],
    options: &Options,
    places: &Places,
    files: &dyn Files,
) -> Plan {
    let mut work = Work::new(places, files);
    for (agent, target) in targets(rows, options, &work) {
        work.apply(agent, &target, |text| {
            let mut text = text.map(str::to_owned);
            for step in &target.steps {
                text = step.install(text.as_deref())?;
            }
            Ok(text)
        });
    }
    work.plan()
}

/// What uninstalling changes. The options are those of installing; the program
/// does not matter.
pub fn plan_removal(
    rows: &[&'static Agent],
    options: &Options,
    places: &Places,
    files: &dyn Files,
) -> Plan {
    let mut work = Work::new(places, files);
    // What is ours is known by the name of the program, wherever it lies.
    let program = "scent".to_owned();
    let options = &Options {
        program,
        ..options.clone()
    };
    let others = still_used(rows, options, &work);
    let mut all = possible_targets(rows, options, places);
    all.reverse();
    for (agent, target) in all {
        if let Some(used_by) = others.get(&target.path) {
            work.keep(&target, used_by);
            continue;
        }
        work.apply(agent, &target, |text| match without(&target, text) {
            // A broken file that does not even name us has nothing of ours.
            Err(Refusal::Broken(_)) if text.is_some_and(|text| !text.contains("scent")) => {
                Ok(text.map(str::to_owned))
            }
            edited => edited,
        });
    }
    work.plan()
}

/// The text of a file without what a target puts in.
fn without(target: &Target, text: Option<&str>) -> Edited {
    let mut text = text.map(str::to_owned);
    for step in target.steps.iter().rev() {
        let Some(current) = text else {
            return Ok(None);
        };
        text = step.uninstall(&current)?;
    }
    Ok(text)
}

/// Every file of every part, in the order of installation.
fn targets(
    rows: &[&'static Agent],
    options: &Options,
    work: &Work,
) -> Vec<(&'static Agent, Target)> {
    let mut found = Vec::new();
    for agent in rows {
        for part in Part::ALL
            .into_iter()
            .filter(|part| options.parts.contains(part))
        {
            let places = (work.places, work.files);
            let targets = agent.targets(part, options.level, &options.program, places);
            found.extend(targets.into_iter().map(|target| (*agent, target)));
        }
    }
    found
}

/// The same with every file that may have been the one.
fn possible_targets(
    rows: &[&'static Agent],
    options: &Options,
    places: &Places,
) -> Vec<(&'static Agent, Target)> {
    let mut found = Vec::new();
    for agent in rows {
        let wanted = Part::ALL
            .into_iter()
            .filter(|part| options.parts.contains(part));
        for part in wanted {
            let targets = agent.possible_targets(part, options.level, &options.program, places);
            found.extend(targets.into_iter().map(|target| (*agent, target)));
        }
    }
    found
}

/// The files that an agent reads which is not among those to go and has our
/// entry in a file of its own.
fn still_used(
    rows: &[&'static Agent],
    options: &Options,
    work: &Work,
) -> BTreeMap<PathBuf, &'static str> {
    let going: Vec<PathBuf> = possible_targets(rows, options, work.places)
        .into_iter()
        .map(|(_, t)| t.path)
        .collect();
    let stays = |agent: &&Agent| !rows.iter().any(|row| row.id == agent.id);
    let mut used = BTreeMap::new();
    for agent in agents().iter().filter(stays) {
        let entries = agent.installed(work.places, work.files);
        let own = |entry: &crate::row::Installed| {
            entry.ours && entry.level == options.level && !going.contains(&entry.path)
        };
        if !entries.iter().any(own) {
            continue;
        }
        for (_, target) in targets(&[agent], options, work) {
            used.insert(target.path, agent.id);
        }
    }
    used
}

/// The files as they will be, while a plan is made.
struct Work<'a> {
    places: &'a Places,
    files: &'a dyn Files,
    plan: Plan,
}

impl<'a> Work<'a> {
    fn new(places: &'a Places, files: &'a dyn Files) -> Work<'a> {
        let plan = Plan::default();
        Work {
            places,
            files,
            plan,
        }
    }

    /// Edits a file, which may have been edited for another agent before.
    fn apply(
        &mut self,
        agent: &'static Agent,
        target: &Target,
        edit: impl FnOnce(Option<&str>) -> Edited,
    ) {
        let edited = self
            .text(&target.path)
            .and_then(|text| edit(text.as_deref()));
        match edited {
            Ok(after) => self.record(agent, &target.path, after),
            Err(why) => {
                let steps = target.steps.iter().filter(|_| why != Refusal::Changed);
                let snippets: Vec<String> = steps.filter_map(Step::snippet).collect();
                self.plan.refused.push(Refused {
                    path: target.path.clone(),
                    agent: agent.id,
                    part: target.part,
                    why,
                    snippet: (!snippets.is_empty()).then(|| snippets.join("\n")),
                });
            }
        }
    }

    /// Notes a file that would be changed, were it not for another agent.
    fn keep(&mut self, target: &Target, used_by: &'static str) {
        let text = self.text(&target.path);
        let left = text
            .clone()
            .and_then(|text| without(target, text.as_deref()));
        let kept = Kept {
            path: target.path.clone(),
            used_by,
        };
        if left != text && !self.plan.kept.contains(&kept) {
            self.plan.kept.push(kept);
        }
    }

    fn text(&self, path: &Path) -> Result<Option<String>, Refusal> {
        match self.plan.changes.iter().find(|change| change.path == path) {
            Some(change) => Ok(change.after.clone()),
            None => self.files.read(path).map_err(Refusal::Unreadable),
        }
    }

    fn record(&mut self, agent: &'static Agent, path: &Path, after: Option<String>) {
        if let Some(change) = self
            .plan
            .changes
            .iter_mut()
            .find(|change| change.path == path)
        {
            change.after = after;
            if !change.agents.contains(&agent.id) {
                change.agents.push(agent.id);
            }
            return;
        }
        let before = self.files.read(path).unwrap_or_default();
        self.plan.changes.push(FileChange {
            path: path.to_owned(),
            before,
            after,
            agents: vec![agent.id],
        });
    }

    /// The plan without the files that stay as they are.
    fn plan(mut self) -> Plan {
        self.plan
            .changes
            .retain(|change| change.before != change.after);
        self.plan
    }
}
