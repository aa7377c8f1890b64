//! Interfaces that stay: MCP for coding agents on standard input and output,
//! and what else one process answers for as long as it runs.
//!
//! The only crate with async in it. It holds open projects, asks `engine` on
//! threads that may block, and lets `print` give answers their form.

mod host;
mod http;
mod logging;
mod lsp;
mod mcp;
mod projects;
mod secrets;
mod updater;

pub use host::{Host, HostError, Opened};
pub use http::{HttpOptions, Listen, RunningServer, Started, serve_http, servers, stop_server};
pub use logging::{LogFormat, start_logging};
pub use lsp::serve_lsp;
pub use mcp::{McpOptions, Tools, serve_stdio};
pub use projects::Launch;
