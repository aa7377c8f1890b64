//! A model that reads a slice of the texts that wait for it.

use crate::error::EngineError;
use crate::in_turn::in_turn;
use crate::models::OpenModel;
use crate::progress::Progress;
use rayon::prelude::*;
use scent_embed::{Embedding, ModelError, Role};
use scent_index::{FileParts, Part, PendingFile, PendingUnit, Quantised, UnitPart, VectorCache};
use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_128;

/// The time after which nothing more is begun in a slice, however slow a model
/// is.
const SLICE_TIME: Duration = Duration::from_secs(5);

/// The most texts of a request to a model. Servers take no more at once.
const MANY_TEXTS: usize = 32;

/// The fewest texts that are shared out between threads.
const FEW_TEXTS: usize = 4;

/// What making vectors did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Units that a model read.
    pub computed: u64,
    /// Units whose words had been read before.
    pub cached: u64,
}

impl Embedded {
    pub(crate) fn units(&self) -> u64 {
        self.computed + self.cached
    }
}

impl AddAssign for Embedded {
    fn add_assign(&mut self, more: Embedded) {
        self.computed += more.computed;
        self.cached += more.cached;
    }
}

/// Whether a time has come that there may be.
pub(crate) fn is_past(time: Option<Instant>) -> bool {
    time.is_some_and(|time| Instant::now() >= time)
}

/// Neighbouring files, so many together that they have so many units: files
/// alone would make small requests.
fn groups(files: &[PendingFile], wanted: usize) -> Vec<&[PendingFile]> {
    let mut units = 0;
    let mut is_full = |file: &PendingFile| {
        units += file.units.len();
        let full = units >= wanted;
        if full {
            units = 0;
        }
        full
    };
    files.split_inclusive(|file| is_full(file)).collect()
}

/// What came of a slice. An error does not undo what was read before it.
#[derive(Default)]
pub(crate) struct Slice {
    pub parts: Vec<FileParts>,
    pub done: Embedded,
    pub error: Option<EngineError>,
}

impl Slice {
    fn add(mut self, group: Result<Slice, ModelError>) -> Slice {
        match group {
            Ok(group) => {
                self.parts.extend(group.parts);
                self.done += group.done;
            }
            Err(error) => self.error = Some(error.into()),
        }
        self
    }
}

/// How much is read of what waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// So many units in any case.
    pub least: u64,
    /// From then on, nothing more is begun; never if none.
    pub until: Option<Instant>,
}

/// A model that reads one slice.
pub(crate) struct Reading<'a> {
    embedder: &'a OpenModel<'a>,
    cache: &'a VectorCache,
    progress: &'a dyn Progress,
    time: Time,
    /// How many units were begun.
    begun: AtomicU64,
    failed: AtomicBool,
}

impl<'a> Reading<'a> {
    pub fn new(
        embedder: &'a OpenModel<'a>,
        cache: &'a VectorCache,
        progress: &'a dyn Progress,
        time: Time,
    ) -> Reading<'a> {
        Reading {
            embedder,
            cache,
            progress,
            time,
            begun: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        }
    }

    /// Reads files in order until all are read, time is up, or the model fails.
    pub fn slice(&self, files: &[PendingFile]) -> Slice {
        let units: usize = files.iter().map(|file| file.units.len()).sum();
        let share = units.div_ceil(rayon::current_num_threads());
        let request = share.clamp(FEW_TEXTS, MANY_TEXTS);
        let slice_end = Instant::now() + SLICE_TIME;
        let read = in_turn(
            &groups(files, request),
            || self.goes_on(slice_end),
            |_, files| Ok::<_, Infallible>(self.group(files, request)),
        );
        let Ok(read) = read;
        read.into_iter().fold(Slice::default(), Slice::add)
    }

    fn goes_on(&self, slice_end: Instant) -> bool {
        let is_due = self.begun.load(Ordering::Relaxed) < self.time.least;
        let in_time = Instant::now() < slice_end && !is_past(self.time.until);
        let stopped = self.failed.load(Ordering::Relaxed) || self.progress.is_interrupted();
        (is_due || in_time) && !stopped
    }

    /// Whether all words of a file were read before.
    pub fn knows(&self, file: &PendingFile) -> bool {
        let texts = self.texts(std::slice::from_ref(file));
        let mut keys = texts.iter().map(|text| xxh3_128(text.as_bytes()));
        keys.all(|key| self.cache.has(key))
    }

    /// Reads files, so many texts at once.
    fn group(&self, files: &[PendingFile], request: usize) -> Result<Slice, ModelError> {
        let texts = self.texts(files);
        self.begun.fetch_add(texts.len() as u64, Ordering::Relaxed);
        let (bodies, done) = self.bodies(&texts, request)?;
        let paths = self.paths(files, request)?;
        let mut bodies = bodies.into_iter();
        let parts = files.iter().zip(paths).map(|(file, path)| {
            let units = file.units.iter().zip(bodies.by_ref());
            let units = units.map(|(unit, (key, body))| UnitPart {
                line: unit.line,
                key,
                body,
            });
            FileParts {
                id: file.id,
                path,
                units: units.collect(),
            }
        });
        let parts = parts.collect();
        self.progress.units(texts.len() as u64);
        Ok(Slice {
            parts,
            done,
            error: None,
        })
    }

    /// What the model reads of each unit.
    fn texts<'f>(&self, files: &'f [PendingFile]) -> Vec<Cow<'f, str>> {
        let apart = self.embedder.encoder.embeds_paths_separately();
        let units = files
            .iter()
            .flat_map(|file| file.units.iter().map(move |unit| (file, unit)));
        let text = |(file, unit): (&'f PendingFile, &'f PendingUnit)| match apart {
            true => Cow::Borrowed(unit.words.as_str()),
            false => Cow::Owned(format!("{} {}", file.path_words, unit.words)),
        };
        units.map(text).collect()
    }

    /// The part of each text, with its key: from the cache, or else read.
    fn bodies(
        &self,
        texts: &[Cow<str>],
        request: usize,
    ) -> Result<(Vec<(u128, Part)>, Embedded), ModelError> {
        let keys = texts.iter().map(|text| xxh3_128(text.as_bytes()));
        let known: Vec<_> = keys.map(|key| (key, self.cache.get(key))).collect();
        let unread = texts
            .iter()
            .zip(&known)
            .filter(|(_, (_, part))| part.is_none());
        let unread: Vec<&str> = unread.map(|(text, _)| text.as_ref()).collect();
        let computed = unread.len() as u64;
        let done = Embedded {
            computed,
            cached: texts.len() as u64 - computed,
        };
        let mut read = self.read(&unread, Role::Body, request)?.into_iter();
        let mut or_read = |part: Option<Part>| part.or_else(|| read.next());
        let one_each = "a model makes one part of each text";
        let bodies = known
            .into_iter()
            .map(|(key, part)| (key, or_read(part).expect(one_each)));
        Ok((bodies.collect(), done))
    }

    /// The part of each file's path; nothing where it is read with every unit.
    fn paths(&self, files: &[PendingFile], request: usize) -> Result<Vec<Part>, ModelError> {
        if self.embedder.encoder.embeds_paths_separately() {
            let words: Vec<&str> = files.iter().map(|file| file.path_words.as_str()).collect();
            return self.read(&words, Role::Path, request);
        }
        let vector = vec![0.0; self.embedder.model.dims as usize];
        Ok(vec![
            part(Embedding {
                vector,
                codes: Vec::new()
            });
            files.len()
        ])
    }

    /// What the model makes of each text. Threads that have nothing else to do
    /// help where a file is large.
    fn read(&self, texts: &[&str], role: Role, request: usize) -> Result<Vec<Part>, ModelError> {
        let requests = texts.par_chunks(request);
        let read = requests.map(|texts| self.embedder.encoder.embed_documents(texts, role));
        let read: Result<Vec<Vec<Embedding>>, ModelError> = read.collect();
        self.failed.fetch_or(read.is_err(), Ordering::Relaxed);
        Ok(read?.into_iter().flatten().map(part).collect())
    }
}

fn part(embedding: Embedding) -> Part {
    Part {
        vector: Quantised::of(&embedding.vector),
        tokens: embedding.codes,
    }
}
