//! The HTTP API: the answers of the command line for programs that stay.
//!
//! A request passes `guard`, which decides who may ask; its parameters are read
//! by `query` into the struct that also makes the description of the API; the
//! question is put to the engine on a thread of `work`, within a time; `print`
//! gives the answer its form.

mod about;
mod access;
mod answer;
mod app;
mod events;
mod guard;
mod lookup;
mod metrics;
mod numbers;
mod openapi;
mod problem;
mod query;
mod roots;
mod run;
mod search;
mod server;
mod state;
mod token;
mod work;

pub use run::{HttpOptions, Started, serve_http};
pub use server::Listen;
pub use state::{RunningServer, servers, stop_server};

use app::App;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{any_service, get, post};
use problem::Problem;
use std::sync::Arc;

/// Where a request stops the server that has the key.
const STOP: &str = "/stop";

/// The header with the key that stops the server.
const STOP_KEY: &str = "x-scent-stop";

/// What is answered where.
fn routes(app: &Arc<App>, mcp: Option<crate::mcp::McpService>, api: bool) -> Router {
    let mut router = Router::new()
        .route("/", get(about::front))
        .route(guard::HEALTH, get(about::healthz))
        .route("/readyz", get(about::readyz))
        .route("/metrics", get(about::metrics))
        .route(STOP, post(stop));
    if api {
        router = router
            .route("/api/v1/search", get(search::search).post(search::search))
            .route(
                "/api/v1/similar",
                get(search::similar).post(search::similar),
            )
            .route("/api/v1/definitions", get(lookup::definitions))
            .route("/api/v1/references", get(lookup::references))
            .route("/api/v1/dependencies", get(lookup::dependencies))
            .route("/api/v1/impact", get(lookup::impact))
            .route("/api/v1/callpath", get(lookup::callpath))
            .route("/api/v1/outline", get(lookup::outline))
            .route("/api/v1/map", get(lookup::map))
            .route(
                "/api/v1/context",
                get(lookup::context).post(lookup::context),
            )
            .route("/api/v1/roots", get(about::roots))
            .route("/api/v1/roots/{id}/refresh", post(about::refresh))
            .route("/api/v1/status", get(about::status))
            .route("/api/v1/languages", get(about::languages))
            .route("/api/v1/events", get(events::events))
            .route("/api/v1/openapi.json", get(openapi::openapi));
    }
    if let Some(mcp) = mcp {
        let mut stopped = app.stop.subscribe();
        tokio::spawn(async move {
            let _ = stopped.wait_for(|stop| *stop).await;
            (mcp.end)();
        });
        router = router.route(guard::MCP, any_service(mcp.service));
    }
    router
        .fallback(nowhere)
        .method_not_allowed_fallback(bad_method)
        .layer(from_fn_with_state(Arc::clone(app), guard::guard))
        .with_state(Arc::clone(app))
}

async fn nowhere() -> Problem {
    let detail = "nothing is here; /api/v1/openapi.json says what is where";
    Problem::new(StatusCode::NOT_FOUND, "no-such-route", detail)
}

async fn bad_method(request: Request) -> Problem {
    let detail = format!("{} is not answered here", request.method());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "bad-method", detail)
}

/// Stops the server for who has the key, which is in a file for the user alone.
async fn stop(State(app): State<Arc<App>>, headers: HeaderMap) -> impl IntoResponse {
    let given = headers.get(STOP_KEY).and_then(|key| key.to_str().ok());
    let key = app.settings.stop_key.as_ref();
    if !key.zip(given).is_some_and(|(key, given)| key.is(given)) {
        return Err(nowhere().await);
    }
    app.stop.send_replace(true);
    Ok(StatusCode::ACCEPTED)
}
