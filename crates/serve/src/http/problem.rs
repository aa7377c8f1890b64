//! What went wrong, as RFC 9457 has it: one type for each cause, and what to do.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scent_engine::EngineError;
use scent_print::{problem_json, wire};

/// What every type of problem begins with.
const TYPE: &str = "urn:scent:problem:";

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub status: StatusCode,
    /// For programs; a code never changes.
    pub code: &'static str,
    /// For people.
    pub detail: String,
    /// What could have been meant.
    pub known: Vec<String>,
    /// The generation that the index is at.
    pub generation: Option<u64>,
}

impl Problem {
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Problem {
        Problem {
            status,
            code,
            detail: detail.into(),
            known: Vec::new(),
            generation: None,
        }
    }

    pub fn bad(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// The same for every file that is not served, whether there is one or not.
    pub fn no_such_file() -> Problem {
        let detail = "no such file in the index; paths are relative to the root, with /";
        Problem::new(StatusCode::NOT_FOUND, "no-such-path", detail)
    }

    pub fn internal() -> Problem {
        let detail = "the server failed; the next request works again";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    pub fn busy(detail: &str) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
    }

    pub fn too_late() -> Problem {
        let detail = "the time for one request is over; ask for less";
        Problem::new(StatusCode::GATEWAY_TIMEOUT, "deadline-exceeded", detail)
    }

    pub fn with_known(self, known: impl IntoIterator<Item = impl Into<String>>) -> Problem {
        let known = known.into_iter().map(Into::into).collect();
        Problem { known, ..self }
    }

    /// An error of the engine. Its text may name whole paths: whoever answers
    /// takes them out.
    pub fn of_engine(error: &EngineError) -> Problem {
        let code = error.code();
        let status = match code {
            "no-such-path" => return Problem::no_such_file(),
            "no-such-place" | "no-such-line" => StatusCode::NOT_FOUND,
            "not-indexed" | "locked" | "nothing-to-search" => return not_ready(),
            "deadline-exceeded" => return Problem::too_late(),
            "cancelled" | "interrupted" => return Problem::busy("the server is about to stop"),
            "not-writable" | "not-written" | "bad-index" | "index" | "internal" | "weights"
            | "model" | "other-model" => return Problem::internal(),
            _ => StatusCode::BAD_REQUEST,
        };
        let known = match error {
            EngineError::NoOneName { names, .. } => names.clone(),
            EngineError::NoNameAt { names, .. } | EngineError::NoDefinition { names, .. } => {
                names.iter().map(|(name, _)| name.clone()).collect()
            }
            _ => Vec::new(),
        };
        Problem::new(status, code, error.to_string()).with_known(known)
    }

    fn retry_after(&self) -> Option<&'static str> {
        let waits = self.status == StatusCode::SERVICE_UNAVAILABLE;
        waits.then_some("1")
    }
}

fn not_ready() -> Problem {
    let detail = "not indexed yet; /readyz says when it is";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not-ready", detail)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let retry_after = self.retry_after();
        let written = problem_json(&wire::Problem {
            kind: format!("{TYPE}{}", self.code),
            title: self.status.canonical_reason().unwrap_or_default(),
            status: self.status.as_u16(),
            detail: self.detail,
            known: self.known,
            generation: self.generation,
        });
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let text = written.as_str().to_owned();
        let mut response = (self.status, kind, text).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}
