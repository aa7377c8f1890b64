//! A model in a folder, through ONNX Runtime.
//!
//! Texts go through the network one by one. On a processor, several at once
//! gain little, and the padding between them would make a vector depend on
//! what it was computed with, so that an edited index would not be a fresh one.

mod layout;
mod runtime;
mod tokens;

use super::ProviderError;
use super::vectors::{normalized, query_text};
use crate::late::{self, LateQuery};
use crate::{Embedder, Embedding, Kernel, ModelError, QueryEmbedding, Role};
use layout::{Layout, Pooling};
use ort::session::{Session, SessionInputValue};
use ort::value::Tensor;
use scent_types::ModelInfo;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokens::{RoleTokenizer, Tokens};

/// What a network may ask for.
const INPUTS: [&str; 3] = ["input_ids", "attention_mask", "token_type_ids"];

/// What networks call the vector of a whole text.
const WHOLE: &str = "sentence_embedding";

/// What networks call the vectors of tokens, if it is not their first output.
const BY_TOKEN: [&str; 2] = ["token_embeddings", "last_hidden_state"];

/// What is embedded to learn how long vectors are.
const PROBE: &str = "length";

/// The model in a folder, and the library of ONNX Runtime, if it is not in one
/// of the usual places.
pub(super) fn open(path: &Path, runtime: Option<&Path>) -> Result<Arc<dyn Embedder>, ModelError> {
    let layout = Layout::read(path)?;
    runtime::load(runtime, path)?;
    let fingerprint = layout.fingerprint(path)?;
    Ok(Arc::new(Onnx::new(path, layout, fingerprint)?))
}

struct Onnx {
    folder: PathBuf,
    session: Mutex<Session>,
    inputs: Vec<&'static str>,
    output: String,
    query: RoleTokenizer,
    document: RoleTokenizer,
    pooling: Pooling,
    late: bool,
    info: ModelInfo,
}

/// What a network makes of a text.
struct Output {
    numbers: Vec<f32>,
    /// How many vectors these are; none where they are one for the whole text.
    rows: Option<usize>,
    dims: usize,
}

/// The vectors of a text.
struct Vectors {
    whole: Vec<f32>,
    /// Those of the tokens that are kept, each of length one.
    tokens: Vec<f32>,
}

impl Onnx {
    fn new(folder: &Path, layout: Layout, fingerprint: u64) -> Result<Onnx, ProviderError> {
        let session = Session::builder()
            .and_then(|mut builder| builder.commit_from_file(&layout.network))
            .map_err(|error| broken(&layout.network, error))?;
        let [query, document] = RoleTokenizer::both(&layout)?;
        let name = format!("onnx:{}", layout.name);
        let mut onnx = Onnx {
            folder: folder.to_owned(),
            inputs: inputs(&session, &layout.network)?,
            output: output(&session, layout.late),
            session: Mutex::new(session),
            query,
            document,
            pooling: layout.pooling,
            late: layout.late,
            info: ModelInfo {
                name,
                fingerprint,
                dims: 0,
                token_bytes: 0,
            },
        };
        let probe = onnx.run(&onnx.read(&onnx.document, PROBE)?)?;
        let is_whole = layout
            .dense
            .is_none_or(|dense| dense == probe.dims || probe.rows.is_none());
        if !is_whole || probe.dims == 0 {
            let reason = format!("its network stops before the last layer, at {}", probe.dims);
            let advice = "export the whole model, with its Dense layers";
            return Err(ProviderError::Folder {
                path: layout.network,
                reason,
                advice,
            });
        }
        // Codes are made of whole bytes, in the steps that the kernels take.
        onnx.late &= probe.dims.is_multiple_of(16) && probe.rows.is_some();
        onnx.info.dims = probe.dims;
        onnx.info.token_bytes = if onnx.late { probe.dims / 4 } else { 0 };
        Ok(onnx)
    }

    fn read(&self, tokenizer: &RoleTokenizer, text: &str) -> Result<Tokens, ProviderError> {
        tokenizer
            .read(text)
            .map_err(|error| broken(&self.folder, error))
    }

    fn run(&self, tokens: &Tokens) -> Result<Output, ProviderError> {
        self.run_session(tokens)
            .map_err(|error| broken(&self.folder, error))
    }

    fn run_session(&self, tokens: &Tokens) -> ort::Result<Output> {
        let mut values: Vec<(&str, SessionInputValue)> = Vec::with_capacity(INPUTS.len());
        for name in &self.inputs {
            let numbers = match *name {
                "input_ids" => tokens.ids.clone(),
                "attention_mask" => tokens.seen.clone(),
                _ => vec![0; tokens.ids.len()],
            };
            let tensor = Tensor::from_array(([1, numbers.len()], numbers))?;
            values.push((name, tensor.into()));
        }
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(values)?;
        let (shape, numbers) = outputs[self.output.as_str()].try_extract_tensor::<f32>()?;
        let dims = shape.last().map_or(0, |&dims| dims as usize);
        let rows = (shape.len() == 3).then(|| shape[1] as usize);
        Ok(Output {
            numbers: numbers.to_vec(),
            rows,
            dims,
        })
    }

    fn vectors(&self, tokenizer: &RoleTokenizer, text: &str) -> Result<Vectors, ProviderError> {
        if text.trim().is_empty() {
            return Ok(Vectors {
                whole: vec![0.0; self.info.dims],
                tokens: Vec::new(),
            });
        }
        let tokens = self.read(tokenizer, text)?;
        let Output {
            numbers,
            rows,
            dims,
        } = self.run(&tokens)?;
        if dims != self.info.dims {
            let from = self.folder.display().to_string();
            return Err(ProviderError::Dimension {
                from,
                want: self.info.dims,
                have: dims,
            });
        }
        if rows.is_none() {
            return Ok(Vectors {
                whole: normalized(numbers),
                tokens: Vec::new(),
            });
        }
        if !self.late {
            let whole = pool(&numbers, dims, self.pooling);
            return Ok(Vectors {
                whole: normalized(whole),
                tokens: Vec::new(),
            });
        }
        let kept = numbers
            .chunks(dims)
            .zip(&tokens.kept)
            .filter(|(_, kept)| **kept);
        let tokens: Vec<f32> = kept.flat_map(|(row, _)| normalized(row.to_vec())).collect();
        let whole = normalized(pool(&tokens, dims, Pooling::Mean));
        Ok(Vectors { whole, tokens })
    }

    fn tokenizer(&self, role: Role) -> &RoleTokenizer {
        match role {
            Role::Query => &self.query,
            Role::Body | Role::Path => &self.document,
        }
    }
}

impl Embedder for Onnx {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn embeds_paths_separately(&self) -> bool {
        false
    }

    fn embed_documents(&self, texts: &[&str], role: Role) -> Result<Vec<Embedding>, ModelError> {
        let one = |text: &&str| {
            let Vectors { whole, tokens } = self.vectors(self.tokenizer(role), text)?;
            Ok(Embedding {
                vector: whole,
                codes: late::codes(&tokens, self.info.dims),
            })
        };
        texts.iter().map(one).collect()
    }

    fn embed_query(&self, question: &str) -> Result<QueryEmbedding, ModelError> {
        let Vectors { whole, tokens } = self.vectors(&self.query, &query_text(question))?;
        let count = tokens.len() / self.info.dims;
        let weights = vec![1.0 / count as f32; count];
        let query = || LateQuery::new(Kernel::best(), &tokens, weights, self.info.dims);
        Ok(QueryEmbedding {
            vector: whole,
            late: (count > 0).then(query),
            unrelated: 0.0,
        })
    }
}

/// One vector of those of the tokens, of any length.
fn pool(numbers: &[f32], dims: usize, pooling: Pooling) -> Vec<f32> {
    let row = match pooling {
        Pooling::First => numbers.chunks(dims).next(),
        Pooling::Last => numbers.chunks(dims).next_back(),
        Pooling::Mean => None,
    };
    if let Some(row) = row {
        return row.to_vec();
    }
    let mut sum = vec![0.0; dims];
    for row in numbers.chunks(dims) {
        sum.iter_mut()
            .zip(row)
            .for_each(|(sum, number)| *sum += number);
    }
    sum
}

/// What the network asks for, all of which must be known.
fn inputs(session: &Session, network: &Path) -> Result<Vec<&'static str>, ProviderError> {
    let known = |name: &str| INPUTS.into_iter().find(|known| *known == name);
    let each = session.inputs().iter().map(|input| {
        known(input.name()).ok_or_else(|| ProviderError::Folder {
            path: network.to_owned(),
            reason: format!("its network asks for {:?}", input.name()),
            advice: "export it as a model for feature extraction",
        })
    });
    each.collect()
}

/// Which output to take: the vector of the whole text, where there is one and
/// those of tokens are not wanted.
fn output(session: &Session, late: bool) -> String {
    let names: Vec<&str> = session
        .outputs()
        .iter()
        .map(|output| output.name())
        .collect();
    let wanted = [WHOLE].into_iter().filter(|_| !late).chain(BY_TOKEN);
    let found = wanted.into_iter().find(|name| names.contains(name));
    found
        .or(names.first().copied())
        .unwrap_or_default()
        .to_owned()
}

fn broken(path: &Path, error: impl ToString) -> ProviderError {
    let advice = "check that it is an embedding model in ONNX with 32-bit outputs";
    ProviderError::Folder {
        path: path.to_owned(),
        reason: error.to_string(),
        advice,
    }
}
