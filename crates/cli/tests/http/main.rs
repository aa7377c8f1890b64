//! `scent serve` as programs use it: the real server, and requests over the
//! wire.

mod answers;
mod client;
mod limits;
mod live;
mod security;
#[path = "../world/mod.rs"]
mod world;
