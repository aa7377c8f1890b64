//! What servers borrow from the program: projects, open, with their settings.

use super::{Session, engine_for, leave_to_worker};
use crate::args::{GlobalArgs, OutputArgs};
use crate::commands::search::output_request;
use crate::config::Config;
use scent_engine::{Engine, Keep, Project, is_risky};
use scent_serve::{Host, HostError, Opened};
use scent_types::RawRequest;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Opens projects for a server.
pub(super) struct Lent {
    flags: GlobalArgs,
    /// By what an engine is made of: projects with the same models share one,
    /// and with it what it keeps.
    engines: Mutex<HashMap<String, Engine>>,
}

impl Lent {
    /// With these flags. What commands say beside their answers, servers say in
    /// them.
    pub fn new(flags: &GlobalArgs) -> Lent {
        Lent {
            flags: GlobalArgs {
                quiet: true,
                ..flags.clone()
            },
            engines: Mutex::default(),
        }
    }

    fn engine(&self, config: &Config) -> anyhow::Result<Engine> {
        let made_of = ["data_dir", "model", "model_key", "index.threads"];
        let made_of = made_of.map(|key| config.get(key)).join("\n");
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = engines.get(&made_of) {
            return Ok(known.clone());
        }
        let engine = engine_for(config)?.with_cache(Keep::Same);
        engines.insert(made_of, engine.clone());
        Ok(engine)
    }

    fn session(&self, path: &Path) -> anyhow::Result<Session> {
        let engine = |config: &Config| self.engine(config);
        let paths = [path.to_owned()];
        let session = Session::with_engine(&paths, &self.flags, &engine)?;
        session.with_linked(&[], &self.flags)
    }
}

impl Host for Lent {
    fn open(&self, path: &Path) -> Result<Opened, HostError> {
        let in_words = |error: anyhow::Error| HostError(format!("{error:#}"));
        let session = self.session(path).map_err(in_words)?;
        let blank = output_request(&OutputArgs::default(), &session).map_err(in_words)?;
        let Session {
            engine,
            projects,
            mut notes,
            told,
            ..
        } = session;
        let mut projects = projects
            .into_iter()
            .map(|project| project.within(Vec::new()));
        let Some(project) = projects.next() else {
            return Err(HostError(format!("{}: no project", path.display())));
        };
        if is_risky(project.root()) && !project.is_indexed() {
            let root = project.root().display();
            let what = "is a home directory or a whole disk and not indexed";
            return Err(HostError(format!(
                "{root} {what}; name the folder of a project"
            )));
        }
        notes.splice(0..0, told);
        Ok(Opened {
            engine,
            project,
            linked: projects.collect(),
            blank: RawRequest {
                limit: None,
                ..blank
            },
            notes,
        })
    }

    fn complete_later(&self, project: &Project) -> Option<String> {
        let config = Config::load(Some(project.root()), &self.flags).ok()?;
        leave_to_worker(&config, project)
    }
}

/// Folders that the environment says are the project, the surest first.
pub(super) fn folders_of_environment() -> Vec<PathBuf> {
    let names = ["SCENT_ROOT", "CLAUDE_PROJECT_DIR"].into_iter();
    let folders = names.filter_map(std::env::var_os);
    folders
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .collect()
}
