//! The model files that are built into the program. They are a crate of their
//! own, so that no edit of code compiles them again.

/// The small model.
pub static SMALL: &[u8] = include_bytes!("../../../models/small.safetensors");

/// The large model.
#[cfg(feature = "deep")]
pub static DEEP: &[u8] = include_bytes!("../../../models/deep.safetensors");
