//! The model inside the program.

use crate::config::{Config, Role};
use crate::embedder::{Embedder, Embedding, QueryEmbedding};
use crate::error::ModelError;
use crate::file::File;
use crate::model::Model;
use scent_model::SMALL;
use scent_types::ModelInfo;
use std::sync::OnceLock;

/// The model inside the program. What an index has to know of it is in the head
/// of its file; the rest is read when there is something to embed, since most
/// runs of the program embed nothing.
#[derive(Clone, Copy, Debug)]
pub struct Shipped;

/// What a build that works never says.
const READABLE: &str = "the shipped model can be read";

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::from_bytes(SMALL).expect(READABLE))
}

fn read_config() -> Result<Config, ModelError> {
    Config::read(&File::read(Box::new(SMALL))?)
}

impl Embedder for Shipped {
    fn info(&self) -> ModelInfo {
        static INFO: OnceLock<ModelInfo> = OnceLock::new();
        let info = INFO.get_or_init(|| read_config().expect(READABLE).info());
        info.clone()
    }

    fn embeds_paths_separately(&self) -> bool {
        true
    }

    fn embed_documents(&self, texts: &[&str], role: Role) -> Result<Vec<Embedding>, ModelError> {
        model().embed_documents(texts, role)
    }

    fn embed_query(&self, question: &str) -> Result<QueryEmbedding, ModelError> {
        model().embed_query(question)
    }

    fn token_counts(&self, texts: &[&str]) -> Vec<usize> {
        model().token_counts(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_the_file_says_what_the_model_says() {
        assert_eq!(Shipped.info(), model().info());
    }
}
