//! When the work for a request has to stop.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When the work for a request has to stop: at a time, when somebody cancels
/// it, or, by default, never.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    cancelled: Option<Arc<AtomicBool>>,
}

thread_local! {
    /// That of the request that this thread works for.
    static CURRENT: RefCell<Deadline> = RefCell::default();
}

/// Puts back the deadline of the work around it, after a panic too.
struct Around(Deadline);

impl Drop for Around {
    fn drop(&mut self) {
        CURRENT.replace(std::mem::take(&mut self.0));
    }
}

/// Why the work for a request stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The time is over.
    DeadlineExceeded,
    /// Somebody cancelled it.
    Cancelled,
}

impl Deadline {
    /// Stops at a time.
    pub fn at(at: Instant) -> Deadline {
        Deadline {
            at: Some(at),
            cancelled: None,
        }
    }

    /// Stops after some time, counted from now.
    pub fn after(timeout: Duration) -> Deadline {
        Deadline {
            // A time too far away to be counted never comes.
            at: Instant::now().checked_add(timeout),
            cancelled: None,
        }
    }

    /// Stops also when this flag is set.
    pub fn or_cancelled(self, flag: Arc<AtomicBool>) -> Deadline {
        Deadline {
            cancelled: Some(flag),
            ..self
        }
    }

    /// Does work, all of it on this thread, for which this deadline is the
    /// current one. For questions that pass through many functions, of which few
    /// can take long.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let _around = Around(CURRENT.replace(self.clone()));
        work()
    }

    /// That of the work that this thread does; one that never comes where none
    /// was set. Whoever hands the work to other threads hands this over.
    pub fn current() -> Deadline {
        CURRENT.with_borrow(Deadline::clone)
    }

    /// Whether nothing stops the work.
    pub fn is_never(&self) -> bool {
        self.at.is_none() && self.cancelled.is_none()
    }

    /// Fails once the work has to stop.
    pub fn check(&self) -> Result<(), Stopped> {
        if let Some(flag) = &self.cancelled
            && flag.load(Ordering::Relaxed)
        {
            return Err(Stopped::Cancelled);
        }
        if let Some(at) = self.at
            && Instant::now() >= at
        {
            return Err(Stopped::DeadlineExceeded);
        }
        Ok(())
    }
}

/// The same time and the same flag.
impl PartialEq for Deadline {
    fn eq(&self, other: &Deadline) -> bool {
        let same_flag = match (&self.cancelled, &other.cancelled) {
            (Some(ours), Some(theirs)) => Arc::ptr_eq(ours, theirs),
            (None, None) => true,
            _ => false,
        };
        same_flag && self.at == other.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deadline_of_the_work_around_comes_back() {
        let flag = Arc::new(AtomicBool::new(true));
        let outer = Deadline::default().or_cancelled(flag);
        let inner = Deadline::at(Instant::now());
        outer.during(|| {
            assert_eq!(Deadline::current(), outer);
            inner.during(|| {
                let stopped = Deadline::current().check();
                assert_eq!(stopped, Err(Stopped::DeadlineExceeded));
            });
            let panics = || inner.during(|| panic!("for the test"));
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
            assert_eq!(Deadline::current().check(), Err(Stopped::Cancelled));
        });
        assert!(Deadline::current().is_never());
    }
}
