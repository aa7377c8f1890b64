//! The parser of requests, for `crates/fuzz`.

use crate::parse_request;
use scent_types::{RawRequest, Request};

/// What a query says, where it parses.
pub fn query(query: &str) -> Option<Request> {
    let raw = RawRequest {
        query: query.to_owned(),
        ..RawRequest::default()
    };
    parse_request(&raw).ok()
}
