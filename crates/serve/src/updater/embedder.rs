//! One thread that embeds for all projects, on threads of its own, so that
//! searches keep theirs.

use super::{Activity, Shared, Telling};
use scent_engine::OnBusy;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Where another process embeds a project, it is looked at again after this.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

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
    is_stopped: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next project, once there is one; none where it is time to stop.
    fn next(&self) -> Option<Arc<Shared>> {
        let mut waiting = self.lock();
        loop {
            if waiting.is_stopped {
                return None;
            }
            if let Some(next) = waiting.projects.pop_front() {
                return Some(next);
            }
            let woken = self.changed.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
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
            while let Some(shared) = queue.next() {
                threads.install(|| embed(&shared));
                if shared.project.is_embedding() && !shared.is_stopped() {
                    thread::sleep(AGAIN_AFTER);
                    queue.lock().projects.push_back(shared);
                }
            }
        });
        embedder
    }

    /// Adds a project, unless it waits already.
    pub fn add(&self, shared: Arc<Shared>) {
        let mut waiting = self.queue.lock();
        if !waiting
            .projects
            .iter()
            .any(|known| Arc::ptr_eq(known, &shared))
        {
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
    if let Err(error) = shared.project.embed(OnBusy::Skip, &telling)
        && !shared.is_stopped()
    {
        tracing::warn!(root = shared.root, error = %error, "not everything is embedded");
    }
    shared.tell_generation();
    if shared.activity() == Activity::Embedding {
        shared.set_activity(Activity::Idle, 0, 0);
    }
}
