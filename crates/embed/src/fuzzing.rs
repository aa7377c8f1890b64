//! Readers of what others send, for `crates/fuzz`.

pub use crate::providers::remote::answers;
