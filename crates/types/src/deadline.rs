//! When the work for a request has to stop.

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
