//! A server of one connection.

use std::collections::HashMap;

/// How many bytes a request may have.
pub const LIMIT: usize = 1 << 20;

/// What the server does.
pub trait Handler: Send {
    /// Answers one request.
    fn answer(&self, request: &Request) -> Response;
}

#[derive(Debug, Clone)]
pub struct Server<H> {
    handler: H,
    routes: HashMap<String, Route>,
}

impl<H: Handler> Server<H> {
    pub fn new(handler: H) -> Self {
        Server { handler, routes: HashMap::new() }
    }

    /// Refuses what is too long.
    #[inline]
    fn check(&self, bytes: &[u8]) -> Result<(), Refusal> {
        if bytes.len() > LIMIT {
            return Err(Refusal::TooLong(bytes.len()));
        }
        Ok(())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "refused")
    }
}

enum Refusal {
    TooLong(usize),
    Malformed,
}

macro_rules! route {
    ($path:expr) => {
        Route::new($path)
    };
}

mod tests {
    #[test]
    fn long_requests_are_refused() {
        assert!(super::Server::new(()).check(&[0; super::LIMIT + 1]).is_err());
    }
}
