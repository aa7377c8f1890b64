//! One module for each command.

pub(crate) mod batch;
pub(crate) mod clear;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod doctor;
pub(crate) mod generate;
pub(crate) mod health;
pub(crate) mod hook;
mod hook_memory;
pub(crate) mod index;
pub(crate) mod indexes;
pub(crate) mod install;
pub(crate) mod languages;
mod lent;
pub(crate) mod lookup;
pub(crate) mod lsp;
pub(crate) mod map;
pub(crate) mod mcp;
pub(crate) mod model;
pub(crate) mod outline;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod similar;
pub(crate) mod status;
pub(crate) mod uninstall;
pub(crate) mod units;
pub(crate) mod worker;

use crate::args::{GlobalArgs, PatienceArgs};
use crate::config::Config;
use crate::output::{note, say, use_hyperlinks};
use crate::patience::Patience;
use anyhow::{Context, bail};
use scent_engine::{
    Background, Engine, EngineError, Project, Refresh, Target, canonical, display_path, is_risky,
    survive_parser_crashes, targets,
};
use scent_print::Paths;
use scent_types::{Embeddings, Note, Response};
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;
use worker::Detached;

/// The projects around some paths, open, with the settings that hold there.
pub(crate) struct Session {
    pub engine: Engine,
    pub projects: Vec<Project>,
    pub config: Config,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// What the user was told already.
    pub told: Vec<String>,
}

impl Session {
    /// The projects around these paths; around the current folder if none.
    pub fn new(paths: &[PathBuf], flags: &GlobalArgs) -> anyhow::Result<Session> {
        Session::with_engine(paths, flags, &engine_for)
    }

    /// The same with an engine that the settings choose.
    pub fn with_engine(
        paths: &[PathBuf],
        flags: &GlobalArgs,
        engine: &dyn Fn(&Config) -> anyhow::Result<Engine>,
    ) -> anyhow::Result<Session> {
        let nowhere = paths.is_empty();
        let here = [PathBuf::from(".")];
        let paths = if nowhere { &here[..] } else { paths };
        // Which folders are searched does not depend on any setting.
        let mut targets = targets(paths, flags.exact)?;
        let config = Config::load(targets.first().map(|t| t.root.as_path()), flags)?;
        let engine = engine(&config)?;
        let mut told = config.notes.clone();
        told.extend(survive_parser_crashes(&config.data_dir()?));
        if !flags.exact {
            let own = targets;
            targets = engine.in_indexes_above(own.clone());
            for target in targets.iter().filter(|target| !own.contains(target)) {
                let root = target.root.display();
                told.push(format!(
                    "using the index of {root}, the folder above; --exact makes one of its own"
                ));
            }
        }
        told.iter().for_each(|text| note(flags, text));
        if nowhere {
            targets.iter_mut().for_each(|target| target.scope.clear());
        }
        let mut session = Session {
            engine,
            projects: Vec::new(),
            config,
            notes: Vec::new(),
            told,
        };
        let mut targets = targets.into_iter();
        if let Some(first) = targets.next() {
            let settings = session.config.settings()?;
            let project = session.engine.open_with(&first.root, settings);
            session.projects.push(project.within(first.scope));
        }
        for target in targets {
            session.open(target, flags)?;
        }
        Ok(session)
    }

    /// Opens one more project. Its own settings decide what its index holds; the
    /// settings of the first project decide for all how results look.
    fn open(&mut self, target: Target, flags: &GlobalArgs) -> anyhow::Result<()> {
        let config = Config::load(Some(&target.root), flags)?;
        config.notes.iter().for_each(|text| note(flags, text));
        self.told.extend(config.notes.iter().cloned());
        let project = self.engine.open_with(&target.root, config.settings()?);
        self.projects.push(project.within(target.scope));
        Ok(())
    }

    /// The first project.
    pub fn project(&self) -> &Project {
        &self.projects[0]
    }

    /// How answers name the files of the first project.
    pub fn paths(&self) -> Paths {
        Paths {
            root: display_path(self.project().root()),
            base: current_folder(),
            links: use_hyperlinks(&self.config),
        }
    }

    /// The same, with the projects that are linked where no path was given.
    pub fn with_linked(mut self, paths: &[PathBuf], flags: &GlobalArgs) -> anyhow::Result<Session> {
        for path in self
            .config
            .linked()
            .into_iter()
            .filter(|_| paths.is_empty())
        {
            match self.linked_targets(&path, flags) {
                Ok(found) => self.add_linked(found, flags)?,
                Err(error) => self
                    .notes
                    .push(format!("linked, but not searched: {error}")),
            }
        }
        Ok(self)
    }

    /// The project around a linked folder, or the folder alone where a project
    /// may not link so much.
    fn linked_targets(&self, path: &Path, flags: &GlobalArgs) -> Result<Vec<Target>, EngineError> {
        let paths = [path.to_owned()];
        let found = targets(&paths, flags.exact)?;
        let root = self.projects.first().map(|project| project.root());
        let may_link_all = found
            .iter()
            .all(|target| self.config.may_link(root, &target.root));
        if may_link_all {
            Ok(found)
        } else {
            targets(&paths, true)
        }
    }

    fn add_linked(&mut self, found: Vec<Target>, flags: &GlobalArgs) -> anyhow::Result<()> {
        for target in found {
            if self
                .projects
                .iter()
                .any(|known| known.root() == target.root)
            {
                continue;
            }
            // Nobody is asked about what a project links.
            if is_risky(&target.root) && !self.engine.open(&target.root).is_indexed() {
                let root = target.root.display();
                let what = "is a home directory or a whole disk";
                self.notes
                    .push(format!("linked, but not searched: {root} {what}"));
                continue;
            }
            self.open(whole(target), flags)?;
        }
        Ok(())
    }

    /// Asks before a home directory or a whole disk is indexed for the first
    /// time; refuses where nobody can answer.
    pub fn confirm(&self, flags: &GlobalArgs) -> anyhow::Result<()> {
        for project in &self.projects {
            if is_risky(project.root()) && !flags.yes && !project.is_indexed() {
                ask(project.root())?;
            }
        }
        Ok(())
    }

    /// How up to date an answer has to be.
    pub fn refresh(&self, args: &PatienceArgs) -> anyhow::Result<Refresh<'static>> {
        let Patience(length) = match args.patience {
            Some(patience) => patience,
            None => self.config.patience()?,
        };
        Ok(length.map_or(Refresh::Always, Refresh::Within))
    }

    /// Lets the worker in the background do what an answer lacks: index files,
    /// embed units, and catch up with how important files are.
    pub fn go_on(&self, response: &Response, refresh: Refresh, flags: &GlobalArgs) {
        let lacks = |known: &Embeddings| {
            known.waiting > 0 || known.refined.is_some() || known.importance_stale
        };
        let known = response.embeddings.as_ref();
        if known.is_some_and(lacks) || leaves_files(&response.notes, refresh) {
            for project in &self.projects {
                self.complete_later(project, flags);
            }
        }
    }

    /// Lets the worker in the background do what a project lacks.
    pub fn complete_later(&self, project: &Project, flags: &GlobalArgs) {
        if let Some(text) = leave_to_worker(&self.config, project) {
            note(flags, &text);
        }
    }
}

/// Lets the worker in the background do what a project lacks. Returns what to
/// tell the user where it cannot.
fn leave_to_worker(config: &Config, project: &Project) -> Option<String> {
    // Whoever embeds may not look for files again.
    if project.is_embedding() && !project.is_partial() {
        return None;
    }
    let worker = Detached {
        data: config.data_dir().ok()?,
        model: config.get("model").to_owned(),
    };
    let error = worker.complete_later(project).err()?;
    Some(format!(
        "nothing goes on in the background: {error}; run `scent index --wait`"
    ))
}

/// Whether files are left that may have to be indexed.
pub(crate) fn leaves_files(notes: &[Note], refresh: Refresh) -> bool {
    let is_partial = |note: &Note| matches!(note, Note::PartlyIndexed { .. });
    refresh == Refresh::Within(Duration::ZERO) || notes.iter().any(is_partial)
}

/// An engine with the model that the settings name.
fn engine_for(config: &Config) -> anyhow::Result<Engine> {
    let engine = Engine::new(config.data_dir()?, config.settings()?)
        .with_max_total_size(config.max_total_size());
    engine
        .with_model(&config.model())
        .with_context(|| format!("{}: model", config.setting("model").origin))
}

/// An engine for all indexes, without a project.
fn engine(flags: &GlobalArgs) -> anyhow::Result<Engine> {
    let config = Config::load(None, flags)?;
    Ok(Engine::new(config.data_dir()?, config.settings()?))
}

/// Gets ready to parse files without an index. Returns how answers name files
/// that were named on the command line.
pub(crate) fn prepare_to_parse(flags: &GlobalArgs) -> anyhow::Result<Paths> {
    let config = Config::load(None, flags)?;
    let told = survive_parser_crashes(&config.data_dir()?);
    told.iter().for_each(|text| note(flags, text));
    Ok(Paths {
        root: current_folder(),
        base: current_folder(),
        links: use_hyperlinks(&config),
    })
}

fn whole(target: Target) -> Target {
    Target {
        scope: Vec::new(),
        ..target
    }
}

/// The folder that relative paths on the command line start from.
fn current_folder() -> String {
    display_path(&canonical(Path::new(".")).unwrap_or_default())
}

/// A path relative to the root of its project, as the index has it.
fn inside(path: &Path, root: &Path) -> anyhow::Result<String> {
    let whole = canonical(path).with_context(|| path.display().to_string())?;
    Ok(display_path(whole.strip_prefix(root).unwrap_or(&whole)))
}

/// The same error with the path of a place as it was typed.
fn as_typed(error: EngineError, typed: &Path) -> EngineError {
    error.with_path(&display_path(typed))
}

/// `PATH:LINE`, or `PATH:FIRST-LAST` as results are printed.
fn place(text: &str) -> anyhow::Result<(PathBuf, u32)> {
    let read = || {
        let (path, lines) = text.rsplit_once(':')?;
        let line = lines
            .split('-')
            .next()?
            .parse()
            .ok()
            .filter(|line| *line > 0)?;
        Some((PathBuf::from(path), line))
    };
    read().with_context(|| format!("{text}: not a place; give PATH:LINE"))
}

fn ask(root: &Path) -> anyhow::Result<()> {
    let what = format!("{} is a home directory or a whole disk", root.display());
    if !std::io::stdin().is_terminal() {
        bail!("{what}; run with --yes to index it, or name a project folder");
    }
    if !answers_yes(&format!("{what}. Index it? [y/N]"))? {
        bail!("not indexed; name a project folder");
    }
    Ok(())
}

/// Whether the user agrees.
fn answers_yes(question: &str) -> anyhow::Result<bool> {
    say(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
