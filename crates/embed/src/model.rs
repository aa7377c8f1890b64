//! A model as it is read from its file.

use crate::ModelError;
use crate::encode::Work;
use crate::file::File;
use crate::kernel::Kernel;
use crate::network::{self, Network};
use crate::tokenizer::{self, Tokenizer};
use safetensors::Dtype;
use serde::Deserialize;
use std::ops::Range;
use std::sync::Mutex;

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
    pub(crate) network: network::Kind,
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
    /// Refuses what no model of ours has, before memory is asked for.
    fn check(&self) -> Result<(), ModelError> {
        let some = |n: usize| (1..=4096).contains(&n);
        let first = self.first.unwrap_or(0) as usize;
        checked(&[
            (
                "vocab",
                self.vocab,
                (2..tokenizer::MOST_LINES).contains(&self.vocab),
            ),
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

/// The bytes of a model file.
type Bytes = Box<dyn AsRef<[u8]> + Send + Sync>;

/// The vectors of the vocabulary, by far the largest part of a model. They
/// stay where they are.
pub(crate) struct Table {
    bytes: Bytes,
    rows: Range<usize>,
    scales: Range<usize>,
    width: usize,
}

impl Table {
    /// The row of a token as bytes, and what a step of one is worth.
    pub fn row(&self, id: u32) -> (&[u8], f32) {
        let bytes = (*self.bytes).as_ref();
        let id = id as usize;
        let row = &bytes[self.rows.start + id * self.width..][..self.width];
        let scale = &bytes[self.scales.clone()].as_chunks().0[id];
        (row, f32::from_le_bytes(*scale))
    }
}

/// A model, ready to be asked. It can be shared between threads.
pub struct Model {
    pub(crate) config: Config,
    pub(crate) kernel: Kernel,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) table: Table,
    pub(crate) network: Network,
    /// Buffers that are not in use: asking the system for new ones each time
    /// would take longer than a short text does.
    pub(crate) works: Mutex<Vec<Work>>,
}

impl Model {
    /// From the bytes of a model file: those of `include_bytes!`, a mapping or
    /// a vector.
    pub fn from_bytes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Model, ModelError> {
        Model::with_kernel(bytes, Kernel::best())
    }

    /// The same with a kernel that need not be the best one.
    pub fn with_kernel(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        kernel: Kernel,
    ) -> Result<Model, ModelError> {
        let file = File::read(bytes.as_ref())?;
        let text = file.config()?;
        let config: Config = serde_json::from_str(text)?;
        config.check()?;
        let (vocab, width) = (config.vocab, config.width);
        let tokenizer = Tokenizer::new(file.text("vocab")?, vocab)?;
        let network = Network::read(&file, &config, text)?;
        let rows = file.place("embed.q", Dtype::I8, &[vocab, width])?;
        let scales = file.place("embed.scale", Dtype::F32, &[vocab])?;
        let table = Table {
            bytes: Box::new(bytes),
            rows,
            scales,
            width,
        };
        Ok(Model {
            config,
            kernel,
            tokenizer,
            table,
            network,
            works: Mutex::default(),
        })
    }

    /// What the model says of itself.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The kernel that does the arithmetic.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The ids of the tokens that are read of a text, which is given as words
    /// with spaces between them.
    pub fn ids(&self, words: &str, role: Role) -> Vec<u32> {
        let mut ids = Vec::new();
        self.append_ids(words, role, &mut ids);
        ids
    }

    /// Appends the ids of a text. Where there is none, nothing comes first.
    pub(crate) fn append_ids(&self, words: &str, role: Role, ids: &mut Vec<u32>) {
        let most = match role {
            Role::Query => self.config.max_query,
            Role::Body => self.config.max_body,
            Role::Path => self.config.max_path,
        };
        let before = ids.len();
        ids.extend(self.config.first);
        let begun = ids.len();
        self.tokenizer.append(words, most, ids);
        if ids.len() == begun {
            ids.truncate(before);
        }
    }
}
