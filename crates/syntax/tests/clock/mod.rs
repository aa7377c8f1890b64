//! How long this thread has worked, so that a limit on time holds on a machine
//! that is busy with something else.

use std::fs;
use std::time::{Duration, Instant};

pub struct Clock {
    started: Instant,
    on_cpu: Option<Duration>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock {
            started: Instant::now(),
            on_cpu: time_on_cpu(),
        }
    }

    /// Time on a core where the system counts it, else time that has passed.
    pub fn worked(&self) -> Duration {
        match (time_on_cpu(), self.on_cpu) {
            (Some(now), Some(before)) => now - before,
            _ => self.started.elapsed(),
        }
    }
}

/// Linux counts it in nanoseconds, in the first number.
fn time_on_cpu() -> Option<Duration> {
    let counts = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = counts.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}
