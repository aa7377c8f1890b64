//! A model behind a server.

mod post;

pub use post::Limits;

use super::vectors::{normalized, query_text};
use super::{ProviderError, address};
use crate::{Embedder, Embedding, ModelError, QueryEmbedding, Role};
use post::Server;
use scent_types::ModelInfo;
use serde::Deserialize;
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// What is embedded to learn how long vectors are.
const PROBE: &str = "length";

/// A model behind a server that speaks like OpenAI.
pub(super) fn open_ai(
    base: &str,
    model: &str,
    key: Option<&str>,
) -> Result<Arc<dyn Embedder>, ModelError> {
    let http = Http::open_ai(base, model, key, Limits::default())?;
    Ok(Arc::new(http))
}

/// A model behind Ollama.
pub(super) fn ollama(base: &str, model: &str) -> Result<Arc<dyn Embedder>, ModelError> {
    let http = Http::ollama(base, model, Limits::default())?;
    Ok(Arc::new(http))
}

/// How a server is spoken to.
#[derive(Clone, Copy)]
enum Dialect {
    OpenAi,
    Ollama,
}

impl Dialect {
    fn name(self) -> &'static str {
        match self {
            Dialect::OpenAi => "openai",
            Dialect::Ollama => "ollama",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Dialect::OpenAi => "/embeddings",
            Dialect::Ollama => "/api/embed",
        }
    }

    /// The vectors in an answer, in the order of the texts.
    fn vectors(self, answer: &[u8]) -> Result<Vec<Vec<f32>>, String> {
        match self {
            Dialect::OpenAi => read::<OpenAiAnswer>(answer)?.in_order(),
            Dialect::Ollama => Ok(read::<OllamaAnswer>(answer)?.embeddings),
        }
    }
}

/// The vectors in an answer of any server, for fuzzing.
pub fn answers(answer: &[u8]) {
    for dialect in [Dialect::OpenAi, Dialect::Ollama] {
        for vector in dialect.vectors(answer).unwrap_or_default() {
            normalized(vector);
        }
    }
}

fn read<'a, T: Deserialize<'a>>(answer: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(answer).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
struct OllamaAnswer {
    embeddings: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    /// Some servers leave it out, and keep the order.
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl OpenAiAnswer {
    fn in_order(self) -> Result<Vec<Vec<f32>>, String> {
        let mut sorted: Vec<Vec<f32>> = vec![Vec::new(); self.data.len()];
        for (at, entry) in self.data.into_iter().enumerate() {
            let index = entry.index.unwrap_or(at);
            match sorted.get_mut(index) {
                Some(place) if place.is_empty() => *place = entry.embedding,
                _ => return Err(format!("the index {index} is out of place")),
            }
        }
        Ok(sorted)
    }
}

/// A model behind a server, by HTTP. It gives one vector for a text and none
/// for tokens.
pub struct Http {
    server: Server,
    dialect: Dialect,
    model: String,
    limits: Limits,
    info: ModelInfo,
}

impl Http {
    /// A server that speaks like OpenAI: `base` is what stands before
    /// `/embeddings`, and `key` what it wants to see, if anything. It is asked
    /// once for the length of its vectors.
    pub fn open_ai(
        base: &str,
        model: &str,
        key: Option<&str>,
        limits: Limits,
    ) -> Result<Http, ProviderError> {
        Http::new(Dialect::OpenAi, base, model, key, limits)
    }

    /// Ollama: `base` is what stands before `/api/embed`.
    pub fn ollama(base: &str, model: &str, limits: Limits) -> Result<Http, ProviderError> {
        Http::new(Dialect::Ollama, base, model, None, limits)
    }

    fn new(
        dialect: Dialect,
        base: &str,
        model: &str,
        key: Option<&str>,
        limits: Limits,
    ) -> Result<Http, ProviderError> {
        let base = address::checked(base)?;
        let server = Server::new(format!("{base}{}", dialect.path()), key, limits);
        let name = format!("http:{model}");
        let info = ModelInfo {
            name,
            fingerprint: 0,
            dims: 0,
            token_bytes: 0,
        };
        let mut http = Http {
            server,
            dialect,
            model: model.to_owned(),
            limits,
            info,
        };
        let dims = http.request(&[PROBE])?[0].len();
        if dims == 0 {
            return Err(http.unusable("the vector is empty"));
        }
        let key = [dialect.name(), &base, model, &dims.to_string()].join("\0");
        http.info = ModelInfo {
            fingerprint: xxh3_64(key.as_bytes()),
            dims,
            ..http.info
        };
        Ok(http)
    }

    /// The vectors of texts, as long as all others. An empty text, which many
    /// servers refuse, is not asked about and gives zeros.
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let mut vectors = vec![vec![0.0; self.info.dims]; texts.len()];
        let spoken: Vec<usize> = (0..texts.len())
            .filter(|&at| !texts[at].trim().is_empty())
            .collect();
        let asked: Vec<&str> = spoken.iter().map(|&at| texts[at]).collect();
        for range in batches(&asked, &self.limits) {
            let answer = self.request(&asked[range.clone()])?;
            for (&at, vector) in spoken[range].iter().zip(answer) {
                self.check(&vector)?;
                vectors[at] = normalized(vector);
            }
        }
        Ok(vectors)
    }

    fn check(&self, vector: &[f32]) -> Result<(), ProviderError> {
        let (want, have) = (self.info.dims, vector.len());
        if want != have {
            return Err(ProviderError::Dimension {
                from: self.server.url.clone(),
                want,
                have,
            });
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err(self.unusable("a vector holds what is no number"));
        }
        Ok(())
    }

    /// One question to the server, one vector for each text.
    fn request(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let question = serde_json::json!({ "model": self.model, "input": texts });
        let answer = self.server.post(&question.to_string())?;
        let vectors = self
            .dialect
            .vectors(&answer)
            .map_err(|reason| self.unusable(&reason))?;
        if vectors.len() != texts.len() {
            let reason = format!("{} vectors for {} texts", vectors.len(), texts.len());
            return Err(self.unusable(&reason));
        }
        Ok(vectors)
    }

    fn unusable(&self, reason: &str) -> ProviderError {
        ProviderError::Answer {
            url: self.server.url.clone(),
            reason: reason.to_owned(),
        }
    }
}

impl Embedder for Http {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn embeds_paths_separately(&self) -> bool {
        false
    }

    fn embed_documents(&self, texts: &[&str], _: Role) -> Result<Vec<Embedding>, ModelError> {
        let mut embeddings = Vec::with_capacity(texts.len());
        for vector in self.vectors(texts)? {
            let codes = Vec::new();
            embeddings.push(Embedding { vector, codes });
        }
        Ok(embeddings)
    }

    fn embed_query(&self, question: &str) -> Result<QueryEmbedding, ModelError> {
        let vector = self
            .vectors(&[&query_text(question)])?
            .pop()
            .unwrap_or_default();
        Ok(QueryEmbedding {
            vector,
            late: None,
            unrelated: 0.0,
        })
    }
}

/// Texts one after the other, as many at once as the limits allow and at
/// least one.
fn batches(texts: &[&str], limits: &Limits) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut characters) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        let length = text.chars().count();
        let full = at - start >= limits.texts.max(1) || characters + length > limits.characters;
        if full && at > start {
            found.push(start..at);
            (start, characters) = (at, 0);
        }
        characters += length;
    }
    if start < texts.len() {
        found.push(start..texts.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_to_both_limits() {
        let limits = Limits {
            texts: 3,
            characters: 10,
            ..Limits::default()
        };
        let cases: [(&[&str], Vec<Range<usize>>); 5] = [
            (&[], vec![]),
            (&["a"; 7], vec![0..3, 3..6, 6..7]),
            (&["aaaaaa", "aaaa", "a"], vec![0..2, 2..3]),
            (&["a", "far too long a text", "b"], vec![0..1, 1..2, 2..3]),
            (&["ééééé", "ééééé", "é"], vec![0..2, 2..3]),
        ];
        for (texts, want) in cases {
            assert_eq!(batches(texts, &limits), want, "{texts:?}");
        }
    }
}
