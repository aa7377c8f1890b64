//! What every request passes before it is answered, and every answer after.
//!
//! In this order: the name that was asked for, the length of the address, the
//! method, where the request comes from, the token, the length of the body.

use super::access::Source;
use super::answer::{LONGEST_BODY, too_long};
use super::app::App;
use super::problem::Problem;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A longer address is refused, in bytes.
const LONGEST_ADDRESS: usize = 8 << 10;

/// The longest body of a message of the Model Context Protocol, in bytes.
pub(crate) const LONGEST_MESSAGE: usize = 1 << 20;

/// Where messages of the Model Context Protocol go.
pub(crate) const MCP: &str = "/mcp";

/// Where anybody of this machine may ask whether the server runs: the answer
/// says nothing else.
pub(crate) const HEALTH: &str = "/healthz";

/// What a person opens in a browser, from a link on another page too.
const PAGES: [&str; 1] = ["/"];

/// Headers of every answer. A page of ours may load nothing but what is ours,
/// and no other page may load anything of it.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types scent",
    ),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "private, no-cache"),
    ("vary", "authorization, cookie, accept, origin"),
];

/// Counts requests since the start.
static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// Lets a request through, or answers why not.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = REQUESTS.fetch_add(1, Ordering::Relaxed) + 1;
    let method = request.method().clone();
    let route = route(&request);
    let mut response = match check(&app, &request) {
        Ok(Passed::On(source)) => {
            let mut response = next.run(request).await;
            allow(&mut response, &source);
            response
        }
        Ok(Passed::Answered(response)) => response,
        Err(problem) => problem.into_response(),
    };
    let id = format!("{:08x}-{id}", app.run as u32);
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id);
    }
    let (status, took) = (response.status().as_u16(), began.elapsed());
    app.metrics.answered(&route, status, took);
    let micros = took.as_micros() as u64;
    tracing::info!(id, %method, route, status, micros, "answered");
    response
}

/// The pattern of the address: what is asked for stays out of logs and numbers.
fn route(request: &Request) -> String {
    let matched = request.extensions().get::<MatchedPath>();
    matched.map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned())
}

enum Passed {
    On(Source),
    Answered(Response),
}

fn check(app: &App, request: &Request) -> Result<Passed, Problem> {
    let (headers, uri, method) = (request.headers(), request.uri(), request.method());
    app.access.check_host(headers, uri)?;
    if uri.to_string().len() > LONGEST_ADDRESS {
        let detail = "the address is longer than 8 KB; POST takes longer questions";
        return Err(Problem::new(
            StatusCode::URI_TOO_LONG,
            "too-long-address",
            detail,
        ));
    }
    let is_mcp = uri.path() == MCP;
    let known = [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS];
    let ends_session = is_mcp && *method == Method::DELETE;
    if !known.contains(method) && !ends_session {
        let detail = "only GET, HEAD and POST are answered";
        return Err(Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "bad-method",
            detail,
        ));
    }
    let reads = [Method::GET, Method::HEAD].contains(method);
    let is_page = reads && PAGES.contains(&uri.path());
    let source = app.access.check_source(headers, is_page)?;
    if *method == Method::OPTIONS {
        return Ok(Passed::Answered(preflight(&source)));
    }
    if let Some(response) = first_visit(app, uri, headers) {
        return Ok(Passed::Answered(response));
    }
    if !(reads && uri.path() == HEALTH) {
        app.access.check_token(headers)?;
    }
    let most = if is_mcp {
        LONGEST_MESSAGE
    } else {
        LONGEST_BODY
    };
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_long(most));
    }
    Ok(Passed::On(source))
}

/// The address with the token, which a person opens once: the token goes into a
/// cookie and out of the address.
fn first_visit(app: &App, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    if uri.path() != "/" || app.access.check_token(headers).is_ok() {
        return None;
    }
    let mut pairs = uri
        .query()?
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    let (_, token) = pairs.find(|(name, _)| *name == "token")?;
    if !app.access.is_token(token) {
        return None;
    }
    let name = &app.access.cookie;
    // Lax: a link on another page may open a page of ours. What such a page may
    // not have is refused by where the request comes from.
    let cookie = format!("{name}={token}; HttpOnly; SameSite=Lax; Path=/");
    let headers = [
        (header::LOCATION, "/".to_owned()),
        (header::SET_COOKIE, cookie),
    ];
    Some((StatusCode::SEE_OTHER, headers).into_response())
}

/// What a browser asks before it lets a page of another server ask.
fn preflight(source: &Source) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    allow(&mut response, source);
    if *source != Source::Own {
        let headers = response.headers_mut();
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
            (
                header::ACCESS_CONTROL_ALLOW_HEADERS,
                "authorization, content-type, if-none-match",
            ),
            (header::ACCESS_CONTROL_MAX_AGE, "600"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    response
}

/// Lets the page read the answer that may.
fn allow(response: &mut Response, source: &Source) {
    if let Source::Allowed(origin) = source
        && let Ok(origin) = HeaderValue::from_str(origin)
    {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let shared = HeaderValue::from_static("cross-origin");
        headers.insert("cross-origin-resource-policy", shared);
    }
}
