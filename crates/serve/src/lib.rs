//! Interfaces that stay: MCP for coding agents on standard input and output,
//! and what else one process answers for as long as it runs.
//!
//! The only crate with async in it. It holds open projects, asks `engine` on
//! threads that may block, and lets `print` give answers their form.

mod host;
mod mcp;
mod projects;

pub use host::{Host, HostError, Opened};
pub use mcp::{McpOptions, Tools, serve_stdio};
pub use projects::Launch;
