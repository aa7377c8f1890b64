//! Work that outlives the request that began it.
//!
//! A request ends at its deadline. To index and to embed takes as long as it
//! takes, and what was begun is to be kept, so it goes on in a thread of its own
//! where nobody waits for it any more.

use crate::error::EngineError;
use crate::progress::{Progress, Stage};
use scent_search::SearchError;
use scent_types::Deadline;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How often to look at the deadline.
const PAUSE: Duration = Duration::from_millis(5);

/// What the work gives, or the error of a deadline that comes before that. The
/// work then goes on, with a progress that is cancelled.
pub(crate) fn until_deadline<T: Send + 'static>(
    deadline: &Deadline,
    progress: &dyn Progress,
    work: impl FnOnce(&dyn Progress) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, EngineError> {
    if deadline.is_never() {
        return work(progress);
    }
    let (events, received) = channel();
    let asker = Arc::new(Asker::default());
    let relay = Relay {
        events,
        asker: Arc::clone(&asker),
    };
    let thread = thread::spawn(move || work(&relay));
    loop {
        match received.recv_timeout(PAUSE) {
            Ok(event) => event.pass_on(progress),
            Err(RecvTimeoutError::Timeout) => {}
            // The work is done, or has panicked.
            Err(RecvTimeoutError::Disconnected) => {
                return thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        }
        let is_interrupted = progress.is_interrupted();
        asker
            .is_interrupted
            .store(is_interrupted, Ordering::Relaxed);
        if let Err(stopped) = deadline.check() {
            asker.is_gone.store(true, Ordering::Relaxed);
            return Err(SearchError::from(stopped).into());
        }
    }
}

/// What the work knows of whoever waits for it.
#[derive(Default)]
struct Asker {
    is_gone: AtomicBool,
    is_interrupted: AtomicBool,
}

enum Event {
    Stage(Stage),
    File(u64),
    Units(u64),
}

impl Event {
    fn pass_on(self, progress: &dyn Progress) {
        match self {
            Event::Stage(stage) => progress.stage(stage),
            Event::File(bytes) => progress.file(bytes),
            Event::Units(units) => progress.units(units),
        }
    }
}

/// Hands progress over to the thread that waits. Nobody listening is no error.
struct Relay {
    events: Sender<Event>,
    asker: Arc<Asker>,
}

impl Progress for Relay {
    fn stage(&self, stage: Stage) {
        let _ = self.events.send(Event::Stage(stage));
    }

    fn file(&self, bytes: u64) {
        let _ = self.events.send(Event::File(bytes));
    }

    fn units(&self, units: u64) {
        let _ = self.events.send(Event::Units(units));
    }

    fn is_cancelled(&self) -> bool {
        self.asker.is_gone.load(Ordering::Relaxed)
    }

    fn is_interrupted(&self) -> bool {
        self.asker.is_interrupted.load(Ordering::Relaxed)
    }
}
