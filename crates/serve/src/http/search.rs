//! `search` and `similar`.

use super::answer::{Exchange, Form, Input, tag};
use super::app::App;
use super::problem::Problem;
use super::roots::{Root, View, When, blank};
use super::work::Ticket;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response as Reply;
use scent_engine::{Project, parse_request};
use scent_print::{Style, Text, json as written, search_lines, wire};
use scent_types::{Lane, RawRequest, Request, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// How many results are given that nobody numbers.
const LIMIT: usize = 10;

/// More results than this are given line by line only, and more than that not
/// at all.
const MOST: usize = 100;
const MOST_LINES: usize = 10_000;

/// With a budget, as many results as may fit into it are looked at.
const LIMIT_WITH_BUDGET: usize = 50;

/// What to search for, as `scent search` takes it.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchParams {
    /// The folder to search; all where absent.
    pub root: Option<String>,
    /// Words, a name, a path, or with `fixed` a literal text. Filters such as
    /// `lang:rust` are as on the command line.
    pub q: String,
    /// Maximum number of results: 10 where absent, at most 100, line by line
    /// at most 10,000.
    pub k: Option<usize>,
    /// How many of the best results to pass over.
    pub from: usize,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first. Otherwise the index is as the server keeps
    /// it, which is up to date within half a second.
    pub fresh: bool,
    /// Only units with a line that matches this expression.
    pub pattern: Option<String>,
    /// Read the pattern, or else the query, literally.
    pub fixed: bool,
    /// Match whole words only.
    pub word: bool,
    /// Match case-sensitively.
    pub case_sensitive: bool,
    /// Match case-insensitively.
    pub ignore_case: bool,
    /// Only these lanes: text, symbol, path, vector, late.
    pub lanes: Vec<String>,
    /// Only these languages.
    pub lang: Vec<String>,
    /// Only files whose path matches one of these globs.
    pub path: Vec<String>,
    /// Exclude files whose path matches one of these globs.
    pub not_path: Vec<String>,
    /// Only units of these kinds.
    pub kind: Vec<String>,
    /// Only units whose name matches one of these globs.
    pub name: Vec<String>,
    /// Only these classes and categories of file: code, docs, config, test, …
    pub is: Vec<String>,
    /// Exclude these categories of file.
    pub not: Vec<String>,
    /// Prefer results near this path.
    pub near: Option<String>,
    /// Maximum number of results from one file.
    pub per_file: Option<usize>,
    /// One result a file.
    pub files_only: bool,
    /// Count the units of each file that match instead of listing them.
    pub count: bool,
    /// `windows`, `lines`, `smart`, `full`, `none`, or a number of lines.
    pub context: Option<String>,
    /// Lines before each line that matches.
    pub before: Option<u32>,
    /// Lines after each line that matches.
    pub after: Option<u32>,
    /// Stop after about so many tokens and list the rest as places.
    pub max_tokens: Option<usize>,
    /// Say what each score is made of.
    pub explain: bool,
    /// Say how long it took.
    pub timing: bool,
    /// Do not give an answer from before.
    pub no_cache: bool,
}

/// The code that others are to be like.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SimilarParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// The file, relative to the root.
    pub path: String,
    /// A line of the unit, counted from 1.
    pub line: u32,
    /// Maximum number of results: 10 where absent, at most 100.
    pub k: Option<usize>,
    /// How many of the best results to pass over.
    pub from: usize,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// `windows`, `smart`, `full`, `none`.
    pub context: Option<String>,
    /// Stop after about so many tokens and list the rest as places.
    pub max_tokens: Option<usize>,
}

/// Search for code.
#[utoipa::path(
    method(get, post), path = "/api/v1/search", tag = "search",
    params(SearchParams), request_body = Option<SearchParams>,
    responses(
        (status = 200, description = "The results, best first", body = wire::Search),
        (status = 304, description = "The client has this answer"),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn search(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<SearchParams>,
) -> Result<Reply, Problem> {
    let exchange = Exchange::new(Arc::clone(&app), headers);
    let form = exchange.form;
    if app.settings.log_queries {
        tracing::info!(query = params.q, pattern = params.pattern, "search");
    }
    let tag = match params.generation.is_none() && !params.fresh && !params.timing {
        true => {
            let roots = app.roots.some(params.root.as_deref())?;
            self::tag(&app, &roots, &("search", form == Form::Lines, &params))
        }
        false => None,
    };
    let work = move |app: &App, ticket: &Ticket| found(app, &params, form, ticket);
    exchange.answer(tag, work).await
}

fn found(app: &App, params: &SearchParams, form: Form, ticket: &Ticket) -> Result<Text, Problem> {
    let asked = app.roots.some(params.root.as_deref())?;
    let first = *asked.first().ok_or_else(Problem::internal)?;
    if params.generation.is_some() && asked.len() > 1 {
        let detail = "a generation is of one folder; name it with `root`";
        return Err(Problem::bad("which-root", detail));
    }
    let request = request(app, params, form, first, ticket)?;
    let when = When {
        generation: params.generation,
        fresh: params.fresh,
        patience: app.settings.patience,
    };
    let views: Vec<View> = asked
        .iter()
        .map(|root| root.view(when))
        .collect::<Result<_, _>>()?;
    let refresh = views.iter().map(|view| view.refresh);
    // Where one has to be looked at, looking at the others costs little.
    let refresh = refresh.reduce(|a, b| match a {
        scent_engine::Refresh::Never => b,
        _ => a,
    });
    let refresh = refresh.unwrap_or(scent_engine::Refresh::Never);
    let projects: Vec<Project> = views.iter().map(|view| view.project.clone()).collect();
    let engine = &first.opened.engine;
    let found = engine.search(&projects, &request, refresh, ticket);
    let mut response = found.map_err(|error| app.failed(&error))?;
    let notes = views.into_iter().flat_map(|view| view.notes);
    response.notes.splice(0..0, notes);
    Ok(told(
        app,
        params.max_tokens,
        params.timing,
        form,
        (response, &asked),
    ))
}

fn told(
    app: &App,
    max_tokens: Option<usize>,
    timing: bool,
    form: Form,
    (mut response, asked): (Response, &[&Root]),
) -> Text {
    app.roots.hide_place(&mut response, asked);
    let style = Style {
        max_tokens,
        timing,
        ..Style::default()
    };
    match form {
        Form::Whole => written(&response, &style).text,
        Form::Lines => search_lines(&response),
    }
}

fn limit(k: Option<usize>, max_tokens: Option<usize>, most: usize) -> Result<usize, Problem> {
    let default = match max_tokens {
        Some(_) => LIMIT_WITH_BUDGET,
        None => LIMIT,
    };
    match k.unwrap_or(default) {
        k if k > most => {
            let detail = format!("k is at most {most} here; go on with `from`");
            Err(Problem::bad("limit-too-large", detail))
        }
        k => Ok(k),
    }
}

fn request(
    app: &App,
    params: &SearchParams,
    form: Form,
    root: &Root,
    ticket: &Ticket,
) -> Result<Request, Problem> {
    let most = match form {
        Form::Whole => MOST,
        Form::Lines => MOST_LINES,
    };
    let blank = blank(root);
    let raw = RawRequest {
        query: params.q.clone(),
        pattern: params.pattern.clone(),
        literal: params.fixed,
        whole_words: params.word,
        case_sensitive: params.case_sensitive,
        ignore_case: params.ignore_case,
        lanes: params.lanes.clone(),
        languages: params.lang.clone(),
        paths: params.path.clone(),
        not_paths: params.not_path.clone(),
        kinds: params.kind.clone(),
        names: params.name.clone(),
        categories: params.is.clone(),
        not_categories: params.not.clone(),
        limit: Some(limit(params.k, params.max_tokens, most)?),
        offset: params.from,
        per_file: params.per_file,
        files_only: params.files_only,
        count: params.count,
        explain: params.explain,
        hide_secrets: !app.settings.show_secrets,
        near: params.near.clone(),
        context: params.context.clone().or_else(|| blank.context.clone()),
        before: params.before,
        after: params.after,
        ..blank
    };
    let parsed = parse_request(&raw);
    let request = parsed.map_err(|error| app.failed(&error.into()))?;
    Ok(Request {
        deadline: ticket.deadline(),
        no_cache: params.no_cache,
        ..request
    })
}

/// Find code that is like the code at a line.
#[utoipa::path(
    method(get, post), path = "/api/v1/similar", tag = "search",
    params(SimilarParams), request_body = Option<SimilarParams>,
    responses(
        (status = 200, description = "The results, best first", body = wire::Search),
        (status = 304, description = "The client has this answer"),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn similar(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<SimilarParams>,
) -> Result<Reply, Problem> {
    let exchange = Exchange {
        form: Form::Whole,
        ..Exchange::new(Arc::clone(&app), headers)
    };
    let tag = match params.generation.is_none() && !params.fresh {
        true => {
            let root = app.roots.one(params.root.as_deref())?;
            self::tag(&app, &[root], &("similar", &params))
        }
        false => None,
    };
    let work = move |app: &App, ticket: &Ticket| alike(app, &params, ticket);
    exchange.answer(tag, work).await
}

fn alike(app: &App, params: &SimilarParams, ticket: &Ticket) -> Result<Text, Problem> {
    let root = app.roots.one(params.root.as_deref())?;
    let as_search = SearchParams {
        k: params.k,
        from: params.from,
        context: params.context.clone(),
        max_tokens: params.max_tokens,
        ..SearchParams::default()
    };
    let request = Request {
        lanes: vec![Lane::Vector],
        ..request(app, &as_search, Form::Whole, root, ticket)?
    };
    let view = root.view(When {
        generation: params.generation,
        fresh: params.fresh,
        patience: app.settings.patience,
    })?;
    super::lookup::check_file(app, &view.project, &params.path)?;
    let place = (params.path.as_str(), params.line);
    let found = view.project.similar(place, &request, view.refresh, ticket);
    let mut response = found.map_err(|error| app.failed(&error))?;
    response.notes.splice(0..0, view.notes);
    let told_of = (response, &[root][..]);
    Ok(told(app, params.max_tokens, false, Form::Whole, told_of))
}
