//! Text in, vectors out.

mod config;
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
mod shipped;
mod text;
mod tokenizer;
mod work;

pub use config::{Config, Role};
pub use embedder::{Embedder, Embedding, QueryEmbedding};
pub use encode::QueryVectors;
pub use error::ModelError;
pub use kernel::Kernel;
pub use late::{LateQuery, Scratch, TokenMatches};
pub use model::Model;
pub use network::TextVectors;
pub use providers::{ModelSpec, ProviderError, cached_model, open};
pub use shipped::Shipped;
pub use text::{path_text, unit_head, unit_text};
