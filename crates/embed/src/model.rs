//! A model as it is read from its file.

use crate::config::{Config, Role};
use crate::error::ModelError;
use crate::file::File;
use crate::kernel::Kernel;
use crate::network::Network;
use crate::tokenizer::Tokenizer;
use crate::work::Work;
use std::sync::Mutex;

/// A model, ready to be asked. It can be shared between threads.
pub struct Model {
    pub(crate) config: Config,
    pub(crate) tokenizer: Tokenizer,
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
        let file = File::read(Box::new(bytes))?;
        let config = Config::read(&file)?;
        let tokenizer = Tokenizer::new(file.text("vocab")?, config.vocab)?;
        let network = Network::read(file, &config, kernel)?;
        Ok(Model {
            config,
            tokenizer,
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
        self.network.kernel
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
