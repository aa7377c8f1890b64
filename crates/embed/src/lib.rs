//! Text in, vectors out.

mod encode;
mod encoder;
mod error;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod kernel;
mod late;
mod model;
mod network;
pub mod providers;
mod text;
mod tokenizer;

pub use encode::{Part, Query};
pub use encoder::{About, Asked, Encoder, Kept, shipped};
pub use error::ModelError;
pub use kernel::Kernel;
pub use late::{LateQuery, Scratch};
pub use model::{Config, Model, Side};
pub use providers::{ModelSpec, ProviderError, cached_model, open};
pub use text::{path_text, unit_text};
