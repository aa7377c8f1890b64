//! The one public API of scent: keep an index up to date, and search it.
//!
//! Every interface calls [`Engine`] and nothing below it. Updating and
//! searching are separate steps: [`Engine::update`] walks a folder and commits
//! a new generation where something changed; [`Engine::search`] reads one.

mod cache;
mod change;
mod classify;
mod embed;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod hits;
mod lookup;
mod meaning;
mod models;
mod os;
mod query;
mod root;
mod status;
mod units;
mod update;
mod walk;
mod worktrees;

pub use embed::{Embedded, Others};
pub use error::EngineError;
pub use lookup::{Changed, Far, Reach, Wish};
pub use os::{cache_folder, canonical, config_folder, shown, start_detached};
pub use root::{Target, around, is_risky};
pub use scent_index::graph::Graph;
pub use scent_index::{FileRecord, Reason, Snapshot, State};
pub use scent_search::{LineMatcher, Weights};
pub use scent_syntax::{Language, detect as detect_language, find as find_language, languages};
pub use status::{Freshness, Status, VectorCounts};
pub use units::{FileUnits, ReadUnit, file_outline, file_units};
pub use update::{Progress, Silent, Stage, Update};

pub use scent_embed::{About, ModelSpec};

use cache::{Cache, Key};
use models::{Models, Reader};
use scent_embed::Encoder;
use scent_index::Lock;
use scent_search::Corpus;
use scent_types::Stage as SearchStage;
use scent_types::{Definitions, Dependencies, Impact, References, Request, Response, Way};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// How long a search waits for another writer before it answers from the
/// previous generation.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1500);

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
        let (weights, models) = (Weights::default(), Models::default());
        Engine { data: data.into(), settings, weights, models, cache: None }
    }

    /// The same engine that gives answers again, as do all its clones. For a
    /// process that answers more than once.
    pub fn with_cache(self, keep: Keep) -> Engine {
        Engine { cache: Some((Arc::default(), keep)), ..self }
    }

    /// The same engine with other ranking, to measure it.
    pub fn with_weights(self, weights: Weights) -> Engine {
        Engine { weights, ..self }
    }

    /// The same engine with another model, which reads and answers alone.
    pub fn with_encoder(self, encoder: Arc<dyn Encoder>) -> Engine {
        Engine { models: Models { fast: Some(encoder), better: None }, ..self }
    }

    /// The same engine with a better model beside the one that it has. That
    /// one answers until the better one has read everything.
    pub fn with_better(self, encoder: Arc<dyn Encoder>) -> Engine {
        Engine { models: Models { better: Some(encoder), ..self.models }, ..self }
    }

    /// The same engine with the model that is meant.
    pub fn with_model(self, model: &ModelSpec) -> Result<Engine, EngineError> {
        match model {
            ModelSpec::Shipped => Ok(self),
            // One of ours may be large: the one inside the program answers first.
            ModelSpec::Deep { .. } | ModelSpec::File(_) => {
                Ok(self.with_better(scent_embed::open(model)?))
            }
            model => Ok(self.with_encoder(scent_embed::open(model)?)),
        }
    }

    /// The same engine without the better model.
    pub(crate) fn fast_alone(&self) -> Engine {
        Engine { models: self.models.fast_alone(), ..self.clone() }
    }

    /// What there is to know of the models: the one that answers first, and
    /// the better one, if there is one.
    pub fn models(&self) -> Vec<About> {
        self.models.about()
    }

    /// What computes the first of them.
    pub fn kernel(&self) -> &'static str {
        match &self.models.fast {
            None => scent_embed::shipped().kernel().name(),
            Some(_) => "another program",
        }
    }

    pub(crate) fn readers(&self) -> Vec<Reader<'_>> {
        self.models.readers()
    }

    /// The folder that holds the index of a root. Every model but the one
    /// inside the program has indexes of its own, beside the others, and so
    /// have two together.
    pub fn index_folder(&self, root: &Path) -> PathBuf {
        let name = root.file_name().map_or("root".into(), |n| n.to_string_lossy().into_owned());
        let slug: String =
            name.chars().filter(|c| c.is_alphanumeric() || "-_.".contains(*c)).take(40).collect();
        let hash = xxh3_64(root.as_os_str().as_encoded_bytes());
        self.data.join(format!("{slug}-{:016x}", hash ^ self.models.mark()))
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

    /// Brings the index of a root up to date and opens it.
    pub fn update(&self, root: &Path, progress: &dyn Progress) -> Result<Update, EngineError> {
        update::update(self, root, false, progress)
    }

    /// Removes the index of a root and makes it anew.
    pub fn rebuild(&self, root: &Path, progress: &dyn Progress) -> Result<Update, EngineError> {
        update::update(self, root, true, progress)
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
        let readers = self.readers();
        let mut done = Embedded::default();
        for last in 1..=readers.len() {
            done += embed::fill(self, root, &readers[..last], others, progress)?;
        }
        embed::rank(self, root, others)?;
        Ok(done)
    }

    /// The same with the model that answers first alone.
    pub fn embed_fast(
        &self,
        root: &Path,
        others: Others,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        let done = embed::fill(self, root, &self.readers()[..1], others, progress)?;
        embed::rank(self, root, others)?;
        Ok(done)
    }

    /// Whether another process makes vectors for a root right now.
    pub fn is_embedding(&self, root: &Path) -> bool {
        embed::is_embedding(self, root)
    }

    /// Opens the index of a root as it is.
    pub fn open(&self, root: &Path) -> Result<Arc<Snapshot>, EngineError> {
        let opened = Snapshot::open(&self.index_folder(root));
        opened.map(Arc::new).map_err(|e| EngineError::index(root, e))
    }

    /// Answers a request from all targets as one corpus.
    pub fn search(
        &self,
        targets: &[Target],
        request: &Request,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Response, EngineError> {
        let started = Instant::now();
        // What is wrong with a query is said before anything is indexed.
        query::read(request)?;
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
                // One of several that fails is named; the others still answer.
                Err(error) if targets.len() > 1 => notes.push(format!("not searched: {error}")),
                Err(error) => return Err(error),
            }
        }
        if reached.is_empty() {
            return Err(EngineError::NothingToSearch(notes.join("; ")));
        }
        let targets = reached.as_slice();
        if refresh == Refresh::Yes && self.weights.asks_for_meaning(request) {
            let needed = !request.lanes.is_empty() && request.lanes.iter().all(|l| l.is_semantic());
            for (target, snapshot) in targets.iter().zip(&mut snapshots) {
                self.complete(&target.root, snapshot, needed, progress)?;
            }
        }
        let refreshed = started.elapsed();
        let mut response = self.answer(targets, &snapshots, request)?;
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
        let cache = self.cache.as_ref().filter(|_| !request.anew && !request.explain);
        let key = || Key::new(targets, snapshots, request);
        if let Some(known) = cache.and_then(|(cache, _)| cache.get(&key())) {
            return Ok(Response::clone(&known));
        }
        let readers = self.readers();
        let answering = meaning::answering(&readers, snapshots);
        let asked = meaning::ask(&readers[..answering], snapshots, request, &self.weights)?;
        let meant = asked.first().map(|question| question.asked.vector.clone());
        if let (Some((cache, Keep::Near(least))), Some(meant)) = (cache, &meant)
            && is_question(&request.query)
            && let Some(known) = cache.nearly(&key(), meant, *least)
        {
            let mut near = Response::clone(&known);
            near.notes.push(format!("answered as {:?} was", known.query));
            return Ok(near);
        }
        let corpus = corpus(targets, snapshots);
        let mut response = hits::respond(&corpus, targets, request, &asked, &self.weights)?;
        if self.weights.asks_for_meaning(request) {
            let known = meaning::coverage(&readers, answering, snapshots);
            response.notes.extend(meaning::notes(&known));
            response.meaning = Some(known);
        }
        if let Some((cache, _)) = cache {
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
        self.update(&target.root, progress)?;
        self.embed_fast(&target.root, Others::WaitFor, progress)?;
        let mut snapshot = self.open(&target.root)?;
        self.complete(&target.root, &mut snapshot, false, progress)?;
        let (readers, snapshots) = (self.readers(), [snapshot]);
        let answering = meaning::answering(&readers, &snapshots);
        let (asked, lines) = meaning::of_place(&snapshots[0], &readers[..answering], place)?;
        let whole = [Target { root: target.root.clone(), scope: Vec::new() }];
        let corpus = corpus(&whole, &snapshots);
        // One more, since nothing is as near to a unit as it is itself.
        let wanted = Request { limit: request.limit.saturating_add(1), ..request.clone() };
        let mut response = hits::respond(&corpus, &whole, &wanted, &asked, &self.weights)?;
        response.hits.retain(|hit| hit.path != place.0 || !hit.lines.overlaps(lines));
        response.hits.truncate(request.limit);
        let known = meaning::coverage(&readers, answering, &snapshots);
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
    pub fn changed_since(&self, root: &Path, commit: &str) -> Result<Vec<Changed>, EngineError> {
        lookup::changed_since(root, commit)
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
        let readers = self.readers();
        let answering = &readers[..meaning::answering(&readers, snapshots)];
        let asked = meaning::ask(answering, snapshots, request, &self.weights)?;
        let corpus = corpus(targets, snapshots);
        hits::trace(&corpus, targets, request, &asked, &self.weights)
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
        let readers = self.readers();
        for (nth, reader) in readers.iter().enumerate() {
            let waiting = snapshot.waiting_for(&reader.model);
            if waiting > reader.few && !(needed && nth == 0) {
                break;
            }
            if waiting > 0 {
                match embed::fill(self, root, &readers[..=nth], Others::LetThem, progress) {
                    Ok(_) => *snapshot = self.open(root)?,
                    // Whoever writes the index now may see to it as well.
                    Err(EngineError::Locked { .. }) => break,
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Up to date, or as good as another writer leaves it, with a note.
    fn refreshed(
        &self,
        root: &Path,
        progress: &dyn Progress,
        notes: &mut Vec<String>,
    ) -> Result<Arc<Snapshot>, EngineError> {
        match self.update(root, progress) {
            Ok(update) => {
                notes.extend(update.note);
                Ok(update.snapshot)
            }
            Err(EngineError::Locked { holder, .. }) if self.is_indexed(root) => {
                let snapshot = self.open(root)?;
                let generation = snapshot.table().generation;
                notes.push(format!(
                    "{holder} is updating the index; these answers are from before (generation {generation})"
                ));
                Ok(snapshot)
            }
            Err(error) => Err(error),
        }
    }

    /// What is in the index of a root, and whether it is up to date.
    pub fn status(&self, root: &Path) -> Result<Status, EngineError> {
        status::status(self, root)
    }

    /// Removes the index of a root; false where there was none.
    pub fn clear(&self, root: &Path) -> Result<bool, EngineError> {
        let there = self.is_indexed(root);
        if self.index_folder(root).exists() {
            let lock = self.lock(root, PATIENCE)?;
            lock.remove_index().map_err(|e| EngineError::index(root, e))?;
        }
        Ok(there)
    }

    /// Removes every index; returns how many there were.
    pub fn clear_all(&self) -> Result<usize, EngineError> {
        let mut removed = 0;
        for entry in std::fs::read_dir(&self.data).into_iter().flatten().flatten() {
            let folder = entry.path();
            if !folder.join("meta.json").exists() {
                continue;
            }
            let lock =
                Lock::acquire(&folder, PATIENCE).map_err(|e| EngineError::lock(&folder, e))?;
            lock.remove_index().map_err(|e| EngineError::index(&folder, e))?;
            removed += 1;
        }
        Ok(removed)
    }

    pub(crate) fn lock(&self, root: &Path, patience: Duration) -> Result<Lock, EngineError> {
        let lock = Lock::acquire(&self.index_folder(root), patience);
        mark_as_cache(&self.data);
        lock.map_err(|e| EngineError::lock(root, e))
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn threads(&self) -> usize {
        match self.settings.threads {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            n => n,
        }
    }

    /// Changes with whatever changes the contents of an index.
    pub(crate) fn fingerprint(&self) -> u64 {
        let Settings { max_file_size, include_generated, include_minified, threads: _ } =
            self.settings;
        let settings = format!(
            "{max_file_size} {include_generated} {include_minified} {}",
            scent_index::FOUND_BY
        );
        let rules =
            format!("{settings} {} {}", classify::RULES.join(" "), env!("CARGO_PKG_VERSION"));
        let models = self.models().iter().fold(0, |all, about| all ^ about.fingerprint);
        xxh3_64(rules.as_bytes()) ^ scent_syntax::fingerprint() ^ models
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

/// Tells backups, and scent itself where the folder lies inside a project,
/// that what is here can be made again. Failing to is no harm.
fn mark_as_cache(folder: &Path) {
    let tag = folder.join("CACHEDIR.TAG");
    if !tag.exists() {
        let _ = std::fs::write(
            tag,
            "Signature: 8a477f597d28d172789f06886806bc55\n# Indexes of scent; safe to remove.\n",
        );
    }
}
