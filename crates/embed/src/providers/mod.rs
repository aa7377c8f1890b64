//! Models that are not inside the program: in a file, behind a server, or in a
//! folder.

mod address;
#[cfg_attr(feature = "deep", path = "deep_inside.rs")]
mod deep;
mod error;
mod file;
mod hub;
#[cfg_attr(not(feature = "onnx"), path = "no_onnx.rs")]
mod onnx;
#[cfg_attr(not(feature = "remote"), path = "no_remote.rs")]
pub(crate) mod remote;
#[cfg(any(feature = "onnx", feature = "remote"))]
mod vectors;

pub use error::ProviderError;
pub use hub::cached_model;
#[cfg(feature = "remote")]
pub use remote::{Http, Limits};

use crate::{Embedder, ModelError, Shipped};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where Ollama listens by default.
const OLLAMA: &str = "http://localhost:11434";

/// Which model is to be used.
#[derive(Clone, PartialEq, Eq)]
pub enum ModelSpec {
    /// The small one inside the program.
    Shipped,
    /// The large one: inside the program where it is built so, otherwise a file
    /// beside it.
    Deep {
        /// A folder to look for the file in before all others.
        models: Option<PathBuf>,
    },
    /// One of ours in a file.
    File(PathBuf),
    /// One in a folder, in the form of sentence-transformers with ONNX.
    Folder {
        /// The folder.
        path: PathBuf,
        /// The library of ONNX Runtime; without it, the usual places.
        runtime: Option<PathBuf>,
    },
    /// One behind a server that speaks like OpenAI.
    OpenAi {
        /// The address before `/embeddings`.
        base: String,
        /// What the server calls the model.
        model: String,
        /// What the server wants to see.
        key: Option<String>,
    },
    /// One behind Ollama.
    Ollama {
        /// The address before `/api/embed`.
        base: String,
        /// What Ollama calls the model.
        model: String,
    },
}

impl ModelSpec {
    /// What a text names: `small` or nothing, `deep`, a file `*.safetensors`,
    /// `ollama:NAME[@http://host:port]`, `http(s)://host/v1#NAME`, or a folder.
    pub fn parse(text: &str) -> Result<ModelSpec, ProviderError> {
        let unknown = || ProviderError::Unknown(text.to_owned());
        let text = text.trim();
        if text.is_empty() || text == "small" {
            return Ok(ModelSpec::Shipped);
        }
        if text == "deep" {
            return Ok(ModelSpec::Deep { models: None });
        }
        if let Some(rest) = text.strip_prefix("ollama:") {
            let at = ["@http://", "@https://"]
                .iter()
                .find_map(|scheme| rest.find(scheme));
            let (model, base) = at.map_or((rest, OLLAMA), |at| (&rest[..at], &rest[at + 1..]));
            let (model, base) = (named(model).ok_or_else(unknown)?, address::checked(base)?);
            return Ok(ModelSpec::Ollama { base, model });
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            let (base, model) = text.split_once('#').ok_or_else(unknown)?;
            let (model, base) = (named(model).ok_or_else(unknown)?, address::checked(base)?);
            return Ok(ModelSpec::OpenAi {
                base,
                model,
                key: None,
            });
        }
        let path = PathBuf::from(text);
        if file::is_name(&path) {
            return Ok(ModelSpec::File(path));
        }
        path.is_dir()
            .then_some(ModelSpec::Folder {
                path,
                runtime: None,
            })
            .ok_or_else(unknown)
    }

    /// Whether a text names a model by a path, which may be relative.
    pub fn is_path(text: &str) -> bool {
        let text = text.trim();
        let named = ["", "small", "deep"].contains(&text) || hub::is_name(text);
        let schemes = ["ollama:", "http://", "https://"];
        let is_address = schemes.iter().any(|scheme| text.starts_with(scheme));
        file::is_name(Path::new(text)) || !(named || is_address)
    }

    /// The same, and `OWNER/NAME` in the cache of Hugging Face. A folder of
    /// that name has to be written as a path, `./OWNER/NAME`: a
    /// repository must not replace a model by a folder of its name.
    pub fn parse_with_cache(text: &str, cache: &Path) -> Result<ModelSpec, ProviderError> {
        let name = text.trim();
        if !hub::is_name(name) || file::is_name(Path::new(name)) {
            return ModelSpec::parse(text);
        }
        let path = cached_model(name, cache)?;
        Ok(ModelSpec::Folder {
            path,
            runtime: None,
        })
    }
}

/// The name of a model, if there is one.
fn named(model: &str) -> Option<String> {
    (!model.is_empty()).then(|| model.to_owned())
}

impl fmt::Debug for ModelSpec {
    /// Without the key, which has no place in a log.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ModelSpec::Shipped => write!(out, "Shipped"),
            ModelSpec::Deep { models } => write!(out, "Deep({models:?})"),
            ModelSpec::File(path) => write!(out, "File({path:?})"),
            ModelSpec::Folder { path, runtime } => write!(out, "Folder({path:?}, {runtime:?})"),
            ModelSpec::OpenAi { base, model, .. } => write!(out, "OpenAi({base}#{model})"),
            ModelSpec::Ollama { base, model } => write!(out, "Ollama({model}@{base})"),
        }
    }
}

/// The model of this name, ready to embed. A server is asked once, for the
/// length of its vectors.
pub fn open(spec: &ModelSpec) -> Result<Arc<dyn Embedder>, ModelError> {
    Ok(match spec {
        ModelSpec::Shipped => Arc::new(Shipped),
        ModelSpec::Deep { models } => Arc::new(deep::open(models.as_deref())?),
        ModelSpec::File(path) => Arc::new(file::open(path)?),
        ModelSpec::Folder { path, runtime } => onnx::open(path, runtime.as_deref())?,
        ModelSpec::OpenAi { base, model, key } => remote::open_ai(base, model, key.as_deref())?,
        ModelSpec::Ollama { base, model } => remote::ollama(base, model)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_name_is_understood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let ollama = |base: &str, model: &str| ModelSpec::Ollama {
            base: base.into(),
            model: model.into(),
        };
        let open_ai = |base: &str, model: &str| ModelSpec::OpenAi {
            base: base.into(),
            model: model.into(),
            key: None,
        };
        let cases = [
            ("", ModelSpec::Shipped),
            (" small ", ModelSpec::Shipped),
            ("deep", ModelSpec::Deep { models: None }),
            (
                "/my/own.safetensors",
                ModelSpec::File("/my/own.safetensors".into()),
            ),
            ("ollama:all-minilm", ollama(OLLAMA, "all-minilm")),
            (
                "ollama:nomic-embed-text:v1.5",
                ollama(OLLAMA, "nomic-embed-text:v1.5"),
            ),
            ("ollama:a@http://box:1234/", ollama("http://box:1234", "a")),
            ("ollama:me/a@https://box", ollama("https://box", "me/a")),
            (
                "https://api.x.com/v1#text-3",
                open_ai("https://api.x.com/v1", "text-3"),
            ),
            (
                "http://[::1]:80/v1/#o/m#2",
                open_ai("http://[::1]:80/v1", "o/m#2"),
            ),
            (
                path.to_str().unwrap(),
                ModelSpec::Folder {
                    path: path.clone(),
                    runtime: None,
                },
            ),
        ];
        for (text, want) in cases {
            assert_eq!(ModelSpec::parse(text).unwrap(), want, "{text}");
        }
    }

    #[test]
    fn what_names_no_model_is_answered_with_the_forms() {
        for text in [
            "large",
            "ollama:",
            "ollama:@http://x",
            "http://x/v1",
            "http://x/v1#",
            "/no/x",
        ] {
            let message = ModelSpec::parse(text).unwrap_err().to_string();
            assert!(
                message.contains("ollama:NAME@http://HOST:PORT"),
                "{text}: {message}"
            );
        }
        for text in [
            "http://#m",
            "http://me:s3cret@host/v1#m",
            "http://host/v1?a=b#m",
        ] {
            let error = ModelSpec::parse(text).unwrap_err();
            assert!(
                matches!(error, ProviderError::Address { .. }),
                "{text}: {error}"
            );
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_name_is_looked_up_in_the_cache() {
        let cache = tempfile::tempdir().unwrap();
        let error = ModelSpec::parse_with_cache("some/model", cache.path()).unwrap_err();
        assert!(matches!(error, ProviderError::NotCached { .. }), "{error}");
        let small = ModelSpec::parse_with_cache("small", cache.path()).unwrap();
        assert_eq!(small, ModelSpec::Shipped);
        let file = ModelSpec::parse_with_cache("my/own.safetensors", cache.path()).unwrap();
        assert_eq!(file, ModelSpec::File("my/own.safetensors".into()));
    }

    #[test]
    fn a_key_is_not_shown() {
        let spec = ModelSpec::OpenAi {
            base: "https://x/v1".into(),
            model: "m".into(),
            key: Some("secret".into()),
        };
        assert_eq!(format!("{spec:?}"), "OpenAi(https://x/v1#m)");
    }
}
