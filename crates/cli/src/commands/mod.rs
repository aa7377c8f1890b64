//! One module for each command.

pub(crate) mod clear;
pub(crate) mod config;
pub(crate) mod generate;
pub(crate) mod index;
pub(crate) mod languages;
pub(crate) mod model;
pub(crate) mod search;
pub(crate) mod similar;
pub(crate) mod status;
pub(crate) mod units;

use crate::args::GlobalArgs;
use crate::config::Config;
use anyhow::bail;
use scent_engine::{Engine, Settings, Target, is_risky};
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// An engine for some paths, with the settings that hold there.
pub(crate) struct Session {
    pub engine: Engine,
    pub targets: Vec<Target>,
    pub config: Config,
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
        let engine = engine.with_model(&config.model()?)?;
        Ok(Session { engine, targets, config })
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
}

fn ask(root: &Path) -> anyhow::Result<()> {
    let what = format!("{} is a home directory or a whole disk", root.display());
    if !std::io::stdin().is_terminal() {
        bail!("{what}; run with --yes to index it, or name a project folder");
    }
    eprint!("scent: {what}. Index it? [y/N] ");
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    if !matches!(answer.trim(), "y" | "Y" | "yes") {
        bail!("not indexed; name a project folder");
    }
    Ok(())
}
