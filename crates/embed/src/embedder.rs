//! What the rest of the program asks of a model, whichever it is.

use crate::late::{self, LateQuery};
use crate::text::MOST_WORDS;
use crate::{Model, ModelError, Role, TextVectors};
use scent_types::ModelInfo;
use scent_words::model_words;

/// What a text contributes to a unit, as it is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embedding {
    /// Its share of the vector, of any length.
    pub vector: Vec<f32>,
    /// The codes of its tokens.
    pub codes: Vec<u8>,
}

/// A question as vectors.
pub struct QueryEmbedding {
    /// The vector, of length one.
    pub vector: Vec<f32>,
    /// What is held against the tokens of units; none where a model has no
    /// vectors of tokens.
    pub late: Option<LateQuery>,
    /// The cosine to a unit that has nothing to do with the question, at most;
    /// 0 where nobody measured it.
    pub unrelated: f32,
}

/// Texts to vectors. Shared between threads.
pub trait Embedder: Send + Sync {
    /// What an index has to know of it.
    fn info(&self) -> ModelInfo;

    /// Whether the path of a file is a text of its own. Where it is not, the
    /// words of the path come first in every body.
    fn embeds_paths_separately(&self) -> bool;

    /// What each text contributes, given as words.
    fn embed_documents(&self, texts: &[&str], role: Role) -> Result<Vec<Embedding>, ModelError>;

    /// A question as it was typed.
    fn embed_query(&self, question: &str) -> Result<QueryEmbedding, ModelError>;

    /// How many tokens of a body each of its texts gives, which follow each
    /// other; what stands before all of them counts for the first. Nothing
    /// where a model has no vectors of tokens.
    fn token_counts(&self, _texts: &[&str]) -> Vec<usize> {
        Vec::new()
    }
}

impl Embedder for Model {
    fn info(&self) -> ModelInfo {
        self.config.info()
    }

    fn embeds_paths_separately(&self) -> bool {
        true
    }

    fn embed_documents(&self, texts: &[&str], role: Role) -> Result<Vec<Embedding>, ModelError> {
        let mut embeddings = Vec::with_capacity(texts.len());
        for TextVectors { vector, tokens } in self.encode(texts, role) {
            let codes = late::codes(&tokens, self.config.tokens);
            embeddings.push(Embedding { vector, codes });
        }
        Ok(embeddings)
    }

    fn embed_query(&self, question: &str) -> Result<QueryEmbedding, ModelError> {
        let query = self.encode_query(question);
        let late = (!query.weights.is_empty()).then(|| self.late(&query));
        Ok(QueryEmbedding {
            vector: query.vector,
            late,
            unrelated: self.config().unrelated,
        })
    }

    fn token_counts(&self, texts: &[&str]) -> Vec<usize> {
        let mut counts = Vec::with_capacity(texts.len());
        let (mut words, mut ids) = (String::new(), Vec::new());
        let mut read = 0;
        for text in texts {
            words.clear();
            ids.clear();
            read = model_words::append(&mut words, text, read, MOST_WORDS);
            self.tokenizer.append(&words, usize::MAX >> 1, &mut ids);
            counts.push(ids.len());
        }
        if let Some(first) = counts.first_mut() {
            *first += usize::from(self.config.first.is_some());
        }
        counts
    }
}
