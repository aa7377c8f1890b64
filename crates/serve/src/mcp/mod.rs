//! Tools for coding agents over the Model Context Protocol, in its present form
//! and in the one with a handshake.
//!
//! The list of tools stands in `data/mcp.toml`. A call is read by `arguments`,
//! its project found by `projects`, answered by `ask` on a thread that may block,
//! and written by `told`.

mod arguments;
mod ask;
mod catalogue;
mod follow;
mod http;
mod resources;
mod server;
mod stdio;
mod told;

pub use catalogue::Tools;
pub(crate) use http::{McpService, mcp_service};
pub use server::McpOptions;
pub use stdio::serve_stdio;
