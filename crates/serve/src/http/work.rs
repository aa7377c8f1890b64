//! Work on threads that may block: as much at once as there are cores, some
//! more that waits, and all of it with an end.

use super::problem::Problem;
use rayon::{ThreadPool, ThreadPoolBuilder};
use scent_engine::{Progress, Stage};
use scent_types::Deadline;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

/// So many requests wait for others; more are refused.
const MOST_WAITING: usize = 64;

/// How long one answer may take.
pub(crate) const ANSWER: Duration = Duration::from_secs(5);

/// How long a list may take that is given line by line.
pub(crate) const LIST: Duration = Duration::from_secs(30);

/// Room for work.
#[derive(Debug)]
pub(crate) struct Pool {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    running: Arc<AtomicUsize>,
    alone: Arc<Alone>,
}

/// Threads that work each for itself. Work that shares all cores is done sooner
/// where nothing else goes on; where each core has work of its own, handing
/// pieces from one to another only costs time.
#[derive(Debug, Default)]
struct Alone {
    idle: Mutex<Vec<ThreadPool>>,
}

impl Alone {
    /// Does work on one thread, without help.
    fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let Some(thread) = known.or_else(|| ThreadPoolBuilder::new().num_threads(1).build().ok())
        else {
            return work();
        };
        // A thread whose work panics is as good as before.
        let done = thread.install(|| catch_unwind(AssertUnwindSafe(work)));
        idle().push(thread);
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// A piece of work, seen by who does it and by who waits.
#[derive(Debug)]
pub(crate) struct Ticket {
    until: Instant,
    cancelled: Arc<AtomicBool>,
}

impl Ticket {
    /// When a request of the engine has to stop.
    pub fn deadline(&self) -> Deadline {
        Deadline::at(self.until).or_cancelled(Arc::clone(&self.cancelled))
    }
}

/// Nobody is told how the work goes on, but it stops where nobody waits.
impl Progress for Ticket {
    fn stage(&self, _: Stage) {}

    fn file(&self, _: u64) {}

    fn units(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        self.deadline().check().is_err()
    }
}

/// Cancels the work of a request whose connection is closed: its future is
/// dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts for as long as it is there.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    pub fn new(places: usize) -> Pool {
        Pool {
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            running: Arc::default(),
            alone: Arc::default(),
        }
    }

    /// How many requests are worked on.
    pub fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    /// Does work on a thread of its own, within a time that begins now.
    pub async fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Ticket) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let until = Instant::now() + limit;
        let place = self.place(until).await?;
        let cancelled = Arc::new(AtomicBool::new(false));
        let _guard = CancelOnDrop(Arc::clone(&cancelled));
        let ticket = Ticket { until, cancelled };
        let others = self.running.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&self.running));
        let alone = Arc::clone(&self.alone);
        let done = spawn_blocking(move || {
            // Held until the work ends, whether or not somebody still waits.
            let _held = (place, counted);
            match others {
                0 => work(&ticket),
                _ => alone.run(|| work(&ticket)),
            }
        });
        match timeout_at(until.into(), done).await {
            Ok(Ok(done)) => done,
            // It has panicked.
            Ok(Err(_)) => Err(Problem::internal()),
            Err(_) => Err(Problem::too_late()),
        }
    }

    async fn place(&self, until: Instant) -> Result<impl Send + 'static, Problem> {
        let places = Arc::clone(&self.places);
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            return Ok(place);
        }
        let busy = || Problem::busy("too many requests at once; ask again");
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(busy());
        }
        let place = timeout_at(until.into(), places.acquire_owned()).await;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        place.map_err(|_| busy())?.map_err(|_| busy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    fn runtime() -> tokio::runtime::Runtime {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap()
    }

    #[test]
    fn work_ends_with_its_time_and_after_a_panic() {
        runtime().block_on(async {
            let pool = Pool::new(1);
            let limit = Duration::from_millis(50);
            let (go, wait) = std::sync::mpsc::channel::<()>();
            let slow = pool.run(limit, move |_| Ok(wait.recv().is_ok()));
            let late = slow.await.unwrap_err();
            assert_eq!(late.status, StatusCode::GATEWAY_TIMEOUT);
            go.send(()).unwrap();
            let broken = pool.run(ANSWER, |_| -> Result<(), Problem> {
                panic!("for the test")
            });
            assert_eq!(broken.await.unwrap_err().code, "internal");
            assert_eq!(pool.run(ANSWER, |_| Ok(7)).await.unwrap(), 7);
        });
    }

    #[test]
    fn who_goes_away_cancels_the_work() {
        runtime().block_on(async {
            let pool = Pool::new(1);
            let (tell, told) = std::sync::mpsc::channel();
            let work = pool.run(ANSWER, move |ticket| {
                while ticket.deadline().check().is_ok() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let _ = tell.send(());
                Ok(())
            });
            let gone = tokio::time::timeout(Duration::from_millis(50), work).await;
            assert!(gone.is_err());
            assert!(told.recv_timeout(Duration::from_secs(2)).is_ok());
        });
    }

    #[test]
    fn more_than_can_wait_are_refused() {
        runtime().block_on(async {
            let pool = Arc::new(Pool::new(1));
            let (go, wait) = std::sync::mpsc::channel::<()>();
            let first = Arc::clone(&pool);
            let first =
                tokio::spawn(
                    async move { first.run(ANSWER, move |_| Ok(wait.recv().is_ok())).await },
                );
            while pool.running() == 0 {
                tokio::task::yield_now().await;
            }
            let mut others = Vec::new();
            for _ in 0..MOST_WAITING {
                let pool = Arc::clone(&pool);
                others.push(tokio::spawn(
                    async move { pool.run(ANSWER, |_| Ok(())).await },
                ));
            }
            while pool.waiting.load(Ordering::Relaxed) < MOST_WAITING {
                tokio::task::yield_now().await;
            }
            let refused = pool.run(ANSWER, |_| Ok(())).await.unwrap_err();
            assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
            go.send(()).unwrap();
            assert!(first.await.unwrap().unwrap());
            for other in others {
                other.await.unwrap().unwrap();
            }
        });
    }
}
