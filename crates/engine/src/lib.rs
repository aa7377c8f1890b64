//! The one public API of scent: open projects, keep their indexes up to date,
//! and search them.
//!
//! Every interface holds [`Project`]s and calls nothing below this crate.
//! Updating and searching are separate steps: [`Project::refresh`] walks a
//! folder and commits a new generation where something changed;
//! [`Engine::search`] and the look-ups of a project read one.

mod answer;
mod background;
mod cache;
mod change;
mod classify;
mod counts;
mod crash;
mod detached;
mod embed;
mod embeddings;
mod error;
mod excerpt;
mod files;
mod filters;
mod folders;
#[doc(hidden)]
pub mod fuzzing;
mod git;
mod guard;
mod heal;
mod hits;
mod ignored;
mod importance;
mod in_turn;
mod index_file;
mod indexes;
mod lookup;
mod map;
mod members;
mod models;
mod nothing;
mod operations;
mod operators;
mod order;
mod os;
mod progress;
mod project;
mod query;
mod reading;
mod refresh;
mod request;
mod request_error;
mod root;
mod scan;
mod searched;
mod slices;
mod small_file;
mod sources;
mod status;
mod tree;
mod units;
mod update;
mod walk;
mod worktrees;

pub use background::{Background, Job, Queue};
pub use crash::survive_parser_crashes;
pub use embed::OnBusy;
pub use error::EngineError;
pub use files::{FileInfo, Skipped};
pub use guard::is_guarded;
pub use ignored::decides_about_others;
pub use lookup::{
    Call, CallPathOptions, Changed, Cursor, DependencyOptions, ImpactOptions, Position,
    ReferenceFilter, Since, UnusedOptions, UsedName,
};
pub use map::MapOptions;
pub use models::ModelOptions;
pub use os::{
    cache_folder, canonical, catch_interrupts, config_folder, display_path, interrupted,
    is_private, keep_input, keep_standard_output, make_files_private, open_address, parent_process,
    release_interrupts, start_detached, start_server, was_started_again, with_usual_modes,
};
pub use progress::{Progress, Silent, Stage};
pub use project::{Project, Version};
pub use reading::Embedded;
pub use refresh::Refresh;
pub use request::parse_request;
pub use request_error::RequestError;
pub use root::{Target, enclosing, is_in_project, is_risky, targets};
pub use small_file::read_small;
pub use units::{Described, file_outline, file_units, text_outline};
pub use update::Update;

/// Whether a file at a path usually holds keys or passwords; what answers others
/// than the user leaves it out.
pub use scent_search::is_secret;

/// What is known of the languages, which is data of their parser.
pub use scent_syntax::{Language, detect as detect_language, find as find_language, languages};

use cache::Cache;
use models::{Models, OpenModel, Source};
use scent_embed::{Embedder, Kernel, ModelError};
use scent_index::{FORMAT, Local, SharedStorage, VectorModel, VectorStores};
use scent_search::Weights;
use scent_types::ModelInfo;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// How long a search waits for another writer before it answers from the
/// previous generation.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1500);

/// How long to wait for another writer where there is nothing to answer from,
/// unless [`Engine::with_patience`] says otherwise.
const LONG_PATIENCE: Duration = Duration::from_secs(600);

/// A long update publishes what it has about so often.
const COMMIT_EVERY: Duration = Duration::from_secs(3);

/// More threads than this for each core only get in each other's way.
const MOST_THREADS_PER_CORE: usize = 4;

/// What decides what an index holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Larger files are not indexed, in bytes.
    pub max_file_size: u64,
    /// Index files that tools wrote.
    pub include_generated: bool,
    /// Index minified files.
    pub include_minified: bool,
    /// How many threads to use; 0 for one a core.
    pub threads: usize,
    /// The shortest time between two generations of a long update.
    pub commit_every: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_file_size: 2 << 20,
            include_generated: false,
            include_minified: false,
            threads: 0,
            commit_every: COMMIT_EVERY,
        }
    }
}

/// Opens projects and searches them. Cheap to make and to clone.
#[derive(Clone)]
pub struct Engine {
    data: PathBuf,
    settings: Settings,
    patience: Duration,
    weights: Arc<Weights>,
    models: Models,
    cache: Option<(Arc<Cache>, Keep)>,
    max_total_size: Option<u64>,
}

/// Which answers that were given before are given again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keep {
    /// Those to the same request.
    Same,
    /// Also those to a question whose vector has at least this cosine to that of
    /// the new one. Answers then depend on earlier questions.
    Near(f32),
}

impl Engine {
    /// An engine that keeps its indexes below a folder.
    pub fn new(data: impl Into<PathBuf>, settings: Settings) -> Engine {
        Engine {
            data: data.into(),
            settings,
            patience: LONG_PATIENCE,
            weights: Arc::default(),
            models: Models::default(),
            cache: None,
            max_total_size: None,
        }
    }

    /// The same engine that keeps all indexes together within so many bytes:
    /// after one was written, those that were not used for the longest time are
    /// removed.
    pub fn with_max_total_size(self, max_total_size: Option<u64>) -> Engine {
        Engine {
            max_total_size,
            ..self
        }
    }

    /// The same engine with another limit on waiting for another writer where
    /// there is nothing to answer from.
    pub fn with_patience(self, patience: Duration) -> Engine {
        Engine { patience, ..self }
    }

    /// The same engine that gives answers again, as do all its clones. For a
    /// process that answers more than once.
    pub fn with_cache(self, keep: Keep) -> Engine {
        Engine {
            cache: Some((Arc::default(), keep)),
            ..self
        }
    }

    /// The same engine with other ranking, to measure it.
    /// The text has the form of `weights.toml` and names what differs.
    pub fn with_weights(self, overlay: &str) -> Result<Engine, EngineError> {
        let weights = Weights::with(overlay).map_err(EngineError::Weights)?;
        Ok(Engine {
            weights: Arc::new(weights),
            ..self
        })
    }

    /// The same engine with another model, which embeds and answers alone.
    pub fn with_encoder(self, encoder: Arc<dyn Embedder>) -> Engine {
        let models = Models {
            primary: Source::Given(encoder),
            refined: None,
        };
        Engine { models, ..self }
    }

    /// The same engine with a refined model beside the one that it has. That
    /// one answers until the refined one has embedded everything.
    pub fn with_refined(self, encoder: Arc<dyn Embedder>) -> Engine {
        let models = Models {
            refined: Some(Source::Given(encoder)),
            ..self.models
        };
        Engine { models, ..self }
    }

    /// The same engine with another model. It is opened when it is first
    /// needed.
    pub fn with_model(self, model: &ModelOptions) -> Result<Engine, EngineError> {
        let spec = model.spec().map_err(ModelError::from)?;
        Ok(Engine {
            models: self.models.named(&spec),
            ..self
        })
    }

    /// The same engine without the refined model.
    pub(crate) fn primary_alone(&self) -> Engine {
        Engine {
            models: self.models.primary_alone(),
            ..self.clone()
        }
    }

    /// A project, whether it is indexed or not. Nothing is read yet.
    pub fn open(&self, root: &Path) -> Project {
        self.open_with(root, self.settings.clone())
    }

    /// A project that has settings of its own.
    pub fn open_with(&self, root: &Path, settings: Settings) -> Project {
        Project::new(self.clone(), root, settings)
    }

    /// What there is to know of the models: the primary one and, if there is
    /// one, the refined one.
    pub fn models(&self) -> Result<Vec<ModelInfo>, EngineError> {
        Ok(self.models.about()?)
    }

    /// What computes the primary model.
    pub fn kernel(&self) -> &'static str {
        match &self.models.primary {
            Source::Shipped => Kernel::best().name(),
            _ => "another program",
        }
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    pub(crate) fn embedders(&self) -> Result<Vec<OpenModel<'_>>, EngineError> {
        Ok(self.models.embedders()?)
    }

    /// What an index has to know of the models that are open.
    pub(crate) fn open_models(&self) -> Vec<VectorModel> {
        self.models.if_open().unwrap_or_default()
    }

    /// The stores of vectors that a commit of texts leaves to the models.
    pub(crate) fn wanted_vectors(&self, before: &VectorStores) -> VectorStores {
        match self.models.if_open() {
            Some(models) => before.wanting(&models),
            None => before.wanting_unknown(self.models.count()),
        }
    }

    /// The folder that holds the index of a root. Every model but the one
    /// inside the program has indexes of its own, beside the others, and so
    /// have two together. So has every format.
    pub(crate) fn index_folder(&self, root: &Path) -> PathBuf {
        let name = self.index_name(root);
        self.data.join(format!("{name}-v{FORMAT}"))
    }

    /// Where the index of a root is kept.
    pub(crate) fn storage(&self, root: &Path) -> SharedStorage {
        Local::shared(&self.index_folder(root))
    }

    /// The name of an index, whatever its format.
    pub(crate) fn index_name(&self, root: &Path) -> String {
        let name = root.file_name().map_or_else(
            || "root".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
        let mut slug = name;
        slug.retain(|c| c.is_alphanumeric() || "-_.".contains(c));
        let slug: String = slug.chars().take(40).collect();
        let hash = xxh3_64(root.as_os_str().as_encoded_bytes());
        format!("{slug}-{:016x}", hash ^ self.models.namespace())
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    pub(crate) fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        match self.settings.threads {
            0 => cores,
            n => n.min(cores * MOST_THREADS_PER_CORE),
        }
    }

    /// Changes with whatever changes the contents of an index.
    pub(crate) fn fingerprint(&self, settings: &Settings) -> u64 {
        let Settings {
            max_file_size,
            include_generated,
            include_minified,
            threads: _,
            commit_every: _,
        } = settings;
        let settings = format!(
            "{max_file_size} {include_generated} {include_minified} {}",
            scent_index::FOUND_BY
        );
        let rules = format!(
            "{settings} {} {}",
            classify::RULES.join(" "),
            env!("CARGO_PKG_VERSION")
        );
        xxh3_64(rules.as_bytes()) ^ scent_syntax::fingerprint() ^ self.models.fingerprint()
    }
}
