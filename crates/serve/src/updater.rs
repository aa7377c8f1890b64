//! Keeps the indexes of open projects up to date beside the answers.
//!
//! Each project has a thread that sleeps until the system tells of a change. One
//! thread for all embeds what changes left. A change of a file that decides
//! about others, as ignore files do, and a change that the system lost track of
//! mean a walk through the whole folder. Where a folder cannot be watched, this
//! is said, and whoever answers looks for changes instead.

mod embedder;
mod watched;

pub(crate) use embedder::Embedder;

use notify::event::{CreateKind, EventKind, ModifyKind};
use scent_engine::{Progress, Project, Refresh, Stage, decides_about_others};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::broadcast;
use watched::Watched;

/// Changes come in swarms: after the first, this long is waited for another.
const QUIET: Duration = Duration::from_millis(30);

/// Longer than this no change waits for others.
const LONGEST: Duration = Duration::from_millis(200);

/// More files than this are not asked about one by one.
const MOST_PATHS: usize = 1_000;

/// What goes on in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    Idle,
    Updating,
    Embedding,
}

impl Activity {
    const ALL: [Activity; 3] = [Activity::Idle, Activity::Updating, Activity::Embedding];

    /// The word users read.
    pub fn as_str(self) -> &'static str {
        match self {
            Activity::Idle => "idle",
            Activity::Updating => "updating",
            Activity::Embedding => "embedding",
        }
    }
}

/// Something that happened to a project, for who listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Happened {
    /// The id of the project.
    pub root: String,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Another generation is there.
    Generation(u64),
    /// Work begins, goes on or ends; so much is done of so much.
    Progress {
        activity: Activity,
        done: u64,
        all: u64,
    },
}

/// The thread that keeps a project up to date, seen from outside.
#[derive(Clone)]
pub(crate) struct Updater {
    shared: Arc<Shared>,
    messages: Sender<Message>,
}

/// What the threads of a project know together.
pub(crate) struct Shared {
    root: String,
    project: Project,
    events: broadcast::Sender<Happened>,
    stop: Arc<AtomicBool>,
    /// Why changes cannot be watched, if so.
    lost: Mutex<Option<String>>,
    activity: AtomicU8,
    generation: AtomicU64,
    /// How often the project was brought up to date, and how long that took in
    /// all, in microseconds.
    updates: AtomicU64,
    update_micros: AtomicU64,
}

pub(crate) enum Message {
    /// The system tells of changes, or that it lost some.
    Event(notify::Result<notify::Event>),
    /// Somebody asks for a walk.
    Walk,
    Stop,
}

impl Updater {
    /// Starts to keep a project up to date.
    pub fn start(
        root: String,
        project: Project,
        events: broadcast::Sender<Happened>,
        embedder: &Embedder,
    ) -> Updater {
        let (messages, received) = channel();
        let shared = Arc::new(Shared {
            root,
            project,
            events,
            stop: Arc::default(),
            lost: Mutex::default(),
            activity: AtomicU8::new(Activity::Updating as u8),
            generation: AtomicU64::new(0),
            updates: AtomicU64::new(0),
            update_micros: AtomicU64::new(0),
        });
        let updater = Updater {
            shared: Arc::clone(&shared),
            messages: messages.clone(),
        };
        let work = Work {
            shared,
            messages,
            embedder: embedder.clone(),
        };
        thread::spawn(move || work.run(&received));
        updater
    }

    /// Looks through the whole folder soon.
    pub fn walk(&self) {
        let _ = self.messages.send(Message::Walk);
    }

    /// Stops the threads; work that was begun ends where it can go on later.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let _ = self.messages.send(Message::Stop);
    }

    /// Why changes cannot be watched, if so.
    pub fn lost(&self) -> Option<String> {
        let lost = self.shared.lost.lock();
        lost.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn activity(&self) -> Activity {
        self.shared.activity()
    }

    /// How often the project was brought up to date, and how long that took.
    pub fn updates(&self) -> (u64, Duration) {
        let micros = self.shared.update_micros.load(Ordering::Relaxed);
        let updates = self.shared.updates.load(Ordering::Relaxed);
        (updates, Duration::from_micros(micros))
    }
}

impl Shared {
    fn activity(&self) -> Activity {
        let now = self.activity.load(Ordering::Relaxed);
        Activity::ALL[usize::from(now) % Activity::ALL.len()]
    }

    fn set_activity(&self, activity: Activity, done: u64, all: u64) {
        let before = self.activity.swap(activity as u8, Ordering::Relaxed);
        if all > 0 || before != activity as u8 {
            self.tell(What::Progress {
                activity,
                done,
                all,
            });
        }
    }

    fn tell(&self, what: What) {
        let root = self.root.clone();
        // Nobody need listen.
        let _ = self.events.send(Happened { root, what });
    }

    /// Tells of another generation, if there is one.
    fn tell_generation(&self) {
        if let Ok(version) = self.project.version() {
            let before = self.generation.swap(version.generation, Ordering::Relaxed);
            if before != version.generation {
                self.tell(What::Generation(version.generation));
            }
        }
    }

    fn set_lost(&self, why: Option<String>) {
        if let Some(why) = &why {
            tracing::warn!(root = self.root, why, "changes are not watched");
        }
        *self.lost.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Tells of the work on a project as it goes on.
pub(crate) struct Telling<'s> {
    shared: &'s Shared,
    activity: Activity,
    done: AtomicU64,
    all: AtomicU64,
    told: Mutex<Instant>,
}

impl<'s> Telling<'s> {
    /// At most so often.
    const EVERY: Duration = Duration::from_millis(250);

    pub fn new(shared: &'s Shared, activity: Activity) -> Telling<'s> {
        Telling {
            shared,
            activity,
            done: AtomicU64::new(0),
            all: AtomicU64::new(0),
            told: Mutex::new(Instant::now()),
        }
    }

    fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() >= Self::EVERY {
            *told = Instant::now();
            let all = self.all.load(Ordering::Relaxed);
            self.shared.set_activity(self.activity, done, all);
        }
    }
}

impl Progress for Telling<'_> {
    fn stage(&self, stage: Stage) {
        let all = match stage {
            Stage::Indexing { files, .. } => files,
            Stage::Embedding { units, .. } => units,
            // A commit of a long update is a generation that answers.
            Stage::Committing | Stage::Done | Stage::Walking | Stage::Waiting { .. } => {
                return self.shared.tell_generation();
            }
        };
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.shared.set_activity(self.activity, 0, all);
    }

    fn file(&self, _: u64) {
        self.add(1);
    }

    fn units(&self, units: u64) {
        self.add(units);
    }

    fn is_interrupted(&self) -> bool {
        self.shared.is_stopped()
    }
}

/// What the thread of a project does.
struct Work {
    shared: Arc<Shared>,
    messages: Sender<Message>,
    embedder: Embedder,
}

/// Changes that wait for each other.
#[derive(Debug, Default)]
struct Changes {
    paths: Vec<PathBuf>,
    /// Look through the whole folder.
    all: bool,
    /// Folders came or went.
    folders: bool,
    /// Why nothing more will be told.
    lost: Option<String>,
}

impl Changes {
    /// Whether anything has to be done.
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.all && self.lost.is_none()
    }

    /// False where it is time to stop.
    fn add(&mut self, message: Message) -> bool {
        match message {
            Message::Stop => return false,
            Message::Walk => self.all = true,
            Message::Event(Ok(event)) => self.add_event(event),
            Message::Event(Err(error)) => {
                self.lost = Some(error.to_string());
                self.all = true;
            }
        }
        true
    }

    fn add_event(&mut self, event: notify::Event) {
        self.all |= event.need_rescan();
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        // A folder that went needs nothing; editors rename files all the time.
        self.folders |= match event.kind {
            EventKind::Create(CreateKind::Folder) => true,
            EventKind::Any
            | EventKind::Create(CreateKind::Any)
            | EventKind::Modify(ModifyKind::Name(_)) => event.paths.iter().any(|p| p.is_dir()),
            _ => false,
        };
        self.all |= event.paths.iter().any(|path| decides_about_others(path));
        self.paths.extend(event.paths);
        if self.paths.len() > MOST_PATHS {
            self.all = true;
            self.paths.truncate(MOST_PATHS);
        }
    }
}

impl Work {
    fn run(&self, received: &Receiver<Message>) {
        let mut watched = Watched::start(self.messages.clone());
        self.watch(&mut watched);
        self.update(&Changes {
            all: true,
            ..Changes::default()
        });
        while let Some(changes) = next(received) {
            if changes.is_empty() {
                continue;
            }
            if changes.lost.is_some() {
                self.shared.set_lost(changes.lost.clone());
            }
            // Watched first: what comes into a new folder after this is told.
            if changes.folders || changes.all {
                self.watch(&mut watched);
            }
            let took = self.update(&changes);
            // Whoever writes without an end gets half of the time.
            thread::sleep(took.min(Duration::from_secs(1)));
        }
    }

    fn watch(&self, watched: &mut Result<Watched, String>) {
        let outcome = match watched {
            Ok(watched) => watched.follow(&self.shared.project.folders()),
            Err(why) => Err(why.clone()),
        };
        self.shared.set_lost(outcome.err());
    }

    /// Brings the index up to date; returns how long that took.
    fn update(&self, changes: &Changes) -> Duration {
        let started = Instant::now();
        let shared = &self.shared;
        shared.set_activity(Activity::Updating, 0, 0);
        let refresh = match changes.all {
            true => Refresh::Always,
            false => Refresh::IfDirty(&changes.paths),
        };
        let telling = Telling::new(shared, Activity::Updating);
        if let Err(error) = shared.project.refresh(refresh, &telling) {
            tracing::warn!(root = shared.root, error = %error, "the index is not up to date");
        }
        shared.set_activity(Activity::Idle, 0, 0);
        shared.tell_generation();
        self.embedder.add(Arc::clone(shared));
        let took = started.elapsed();
        shared.updates.fetch_add(1, Ordering::Relaxed);
        let micros = took.as_micros() as u64;
        shared.update_micros.fetch_add(micros, Ordering::Relaxed);
        took
    }
}

/// The next changes, once there are some: a swarm of them at once. None where it
/// is time to stop.
fn next(received: &Receiver<Message>) -> Option<Changes> {
    let mut changes = Changes::default();
    if !changes.add(received.recv().ok()?) {
        return None;
    }
    let began = Instant::now();
    while began.elapsed() < LONGEST {
        match received.recv_timeout(QUIET) {
            Ok(message) => {
                if !changes.add(message) {
                    return None;
                }
            }
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    Some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, DataChange, Flag, RemoveKind};

    fn event(kind: EventKind, paths: &[&str]) -> Message {
        let event = notify::Event::new(kind);
        let event = paths
            .iter()
            .fold(event, |event, path| event.add_path(path.into()));
        Message::Event(Ok(event))
    }

    #[test]
    fn changes_say_how_much_has_to_be_looked_at() {
        let write = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let lost = notify::Event::new(EventKind::Other).set_flag(Flag::Rescan);
        for (message, empty, all, folders) in [
            (
                event(EventKind::Access(AccessKind::Any), &["/a"]),
                true,
                false,
                false,
            ),
            (event(write, &["/p/a.rs"]), false, false, false),
            (event(write, &["/p/.gitignore"]), false, true, false),
            (event(write, &["/p/.git/info/exclude"]), false, true, false),
            (
                event(EventKind::Create(CreateKind::Folder), &["/p/x"]),
                false,
                false,
                true,
            ),
            (
                event(EventKind::Remove(RemoveKind::File), &["/p/x"]),
                false,
                false,
                false,
            ),
            (Message::Event(Ok(lost)), false, true, false),
            (
                Message::Event(Err(notify::Error::generic("gone"))),
                false,
                true,
                false,
            ),
            (Message::Walk, false, true, false),
        ] {
            let mut changes = Changes::default();
            assert!(changes.add(message));
            let found = (changes.is_empty(), changes.all, changes.folders);
            assert_eq!(found, (empty, all, folders), "{changes:?}");
        }
        assert!(!Changes::default().add(Message::Stop));
    }

    #[test]
    fn a_swarm_of_changes_is_one() {
        let (send, received) = channel();
        let write = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        for nth in 0..MOST_PATHS + 5 {
            send.send(event(write, &[&format!("/p/{nth}")])).unwrap();
        }
        let changes = next(&received).unwrap();
        assert!(changes.all);
        assert_eq!(changes.paths.len(), MOST_PATHS);
        send.send(Message::Stop).unwrap();
        assert!(next(&received).is_none());
    }
}
