//! All numbers of a server as Prometheus reads them.

use super::app::App;
use super::metrics::Lines;
use std::sync::atomic::{AtomicU64, Ordering};

/// All numbers.
pub(crate) fn written(app: &App) -> String {
    let mut out = Lines::default();
    let metrics = &app.metrics;
    let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
    let up = metrics.began.elapsed().as_secs_f64();
    out.one(
        "scent_uptime_seconds",
        "gauge",
        "Since the server was started.",
        up,
    );
    metrics.write_requests(&mut out);
    for (name, kind, about, value) in [
        (
            "scent_http_unchanged_total",
            "counter",
            "Answers that the client had already.",
            number(&metrics.unchanged),
        ),
        (
            "scent_connections",
            "gauge",
            "Open connections.",
            number(&metrics.connections),
        ),
        (
            "scent_connections_refused_total",
            "counter",
            "Connections beyond the limit.",
            number(&metrics.refused_connections),
        ),
        (
            "scent_requests_running",
            "gauge",
            "Requests that are worked on.",
            app.pool.running() as f64,
        ),
        (
            "scent_event_listeners",
            "gauge",
            "Clients that listen to events.",
            app.listeners.load(Ordering::Relaxed) as f64,
        ),
        (
            "scent_embedding_queue",
            "gauge",
            "Folders that wait to be embedded.",
            app.embedder.waiting() as f64,
        ),
    ] {
        out.one(name, kind, about, value);
    }
    write_roots(app, &mut out);
    out.0
}

/// What there is to say of the folders. Numbers that need a look at the whole
/// index are in `status`.
fn write_roots(app: &App, out: &mut Lines) {
    let roots = app.roots.all();
    out.begin(
        "scent_root_generation",
        "gauge",
        "The generation that answers.",
    );
    for root in roots {
        if let Ok(version) = root.version() {
            let labels = format!("root=\"{}\"", root.id);
            out.value("scent_root_generation", &labels, version.generation as f64);
        }
    }
    out.begin(
        "scent_root_watched",
        "gauge",
        "Whether changes are watched.",
    );
    for root in roots {
        let labels = format!("root=\"{}\"", root.id);
        let is_watched = root.updater.lost().is_none();
        out.value(
            "scent_root_watched",
            &labels,
            f64::from(u8::from(is_watched)),
        );
    }
    out.begin(
        "scent_root_updates_total",
        "counter",
        "Updates of the index.",
    );
    for root in roots {
        let labels = format!("root=\"{}\"", root.id);
        out.value(
            "scent_root_updates_total",
            &labels,
            root.updater.updates().0 as f64,
        );
    }
    let name = "scent_root_update_seconds_total";
    out.begin(name, "counter", "How long updates took in all.");
    for root in roots {
        let labels = format!("root=\"{}\"", root.id);
        out.value(name, &labels, root.updater.updates().1.as_secs_f64());
    }
}
