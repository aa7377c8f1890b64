//! One file a command, and what several of them do.

pub(crate) mod agent;
pub(crate) mod candidates;
pub(crate) mod compare;
pub(crate) mod context;
pub(crate) mod gate;
pub(crate) mod issues;
pub(crate) mod matrix;
pub(crate) mod names;
pub(crate) mod own;
pub(crate) mod quoted;
pub(crate) mod run;
mod sample;
pub(crate) mod score;
pub(crate) mod symbols;
pub(crate) mod worst;

use crate::args::AskOptions;
use crate::progress::Bar;
use anyhow::{Context, bail};
use scent_eval::matrix::Chosen;
use scent_eval::report;
use scent_eval::store::{Manifest, Store};
use scent_eval::suite::{Choice, Suite};
use scent_eval::summary::{Summary, summarise};
use scent_eval::system::{Indexes, PeerList, Scent, System, exe_digest};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

/// The time now, as `2026-01-31T12:00:00Z`.
fn now() -> String {
    let now = jiff::Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// How many places that drifted are printed.
const SHOWN: usize = 20;

/// Everything that is options, and of whom.
pub(crate) struct Plan {
    pub suites: Vec<Suite>,
    pub systems: Vec<Box<dyn System>>,
    pub manifest: Manifest,
}

impl Plan {
    pub fn new(
        suites: &[PathBuf],
        corpora: &Path,
        choice: &Choice,
        chosen: &[Chosen],
        options: &AskOptions,
        cache: PathBuf,
    ) -> anyhow::Result<Plan> {
        // Adapters run in another folder.
        let cache = std::path::absolute(cache)?;
        let mut manifest = Manifest {
            command: command(),
            machine: machine(),
            started: now(),
            program: match commit() {
                Some(commit) => format!("scent {} at {commit}", env!("CARGO_PKG_VERSION")),
                None => format!(
                    "scent {} ({:016x})",
                    env!("CARGO_PKG_VERSION"),
                    exe_digest()
                ),
            },
            suites: suites
                .iter()
                .map(std::path::absolute)
                .collect::<Result<_, _>>()?,
            corpora: std::path::absolute(corpora)?,
            cache,
            peers: std::path::absolute(&options.peers_dir).unwrap_or_default(),
            only: choice.only.as_ref().map(|only| only.as_str().to_owned()),
            split: choice.split.clone(),
            ..Manifest::default()
        };
        let suites = read_suites(suites, corpora, choice, options.allow_drift, &mut manifest)?;
        let mut plan = Plan {
            suites,
            systems: Vec::new(),
            manifest,
        };
        plan.add_systems(chosen, options)?;
        Ok(plan)
    }

    fn add_systems(&mut self, chosen: &[Chosen], options: &AskOptions) -> anyhow::Result<()> {
        let needs_peers = chosen.iter().any(|one| matches!(one, Chosen::Peer(_)));
        let peers = if needs_peers {
            PeerList::read(&options.peers_dir)?
        } else {
            PeerList::default()
        };
        let indexes = Rc::new(Indexes::default());
        let index = self.manifest.cache.join("index");
        for one in chosen {
            if self
                .manifest
                .systems
                .iter()
                .any(|other| other.name == one.name())
            {
                bail!("two systems are called {}", one.name());
            }
            self.systems.push(match one {
                Chosen::Scent(named) => Box::new(Scent::new(named, &index, &indexes)?),
                Chosen::Peer(name) => {
                    Box::new(peers.get(name, Duration::from_secs(options.patience))?)
                }
            });
            self.manifest.systems.push(one.named());
        }
        Ok(())
    }

    /// Asks the systems that are wanted, and writes tables and plots of all
    /// whose answers are known.
    pub fn carry_out(
        &mut self,
        store: &Store,
        wanted: &dyn Fn(&str) -> bool,
        quiet: bool,
    ) -> anyhow::Result<Summary> {
        store.describe(&self.manifest)?;
        let questions: usize = self.suites.iter().map(Suite::questions).sum();
        let asked = self
            .systems
            .iter()
            .filter(|system| wanted(system.name()))
            .count();
        let bar = Bar::new(questions * asked, quiet);
        let cache = &self.manifest.cache;
        let done = scent_eval::run::run(&self.suites, &self.systems, wanted, store, cache, &bar)?;
        bar.end();
        self.manifest.left_out.extend(done.not_given);
        self.manifest.keys = Some(done.keys);
        store.describe(&self.manifest)?;
        write_report(store, &self.manifest)
    }
}

/// As it was typed, without where the program lies.
fn command() -> Vec<String> {
    let mut words: Vec<String> = std::env::args().collect();
    if let Some(program) = words.first_mut() {
        let name = Path::new(program)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        *program = name.unwrap_or_default();
    }
    words
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    format!(
        "{} {}, {cores} cores",
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

/// The commit of the repository that a run is started in, where it is one.
fn commit() -> Option<String> {
    let said = Command::new("git")
        .args(["describe", "--always", "--dirty", "--exclude=*"])
        .output();
    let said = said.ok().filter(|said| said.status.success())?;
    Some(String::from_utf8(said.stdout).ok()?.trim().to_owned())
}

fn read_suites(
    folders: &[PathBuf],
    corpora: &Path,
    choice: &Choice,
    allow_drift: bool,
    manifest: &mut Manifest,
) -> anyhow::Result<Vec<Suite>> {
    let mut suites = Vec::new();
    for folder in folders {
        let mut suite = Suite::read(folder, corpora, choice)?;
        let drift = suite.verify();
        for why in &suite.left_out {
            eprintln!("scent-eval: {}: {why}", suite.name);
            manifest.left_out.push(format!("{}: {why}", suite.name));
        }
        for place in drift.iter().take(SHOWN) {
            eprintln!("scent-eval: drift in {}: {place}", suite.name);
        }
        if drift.len() > SHOWN {
            eprintln!("scent-eval: and {} more", drift.len() - SHOWN);
        }
        if !drift.is_empty() && !allow_drift {
            bail!(
                "{}: {} answers are not where the suite says; check out what it was written for, \
                 or give --allow-drift to go on without them",
                suite.name,
                drift.len()
            );
        }
        manifest
            .drift
            .extend(drift.iter().map(|place| format!("{}: {place}", suite.name)));
        if suites.iter().any(|other: &Suite| other.name == suite.name) {
            bail!(
                "two suites are called {}: rename the folder of one",
                suite.name
            );
        }
        suites.push(suite);
    }
    if suites.iter().all(|suite| suite.corpora.is_empty()) {
        bail!(
            "nothing to ask: of the suites, no repository that --only and --split choose is in {}",
            corpora.display()
        );
    }
    Ok(suites)
}

/// Writes `RESULTS.json`, `RESULTS.md` and the plots into the run's folder.
pub(crate) fn write_report(store: &Store, manifest: &Manifest) -> anyhow::Result<Summary> {
    let peers = if manifest.peers.join("peers.toml").exists() {
        PeerList::read(&manifest.peers)?
    } else {
        PeerList::default()
    };
    let cells = store.cells(manifest)?;
    let summary = summarise(&cells, &manifest.systems);
    let write = |name: &str, text: &str| {
        let file = store.folder().join(name);
        fs::write(&file, text).with_context(|| file.display().to_string())
    };
    write("questions.csv", &report::per_question(&cells)?)?;
    write(
        "RESULTS.json",
        &(serde_json::to_string_pretty(&summary)? + "\n"),
    )?;
    write("RESULTS.md", &report::markdown(&summary, manifest, &peers))?;
    for plot in report::plots(&summary) {
        write(&plot.name, &plot.svg)?;
    }
    Ok(summary)
}

/// A run with what it was.
pub(crate) fn open_run(folder: &Path) -> anyhow::Result<(Store, Manifest)> {
    let store = Store::new(folder);
    let manifest = store.manifest()?;
    Ok((store, manifest))
}
