//! Numbers for Prometheus, in its text format. No label holds a path of a
//! repository or a word of a query.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The upper ends of the classes of durations, in seconds.
const CLASSES: [f64; 11] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

/// What happened since the server was started.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub began: Instant,
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    durations: Mutex<BTreeMap<String, Histogram>>,
    pub unchanged: AtomicU64,
    pub refused_connections: AtomicU64,
    pub connections: AtomicU64,
}

#[derive(Clone, Debug, Default)]
struct Histogram {
    classes: [u64; CLASSES.len()],
    count: u64,
    sum: f64,
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics {
            began: Instant::now(),
            requests: Mutex::default(),
            durations: Mutex::default(),
            unchanged: AtomicU64::new(0),
            refused_connections: AtomicU64::new(0),
            connections: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    /// Counts an answer. A route is a pattern and no address.
    pub fn answered(&self, route: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
        drop(requests);
        let seconds = took.as_secs_f64();
        let mut durations = self
            .durations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let histogram = durations.entry(route.to_owned()).or_default();
        histogram.count += 1;
        histogram.sum += seconds;
        for (class, count) in CLASSES.iter().zip(&mut histogram.classes) {
            *count += u64::from(seconds <= *class);
        }
    }

    /// How often each route answered what, and how long that took.
    pub fn write_requests(&self, out: &mut Lines) {
        out.begin(
            "scent_http_requests_total",
            "counter",
            "Answers by route and status.",
        );
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in requests.iter() {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            out.value("scent_http_requests_total", &labels, *count as f64);
        }
        drop(requests);
        let name = "scent_http_request_duration_seconds";
        out.begin(name, "histogram", "How long answers took.");
        let durations = self
            .durations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (route, histogram) in durations.iter() {
            for (class, count) in CLASSES.iter().zip(&histogram.classes) {
                let labels = format!("route=\"{route}\",le=\"{class}\"");
                out.value(&format!("{name}_bucket"), &labels, *count as f64);
            }
            let labels = format!("route=\"{route}\",le=\"+Inf\"");
            out.value(&format!("{name}_bucket"), &labels, histogram.count as f64);
            let labels = format!("route=\"{route}\"");
            out.value(&format!("{name}_sum"), &labels, histogram.sum);
            out.value(&format!("{name}_count"), &labels, histogram.count as f64);
        }
    }
}

/// Lines of the text format.
#[derive(Default)]
pub(crate) struct Lines(pub String);

impl Lines {
    /// What a number is called, what it is, and what it counts.
    pub fn begin(&mut self, name: &str, kind: &str, about: &str) {
        let _ = writeln!(self.0, "# HELP {name} {about}\n# TYPE {name} {kind}");
    }

    /// A number with labels, if any.
    pub fn value(&mut self, name: &str, labels: &str, value: f64) {
        let _ = match labels {
            "" => writeln!(self.0, "{name} {value}"),
            labels => writeln!(self.0, "{name}{{{labels}}} {value}"),
        };
    }

    /// A number without any.
    pub fn one(&mut self, name: &str, kind: &str, about: &str, value: f64) {
        self.begin(name, kind, about);
        self.value(name, "", value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_counted_in_every_class_above_them() {
        let metrics = Metrics::default();
        metrics.answered("/a", 200, Duration::from_millis(4));
        metrics.answered("/a", 404, Duration::from_secs(9));
        let mut out = Lines::default();
        metrics.write_requests(&mut out);
        for line in [
            "scent_http_requests_total{route=\"/a\",status=\"200\"} 1",
            "scent_http_requests_total{route=\"/a\",status=\"404\"} 1",
            "scent_http_request_duration_seconds_bucket{route=\"/a\",le=\"0.0025\"} 0",
            "scent_http_request_duration_seconds_bucket{route=\"/a\",le=\"0.005\"} 1",
            "scent_http_request_duration_seconds_bucket{route=\"/a\",le=\"5\"} 1",
            "scent_http_request_duration_seconds_bucket{route=\"/a\",le=\"+Inf\"} 2",
            "scent_http_request_duration_seconds_count{route=\"/a\"} 2",
        ] {
            assert!(
                out.0.lines().any(|found| found == line),
                "{line}: {}",
                out.0
            );
        }
    }
}
