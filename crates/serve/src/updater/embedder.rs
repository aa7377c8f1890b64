//! One thread that embeds for all projects, on threads of its own, so that
//! searches keep theirs.

use super::{Activity, Shared, Telling};
use scent_engine::OnBusy;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Where another process embeds a project, it is looked at again after this.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

/// Importance is worked out of the whole project, so it waits until nothing
/// changed for so long.
const QUIET: Duration = Duration::from_secs(5);

/// Projects that wait to be embedded.
#[derive(Clone, Default)]
pub(crate) struct Embedder {
    queue: Arc<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    projects: VecDeque<Arc<Shared>>,
    /// Those whose importance is out of date, and when nothing will have changed
    /// for long enough.
    stale: Vec<(Instant, Arc<Shared>)>,
    is_stopped: bool,
}

/// What is to be done.
enum Task {
    Embed(Arc<Shared>),
    Rank(Arc<Shared>),
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done next, once there is something; none where it is time to
    /// stop.
    fn next(&self) -> Option<Task> {
        let mut waiting = self.lock();
        loop {
            if waiting.is_stopped {
                return None;
            }
            if let Some(next) = waiting.projects.pop_front() {
                return Some(Task::Embed(next));
            }
            let first = (0..waiting.stale.len()).min_by_key(|&nth| waiting.stale[nth].0);
            let left = first.map(|nth| {
                let due = waiting.stale[nth].0;
                (nth, due.saturating_duration_since(Instant::now()))
            });
            waiting = match left {
                Some((nth, Duration::ZERO)) => {
                    return Some(Task::Rank(waiting.stale.swap_remove(nth).1));
                }
                Some((_, left)) => {
                    let woken = self.changed.wait_timeout(waiting, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let woken = self.changed.wait(waiting);
                    woken.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }

    /// What a project needs after it was embedded.
    fn after(&self, shared: Arc<Shared>) {
        if shared.is_stopped() {
            return;
        }
        if shared.project.is_embedding() {
            thread::sleep(AGAIN_AFTER);
            self.lock().projects.push_back(shared);
        } else if shared.project.is_importance_stale() {
            let mut waiting = self.lock();
            let waits_again = is_in(&waiting.projects, &shared);
            if !waits_again {
                waiting.stale.push((Instant::now() + QUIET, shared));
            }
        }
    }
}

fn is_in(projects: &VecDeque<Arc<Shared>>, shared: &Arc<Shared>) -> bool {
    projects.iter().any(|known| Arc::ptr_eq(known, shared))
}

impl Embedder {
    /// Starts the thread, which uses half of the cores.
    pub fn start() -> Embedder {
        let embedder = Embedder::default();
        let queue = Arc::clone(&embedder.queue);
        let cores = thread::available_parallelism().map_or(1, |n| n.get());
        thread::spawn(move || {
            let threads = rayon::ThreadPoolBuilder::new().num_threads((cores / 2).max(1));
            let Ok(threads) = threads.build() else {
                return;
            };
            while let Some(task) = queue.next() {
                match task {
                    Task::Embed(shared) => {
                        threads.install(|| embed(&shared));
                        queue.after(shared);
                    }
                    Task::Rank(shared) => threads.install(|| rank(&shared)),
                }
            }
        });
        embedder
    }

    /// Adds a project, unless it waits already.
    pub fn add(&self, shared: Arc<Shared>) {
        let mut waiting = self.queue.lock();
        // It changed, so the quiet begins again.
        waiting
            .stale
            .retain(|(_, known)| !Arc::ptr_eq(known, &shared));
        if !is_in(&waiting.projects, &shared) {
            waiting.projects.push_back(shared);
            self.queue.changed.notify_one();
        }
    }

    /// How many projects wait.
    pub fn waiting(&self) -> usize {
        self.queue.lock().projects.len()
    }

    /// Stops after what goes on.
    pub fn stop(&self) {
        self.queue.lock().is_stopped = true;
        self.queue.changed.notify_one();
    }
}

/// Embeds what a project lacks.
fn embed(shared: &Shared) {
    let telling = Telling::new(shared, Activity::Embedding);
    if let Err(error) = shared.project.embed_units(OnBusy::Skip, &telling)
        && !shared.is_stopped()
    {
        tracing::warn!(root = shared.root, error = %error, "not everything is embedded");
    }
    shared.tell_generation();
    if shared.activity() == Activity::Embedding {
        shared.set_activity(Activity::Idle, 0, 0);
    }
}

/// Works out importance where changes left that for later.
fn rank(shared: &Shared) {
    if let Err(error) = shared.project.rank(OnBusy::Skip)
        && !shared.is_stopped()
    {
        tracing::warn!(root = shared.root, error = %error, "importance is out of date");
    }
    shared.tell_generation();
}
