//! `scent mcp` as agents use it: a server is started and spoken to.

mod answers;
mod client;
mod places;
mod protocol;
mod resources;
#[path = "../world/mod.rs"]
mod world;
