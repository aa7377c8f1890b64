//! What is served, how it is, and what languages there are.

use super::answer::{Exchange, Form, Input, json, tag};
use super::app::App;
use super::problem::Problem;
use super::work::{ANSWER, Ticket};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response as Reply};
use scent_print::{
    Layout, health_json, languages_json, refreshing_json, roots_json, status_json, wire,
};
use serde::{Deserialize, Serialize};
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

/// Whose status to tell.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatusParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Look through the whole folder to say whether the index is up to date.
    pub fresh: bool,
}

/// That nothing can be said with a request.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NoParams {}

/// The folders that are served.
#[utoipa::path(
    get, path = "/api/v1/roots", tag = "server",
    responses((status = 200, description = "The folders", body = wire::Roots))
)]
pub(crate) async fn roots(
    State(app): State<Arc<App>>,
    Input(_): Input<NoParams>,
) -> Result<Reply, Problem> {
    let work = {
        let app = Arc::clone(&app);
        move |_: &Ticket| Ok(app.roots.all().iter().map(|root| root.about()).collect())
    };
    let roots = app.pool.run(ANSWER, work).await?;
    let program = format!("scent {}", env!("CARGO_PKG_VERSION"));
    Ok(json(roots_json(program, roots), Form::Whole, None))
}

/// What is in an index, and whether it is up to date.
#[utoipa::path(
    get, path = "/api/v1/status", tag = "server", params(StatusParams),
    responses(
        (status = 200, description = "What is in the index", body = wire::Status),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn status(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<StatusParams>,
) -> Result<Reply, Problem> {
    let exchange = Exchange {
        form: Form::Whole,
        ..Exchange::new(Arc::clone(&app), headers)
    };
    let root = app.roots.one(params.root.as_deref())?;
    let tag = match params.fresh {
        false => self::tag(&app, &[root], &("status", &params)),
        true => None,
    };
    let work = move |app: &App, _: &Ticket| {
        let root = app.roots.one(params.root.as_deref())?;
        let project = &root.opened.project;
        let status = match params.fresh {
            true => project.status(),
            false => project.contents(),
        };
        let mut status = status.map_err(|error| app.failed(&error))?;
        status.root = root.id.clone();
        let name = FilePath::new(&status.folder).file_name();
        status.folder = name.unwrap_or_default().to_string_lossy().into_owned();
        for (_, reason) in &mut status.skipped {
            *reason = app.roots.without_paths(reason);
        }
        Ok(status_json(&status, Layout::Compact))
    };
    exchange.answer(tag, work).await
}

/// The languages that are parsed.
#[utoipa::path(
    get, path = "/api/v1/languages", tag = "server",
    responses((status = 200, description = "The languages", body = wire::Languages))
)]
pub(crate) async fn languages(Input(_): Input<NoParams>) -> Reply {
    let mut languages = Vec::new();
    for language in scent_engine::languages() {
        languages.push(wire::Language {
            id: language.id,
            name: language.name,
            class: language.class.as_str(),
            aliases: language.aliases,
            extensions: language.extensions,
            file_names: language.file_names,
            parsed_by: language.parsed_by(),
            features: language.features(),
        });
    }
    let text = languages_json(languages, Layout::Compact);
    json(text, Form::Whole, None)
}

/// Look through a folder for changes.
///
/// Answers at once; `/api/v1/events` tells how it goes on.
#[utoipa::path(
    post, path = "/api/v1/roots/{id}/refresh", tag = "server",
    params(("id" = String, Path, description = "The folder")),
    responses(
        (status = 202, description = "It will be looked through", body = wire::Refreshing),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn refresh(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Reply, Problem> {
    let root = app.roots.one(Some(&id))?;
    let before = root.version().ok();
    root.updater.walk();
    let text = refreshing_json(id, before.map(|version| version.generation));
    let mut reply = json(text, Form::Whole, None);
    *reply.status_mut() = StatusCode::ACCEPTED;
    Ok(reply)
}

/// Whether the server runs. Needs no token.
#[utoipa::path(
    get, path = "/healthz", tag = "server", security(()),
    responses((status = 200, description = "It runs", body = wire::Health))
)]
pub(crate) async fn healthz() -> Reply {
    json(health_json(Vec::new()), Form::Whole, None)
}

/// Whether every folder can be searched.
#[utoipa::path(
    get, path = "/readyz", tag = "server",
    responses(
        (status = 200, description = "All can be searched", body = wire::Health),
        (status = 503, description = "Some cannot yet", body = wire::Health),
    )
)]
pub(crate) async fn readyz(State(app): State<Arc<App>>) -> Result<Reply, Problem> {
    let work = {
        let app = Arc::clone(&app);
        move |_: &Ticket| {
            let roots = app.roots.all().iter();
            let waiting = roots.filter(|root| root.version().is_err());
            Ok(waiting.map(|root| root.id.clone()).collect::<Vec<String>>())
        }
    };
    let waiting = app.pool.run(Duration::from_secs(1), work).await?;
    let is_ready = waiting.is_empty();
    let mut reply = json(health_json(waiting), Form::Whole, None);
    if !is_ready {
        *reply.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        let headers = reply.headers_mut();
        headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    Ok(reply)
}

/// Numbers for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "server",
    responses((status = 200, description = "Numbers", body = String, content_type = "text/plain"))
)]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Reply {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, super::numbers::written(&app)).into_response()
}

/// What a person sees who opens the address.
pub(crate) async fn front() -> Reply {
    let text = concat!(
        "scent ",
        env!("CARGO_PKG_VERSION"),
        "\n\nThe API is below /api/v1; /api/v1/openapi.json describes it.\n"
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
