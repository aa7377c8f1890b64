//! The one public API of scent: keep an index up to date, and search it.
//!
//! Every interface calls [`Engine`] and nothing below it. Updating and
//! searching are separate steps: [`Engine::update`] walks a folder and commits
//! a new generation where something changed; [`Engine::search`] reads one.

mod cache;
mod change;
mod classify;
mod crash;
mod embed;
mod error;
mod folders;
#[doc(hidden)]
pub mod fuzzing;
mod git;
mod heal;
mod hits;
mod ignored;
mod lookup;
mod meaning;
mod models;
mod os;
mod query;
mod root;
mod small_file;
mod status;
mod units;
mod update;
mod walk;
mod worktrees;

pub use crash::survive_parser_crashes;
pub use embed::{Embedded, Others};
pub use error::EngineError;
pub use heal::is_guarded;
pub use lookup::{Changed, Far, Reach, Since, Wish};
pub use os::{
    cache_folder, canonical, config_folder, keep_input, make_files_private, shown, start_detached,
};
pub use root::{Target, around, is_risky};
pub use scent_index::graph::Graph;
pub use scent_index::{FileRecord, Reason, Snapshot, State};
pub use scent_search::{Matcher, Weights};
pub use scent_syntax::{Language, detect as detect_language, find as find_language, languages};
pub use small_file::read_small;
pub use status::{Freshness, Status, VectorCounts};
pub use units::{FileUnits, ReadUnit, file_outline, file_units};
pub use update::{Progress, Silent, Stage, Update};

pub use scent_embed::{ModelInfo, ModelSpec};

use cache::{Cache, Key};
use models::{Models, Reader, Source};
use scent_embed::Embedder;
use scent_index::{FORMAT, Lock, LockError, VectorModel, VectorStores};
use scent_search::{Corpus, SearchError};
use scent_types::Stage as SearchStage;
use scent_types::{Definitions, Dependencies, Impact, Lane, References, Request, Response, Way};
use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use update::Reuse;
use xxhash_rust::xxh3::xxh3_64;

/// How long a search waits for another writer before it answers from the
/// previous generation.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1500);

/// How long to wait for another writer where there is nothing to answer from,
/// unless [`Engine::with_patience`] says otherwise.
const LONG_PATIENCE: Duration = Duration::from_secs(600);

/// A wait longer than this is reported, with the name of the holder.
const TELL_AFTER: Duration = Duration::from_secs(2);

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
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_file_size: 2 << 20,
            include_generated: false,
            include_minified: false,
            threads: 0,
        }
    }
}

/// Whether a search first brings the index up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Walk the folder and index what changed.
    Yes,
    /// Answer from the index as it is.
    No,
}

/// Indexes and searches folders. Cheap to make.
#[derive(Clone)]
pub struct Engine {
    data: PathBuf,
    settings: Settings,
    /// The settings of projects that have their own.
    own_settings: Arc<HashMap<PathBuf, Settings>>,
    patience: Duration,
    weights: Weights,
    models: Models,
    cache: Option<(Arc<Cache>, Keep)>,
}

/// Which answers that were given before are given again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keep {
    /// Those to the same request.
    Same,
    /// Also those to a question whose vector has at least this cosine to that of
    /// the new one. Answers then depend on what was asked before.
    Near(f32),
}

impl Engine {
    /// An engine that keeps its indexes below a folder.
    pub fn new(data: impl Into<PathBuf>, settings: Settings) -> Engine {
        Engine {
            data: data.into(),
            settings,
            own_settings: Arc::default(),
            patience: LONG_PATIENCE,
            weights: Weights::default(),
            models: Models::default(),
            cache: None,
        }
    }

    /// The same engine with settings that hold for one root alone.
    pub fn with_settings_of(mut self, root: &Path, settings: Settings) -> Engine {
        Arc::make_mut(&mut self.own_settings).insert(root.to_owned(), settings);
        self
    }

    /// The same engine that waits so long for another writer where there is
    /// nothing to answer from.
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
    pub fn with_weights(self, weights: Weights) -> Engine {
        Engine { weights, ..self }
    }

    /// The same engine with another model, which reads and answers alone.
    pub fn with_encoder(self, encoder: Arc<dyn Embedder>) -> Engine {
        Engine {
            models: Models {
                fast: Source::Given(encoder),
                better: None,
            },
            ..self
        }
    }

    /// The same engine with a better model beside the one that it has. That
    /// one answers until the better one has read everything.
    pub fn with_better(self, encoder: Arc<dyn Embedder>) -> Engine {
        let better = Some(Source::Given(encoder));
        Engine {
            models: Models {
                better,
                ..self.models
            },
            ..self
        }
    }

    /// The same engine with the model that is meant. It is opened when it is
    /// first needed.
    pub fn with_model(self, model: &ModelSpec) -> Engine {
        Engine {
            models: self.models.named(model),
            ..self
        }
    }

    /// The same engine without the better model.
    pub(crate) fn fast_alone(&self) -> Engine {
        Engine {
            models: self.models.fast_alone(),
            ..self.clone()
        }
    }

    /// What there is to know of the models: the one that answers first, and
    /// the better one, if there is one.
    pub fn models(&self) -> Result<Vec<ModelInfo>, EngineError> {
        Ok(self.models.about()?)
    }

    /// What computes the first of them.
    pub fn kernel(&self) -> &'static str {
        match &self.models.fast {
            Source::Shipped => scent_embed::shipped().kernel().name(),
            _ => "another program",
        }
    }

    pub(crate) fn readers(&self) -> Result<Vec<Reader<'_>>, EngineError> {
        Ok(self.models.readers()?)
    }

    pub(crate) fn models_at_hand(&self) -> Vec<VectorModel> {
        self.models.at_hand().unwrap_or_default()
    }

    /// The stores of vectors that a commit of texts leaves to the models.
    pub(crate) fn wanted(&self, before: &VectorStores) -> VectorStores {
        match self.models.at_hand() {
            Some(models) => before.wanting(&models),
            None => before.wanting_unknown(self.models.count()),
        }
    }

    /// The folder that holds the index of a root. Every model but the one
    /// inside the program has indexes of its own, beside the others, and so
    /// have two together. So has every format.
    pub fn index_folder(&self, root: &Path) -> PathBuf {
        self.data
            .join(format!("{}-v{FORMAT}", self.index_name(root)))
    }

    /// The name of an index, whatever its format.
    fn index_name(&self, root: &Path) -> String {
        let name = root
            .file_name()
            .map_or("root".into(), |n| n.to_string_lossy().into_owned());
        let slug: String = name
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_.".contains(*c))
            .take(40)
            .collect();
        let hash = xxh3_64(root.as_os_str().as_encoded_bytes());
        format!("{slug}-{:016x}", hash ^ self.models.mark())
    }

    /// The folders to search for these paths: each path's project, narrowed
    /// to the path. With `exact`, a path is a project of its own.
    pub fn targets(&self, paths: &[PathBuf], exact: bool) -> Result<Vec<Target>, EngineError> {
        root::targets(paths, exact)
    }

    /// Whether a root has an index.
    pub fn is_indexed(&self, root: &Path) -> bool {
        self.index_folder(root).join("meta.json").exists()
    }

    /// Brings the index of a root up to date and opens it. Another writer is
    /// waited for.
    pub fn update(&self, root: &Path, progress: &dyn Progress) -> Result<Update, EngineError> {
        heal::healing(self, [root], progress, || {
            update::update(self, root, Reuse::Unchanged, self.patience, progress)
        })
    }

    /// Removes the index of a root and makes it from nothing.
    pub fn rebuild(&self, root: &Path, progress: &dyn Progress) -> Result<Update, EngineError> {
        update::from_scratch(self, root, None, progress)
    }

    /// Verifies every checksum of the index of a root; returns how many files
    /// were verified.
    pub fn verify(&self, root: &Path) -> Result<usize, EngineError> {
        let verified = heal::verify(&self.index_folder(root));
        verified.map_err(|e| EngineError::index(root, e))
    }

    /// What a question about the structure of a root is answered from: its
    /// index, up to date, or as good as another writer leaves it, with notes.
    /// The question is asked again where the index turns out to be damaged.
    pub fn ask<T>(
        &self,
        root: &Path,
        progress: &dyn Progress,
        question: impl Fn(&Snapshot) -> Result<T, EngineError>,
    ) -> Result<(T, Arc<Snapshot>, Vec<String>), EngineError> {
        heal::healing(self, [root], progress, || {
            let mut notes = Vec::new();
            let snapshot = self.refreshed(root, progress, &mut notes)?;
            Ok((question(&snapshot)?, snapshot, notes))
        })
    }

    /// Makes the vectors that the index of a root lacks: those of the model
    /// that answers first, and then those of the better one. At last it catches
    /// up with how important files are.
    pub fn embed(
        &self,
        root: &Path,
        others: Others,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        let readers = self.readers()?;
        heal::healing(self, [root], progress, || {
            let mut done = Embedded::default();
            for last in 1..=readers.len() {
                done += embed::fill(self, root, &readers[..last], others, progress)?;
            }
            embed::rank(self, root, others)?;
            Ok(done)
        })
    }

    /// The same with the model that answers first alone.
    pub fn embed_fast(
        &self,
        root: &Path,
        others: Others,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        let readers = self.readers()?;
        heal::healing(self, [root], progress, || {
            let done = embed::fill(self, root, &readers[..1], others, progress)?;
            embed::rank(self, root, others)?;
            Ok(done)
        })
    }

    /// Whether another process makes vectors for a root right now.
    pub fn is_embedding(&self, root: &Path) -> bool {
        embed::is_embedding(self, root)
    }

    /// Opens the index of a root as it is.
    pub fn open(&self, root: &Path) -> Result<Arc<Snapshot>, EngineError> {
        let opened = heal::open(&self.index_folder(root));
        opened
            .map(Arc::new)
            .map_err(|e| EngineError::index(root, e))
    }

    /// Answers a request from all targets as one corpus.
    pub fn search(
        &self,
        targets: &[Target],
        request: &Request,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        // What is wrong with a query is said before anything is indexed.
        query::read(request)?;
        request.deadline.check().map_err(SearchError::from)?;
        // What may be damaged is mended first, and left out only if that fails.
        let strict = Cell::new(refresh == Refresh::Yes);
        let search =
            || self.search_once(targets, request, refresh, strict.replace(false), progress);
        match refresh {
            Refresh::Yes => {
                let roots = targets.iter().map(|target| target.root.as_path());
                heal::healing(self, roots, progress, search)
            }
            Refresh::No => heal::healing(self, [], progress, search),
        }
    }

    fn search_once(
        &self,
        targets: &[Target],
        request: &Request,
        refresh: Refresh,
        strict: bool,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        let started = Instant::now();
        let mut notes = Vec::new();
        let (mut reached, mut snapshots) = (Vec::new(), Vec::new());
        for target in targets {
            let opened = match refresh {
                Refresh::Yes => self.refreshed(&target.root, progress, &mut notes),
                Refresh::No => self.open(&target.root),
            };
            match opened {
                Ok(snapshot) => {
                    reached.push(target.clone());
                    snapshots.push(snapshot);
                }
                Err(error) if strict && error.may_be_damage() => return Err(error),
                // One of several that fails is named; the others still answer.
                Err(error) if targets.len() > 1 => notes.push(format!("not searched: {error}")),
                Err(error) => return Err(error),
            }
        }
        if reached.is_empty() {
            return Err(EngineError::NothingToSearch(notes.join("; ")));
        }
        let targets = reached.as_slice();
        let mut by_words = false;
        if refresh == Refresh::Yes && self.asks_for_meaning(request) {
            for (target, snapshot) in targets.iter().zip(&mut snapshots) {
                let done = self.complete(&target.root, snapshot, needs_meaning(request), progress);
                by_words |= matches!(done, Err(EngineError::Model(_)));
                notes.extend(by_words_then(done, request)?);
            }
        }
        let refreshed = started.elapsed();
        // A model that just failed is not asked once more.
        let mut response = match by_words {
            true => self.answer(targets, &snapshots, &without_meaning(request))?,
            false => self.answer(targets, &snapshots, request)?,
        };
        notes.dedup();
        response.notes.splice(0..0, notes);
        response.timing.refresh = refreshed.as_micros() as u64;
        response.timing.search = (started.elapsed() - refreshed).as_micros() as u64;
        Ok(response)
    }

    /// Answers a request from snapshots of the targets that are open already.
    pub fn answer(
        &self,
        targets: &[Target],
        snapshots: &[Arc<Snapshot>],
        request: &Request,
    ) -> Result<Response, EngineError> {
        let (read, notes) = query::read(request)?;
        let mut response = self.answer_read(targets, snapshots, &read)?;
        response.query = request.query.clone();
        response.notes.splice(0..0, notes);
        Ok(response)
    }

    /// The same for a request whose query is words alone.
    fn answer_read(
        &self,
        targets: &[Target],
        snapshots: &[Arc<Snapshot>],
        request: &Request,
    ) -> Result<Response, EngineError> {
        let cache = self
            .cache
            .as_ref()
            .filter(|_| !request.anew && !request.explain);
        let key = || Key::new(targets, snapshots, request);
        if let Some(known) = cache.and_then(|(cache, _)| cache.get(&key())) {
            return Ok(Response::clone(&known));
        }
        let readers = match self.asks_for_meaning(request) {
            true => self.readers(),
            false => Ok(Vec::new()),
        };
        let answering = |readers: &[Reader]| meaning::answering(readers, snapshots);
        let asked = readers.and_then(|readers| {
            let answering = answering(&readers);
            let asked = meaning::ask(&readers[..answering], snapshots, request, &self.weights)?;
            Ok((readers, answering, asked))
        });
        // A model that cannot be asked leaves the words to answer.
        let mut silent = None;
        let (readers, answering, asked) = match asked {
            Ok(asked) => asked,
            Err(error) => {
                silent = by_words_then(Err(error), request)?;
                Default::default()
            }
        };
        let meant = asked.first().map(|question| question.asked.vector.clone());
        if let (Some((cache, Keep::Near(least))), Some(meant)) = (cache, &meant)
            && is_question(&request.query)
            && let Some(known) = cache.nearly(&key(), meant, *least)
        {
            let mut near = Response::clone(&known);
            near.notes
                .push(format!("answered as {:?} was", known.query));
            return Ok(near);
        }
        let corpus = corpus(targets, snapshots);
        let mut response = hits::respond(&corpus, targets, request, &asked, &self.weights)?;
        let is_silent = silent.is_some();
        response.notes.extend(silent);
        if !readers.is_empty() {
            let known = meaning::coverage(&readers, answering, snapshots);
            response.notes.extend(meaning::notes(&known));
            response.meaning = Some(known);
        }
        if let Some((cache, _)) = cache.filter(|_| !is_silent) {
            cache.keep(key(), meant.unwrap_or_default(), &response);
        }
        Ok(response)
    }

    /// The units whose vectors are nearest to that of the unit at a line of a
    /// file, given relative to the root of the target.
    pub fn similar(
        &self,
        target: &Target,
        place: (&str, u32),
        request: &Request,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        heal::healing(self, [target.root.as_path()], progress, || {
            self.similar_once(target, place, request, progress)
        })
    }

    fn similar_once(
        &self,
        target: &Target,
        place: (&str, u32),
        request: &Request,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        let mut notes = Vec::new();
        let mut snapshot = self.refreshed(&target.root, progress, &mut notes)?;
        let readers = self.readers()?;
        let filled =
            embed::fill(self, &target.root, &readers[..1], Others::WaitFor, progress).map(drop);
        let completed = filled.and_then(|()| {
            snapshot = self.open(&target.root)?;
            self.complete(&target.root, &mut snapshot, false, progress)
        });
        // Vectors that were made before may do.
        notes.extend(
            completed
                .err()
                .map(|error| format!("not everything is embedded: {error}")),
        );
        let snapshots = [snapshot];
        let answering = meaning::answering(&readers, &snapshots);
        let (asked, lines) = match meaning::of_place(&snapshots[0], &readers[..answering], place) {
            // Somebody removed the index and made it again meanwhile.
            Err(_) if snapshots[0].waiting_for(&readers[0].model) > 0 && notes.is_empty() => {
                return Err(EngineError::NotIndexed(target.root.clone()));
            }
            of_place => of_place?,
        };
        let whole = [Target {
            root: target.root.clone(),
            scope: Vec::new(),
        }];
        let corpus = corpus(&whole, &snapshots);
        // One more, since nothing is as near to a unit as it is itself.
        let wanted = Request {
            limit: request.limit.saturating_add(1),
            ..request.clone()
        };
        let mut response = hits::respond(&corpus, &whole, &wanted, &asked, &self.weights)?;
        response
            .hits
            .retain(|hit| hit.path != place.0 || !hit.lines.overlaps(lines));
        response.hits.truncate(request.limit);
        let known = meaning::coverage(&readers, answering, &snapshots);
        response.notes.splice(0..0, notes);
        response.notes.extend(meaning::notes(&known));
        response.meaning = Some(known);
        Ok(response)
    }

    /// Where a name is defined, by a snapshot of a root.
    pub fn definitions(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        name: &str,
        limit: usize,
    ) -> Result<Definitions, EngineError> {
        lookup::definitions(root, snapshot, name, limit)
    }

    /// Who uses a name, by a snapshot of a root.
    pub fn references(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        name: &str,
        wish: &Wish,
        limit: usize,
    ) -> Result<References, EngineError> {
        lookup::references(root, snapshot, name, wish, limit)
    }

    /// Who uses what is defined or used at a line of a file, given relative to
    /// the root.
    pub fn references_at(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        place: (&str, u32),
        wish: &Wish,
        limit: usize,
    ) -> Result<References, EngineError> {
        lookup::references_at(root, snapshot, place, wish, limit)
    }

    /// What the files at a path depend on, or what depends on them.
    pub fn dependencies(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        path: &str,
        reach: &Reach,
    ) -> Result<Dependencies, EngineError> {
        lookup::dependencies(root, snapshot, path, reach)
    }

    /// What changes may break, by a snapshot of a root.
    pub fn impact(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        changed: &[Changed],
        far: Far,
    ) -> Result<Impact, EngineError> {
        lookup::impact(root, snapshot, changed, far)
    }

    /// What changed below a root since a commit, the working tree included.
    pub fn changed_since(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        commit: &str,
    ) -> Result<Since, EngineError> {
        lookup::changed_since(root, snapshot, commit)
    }

    /// A way from a symbol to another one that it uses, directly or through
    /// others.
    pub fn way(
        &self,
        root: &Path,
        snapshot: &Snapshot,
        from: &str,
        to: &str,
    ) -> Result<Way, EngineError> {
        lookup::way(root, snapshot, from, to)
    }

    /// What every stage of [`Engine::answer`] had in hand for a request.
    pub fn trace(
        &self,
        targets: &[Target],
        snapshots: &[Arc<Snapshot>],
        request: &Request,
    ) -> Result<Vec<SearchStage>, EngineError> {
        let (read, _) = query::read(request)?;
        let request = &read;
        let readers = self.readers()?;
        let answering = &readers[..meaning::answering(&readers, snapshots)];
        let asked = meaning::ask(answering, snapshots, request, &self.weights)?;
        let corpus = corpus(targets, snapshots);
        hits::trace(&corpus, targets, request, &asked, &self.weights)
    }

    /// Whether a model has a part in the answer. A pattern alone has no meaning.
    fn asks_for_meaning(&self, request: &Request) -> bool {
        !request.query.trim().is_empty() && self.weights.asks_for_meaning(request)
    }

    /// Makes the vectors that are missing where they are few, and those of the
    /// fast model also where nothing else could answer.
    fn complete(
        &self,
        root: &Path,
        snapshot: &mut Arc<Snapshot>,
        needed: bool,
        progress: &dyn Progress,
    ) -> Result<(), EngineError> {
        let readers = self.readers()?;
        for (nth, reader) in readers.iter().enumerate() {
            let waiting = snapshot.waiting_for(&reader.model);
            if waiting > reader.few && !(needed && nth == 0) {
                break;
            }
            let is_wanted = snapshot
                .models()
                .any(|wanted| wanted.is_same(&reader.model));
            if waiting > 0 || !is_wanted {
                match embed::fill(self, root, &readers[..=nth], Others::WaitBriefly, progress) {
                    Ok(_) => *snapshot = self.open(root)?,
                    // Whoever writes the index now may see to it as well.
                    Err(EngineError::Locked { .. }) => break,
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Up to date, or as it was where it cannot be brought up to date, with a
    /// note. Where there is no index yet, whoever makes it is waited for.
    fn refreshed(
        &self,
        root: &Path,
        progress: &dyn Progress,
        notes: &mut Vec<String>,
    ) -> Result<Arc<Snapshot>, EngineError> {
        let update = |patience| update::update(self, root, Reuse::Unchanged, patience, progress);
        let updated = match update(PATIENCE) {
            // There is nothing to answer from before the writer is done.
            Err(EngineError::Locked { .. }) if self.open(root).is_err() => update(self.patience),
            updated => updated,
        };
        let error = match updated {
            Ok(update) => {
                notes.extend(update.note);
                return Ok(update.snapshot);
            }
            Err(error) if error.may_be_damage() => return Err(error),
            Err(error) => error,
        };
        let Ok(snapshot) = self.open(root) else {
            return Err(error);
        };
        let generation = snapshot.table().generation;
        let why = match error {
            EngineError::Locked { holder, .. } => format!("{holder} is updating the index"),
            error => format!("the index was not updated: {error}"),
        };
        notes.push(format!(
            "{why}; these answers are from before (generation {generation})"
        ));
        Ok(snapshot)
    }

    /// What is in the index of a root, and whether it is up to date.
    pub fn status(&self, root: &Path) -> Result<Status, EngineError> {
        status::status(self, root)
    }

    /// Removes the index of a root; false where there was none.
    pub fn clear(&self, root: &Path) -> Result<bool, EngineError> {
        let there = self.is_indexed(root);
        if self.index_folder(root).exists() {
            let lock = self.lock(root, PATIENCE, &Silent)?;
            lock.remove_index()
                .map_err(|e| EngineError::index(root, e))?;
        }
        Ok(there)
    }

    /// The right to write the index of a root. Another writer is waited for so
    /// long.
    pub(crate) fn lock(
        &self,
        root: &Path,
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Lock, EngineError> {
        let (folder, started) = (self.index_folder(root), Instant::now());
        let mut told = false;
        loop {
            let left = patience.saturating_sub(started.elapsed());
            let lock = Lock::acquire(&folder, left.min(Duration::from_millis(200)));
            folders::mark_as_cache(&self.data);
            let error = match lock {
                Ok(lock) => return Ok(lock),
                Err(error) => error,
            };
            let gives_up = started.elapsed() >= patience || progress.is_cancelled();
            match error {
                LockError::Held { holder } if !gives_up => {
                    if !told && started.elapsed() > TELL_AFTER {
                        progress.stage(Stage::Waiting { holder });
                        told = true;
                    }
                }
                error => return Err(EngineError::lock(root, &folder, error)),
            }
        }
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    pub(crate) fn settings(&self, root: &Path) -> &Settings {
        self.own_settings.get(root).unwrap_or(&self.settings)
    }

    pub(crate) fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        match self.settings.threads {
            0 => cores,
            n => n.min(cores * MOST_THREADS_PER_CORE),
        }
    }

    /// Changes with whatever changes the contents of an index of a root.
    pub(crate) fn fingerprint(&self, root: &Path) -> u64 {
        let Settings {
            max_file_size,
            include_generated,
            include_minified,
            threads: _,
        } = self.settings(root);
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

/// Whether only meanings can answer a request.
fn needs_meaning(request: &Request) -> bool {
    !request.lanes.is_empty() && request.lanes.iter().all(|lane| lane.is_semantic())
}

/// The same request for words alone.
fn without_meaning(request: &Request) -> Request {
    let mut lanes = match request.lanes.as_slice() {
        [] => Lane::RETRIEVING.to_vec(),
        lanes => lanes.to_vec(),
    };
    lanes.retain(|lane| !lane.is_semantic());
    Request {
        lanes,
        ..request.clone()
    }
}

/// What is said where a model or its vectors fail and words can answer alone.
fn by_words_then(
    done: Result<(), EngineError>,
    request: &Request,
) -> Result<Option<String>, EngineError> {
    match done {
        Ok(()) => Ok(None),
        Err(error) if error.may_be_damage() => Err(error),
        Err(error @ EngineError::Model(_)) if needs_meaning(request) => Err(error),
        Err(error @ EngineError::OtherModel { .. }) if needs_meaning(request) => Err(error),
        Err(error @ (EngineError::Model(_) | EngineError::OtherModel { .. })) => {
            Ok(Some(format!("found by words alone: {error}")))
        }
        // Vectors that were made before may do.
        Err(error) => Ok(Some(format!("not everything is embedded: {error}"))),
    }
}

/// Words enough to have a meaning that others can say otherwise.
fn is_question(query: &str) -> bool {
    query.split_whitespace().count() > 2
}

fn corpus(targets: &[Target], snapshots: &[Arc<Snapshot>]) -> Corpus {
    let scopes = targets.iter().map(|target| target.scope.clone());
    Corpus::new(snapshots.iter().cloned().zip(scopes).collect())
}
