//! The reader of queries, for `crates/fuzz`.

use crate::query;
use scent_types::Request;

/// What a query says, where it can be meant.
pub fn query(request: &Request) -> Option<Request> {
    query::read(request).ok().map(|(read, _)| read)
}
