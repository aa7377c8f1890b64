//! What happens to the indexes, as a stream of server-sent events.

use super::app::App;
use super::problem::Problem;
use crate::updater::{Happened, What};
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use scent_print::{event_json, wire};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio_stream::Stream;
use tokio_stream::wrappers::{BroadcastStream, WatchStream};

/// More clients than this do not listen at once.
const MOST_LISTENERS: usize = 64;

/// How often a stream says that it is still there.
const ALIVE: Duration = Duration::from_secs(15);

/// What happens: `generation` where another one is there, `progress` while an
/// index is updated or embedded, `bye` at the end.
#[utoipa::path(
    get, path = "/api/v1/events", tag = "server",
    responses(
        (status = 200, description = "Events as they happen", body = wire::Event,
         content_type = "text/event-stream"),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn events(
    State(app): State<Arc<App>>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    if app.listeners.fetch_add(1, Ordering::Relaxed) >= MOST_LISTENERS {
        app.listeners.fetch_sub(1, Ordering::Relaxed);
        return Err(Problem::busy("too many clients listen to events"));
    }
    let events = Events {
        first: app
            .roots
            .all()
            .iter()
            .filter_map(|root| {
                let generation = root.version().ok()?.generation;
                Some(Happened {
                    root: root.id.clone(),
                    what: What::Generation(generation),
                })
            })
            .collect(),
        happened: BroadcastStream::new(app.events.subscribe()),
        stop: WatchStream::new(app.stop.subscribe()),
        is_over: false,
        _listener: Listener(Arc::clone(&app.listeners)),
    };
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)))
}

/// Counts a client for as long as it listens.
struct Listener(Arc<AtomicUsize>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The events of one client: first the generations that there are.
struct Events {
    first: Vec<Happened>,
    happened: BroadcastStream<Happened>,
    stop: WatchStream<bool>,
    is_over: bool,
    _listener: Listener,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<Option<Self::Item>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        if let Some(happened) = self.first.pop() {
            return Poll::Ready(Some(Ok(event(&happened))));
        }
        while let Poll::Ready(stop) = Pin::new(&mut self.stop).poll_next(cx) {
            if stop != Some(false) {
                self.is_over = true;
                return Poll::Ready(Some(Ok(Event::default().event("bye").data("{}"))));
            }
        }
        loop {
            return match Pin::new(&mut self.happened).poll_next(cx) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(None) => Poll::Ready(None),
                Poll::Ready(Some(Ok(happened))) => Poll::Ready(Some(Ok(event(&happened)))),
                // A client that reads too slowly loses what it did not read.
                Poll::Ready(Some(Err(_))) => continue,
            };
        }
    }
}

fn event(happened: &Happened) -> Event {
    let mut told = wire::Event {
        root: happened.root.clone(),
        generation: None,
        activity: None,
        done: None,
        all: None,
    };
    let name = match happened.what {
        What::Generation(generation) => {
            told.generation = Some(generation);
            "generation"
        }
        What::Progress {
            activity,
            done,
            all,
        } => {
            told.activity = Some(activity.as_str());
            told.done = (all > 0).then_some(done);
            told.all = (all > 0).then_some(all);
            "progress"
        }
    };
    Event::default().event(name).data(event_json(&told))
}
