//! The same tools for many clients, by HTTP. Who may ask is not decided here:
//! the server in front of it checks names, origins and the token.

use super::server::{McpOptions, Server};
use crate::host::Host;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// What answers messages of clients, and what ends its streams.
pub(crate) struct McpService {
    pub service: StreamableHttpService<Server, LocalSessionManager>,
    pub end: Box<dyn Fn() + Send + Sync>,
}

/// Tools for whoever sends messages by HTTP, with bodies of at most so many
/// bytes.
pub(crate) fn mcp_service(
    host: Arc<dyn Host>,
    options: McpOptions,
    longest_body: usize,
) -> McpService {
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(longest_body);
    let token = config.cancellation_token.clone();
    let server = Server::new(host, options);
    let each = move || Ok(server.for_client());
    let service = StreamableHttpService::new(each, Arc::default(), config);
    McpService {
        service,
        end: Box::new(move || token.cancel()),
    }
}
