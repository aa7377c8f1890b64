//! One module for each command.

pub(crate) mod clear;
pub(crate) mod config;
pub(crate) mod generate;
pub(crate) mod index;
pub(crate) mod languages;
pub(crate) mod lookup;
pub(crate) mod model;
pub(crate) mod outline;
pub(crate) mod search;
pub(crate) mod similar;
pub(crate) mod status;
pub(crate) mod units;

use crate::args::GlobalArgs;
use crate::config::Config;
use crate::output::{note, say};
use anyhow::{Context, bail};
use scent_engine::{
    Engine, EngineError, Settings, Target, canonical, is_risky, shown, start_detached,
    survive_parser_crashes,
};
use scent_types::Meaning;
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// An engine for some paths, with the settings that hold there.
pub(crate) struct Session {
    pub engine: Engine,
    pub targets: Vec<Target>,
    pub config: Config,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

impl Session {
    /// The projects around these paths; around the current folder if none.
    pub fn new(paths: &[PathBuf], flags: &GlobalArgs) -> anyhow::Result<Session> {
        let nowhere = paths.is_empty();
        let here = [PathBuf::from(".")];
        let paths = if nowhere { &here[..] } else { paths };
        // Which folders are meant does not depend on any setting.
        let mut targets = Engine::new("", Settings::default()).targets(paths, flags.exact)?;
        if nowhere {
            targets.iter_mut().for_each(|target| target.scope.clear());
        }
        let config = Config::load(targets.first().map(|t| t.root.as_path()), flags)?;
        let engine = Engine::new(config.data_dir()?, config.settings()?);
        let engine = engine.with_model(&config.model()?);
        config.notes.iter().for_each(|text| note(flags, text));
        let told = survive_parser_crashes(&config.data_dir()?);
        told.iter().for_each(|text| note(flags, text));
        let mut session = Session {
            engine,
            targets: Vec::new(),
            config,
            notes: Vec::new(),
        };
        for (nth, target) in targets.into_iter().enumerate() {
            if nth > 0 {
                session.heed_settings_of(&target.root, flags)?;
            }
            session.targets.push(target);
        }
        Ok(session)
    }

    /// Lets the settings of a project decide what the index of that project
    /// holds; how results look, the first project decides for all.
    fn heed_settings_of(&mut self, root: &Path, flags: &GlobalArgs) -> anyhow::Result<()> {
        let config = Config::load(Some(root), flags)?;
        config.notes.iter().for_each(|text| note(flags, text));
        self.engine = self
            .engine
            .clone()
            .with_settings_of(root, config.settings()?);
        Ok(())
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
        let found = self.engine.targets(&paths, flags.exact)?;
        let root = self.targets.first().map(|target| target.root.as_path());
        match found
            .iter()
            .all(|target| self.config.may_link(root, &target.root))
        {
            true => Ok(found),
            false => self.engine.targets(&paths, true),
        }
    }

    fn add_linked(&mut self, found: Vec<Target>, flags: &GlobalArgs) -> anyhow::Result<()> {
        for target in found {
            if self.targets.iter().any(|known| known.root == target.root) {
                continue;
            }
            // Nobody is asked about what a project links.
            if is_risky(&target.root) && !self.engine.is_indexed(&target.root) {
                let root = target.root.display();
                let what = "is a home directory or a whole disk";
                self.notes
                    .push(format!("linked, but not searched: {root} {what}"));
                continue;
            }
            self.heed_settings_of(&target.root, flags)?;
            self.targets.push(whole(target));
        }
        Ok(())
    }

    /// Asks before a home directory or a whole disk is indexed for the first
    /// time; refuses where nobody can answer.
    pub fn confirm(&self, flags: &GlobalArgs) -> anyhow::Result<()> {
        for target in &self.targets {
            if is_risky(&target.root) && !flags.yes && !self.engine.is_indexed(&target.root) {
                ask(&target.root)?;
            }
        }
        Ok(())
    }

    /// Lets processes of their own read the meanings that an answer lacks, and
    /// catch up with how important files are.
    pub fn read_on(&self, known: Option<&Meaning>, flags: &GlobalArgs) {
        let lacks = |known: &Meaning| known.waiting > 0 || known.better.is_some() || known.behind;
        if known.is_some_and(lacks) {
            self.targets
                .iter()
                .for_each(|target| self.read_apart(&target.root, flags));
        }
    }

    /// Lets a process of its own read the meanings of a root, unless one does.
    pub fn read_apart(&self, root: &Path, flags: &GlobalArgs) {
        if self.engine.is_embedding(root) {
            return;
        }
        let Ok(program) = std::env::current_exe() else {
            return;
        };
        let Ok(data) = self.config.data_dir() else {
            return;
        };
        let model = self.config.get("model");
        let words = [
            "index", "--wait", "--quiet", "--yes", "--exact", "--model", model,
        ];
        let mut args: Vec<OsString> = words.iter().map(OsString::from).collect();
        args.extend(["--data-dir".into(), data.into(), root.into()]);
        if let Err(error) = start_detached(&program, &args) {
            note(
                flags,
                &format!("meanings are not read on: {error}; run `scent index --wait`"),
            );
        }
    }
}

/// Gets ready to parse files without an index.
pub(crate) fn prepare_to_parse(flags: &GlobalArgs) -> anyhow::Result<()> {
    let config = Config::load(None, flags)?;
    let told = survive_parser_crashes(&config.data_dir()?);
    told.iter().for_each(|text| note(flags, text));
    Ok(())
}

fn whole(target: Target) -> Target {
    Target {
        scope: Vec::new(),
        ..target
    }
}

/// A path relative to the root of its project, as the index has it.
fn inside(path: &Path, root: &Path) -> anyhow::Result<String> {
    let whole = canonical(path).with_context(|| path.display().to_string())?;
    Ok(shown(whole.strip_prefix(root).unwrap_or(&whole)))
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
    say(&format!("{what}. Index it? [y/N]"));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    if !matches!(answer.trim(), "y" | "Y" | "yes") {
        bail!("not indexed; name a project folder");
    }
    Ok(())
}
