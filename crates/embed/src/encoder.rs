//! What the rest of the program asks of a model, whichever it is.

use crate::late::{self, LateQuery};
use crate::{Model, ModelError, Query, Side};
use std::sync::OnceLock;

/// What an index has to know of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// What people call it.
    pub name: String,
    /// Another value means other vectors, which do not compare with these.
    pub fingerprint: u64,
    /// How many numbers a vector has.
    pub dims: usize,
    /// How many bytes the code of a token has; 0 where there are none.
    pub token_bytes: usize,
}

/// What a text contributes to a unit, as it is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Its share of the vector, of any length.
    pub vector: Vec<f32>,
    /// The codes of its tokens.
    pub codes: Vec<u8>,
}

/// A question as vectors.
pub struct Asked {
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
pub trait Encoder: Send + Sync {
    /// What an index has to know of it.
    fn about(&self) -> About;

    /// Whether the path of a file is a text of its own. Where it is not, the
    /// words of the path come first in every body.
    fn reads_paths_apart(&self) -> bool;

    /// What each text contributes, given as words.
    fn parts(&self, texts: &[&str], side: Side) -> Result<Vec<Kept>, ModelError>;

    /// A question as it was typed.
    fn ask(&self, question: &str) -> Result<Asked, ModelError>;
}

impl Encoder for Model {
    fn about(&self) -> About {
        About {
            name: self.config.name.clone(),
            fingerprint: self.config.fingerprint,
            dims: self.config.vector,
            token_bytes: self.config.tokens / 4,
        }
    }

    fn reads_paths_apart(&self) -> bool {
        true
    }

    fn parts(&self, texts: &[&str], side: Side) -> Result<Vec<Kept>, ModelError> {
        let kept = |part: crate::Part| Kept {
            vector: part.vector,
            codes: late::codes(&part.tokens, self.config.tokens),
        };
        Ok(Model::parts(self, texts, side)
            .into_iter()
            .map(kept)
            .collect())
    }

    fn ask(&self, question: &str) -> Result<Asked, ModelError> {
        let query: Query = self.query(question);
        let late = (!query.weights.is_empty()).then(|| self.late(&query));
        Ok(Asked {
            vector: query.vector,
            late,
            unrelated: self.config().unrelated,
        })
    }
}

/// The file of the model that is inside the program.
static SHIPPED: &[u8] = include_bytes!("../../../models/small.safetensors");

/// The model that is inside the program, opened once.
pub fn shipped() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::from_bytes(SHIPPED).expect("the shipped model can be read"))
}
