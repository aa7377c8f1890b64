//! What the files in a model's folder say of it.

use crate::providers::ProviderError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// Where the network may be, the best first.
const NETWORKS: [&str; 4] = [
    "onnx/model.onnx",
    "model.onnx",
    "onnx/model_quantized.onnx",
    "model_int8.onnx",
];

/// What the vectors of a model depend on beside its network.
const SETTINGS: [&str; 7] = [
    "tokenizer.json",
    "config.json",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "onnx_config.json",
];

/// No text of ours is longer.
const MOST_TOKENS: usize = 1024;

/// What most models were made for.
const USUAL_TOKENS: usize = 512;

/// How the vectors of tokens become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    First,
    Last,
}

/// How a text of one side is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// What is put before the text.
    pub prompt: String,
    /// A token that is put after the first one, or else before the text.
    pub prefix: Option<String>,
    /// The most tokens.
    pub tokens: usize,
    /// Whether masks are added until there are as many.
    pub expands: bool,
    /// Whether the other tokens see the masks.
    pub sees_masks: bool,
    /// Tokens whose vectors are not kept.
    pub skipped: Vec<String>,
}

/// A model's folder.
#[derive(Debug)]
pub(super) struct Layout {
    pub name: String,
    pub network: PathBuf,
    pub tokenizer: PathBuf,
    pub pooling: Pooling,
    /// The length of the vectors after the last layer, if it is said.
    pub dense: Option<usize>,
    /// Whether the vectors of tokens are wanted.
    pub late: bool,
    pub query: Reading,
    pub document: Reading,
}

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
    path: String,
}

#[derive(Default, Deserialize)]
struct Network {
    max_position_embeddings: Option<usize>,
}

#[derive(Default, Deserialize)]
struct SentenceBert {
    max_seq_length: Option<usize>,
}

#[derive(Default, Deserialize)]
struct Dense {
    out_features: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolingModes {
    pooling_mode: Option<String>,
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

impl PoolingModes {
    fn pooling(&self) -> Option<Pooling> {
        match self.pooling_mode.as_deref() {
            Some("mean") => return Some(Pooling::Mean),
            Some("cls") => return Some(Pooling::First),
            Some("lasttoken") => return Some(Pooling::Last),
            Some(_) => return None,
            None => {}
        }
        let modes = [
            self.pooling_mode_mean_tokens,
            self.pooling_mode_cls_token,
            self.pooling_mode_lasttoken,
        ];
        match modes {
            [true, false, false] => Some(Pooling::Mean),
            [false, true, false] => Some(Pooling::First),
            [false, false, true] => Some(Pooling::Last),
            _ => None,
        }
    }
}

/// What sentence-transformers and PyLate write down.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    prompts: BTreeMap<String, Option<String>>,
    default_prompt_name: Option<String>,
    query_prefix: Option<String>,
    document_prefix: Option<String>,
    query_length: Option<usize>,
    document_length: Option<usize>,
    do_query_expansion: Option<bool>,
    attend_to_expansion_tokens: Option<bool>,
    skiplist_words: Option<Vec<String>>,
}

impl Settings {
    fn is_late(&self) -> bool {
        self.query_length.is_some() || self.document_length.is_some()
    }

    /// The first prompt of these names, or else the one for everything.
    fn prompt(&self, names: &[&str]) -> String {
        let usual = self.default_prompt_name.as_deref();
        let mut names = names.iter().copied().chain(usual);
        let prompt = names.find_map(|name| self.prompts.get(name)?.clone());
        prompt.unwrap_or_default()
    }

    fn reading(&self, side: &Sides, most: usize) -> Reading {
        let prompt = self.prompt(side.prompts);
        if !self.is_late() {
            return Reading {
                prompt,
                tokens: most,
                ..Reading::default()
            };
        }
        let is_query = side.is_query;
        let (prefix, tokens) = match is_query {
            true => (&self.query_prefix, self.query_length.unwrap_or(32)),
            false => (&self.document_prefix, self.document_length.unwrap_or(180)),
        };
        let skipped = self
            .skiplist_words
            .clone()
            .filter(|_| !is_query)
            .unwrap_or_default();
        Reading {
            prompt,
            prefix: prefix.clone().filter(|prefix| !prefix.is_empty()),
            tokens: tokens.min(most),
            expands: is_query && self.do_query_expansion.unwrap_or(true),
            sees_masks: self.attend_to_expansion_tokens.unwrap_or(false),
            skipped,
        }
    }
}

/// What differs between questions and documents.
struct Sides {
    is_query: bool,
    prompts: &'static [&'static str],
}

const QUERY: Sides = Sides {
    is_query: true,
    prompts: &["query"],
};
const DOCUMENT: Sides = Sides {
    is_query: false,
    prompts: &["document", "passage", "corpus"],
};

impl Layout {
    /// Reads everything but the network and the tokenizer.
    pub fn read(folder: &Path) -> Result<Layout, ProviderError> {
        let network = NETWORKS
            .iter()
            .map(|name| folder.join(name))
            .find(|path| path.is_file());
        let network = network.ok_or_else(|| {
            let reason = format!("it has none of {}", NETWORKS.join(", "));
            let advice = "export it with `optimum-cli export onnx --model NAME FOLDER`";
            ProviderError::Folder {
                path: folder.to_owned(),
                reason,
                advice,
            }
        })?;
        let tokenizer = folder.join("tokenizer.json");
        if !tokenizer.is_file() {
            let reason = "it has no tokenizer.json".to_owned();
            let advice = "save it with a fast tokenizer";
            return Err(ProviderError::Folder {
                path: folder.to_owned(),
                reason,
                advice,
            });
        }
        let modules: Vec<Module> = json(&folder.join("modules.json"))?.unwrap_or_default();
        let settings = settings(folder)?;
        let most = most_tokens(folder)?;
        Ok(Layout {
            name: name(folder),
            network,
            tokenizer,
            pooling: pooling(folder, &modules)?,
            dense: dense(folder, &modules)?,
            late: settings.is_late(),
            query: settings.reading(&QUERY, most),
            document: settings.reading(&DOCUMENT, most),
        })
    }

    /// A hash of everything that the vectors depend on.
    pub fn fingerprint(&self, folder: &Path) -> Result<u64, ProviderError> {
        let mut hash = Xxh3::new();
        // Large networks keep their weights in a second file.
        let weights = self.network.with_extension("onnx_data");
        let settings = SETTINGS.iter().map(|name| folder.join(name));
        let files = [self.network.clone(), weights].into_iter().chain(settings);
        for path in files.filter(|path| path.is_file()) {
            add_file(&mut hash, &path).map_err(|error| unreadable(&path, error))?;
        }
        Ok(hash.digest())
    }
}

fn add_file(hash: &mut Xxh3, path: &Path) -> io::Result<()> {
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// PyLate's exporter writes a file of its own, which says everything.
fn settings(folder: &Path) -> Result<Settings, ProviderError> {
    let exported = json(&folder.join("onnx_config.json"))?.filter(Settings::is_late);
    let usual = || json(&folder.join("config_sentence_transformers.json"));
    Ok(exported
        .map_or_else(usual, |found| Ok(Some(found)))?
        .unwrap_or_default())
}

fn most_tokens(folder: &Path) -> Result<usize, ProviderError> {
    let bert: SentenceBert = json(&folder.join("sentence_bert_config.json"))?.unwrap_or_default();
    if let Some(most) = bert.max_seq_length {
        return Ok(most.clamp(8, MOST_TOKENS));
    }
    let network: Network = json(&folder.join("config.json"))?.unwrap_or_default();
    Ok(network
        .max_position_embeddings
        .unwrap_or(USUAL_TOKENS)
        .clamp(8, USUAL_TOKENS))
}

/// The configuration of the last module of a kind.
fn module<T: DeserializeOwned>(
    folder: &Path,
    modules: &[Module],
    ending: &str,
) -> Result<Option<(PathBuf, T)>, ProviderError> {
    let Some(module) = modules.iter().rfind(|module| module.kind.ends_with(ending)) else {
        return Ok(None);
    };
    let path = folder.join(&module.path).join("config.json");
    Ok(json(&path)?.map(|config| (path, config)))
}

/// How the model says that it pools; the mean, where it does not say.
fn pooling(folder: &Path, modules: &[Module]) -> Result<Pooling, ProviderError> {
    let usual = || {
        let path = folder.join("1_Pooling/config.json");
        Ok(json(&path)?.map(|modes| (path, modes)))
    };
    let found = module(folder, modules, ".Pooling")?.map_or_else(usual, |found| Ok(Some(found)))?;
    let Some((path, modes)): Option<(PathBuf, PoolingModes)> = found else {
        return Ok(Pooling::Mean);
    };
    modes.pooling().ok_or_else(|| {
        let reason = "it asks for a pooling that scent does not know".to_owned();
        let advice = "scent knows one of mean, cls and lasttoken; take another model";
        ProviderError::Folder {
            path,
            reason,
            advice,
        }
    })
}

fn dense(folder: &Path, modules: &[Module]) -> Result<Option<usize>, ProviderError> {
    let found = module::<Dense>(folder, modules, ".Dense")?;
    Ok(found.and_then(|(_, dense)| dense.out_features))
}

/// What people call the model: the name in the cache of Hugging Face, or that
/// of the folder.
fn name(folder: &Path) -> String {
    let full = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let names: Vec<_> = full.iter().map(|part| part.to_string_lossy()).collect();
    let cached = names
        .iter()
        .rev()
        .find_map(|name| name.strip_prefix("models--"));
    match cached {
        Some(name) => name.replacen("--", "/", 1),
        None => names
            .last()
            .map(|name| name.to_string())
            .unwrap_or_default(),
    }
}

/// A file that need not be there.
fn json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ProviderError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(path, error)),
    };
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, error: impl ToString) -> ProviderError {
    let advice = "fetch the model again";
    ProviderError::Folder {
        path: path.to_owned(),
        reason: error.to_string(),
        advice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files and an empty network and tokenizer.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("onnx/model.onnx", ""), ("tokenizer.json", "")]
            .iter()
            .chain(files)
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn a_bare_folder_has_the_usual_settings() {
        let folder = folder(&[("config.json", "{\"max_position_embeddings\": 514}")]);
        let layout = Layout::read(folder.path()).unwrap();
        assert_eq!(
            (layout.pooling, layout.dense, layout.late),
            (Pooling::Mean, None, false)
        );
        assert_eq!(
            layout.query,
            Reading {
                tokens: 512,
                ..Reading::default()
            }
        );
        assert_eq!(layout.query, layout.document);
    }

    #[test]
    fn the_files_of_sentence_transformers_are_read() {
        let folder = folder(&[
            (
                "modules.json",
                r#"[{"type": "sentence_transformers.models.Pooling", "path": "p"}]"#,
            ),
            (
                "p/config.json",
                r#"{"pooling_mode_cls_token": true, "word_embedding_dimension": 4}"#,
            ),
            ("sentence_bert_config.json", r#"{"max_seq_length": 256}"#),
            (
                "config_sentence_transformers.json",
                r#"{"prompts": {"query": "find: ", "passage": "text: "}, "default_prompt_name": null}"#,
            ),
        ]);
        let layout = Layout::read(folder.path()).unwrap();
        assert_eq!(layout.pooling, Pooling::First);
        assert_eq!(
            (layout.query.prompt.as_str(), layout.query.tokens),
            ("find: ", 256)
        );
        assert_eq!(layout.document.prompt, "text: ");
        let print = layout.fingerprint(folder.path()).unwrap();
        fs::write(folder.path().join("sentence_bert_config.json"), "{}").unwrap();
        assert_ne!(layout.fingerprint(folder.path()).unwrap(), print);
    }

    #[test]
    fn the_files_of_pylate_are_read() {
        let folder = folder(&[
            (
                "modules.json",
                r#"[{"type": "pylate.models.Dense.Dense", "path": "1_Dense"}]"#,
            ),
            (
                "1_Dense/config.json",
                r#"{"in_features": 384, "out_features": 96}"#,
            ),
            (
                "config_sentence_transformers.json",
                r#"{"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 32,
                    "document_length": 300, "skiplist_words": ["!", "."]}"#,
            ),
        ]);
        let layout = Layout::read(folder.path()).unwrap();
        assert!(layout.late);
        assert_eq!(layout.dense, Some(96));
        let (query, document) = (layout.query, layout.document);
        assert_eq!((query.prefix.as_deref(), query.tokens), (Some("[Q] "), 32));
        assert!(query.expands && !query.sees_masks && query.skipped.is_empty());
        assert_eq!(
            (document.prefix.as_deref(), document.tokens),
            (Some("[D] "), 300)
        );
        assert!(!document.expands);
        assert_eq!(document.skipped, ["!", "."]);
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        let empty = tempfile::tempdir().unwrap();
        let message = Layout::read(empty.path()).unwrap_err().to_string();
        assert!(
            message.contains("onnx/model.onnx") && message.contains("optimum"),
            "{message}"
        );
        let cases = [
            (
                "1_Pooling/config.json",
                r#"{"pooling_mode_max_tokens": true}"#,
            ),
            ("1_Pooling/config.json", r#"{"pooling_mode": "weighted"}"#),
            ("modules.json", "{"),
            ("config.json", "[1"),
        ];
        for (name, text) in cases {
            let folder = folder(&[(name, text)]);
            let message = Layout::read(folder.path()).unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
    }

    #[test]
    fn a_cached_model_keeps_its_name() {
        assert_eq!(
            name(Path::new("/c/hub/models--a--b--c/snapshots/123")),
            "a/b--c"
        );
        assert_eq!(name(Path::new("/models/minilm")), "minilm");
    }
}
