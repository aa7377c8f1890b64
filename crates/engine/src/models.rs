//! The models that make vectors: one alone, or a primary one that answers first
//! and a refined one that takes longer. A model that is not inside the program
//! is opened when it is first needed, so that whoever needs none asks no file
//! and no server.

use scent_embed::{Embedder, ModelError, ModelSpec, ProviderError, Shipped};
use scent_index::VectorModel;
use scent_types::ModelInfo;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

/// A search embeds so many units with the primary model before it answers,
/// however slow the machine: it takes a moment.
const INLINE_LEAST: u64 = 256;

/// The same for a refined model, which reads some 60 units a second on a core.
const REFINED_INLINE_LEAST: u64 = 60;

/// Which embedding model to use, as settings name it.
#[derive(Clone, Default)]
pub struct ModelOptions {
    /// `small`, `deep`, a file, a folder, an address or `OWNER/NAME`.
    pub name: String,
    /// The key for a server.
    pub key: Option<String>,
    /// The library of ONNX Runtime; without it, the usual places.
    pub runtime: Option<PathBuf>,
    /// A folder to look for the large model in before all others.
    pub models: Option<PathBuf>,
    /// The cache of Hugging Face, where `OWNER/NAME` is looked for; without it,
    /// such names are not known.
    pub hugging_face: Option<PathBuf>,
}

impl ModelOptions {
    /// The model with a name, found in the usual places.
    pub fn named(name: &str) -> ModelOptions {
        ModelOptions {
            name: name.to_owned(),
            ..ModelOptions::default()
        }
    }

    /// Whether a name is a path, which may be relative.
    pub fn is_path(name: &str) -> bool {
        ModelSpec::is_path(name)
    }

    pub(crate) fn spec(&self) -> Result<ModelSpec, ProviderError> {
        let mut spec = match &self.hugging_face {
            Some(cache) => ModelSpec::parse_with_cache(&self.name, cache)?,
            None => ModelSpec::parse(&self.name)?,
        };
        match &mut spec {
            ModelSpec::OpenAi { key, .. } => key.clone_from(&self.key),
            ModelSpec::Folder { runtime, .. } => runtime.clone_from(&self.runtime),
            ModelSpec::Deep { models } => models.clone_from(&self.models),
            ModelSpec::Shipped | ModelSpec::File(_) | ModelSpec::Ollama { .. } => {}
        }
        Ok(spec)
    }
}

/// The models of an engine.
#[derive(Clone, Default)]
pub(crate) struct Models {
    /// The one that answers first.
    pub primary: Source,
    /// The one that answers once it has read everything.
    pub refined: Option<Source>,
}

/// Where a model comes from.
#[derive(Clone, Default)]
pub(crate) enum Source {
    /// From inside the program.
    #[default]
    Shipped,
    /// From whoever made the engine.
    Given(Arc<dyn Embedder>),
    /// From where its name says.
    Named(Arc<Named>),
}

/// A model by its name, and the model itself once somebody needed it.
pub(crate) struct Named {
    spec: ModelSpec,
    opened: OnceLock<Arc<dyn Embedder>>,
}

/// One of the models, as it reads an index.
pub(crate) struct OpenModel<'m> {
    pub encoder: &'m dyn Embedder,
    /// What the index knows of it.
    pub model: VectorModel,
    /// So many units are embedded before a search answers, whatever time it takes.
    pub inline_least: u64,
}

impl Source {
    pub fn named(spec: &ModelSpec) -> Source {
        Source::Named(Arc::new(Named {
            spec: spec.clone(),
            opened: OnceLock::new(),
        }))
    }

    fn open(&self) -> Result<&dyn Embedder, ModelError> {
        match self {
            Source::Shipped => Ok(&Shipped),
            Source::Given(encoder) => Ok(encoder.as_ref()),
            Source::Named(named) => named.open(),
        }
    }

    /// The model, if nothing has to be opened for it.
    fn if_open(&self) -> Option<&dyn Embedder> {
        match self {
            Source::Named(named) => named.opened.get().map(Arc::as_ref),
            other => other.open().ok(),
        }
    }

    /// What tells it from other models before it is opened.
    fn namespace(&self) -> u64 {
        match self {
            Source::Shipped => 0,
            Source::Given(encoder) => encoder.info().fingerprint,
            Source::Named(named) => xxh3_64(format!("{:?}", named.spec).as_bytes()),
        }
    }
}

impl Named {
    fn open(&self) -> Result<&dyn Embedder, ModelError> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened.as_ref());
        }
        let opened = scent_embed::open(&self.spec)?;
        Ok(self.opened.get_or_init(|| opened).as_ref())
    }
}

impl Models {
    /// The models that a name stands for.
    pub fn named(self, spec: &ModelSpec) -> Models {
        match spec {
            ModelSpec::Shipped => self,
            // One of ours may be large: the one inside the program answers first.
            ModelSpec::Deep { .. } | ModelSpec::File(_) => Models {
                refined: Some(Source::named(spec)),
                ..self
            },
            spec => Models {
                primary: Source::named(spec),
                refined: None,
            },
        }
    }

    fn sources(&self) -> impl Iterator<Item = &Source> {
        [&self.primary].into_iter().chain(&self.refined)
    }

    /// All of them, the primary one first.
    pub fn embedders(&self) -> Result<Vec<OpenModel<'_>>, ModelError> {
        let inline_least = [INLINE_LEAST, REFINED_INLINE_LEAST];
        self.sources()
            .zip(inline_least)
            .map(|(source, inline_least)| Ok(OpenModel::new(source.open()?, inline_least)))
            .collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sources().count()
    }

    /// What an index has to know of each; none where one is not open yet.
    pub fn if_open(&self) -> Option<Vec<VectorModel>> {
        self.sources()
            .map(|source| Some(vector_model(source.if_open()?)))
            .collect()
    }

    /// What there is to know of each, the primary one first.
    pub fn about(&self) -> Result<Vec<ModelInfo>, ModelError> {
        self.sources()
            .map(|source| Ok(source.open()?.info()))
            .collect()
    }

    /// What tells the indexes of these models from those of others: 0 for the
    /// one inside the program alone.
    pub fn namespace(&self) -> u64 {
        self.refined.as_ref().unwrap_or(&self.primary).namespace()
    }

    /// Changes with the models. Of one that is not inside the program it is
    /// only known by which name it is asked for.
    pub fn fingerprint(&self) -> u64 {
        let of = |source: &Source| match source {
            Source::Named(_) => source.namespace(),
            source => source
                .if_open()
                .map_or(0, |encoder| encoder.info().fingerprint),
        };
        self.sources().fold(0, |all, source| all ^ of(source))
    }

    /// The primary one alone.
    pub fn primary_alone(&self) -> Models {
        Models {
            primary: self.primary.clone(),
            refined: None,
        }
    }
}

impl OpenModel<'_> {
    fn new(encoder: &dyn Embedder, inline_least: u64) -> OpenModel<'_> {
        OpenModel {
            encoder,
            model: vector_model(encoder),
            inline_least,
        }
    }
}

fn vector_model(encoder: &dyn Embedder) -> VectorModel {
    let about = encoder.info();
    VectorModel {
        fingerprint: about.fingerprint,
        name: about.name,
        dims: about.dims as u32,
        token_bytes: about.token_bytes as u32,
    }
}
