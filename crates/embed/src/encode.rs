//! Texts to vectors.
//!
//! The tokens of many texts lie one after the other in a buffer, without
//! padding, and go through the network together. Only convolutions, attention
//! and the pooling know where a text ends, so a text alone gives what it gives
//! among others.

use crate::config::Role;
use crate::kernel::Kernel;
use crate::model::Model;
use crate::network::TextVectors;
use crate::work::Work;
use scent_words::model_words;
use std::sync::PoisonError;

/// Texts are gathered until they have this many tokens, or are this many. The
/// buffers of so many fit into the second cache of a processor.
const ROWS: usize = 192;

/// A query as a model sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryVectors {
    /// The vector, of length one.
    pub vector: Vec<f32>,
    /// The vectors of the tokens one after the other, each of length one.
    pub tokens: Vec<f32>,
    /// How much each token counts; together they make one.
    pub weights: Vec<f32>,
}

impl Model {
    /// What there is to say of texts, given as words with spaces between them,
    /// on this thread; others may do the same at the same time. An empty text
    /// gives a vector of zeros and no tokens.
    pub fn encode(&self, texts: &[&str], role: Role) -> Vec<TextVectors> {
        let mut work = self.idle_work();
        let mut parts = Vec::with_capacity(texts.len());
        for text in texts {
            self.gather(text, role, &mut work);
            if work.ids.len().max(work.ends.len()) >= ROWS {
                self.encode_batch(&mut work, role, &mut parts);
            }
        }
        if parts.len() < texts.len() {
            self.encode_batch(&mut work, role, &mut parts);
        }
        self.keep(work);
        parts
    }

    /// A query as it was typed.
    pub fn encode_query(&self, text: &str) -> QueryVectors {
        let mut work = self.idle_work();
        self.gather(&model_words::of(text), Role::Query, &mut work);
        self.network.states(&mut work, Role::Query);
        let weights = self.network.weights(&work);
        let mut parts = Vec::with_capacity(1);
        self.network.add_vectors(&mut work, Role::Query, &mut parts);
        self.keep(work);
        let TextVectors { mut vector, tokens } = parts.pop().unwrap_or_default();
        self.network.kernel.normalize(&mut vector);
        QueryVectors {
            vector,
            tokens,
            weights,
        }
    }

    /// The vector of a unit from its body and its path, of length one.
    pub fn unit_vector(body: &TextVectors, path: &TextVectors) -> Vec<f32> {
        let mut vector = body.vector.clone();
        for (sum, path) in vector.iter_mut().zip(&path.vector) {
            *sum += path;
        }
        Kernel::best().normalize(&mut vector);
        vector
    }

    fn idle_work(&self) -> Work {
        self.works
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .unwrap_or_default()
    }

    fn keep(&self, mut work: Work) {
        work.clear();
        self.works
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(work);
    }

    /// Adds a text to those that are to be encoded.
    fn gather(&self, words: &str, role: Role, work: &mut Work) {
        self.append_ids(words, role, &mut work.ids);
        work.ends.push(work.ids.len());
    }

    /// Encodes the texts that were gathered.
    fn encode_batch(&self, work: &mut Work, role: Role, parts: &mut Vec<TextVectors>) {
        self.network.states(work, role);
        self.network.add_vectors(work, role, parts);
        work.clear();
    }
}
