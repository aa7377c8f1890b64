//! What can be wrong with a model.

use crate::providers::ProviderError;
use safetensors::SafeTensorError;
use thiserror::Error;

/// Why a model cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The bytes are no safetensors file, or only a part of one.
    #[error("this is no model file, or a part of it is missing: {0}")]
    Format(#[from] SafeTensorError),
    /// A safetensors file that is no model of scent.
    #[error("this is no model file of scent: it has no config")]
    NoConfig,
    /// The config cannot be read.
    #[error("the config of the model file cannot be read: {0}")]
    ConfigSyntax(#[from] serde_json::Error),
    /// A number in the config is one that this program cannot work with.
    #[error("the model's {name} is {value}, which this version of scent cannot use")]
    Config {
        /// The name of the number.
        name: &'static str,
        /// The number.
        value: usize,
    },
    /// A tensor is not in the file.
    #[error("the model file lacks the tensor {0}")]
    Missing(String),
    /// A tensor is of another kind or shape than the config says.
    #[error("the tensor {name} of the model file is {have}, but should be {want}")]
    Shape {
        /// The name of the tensor.
        name: String,
        /// What is in the file.
        have: String,
        /// What the config asks for.
        want: String,
    },
    /// The vocabulary is no text, or has another number of lines.
    #[error("the vocabulary of the model file is damaged: {0}")]
    Vocabulary(&'static str),
    /// A model that is not inside the program does not answer as it should.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}
