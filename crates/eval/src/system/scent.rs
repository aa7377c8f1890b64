//! scent itself, through the same engine calls that its interfaces make.

use super::{Ask, Ready, Session, System};
use crate::row::{Answer, Dependencies, Found, Outcome, Task};
use crate::shown::ranges;
use crate::store::Named;
use crate::view::View;
use anyhow::Context;
use scent_engine::{
    DependencyOptions, Engine, EngineError, ModelOptions, OnBusy, Project, ReferenceFilter,
    Refresh, Settings, Silent, parse_request, targets,
};
use scent_types::{Hit, Lines, RawRequest, Request};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::OnceLock;
use std::time::Instant;
use xxhash_rust::xxh3::xxh3_64;

/// The indexes that all variants of scent share in one run: an index is built
/// from scratch once, and its time counts for all of them.
#[derive(Default)]
pub struct Indexes {
    made: RefCell<HashMap<PathBuf, f64>>,
}

/// scent with one set of weights.
pub struct Scent {
    system: Named,
    engine: Engine,
    indexes: Rc<Indexes>,
}

impl Scent {
    /// scent with the numbers and the model that a system has in place of its
    /// own. The index is kept below `data`.
    pub fn new(system: &Named, data: &Path, indexes: &Rc<Indexes>) -> anyhow::Result<Scent> {
        let Named {
            name,
            weights,
            model,
        } = system.clone();
        let weights = weights.as_deref().unwrap_or_default();
        let model = ModelOptions::named(model.as_deref().unwrap_or_default());
        let engine = Engine::new(data, Settings::default())
            .with_weights(weights)
            .with_context(|| format!("the weights given for {name}"))?
            .with_model(&model)
            .with_context(|| format!("the model given for {name}"))?;
        // Fail on a model that cannot be opened before anything is measured.
        engine.models()?;
        Ok(Scent {
            system: system.clone(),
            engine,
            indexes: Rc::clone(indexes),
        })
    }

    /// The engine, for whoever wants to look inside a search.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// A folder as a project of its own.
    pub fn open(&self, folder: &Path) -> Result<Project, EngineError> {
        let target = targets(&[folder.to_owned()], true)?.remove(0);
        Ok(self.engine.open(&target.root))
    }

    /// Brings an index up to date.
    pub fn bring_up_to_date(&self, project: &Project) -> Result<(), EngineError> {
        project.update(&Silent)?;
        embed_with_all(project)
    }

    /// Makes an index where there is none; returns how long that took, in
    /// milliseconds.
    fn index(&self, project: &Project) -> Result<f64, EngineError> {
        let folder = project.index_folder().to_owned();
        let known = self.indexes.made.borrow().get(&folder).copied();
        if let Some(ms) = known {
            return Ok(ms);
        }
        let started = Instant::now();
        // Other models take long: what they have read already is kept, and the
        // time to make the index says nothing.
        let is_new = self.system.model.is_none();
        if is_new {
            project.rebuild(&Silent)?;
            embed_with_all(project)?;
        } else {
            self.bring_up_to_date(project)?;
        }
        let ms = if is_new {
            started.elapsed().as_secs_f64() * 1e3
        } else {
            0.0
        };
        self.indexes.made.borrow_mut().insert(folder, ms);
        Ok(ms)
    }
}

/// Lets all models embed an index: until the refined one of two has embedded
/// everything, the other one would be measured.
fn embed_with_all(project: &Project) -> Result<(), EngineError> {
    project.embed(OnBusy::Wait, &Silent)?;
    project.refresh(Refresh::Never, &Silent)?;
    Ok(())
}

impl System for Scent {
    fn name(&self) -> &str {
        &self.system.name
    }

    fn key(&self) -> String {
        let Named { weights, model, .. } = &self.system;
        let models = self.engine.models().unwrap_or_default();
        let models: Vec<u64> = models.iter().map(|model| model.fingerprint).collect();
        let own = format!("{weights:?} {model:?} {models:?}");
        format!("{:016x} {:016x}", exe_digest(), xxh3_64(own.as_bytes()))
    }

    fn prepare(&self, view: &View, _scratch: &Path) -> Result<Box<dyn Session>, String> {
        let project = self.open(&view.folder).map_err(|e| e.to_string())?;
        let index_ms = self.index(&project).map_err(|e| e.to_string())?;
        let status = project.status().map_err(|e| e.to_string())?;
        let ready = Ready {
            version: concat!("scent ", env!("CARGO_PKG_VERSION")).to_owned(),
            index_ms,
            index_bytes: status.index_bytes,
            files: Some(status.files as u64),
            prefix: true,
        };
        let engine = self.engine.clone();
        Ok(Box::new(Asked {
            engine,
            project,
            ready,
        }))
    }
}

/// Changes with the program that runs.
pub fn exe_digest() -> u64 {
    static DIGEST: OnceLock<u64> = OnceLock::new();
    *DIGEST.get_or_init(|| {
        let program = std::env::current_exe().and_then(fs::read);
        program.map_or(0, |bytes| xxh3_64(&bytes))
    })
}

struct Asked {
    engine: Engine,
    project: Project,
    ready: Ready,
}

impl Session for Asked {
    fn ready(&self) -> Ready {
        self.ready.clone()
    }

    fn ask(&mut self, ask: Ask) -> Outcome {
        let started = Instant::now();
        let answer = match ask.task {
            Task::Search => self.search(ask),
            Task::Define => self.define(ask),
            Task::Refer => self.refer(ask),
            Task::Depend => self.depend(ask),
            Task::Dead => return Outcome::Unsupported,
        };
        let ms = started.elapsed().as_secs_f64() * 1e3;
        match answer {
            Ok(answer) => Outcome::Answered(Answer { ms, ..answer }),
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }

    fn end(self: Box<Self>) -> Option<u64> {
        None
    }
}

impl Asked {
    fn search(&self, ask: Ask) -> Result<Answer, EngineError> {
        let projects = std::slice::from_ref(&self.project);
        let response = self
            .engine
            .search(projects, &request(ask)?, Refresh::Never, &Silent)?;
        let hits = response.hits.into_iter().map(found).collect();
        Ok(Answer {
            hits,
            ..Answer::default()
        })
    }

    fn define(&self, ask: Ask) -> Result<Answer, EngineError> {
        let found = self.project.definitions(ask.text, ask.limit)?;
        let hits = found
            .definitions
            .into_iter()
            .map(|defined| at(defined.path, defined.line));
        Ok(Answer {
            hits: hits.collect(),
            ..Answer::default()
        })
    }

    /// Every line of the code, tests and copies apart, that names it: what is expected was
    /// made by looking for the word.
    fn refer(&self, ask: Ask) -> Result<Answer, EngineError> {
        let wish = ReferenceFilter {
            tests: Some(false),
            no_vendored: true,
            text: true,
            ..ReferenceFilter::default()
        };
        let found = self.project.references(ask.text, &wish, usize::MAX)?;
        let hits = found.uses.into_iter().map(|used| at(used.path, used.line));
        Ok(Answer {
            hits: hits.collect(),
            ..Answer::default()
        })
    }

    fn depend(&self, ask: Ask) -> Result<Answer, EngineError> {
        let step = |reverse| {
            let reach = DependencyOptions {
                reverse,
                depth: 1,
                tests: Some(false),
            };
            self.project.dependencies(ask.text, &reach)
        };
        let imports = step(false)?.dependencies.into_iter().flat_map(|d| d.to);
        let importers = step(true)?.dependencies.into_iter().map(|d| d.from);
        let files = Dependencies {
            imports: imports.collect(),
            importers: importers.collect(),
        };
        Ok(Answer {
            files: Some(files),
            ..Answer::default()
        })
    }
}

/// The request for a question in words.
pub fn request(ask: Ask) -> Result<Request, EngineError> {
    let class = ask.class.map(|class| class.as_str().to_owned());
    let raw = RawRequest {
        query: ask.text.to_owned(),
        categories: class.into_iter().collect(),
        limit: Some(ask.limit),
        ..RawRequest::default()
    };
    Ok(parse_request(&raw)?)
}

fn found(hit: Hit) -> Found {
    let shown = ranges(hit.excerpt.iter().map(|line| line.number));
    Found {
        path: hit.path,
        lines: Some(hit.lines),
        shown: Some(shown),
        ..Found::default()
    }
}

fn at(path: String, line: u32) -> Found {
    Found {
        path,
        lines: Some(Lines::new(line, line)),
        ..Found::default()
    }
}
