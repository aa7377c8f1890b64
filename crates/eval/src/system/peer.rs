//! Other search engines, each behind an adapter: a program that reads one JSON
//! object a line and answers with one. `eval/peers/README.md` has the protocol.

use super::{Ask, Ready, Session, System};
use crate::row::{Answer, Dependencies, Found, Outcome, Task};
use crate::shown::ranges;
use crate::view::View;
use anyhow::Context;
use scent_types::Lines;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// Indexing a large repository may take a peer this long.
const PREPARING: Duration = Duration::from_secs(900);

/// How much longer than a tool its adapter may take.
const GRACE: Duration = Duration::from_secs(3);

/// How long it takes to end.
const ENDING: Duration = Duration::from_secs(20);

/// A process closes its output a moment before it is gone.
const LAST_BREATH: Duration = Duration::from_millis(50);

/// How often a peer that crashed or hangs is started again for a repository.
const LIVES: usize = 3;

/// `peers.toml`: who can be asked, and what is known of who cannot.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerList {
    /// Peers with an adapter.
    #[serde(default, rename = "peer")]
    pub peers: Vec<PeerSpec>,
    /// Scores that others published.
    #[serde(default)]
    pub published: Vec<Published>,
    /// Scores by repository that others published of what is run here.
    #[serde(default)]
    pub agreement: Vec<Agreement>,
    #[serde(skip)]
    folder: PathBuf,
}

/// A peer with an adapter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerSpec {
    name: String,
    command: Vec<String>,
    /// How to get it; for people.
    install: String,
    /// The environment variable that names the tool where it is not on the
    /// PATH.
    variable: Option<String>,
    /// A program of ours that the adapter starts: the one beside the program
    /// that runs, unless the variable names another.
    program: Option<String>,
}

/// A score that others published.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Published {
    pub name: String,
    pub suite: String,
    /// How the list was made, where there is one.
    pub mode: Option<String>,
    pub metric: String,
    pub score: f64,
    pub repositories: u32,
    pub source: String,
    /// Why it is not run here, or as what it is.
    pub note: String,
}

/// Scores by repository that others published of a system that is run here:
/// whether the scorer and the adapter do what theirs did.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Agreement {
    pub system: String,
    pub suite: String,
    pub metric: String,
    pub source: String,
    pub scores: BTreeMap<String, f64>,
}

impl PeerList {
    /// Reads `peers.toml` of a folder.
    pub fn read(folder: &Path) -> anyhow::Result<PeerList> {
        let file = folder.join("peers.toml");
        let text = fs::read_to_string(&file).with_context(|| {
            format!(
                "{}: no list of peers; --peers-dir names its folder",
                file.display()
            )
        })?;
        let mut list: PeerList =
            toml::from_str(&text).with_context(|| file.display().to_string())?;
        list.folder = folder.canonicalize()?;
        Ok(list)
    }

    /// The peer of this name.
    pub fn get(&self, name: &str, patience: Duration) -> anyhow::Result<Peer> {
        let names = || {
            self.peers
                .iter()
                .map(|p| p.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let spec = self.peers.iter().find(|peer| peer.name == name);
        let spec = spec.with_context(|| format!("no peer is called {name}; there are {}", names()));
        Ok(Peer {
            spec: spec?.clone(),
            folder: self.folder.clone(),
            patience,
        })
    }

    /// Every name.
    pub fn names(&self) -> Vec<String> {
        self.peers.iter().map(|peer| peer.name.clone()).collect()
    }
}

/// A peer that can be asked.
pub struct Peer {
    spec: PeerSpec,
    folder: PathBuf,
    /// How long one question may take.
    patience: Duration,
}

impl Peer {
    fn program(&self) -> Option<PathBuf> {
        if let Some(named) = self.spec.variable.as_ref().and_then(std::env::var_os) {
            return Some(PathBuf::from(named));
        }
        let name = format!(
            "{}{}",
            self.spec.program.as_ref()?,
            std::env::consts::EXE_SUFFIX
        );
        let beside = std::env::current_exe().ok()?.parent()?.join(name);
        beside.exists().then_some(beside)
    }

    fn start(&self, scratch: &Path) -> Result<Process, String> {
        let [program, arguments @ ..] = self.spec.command.as_slice() else {
            return Err("its command in peers.toml is empty".into());
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder);
        let log = fs::File::create(scratch.join("adapter.log")).map_err(|e| e.to_string())?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log);
        if let (Some(variable), Some(program)) = (&self.spec.variable, self.program()) {
            command.env(variable, program);
        }
        let mut child = command
            .spawn()
            .map_err(|e| format!("{program} cannot be started: {e}"))?;
        let input = child.stdin.take();
        let (send, answers) = channel();
        if let Some(output) = child.stdout.take() {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            std::thread::spawn(move || lines.into_iter().try_for_each(|line| send.send(line)));
        }
        Ok(Process {
            child,
            input,
            answers,
        })
    }

    fn ready(&self, view: &View, scratch: &Path) -> Result<(Process, Ready), String> {
        let mut process = self.start(scratch)?;
        let name = view
            .folder
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        let said = process.say(
            &json!({
                "do": "prepare",
                "root": view.folder,
                "work": scratch,
                "name": name,
                "patience": PREPARING.as_secs(),
            }),
            PREPARING + GRACE,
        )?;
        let said: Said = serde_json::from_value(said).map_err(|e| e.to_string())?;
        match said.error {
            Some(error) => Err(format!("{error} ({})", self.spec.install)),
            None => {
                let Said {
                    version,
                    index_ms,
                    index_bytes,
                    files,
                    prefix,
                    ..
                } = said;
                Ok((
                    process,
                    Ready {
                        version,
                        index_ms,
                        index_bytes,
                        files,
                        prefix,
                    },
                ))
            }
        }
    }
}

impl System for Peer {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn key(&self) -> String {
        let own = self.spec.command.iter().map(|word| self.folder.join(word));
        let files = own
            .chain([self.folder.join("adapter.py")])
            .chain(self.program());
        let contents: Vec<u64> = files
            .filter_map(|file| fs::read(file).ok())
            .map(|bytes| xxh3_64(&bytes))
            .collect();
        let all = format!("{:?} {contents:?}", self.spec.command);
        format!("{:016x}", xxh3_64(all.as_bytes()))
    }

    fn prepare(&self, view: &View, scratch: &Path) -> Result<Box<dyn Session>, String> {
        fs::create_dir_all(scratch).map_err(|e| e.to_string())?;
        let (process, ready) = self.ready(view, scratch)?;
        let again = Peer {
            spec: self.spec.clone(),
            folder: self.folder.clone(),
            patience: self.patience,
        };
        let (view, scratch) = (view.clone(), scratch.to_owned());
        Ok(Box::new(PeerSession {
            peer: again,
            view,
            scratch,
            process: Some(process),
            ready,
            lives: LIVES,
        }))
    }
}

struct PeerSession {
    peer: Peer,
    view: View,
    scratch: PathBuf,
    process: Option<Process>,
    ready: Ready,
    lives: usize,
}

impl PeerSession {
    /// Asks; a peer that died before is started again.
    fn said(&mut self, request: &Value) -> Result<Value, String> {
        if self.process.is_none() && self.lives > 0 {
            self.lives -= 1;
            self.process = Some(self.peer.ready(&self.view, &self.scratch)?.0);
        }
        let Some(process) = &mut self.process else {
            return Err(format!(
                "crashed or hung {} times; not asked again",
                LIVES + 1
            ));
        };
        let said = process.say(request, self.peer.patience + GRACE);
        if said.is_err() {
            self.process = None;
        }
        said
    }
}

impl Session for PeerSession {
    fn ready(&self) -> Ready {
        self.ready.clone()
    }

    fn ask(&mut self, ask: Ask) -> Outcome {
        let Ask {
            task, text, limit, ..
        } = ask;
        let mut request = match task {
            Task::Search => json!({"do": "search", "query": text, "limit": limit}),
            Task::Define => json!({"do": "define", "name": text}),
            Task::Refer => json!({"do": "refer", "name": text}),
            Task::Depend => json!({"do": "depend", "path": text}),
            Task::Dead => json!({"do": "dead"}),
        };
        // An adapter that keeps to it ends its tool; killing the adapter alone
        // would leave the tool running.
        request["patience"] = json!(self.peer.patience.as_secs());
        let said = self.said(&request);
        let said = said.and_then(|said| {
            serde_json::from_value::<Said>(said).map_err(|e| format!("not an answer: {e}"))
        });
        match said {
            Ok(Said {
                unsupported: true, ..
            }) => Outcome::Unsupported,
            Ok(Said {
                error: Some(error), ..
            })
            | Err(error) => Outcome::Failed(error),
            Ok(said) => said.answer(task),
        }
    }

    fn end(self: Box<Self>) -> Option<u64> {
        let mut process = self.process?;
        let said = process.say(&json!({"do": "end"}), ENDING).ok()?;
        said.get("peak_bytes")?.as_u64()
    }
}

/// All that an adapter may say.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Said {
    version: String,
    index_ms: f64,
    index_bytes: u64,
    files: Option<u64>,
    prefix: bool,
    hits: Option<Vec<SaidHit>>,
    imports: Option<Vec<String>>,
    importers: Option<Vec<String>>,
    names: Option<Vec<String>>,
    ms: f64,
    unsupported: bool,
    error: Option<String>,
}

#[derive(Deserialize)]
struct SaidHit {
    path: String,
    start: Option<u32>,
    end: Option<u32>,
    /// The numbers of the lines that are shown, where these are not all.
    shown: Option<Vec<u32>>,
}

impl Said {
    /// What was asked for has to be there: silence is no empty list.
    fn answer(self, task: Task) -> Outcome {
        let files = self.imports.zip(self.importers);
        let files = files.map(|(imports, importers)| Dependencies { imports, importers });
        let (lacks, what) = match task {
            Task::Search | Task::Define | Task::Refer => (self.hits.is_none(), "hits"),
            Task::Depend => (files.is_none(), "imports and importers"),
            Task::Dead => (self.names.is_none(), "names"),
        };
        if lacks {
            return Outcome::Failed(format!("there are no {what} in its answer"));
        }
        let hits = self.hits.into_iter().flatten().map(SaidHit::found);
        match hits.collect::<Result<_, _>>() {
            Ok(hits) => Outcome::Answered(Answer {
                hits,
                files,
                names: self.names,
                ms: self.ms,
            }),
            Err(why) => Outcome::Failed(why),
        }
    }
}

impl SaidHit {
    fn found(self) -> Result<Found, String> {
        let lines = match (self.start, self.end) {
            (None, None) => None,
            (Some(start), Some(end)) if 1 <= start && start <= end => Some(Lines::new(start, end)),
            (start, end) => return Err(format!("{}: no lines: {start:?} to {end:?}", self.path)),
        };
        if self.shown.iter().flatten().any(|number| *number == 0) {
            return Err(format!("{}: lines are counted from 1", self.path));
        }
        Ok(Found {
            path: self.path,
            lines,
            shown: self.shown.map(ranges),
            ..Found::default()
        })
    }
}

/// An adapter that runs.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Process {
    fn say(&mut self, request: &Value, patience: Duration) -> Result<Value, String> {
        let input = self.input.as_mut().ok_or("its input is closed")?;
        let sent = writeln!(input, "{request}").and_then(|()| input.flush());
        sent.map_err(|e| format!("crashed: {e}"))?;
        match self.answers.recv_timeout(patience) {
            Ok(line) => {
                serde_json::from_str(&line).map_err(|e| format!("said what is no JSON: {e}"))
            }
            Err(RecvTimeoutError::Timeout) => Err(format!(
                "no answer within {} s",
                patience.saturating_sub(GRACE).as_secs()
            )),
            Err(RecvTimeoutError::Disconnected) => Err(self.how_it_ended()),
        }
    }
}

impl Process {
    /// An adapter without output is of no use, even if it still runs.
    fn how_it_ended(&mut self) -> String {
        std::thread::sleep(LAST_BREATH);
        match self.child.try_wait() {
            Ok(Some(status)) => format!("crashed: {status}"),
            Ok(None) => "closed its output, or wrote what is no text".to_owned(),
            Err(error) => format!("crashed: {error}"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Whatever it still does is of no use to anybody.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
