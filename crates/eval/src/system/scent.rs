//! scent itself, through the same engine calls that its interfaces make.

use super::{Ask, Ready, Session, System};
use crate::row::{Answer, Found, Outcome, Task};
use crate::store::Named;
use crate::view::View;
use anyhow::Context;
use scent_engine::{
    Engine, EngineError, ModelSpec, Others, Settings, Silent, Snapshot, Target, Weights,
};
use scent_types::{Case, Filters, Hit, Lines, Pattern, Request, Response, Syntax};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use xxhash_rust::xxh3::xxh3_64;

/// The indexes that all variants of scent share in one run: an index is made
/// anew once, and the time that took is everybody's.
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
        let Named { name, weights, model } = system.clone();
        let weights = Weights::with(weights.as_deref().unwrap_or_default());
        let weights = weights.map_err(anyhow::Error::msg);
        let weights = weights.with_context(|| format!("the weights given for {name}"))?;
        let model = ModelSpec::parse(model.as_deref().unwrap_or_default());
        let model = model.with_context(|| format!("the model given for {name}"))?;
        let engine = Engine::new(data, Settings::default()).with_weights(weights);
        let engine = engine.with_model(&model)?;
        Ok(Scent { system: system.clone(), engine, indexes: Rc::clone(indexes) })
    }

    /// The engine, for whoever wants to look inside a search.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    fn index(&self, root: &Path) -> Result<(Arc<Snapshot>, f64), EngineError> {
        let folder = self.engine.index_folder(root);
        let known = self.indexes.made.borrow().get(&folder).copied();
        if let Some(ms) = known {
            return Ok((self.engine.open(root)?, ms));
        }
        let started = Instant::now();
        // Other models take long: what they have read already is kept, and the
        // time to make the index says nothing.
        let is_new = self.system.model.is_none();
        if is_new {
            self.engine.rebuild(root, &Silent)?;
        } else {
            self.engine.update(root, &Silent)?;
        }
        // All models: until the better of two has read everything, the other
        // one would be measured.
        self.engine.embed(root, Others::WaitFor, &Silent)?;
        let snapshot = self.engine.open(root)?;
        let ms = if is_new { started.elapsed().as_secs_f64() * 1e3 } else { 0.0 };
        self.indexes.made.borrow_mut().insert(folder, ms);
        Ok((snapshot, ms))
    }
}

impl System for Scent {
    fn name(&self) -> &str {
        &self.system.name
    }

    fn key(&self) -> String {
        let Named { weights, model, .. } = &self.system;
        let models: Vec<u64> = self.engine.models().iter().map(|m| m.fingerprint).collect();
        let own = format!("{weights:?} {model:?} {models:?}");
        format!("{:016x} {:016x}", exe_digest(), xxh3_64(own.as_bytes()))
    }

    fn prepare(&self, view: &View, _scratch: &Path) -> Result<Box<dyn Session>, String> {
        let targets = self.engine.targets(std::slice::from_ref(&view.folder), true);
        let targets = targets.map_err(|e| e.to_string())?;
        let (snapshot, index_ms) = self.index(&targets[0].root).map_err(|e| e.to_string())?;
        let status = self.engine.status(&targets[0].root).map_err(|e| e.to_string())?;
        let ready = Ready {
            version: concat!("scent ", env!("CARGO_PKG_VERSION")).to_owned(),
            index_ms,
            index_bytes: status.index_bytes,
            files: Some(status.files as u64),
            prefix: true,
        };
        let engine = self.engine.clone();
        Ok(Box::new(Asked { engine, targets, snapshots: vec![snapshot], ready }))
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
    targets: Vec<Target>,
    snapshots: Vec<Arc<Snapshot>>,
    ready: Ready,
}

impl Session for Asked {
    fn ready(&self) -> Ready {
        self.ready.clone()
    }

    fn ask(&mut self, ask: Ask) -> Outcome {
        let Some(request) = request(ask) else { return Outcome::Unsupported };
        let started = Instant::now();
        let response = self.engine.answer(&self.targets, &self.snapshots, &request);
        let ms = started.elapsed().as_secs_f64() * 1e3;
        match response {
            Ok(response) => {
                Outcome::Answered(Answer { hits: places(ask, &response), ms, ..Answer::default() })
            }
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }

    fn end(self: Box<Self>) -> Option<u64> {
        None
    }
}

/// A definition is looked for by its name, a use as a whole word.
pub(crate) fn request(ask: Ask) -> Option<Request> {
    let Ask { task, text, class, limit } = ask;
    let word = Pattern {
        text: text.to_owned(),
        syntax: Syntax::Literal,
        case: Case::Sensitive,
        word: true,
    };
    let filters = Filters { classes: class.into_iter().collect(), ..Filters::default() };
    let request = Request { query: text.to_owned(), limit, filters, ..Request::default() };
    match task {
        Task::Search => Some(request),
        Task::Define => {
            let names = vec![text.to_owned()];
            Some(Request { filters: Filters { names, ..request.filters }, ..request })
        }
        Task::Refer => Some(Request {
            query: String::new(),
            pattern: Some(word),
            limit: usize::MAX,
            ..request
        }),
        Task::Depend | Task::Dead => None,
    }
}

fn places(ask: Ask, response: &Response) -> Vec<Found> {
    let at =
        |hit: &Hit, lines: Lines| Found { path: hit.path.clone(), lines: Some(lines), tokens: 0 };
    let hits = response.hits.iter();
    match ask.task {
        Task::Search => hits.map(|hit| at(hit, hit.lines)).collect(),
        Task::Define => hits.map(|hit| at(hit, one(named_line(hit, ask.text)))).collect(),
        _ => hits.flat_map(|hit| hit.matched.iter().map(|&l| at(hit, one(l)))).collect(),
    }
}

fn one(line: u32) -> Lines {
    Lines::new(line, line)
}

/// The line of a definition that holds its name: a unit begins with its
/// comments.
fn named_line(hit: &Hit, name: &str) -> u32 {
    let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
    let word = regex::Regex::new(&format!(r"\b{}\b", regex::escape(last)));
    let holds = |line: &u32| {
        let text = hit.line(*line).unwrap_or_default();
        let comment = ["//", "*", "/*", "#", "--"].iter().any(|c| text.trim_start().starts_with(c));
        !comment && word.as_ref().is_ok_and(|word| word.is_match(text))
    };
    (hit.lines.start..=hit.lines.end).find(holds).unwrap_or(hit.lines.start)
}
