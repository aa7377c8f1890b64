//! What a model file says of the model.

use crate::ModelError;
use crate::file::File;
use crate::tokenizer::MOST_LINES;
use scent_types::ModelInfo;
use serde::Deserialize;

/// What a model says of itself.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Config {
    /// What the model is called.
    pub name: String,
    /// A hash of the weights.
    #[serde(default)]
    pub fingerprint: u64,
    /// The number of pieces in the vocabulary.
    pub vocab: usize,
    /// The length of a token's state.
    pub width: usize,
    /// The length of a token's vector.
    pub tokens: usize,
    /// The length of a text's vector.
    pub vector: usize,
    /// What every text begins with, if anything. The limits do not count it.
    pub first: Option<u32>,
    /// What makes states of tokens.
    #[serde(default)]
    pub(crate) network: NetworkKind,
    /// The tokens of a body that are read.
    pub max_body: usize,
    /// The tokens of a path that are read.
    pub max_path: usize,
    /// The tokens of a query that are read.
    pub max_query: usize,
    /// Nearly every question has a unit whose cosine is above this, and most
    /// that is no question has none.
    #[serde(default)]
    pub unrelated: f32,
}

impl Config {
    /// From the head of a model file.
    pub(crate) fn read(file: &File) -> Result<Config, ModelError> {
        let config: Config = serde_json::from_str(file.config()?)?;
        config.check()?;
        Ok(config)
    }

    /// What an index has to know of the model.
    pub(crate) fn info(&self) -> ModelInfo {
        ModelInfo {
            name: self.name.clone(),
            fingerprint: self.fingerprint,
            dims: self.vector,
            token_bytes: self.tokens / 4,
        }
    }

    /// Refuses what no model of ours has, before memory is allocated.
    fn check(&self) -> Result<(), ModelError> {
        let some = |n: usize| (1..=4096).contains(&n);
        let first = self.first.unwrap_or(0) as usize;
        checked(&[
            ("vocab", self.vocab, (2..MOST_LINES).contains(&self.vocab)),
            ("width", self.width, is_length(self.width)),
            ("vector", self.vector, is_length(self.vector)),
            ("tokens", self.tokens, is_length(self.tokens)),
            ("first", first, first < self.vocab),
            ("max_body", self.max_body, some(self.max_body)),
            ("max_path", self.max_path, some(self.max_path)),
            ("max_query", self.max_query, some(self.max_query)),
        ])
    }

    /// The most ids that a text can have.
    pub(crate) fn most_ids(&self) -> usize {
        let most = self.max_body.max(self.max_path).max(self.max_query);
        most + usize::from(self.first.is_some())
    }
}

/// Whether rows of a model can have this length.
pub(crate) fn is_length(n: usize) -> bool {
    n.is_multiple_of(16) && (16..=4096).contains(&n)
}

/// An error for the first number of a config that does not hold.
pub(crate) fn checked(numbers: &[(&'static str, usize, bool)]) -> Result<(), ModelError> {
    match numbers.iter().find(|(_, _, holds)| !holds) {
        Some(&(name, value, _)) => Err(ModelError::Config { name, value }),
        None => Ok(()),
    }
}

/// What makes states of tokens.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NetworkKind {
    #[default]
    Convolution,
    Transformer,
}

/// What a text is read as. The order is that of `training/model.py`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A question.
    Query,
    /// The text of a unit.
    Body,
    /// The path of a file.
    Path,
}
