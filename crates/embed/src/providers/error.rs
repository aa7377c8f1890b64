//! What can go wrong with a model that is not inside the program.

use std::path::PathBuf;
use thiserror::Error;

/// Why another model cannot be used, and what to do about it.
#[derive(Debug, Error)]
pub enum ProviderError {
    /// The text names no model.
    #[error("{0:?} names no model; a model is one of: {FORMS}")]
    Unknown(String),
    /// The address of a server cannot be used.
    #[error("{url:?} is no address of a model server: {reason}")]
    Address {
        /// The address as it was given.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A server did not answer.
    #[error("no answer from {url}: {reason} (tried {tries} times); {advice}")]
    Unreachable {
        /// What was asked.
        url: String,
        /// What went wrong the last time.
        reason: String,
        /// How often it was asked.
        tries: u32,
        /// What to do.
        advice: &'static str,
    },
    /// A server answered that it does not want to.
    #[error("{url} answered with status {status} (tried {tries} times): {body}; {advice}")]
    Refused {
        /// What was asked.
        url: String,
        /// The status of the last answer.
        status: u16,
        /// How often it was asked.
        tries: u32,
        /// How the answer begins.
        body: String,
        /// What to do.
        advice: &'static str,
    },
    /// A server's answer does not match the request.
    #[error("the answer of {url} cannot be used: {reason}; is this address one for embeddings?")]
    Answer {
        /// What was asked.
        url: String,
        /// What is wrong with the answer.
        reason: String,
    },
    /// A model gives vectors of several lengths.
    #[error(
        "{from} gave a vector of {have} numbers after vectors of {want}; \
         the model behind it has changed, so index again with --rebuild"
    )]
    Dimension {
        /// The server or the folder.
        from: String,
        /// The length of its vectors so far.
        want: usize,
        /// The length of this one.
        have: usize,
    },
    /// A model is not in the cache of Hugging Face.
    #[error(
        "the model {name} is not on this machine; looked for {}; scent downloads nothing: \
         fetch it with `hf download {name}`, or give the folder that holds it",
        folder.display()
    )]
    NotCached {
        /// The name of the model.
        name: String,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The large model is nowhere to be found.
    #[error(
        "the model deep is not on this machine; looked for {}; copy models/deep.safetensors of \
         scent's repository to one of these places, or build scent with `cargo build --release \
         --features deep`",
        list(looked)
    )]
    NoDeep {
        /// Where its file was looked for.
        looked: Vec<PathBuf>,
    },
    /// A model file cannot be used.
    #[error(
        "the model file {} cannot be used: {reason}; give one that training/export.py wrote for \
         this version of scent",
        path.display()
    )]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A model's folder lacks something.
    #[error("the model in {}: {reason}; {advice}", path.display())]
    Folder {
        /// The folder or a file in it.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
    /// ONNX Runtime cannot be used.
    #[error(
        "ONNX Runtime cannot be loaded: {reason}; install it (`pip install onnxruntime` has it as \
         onnxruntime/capi/libonnxruntime.so.*) and give the path of that library in ORT_DYLIB_PATH"
    )]
    Runtime {
        /// What went wrong, and where.
        reason: String,
    },
    /// This program was built without ONNX Runtime.
    #[error(
        "this scent cannot read the model in {}: build it with `cargo build --release --features \
         onnx`, or serve the model with Ollama or another server",
        .0.display()
    )]
    NotBuilt(PathBuf),
    /// This program was built without models behind servers.
    #[error(
        "this scent cannot ask the server {0}: build it with `cargo build --release --features \
         remote`, or use a model on this machine"
    )]
    NoRemote(String),
}

/// How a model can be named.
const FORMS: &str = "small (the one inside scent), deep (the large one), \
    a file of scent's own that ends in .safetensors, a folder with an ONNX model, \
    ollama:NAME, ollama:NAME@http://HOST:PORT, \
    http://HOST/v1#NAME or https://HOST/v1#NAME (what speaks like OpenAI), \
    OWNER/NAME (from Hugging Face, if it is on this machine)";

fn list(paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    shown.join(", ")
}
