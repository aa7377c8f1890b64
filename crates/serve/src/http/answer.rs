//! How requests are read and answers written, whatever they are about.

use super::app::App;
use super::problem::Problem;
use super::query;
use super::roots::Root;
use super::work::{ANSWER, LIST, Ticket};
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scent_print::Text;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use utoipa::ToSchema;

/// A longer body is refused, in bytes.
pub(crate) const LONGEST_BODY: usize = 64 << 10;

/// The parameters of a request, out of its address or its body.
pub(crate) struct Input<T>(pub T);

impl<S, T> FromRequest<S> for Input<T>
where
    S: Send + Sync,
    T: ToSchema + DeserializeOwned + 'static,
{
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Input<T>, Problem> {
        let query = request.uri().query().unwrap_or_default();
        if request.method() != Method::POST {
            return query::from_address(query).map(Input);
        }
        if !query.is_empty() {
            let detail = "the parameters of a POST are in its body";
            return Err(Problem::bad("bad-parameter", detail));
        }
        // Pages of others can send texts and forms without being asked back.
        if !is_json(request.headers()) {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            let detail = "send the body as application/json";
            return Err(Problem::new(status, "not-json", detail));
        }
        let body = body(request.into_body(), LONGEST_BODY).await?;
        query::from_body(&body).map(Input)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok());
    let kind = kind
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// A body that is not too long.
pub(crate) async fn body(body: Body, most: usize) -> Result<Vec<u8>, Problem> {
    let read = to_bytes(body, most).await;
    read.map(Vec::from).map_err(|_| too_long(most))
}

pub(crate) fn too_long(most: usize) -> Problem {
    let detail = format!("a body has at most {} KB", most >> 10);
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-long", detail)
}

/// In which form a list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// As one object.
    Whole,
    /// An object a line.
    Lines,
}

impl Form {
    /// The type of its contents.
    pub const LINES: &'static str = "application/x-ndjson";

    /// How long an answer in this form may take.
    fn time(self) -> Duration {
        match self {
            Form::Whole => ANSWER,
            Form::Lines => LIST,
        }
    }

    pub fn of(headers: &HeaderMap) -> Form {
        let accept = headers.get_all(header::ACCEPT).iter();
        let mut accept = accept.filter_map(|value| value.to_str().ok());
        match accept.any(|value| value.contains(Form::LINES)) {
            true => Form::Lines,
            false => Form::Whole,
        }
    }
}

/// A request that is answered in JSON.
pub(crate) struct Exchange {
    pub app: Arc<App>,
    pub headers: HeaderMap,
    pub form: Form,
}

impl Exchange {
    /// A request that is answered in the form that it wants.
    pub fn new(app: Arc<App>, headers: HeaderMap) -> Exchange {
        let form = Form::of(&headers);
        Exchange { app, headers, form }
    }

    /// The answer that the client has, if it has it; else what the work gives,
    /// which is done on a thread that may block. The tag tells it from others.
    pub async fn answer(
        self,
        tag: Option<String>,
        work: impl FnOnce(&App, &Ticket) -> Result<Text, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let Exchange { app, headers, form } = self;
        if let Some(reply) = unchanged(&app, &headers, tag.as_deref()) {
            return Ok(reply);
        }
        let worker = Arc::clone(&app);
        let work = move |ticket: &Ticket| work(&worker, ticket);
        let text = app.pool.run(form.time(), work).await?;
        Ok(json(text, form, tag.as_deref()))
    }
}

/// What tells the answer to this request in this state of the indexes from all
/// others; none where the state is not known before the answer.
pub(crate) fn tag(app: &App, roots: &[&Root], of: &(impl Serialize + ?Sized)) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    app.run.hash(&mut hasher);
    let mut highest = 0;
    for root in roots {
        // Where changes are not watched, nobody knows before a look.
        if root.updater.lost().is_some() {
            return None;
        }
        let version = root.version().ok()?;
        (&root.id, version).hash(&mut hasher);
        highest = highest.max(version.generation);
    }
    serde_json::to_string(of).ok()?.hash(&mut hasher);
    Some(format!("\"g{highest}-{:016x}\"", hasher.finish()))
}

/// The answer that the client has already, if it has.
fn unchanged(app: &App, headers: &HeaderMap, tag: Option<&str>) -> Option<Response> {
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut known = known
        .filter_map(|value| value.to_str().ok())
        .flat_map(|v| v.split(','));
    let tag = tag.filter(|tag| known.any(|one| one.trim() == *tag))?;
    app.metrics.unchanged.fetch_add(1, Ordering::Relaxed);
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    add_tag(&mut response, Some(tag));
    Some(response)
}

/// An answer in JSON.
pub(crate) fn json(text: Text, form: Form, tag: Option<&str>) -> Response {
    let kind = match form {
        Form::Whole => "application/json",
        Form::Lines => Form::LINES,
    };
    let kind = [(header::CONTENT_TYPE, kind)];
    let mut response = (kind, text.into_string()).into_response();
    add_tag(&mut response, tag);
    response
}

fn add_tag(response: &mut Response, tag: Option<&str>) {
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
        response.headers_mut().insert(header::ETAG, tag);
    }
}
