//! Text in, vectors out.

mod embedder;
mod encode;
mod error;
mod file;
#[cfg(feature = "remote")]
#[doc(hidden)]
pub mod fuzzing;
mod kernel;
mod late;
mod model;
mod network;
pub mod providers;
mod text;
mod tokenizer;

pub use embedder::{Embedder, Embedding, QueryEmbedding, shipped};
pub use encode::{QueryVectors, TextVectors};
pub use error::ModelError;
pub use kernel::Kernel;
pub use late::{LateQuery, Scratch};
pub use model::{Config, Model, Role};
pub use providers::{ModelSpec, ProviderError, cached_model, open};
pub use text::{path_text, unit_text};
