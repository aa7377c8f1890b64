//! Indexes one file: reads it, parses it and hands it to the writer.

use crate::change::{Changes, Dirty};
use crate::error::EngineError;
use crate::project::Project;
use crate::walk::Entry;
use crate::{Settings, classify, crash};
use scent_embed::{path_text, unit_text};
use scent_index::{Facts, FilePlaces, FileRecord, Reason, State, UnitTexts, Writer};
use scent_types::{FileClass, Source, Unit};
use std::time::{SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::xxh3_128;

/// A notebook may be so many times as large as other files: most of a large one
/// is outputs, which are left out.
const NOTEBOOK_TIMES: u64 = 8;

/// Places in a text are kept in 32 bits; larger files cannot be indexed.
const LARGEST: u64 = u32::MAX as u64 / 4;

/// Fewer files than this whose time alone changed are not worth a commit.
const FEW: usize = 50;

/// A file that changed this shortly before it was read may change again
/// without its time showing it, in nanoseconds.
const FINE_CLOCK: i64 = 50_000_000;

/// The same for file systems that keep whole seconds.
const COARSE_CLOCK: i64 = 2_000_000_000;

fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos() as i64)
}

/// What looking into one file needs to know.
pub(crate) struct Job<'a> {
    project: &'a Project,
    settings: &'a Settings,
    /// When the update began, in nanoseconds since 1970.
    pub now: i64,
}

impl<'a> Job<'a> {
    pub fn new(project: &'a Project) -> Job<'a> {
        Job {
            project,
            settings: project.settings(),
            now: now(),
        }
    }

    /// Whether at most the times of a few files changed.
    pub fn is_idle(&self, changes: &Changes) -> bool {
        let few = changes.dirty.len() < FEW && changes.removed.is_empty();
        few && changes
            .dirty
            .iter()
            .all(|dirty| self.is_same_content(dirty))
    }

    /// Indexes a file unless its contents are what they were. The flag says
    /// whether they are not.
    pub fn index_file(
        &self,
        writer: &Writer,
        id: u32,
        dirty: &Dirty,
    ) -> Result<(FileRecord, bool), EngineError> {
        let entry = dirty.entry;
        let before = dirty.reusable();
        let mut record = self.record(entry);
        let old_id = dirty.known.and_then(FileRecord::id);
        let bytes = match self.read(entry) {
            Ok(bytes) => bytes,
            Err(reason) => {
                old_id.into_iter().for_each(|id| writer.remove(id));
                let changed = before.is_none_or(|b| b.state != State::Skipped(reason.clone()));
                record.state = State::Skipped(reason);
                return Ok((record, changed));
            }
        };
        record.hash = xxh3_128(&bytes);
        if let Some(before) =
            before.filter(|b| b.hash == record.hash && b.included == entry.included)
        {
            record.state = before.state.clone();
            return Ok((record, false));
        }
        old_id.into_iter().for_each(|id| writer.remove(id));
        record.state = self.index(writer, id, entry, &bytes, record.hash)?;
        Ok((record, true))
    }

    pub fn is_same_content(&self, dirty: &Dirty) -> bool {
        let Some(before) = dirty.reusable() else {
            return false;
        };
        let entry = dirty.entry;
        match self.read(entry) {
            Ok(bytes) => before.included == entry.included && before.hash == xxh3_128(&bytes),
            Err(reason) => before.state == State::Skipped(reason),
        }
    }

    fn record(&self, entry: &Entry) -> FileRecord {
        let resolution = if entry.modified % 1_000_000_000 == 0 {
            COARSE_CLOCK
        } else {
            FINE_CLOCK
        };
        FileRecord {
            path: entry.path.clone(),
            raw_path: entry.raw_path.clone(),
            size: entry.size,
            modified: entry.modified,
            racy: entry.skip.is_none() && entry.modified > self.now - resolution,
            included: entry.included,
            hash: 0,
            state: State::Skipped(Reason::Binary),
        }
    }

    /// How many bytes of a file are read.
    pub fn bytes_to_read(&self, entry: &Entry) -> u64 {
        let is_read = entry.skip.is_none() && !self.is_too_large(entry);
        if is_read { entry.size } else { 0 }
    }

    fn is_too_large(&self, entry: &Entry) -> bool {
        let mut most = self.settings.max_file_size;
        if scent_syntax::is_notebook(&entry.path) {
            most = most.saturating_mul(NOTEBOOK_TIMES);
        }
        let beyond_setting = entry.size > most && !entry.included;
        beyond_setting || entry.size > LARGEST
    }

    fn read(&self, entry: &Entry) -> Result<Vec<u8>, Reason> {
        if let Some(reason) = &entry.skip {
            return Err(reason.clone());
        }
        if self.is_too_large(entry) {
            return Err(Reason::TooLarge);
        }
        let read = self.project.tree().read(entry.into(), LARGEST);
        read.map_err(|error| Reason::Unreadable(error.to_string()))
    }

    fn index(
        &self,
        writer: &Writer,
        id: u32,
        entry: &Entry,
        bytes: &[u8],
        hash: u128,
    ) -> Result<State, EngineError> {
        if classify::is_binary(bytes) {
            return Ok(State::Skipped(Reason::Binary));
        }
        let source = Source::new(scent_syntax::text_of(&entry.path, bytes.to_vec()));
        let text = source.text();
        let language = scent_syntax::detect(&entry.path, text.as_bytes());
        let reason = classify::reason(&entry.path, text, language.map(|l| l.class), self.settings);
        if let Some(reason) = reason.filter(|_| !entry.included) {
            return Ok(State::Skipped(reason));
        }
        let outline = crash::outline(&entry.path, hash, language, text);
        let body = |unit: &Unit| source.slice(unit.cover);
        let words: Vec<String> = outline
            .units
            .iter()
            .map(|u| unit_text(u, body(u)))
            .collect();
        let with_words = outline.units.iter().zip(&words);
        let units: Vec<UnitTexts> = with_words
            .map(|(unit, words)| UnitTexts {
                unit,
                body: body(unit),
                whole: source.slice(unit.whole),
                words,
            })
            .collect();
        let facts = Facts {
            symbols: &outline.symbols,
            references: &outline.references,
            imports: &outline.imports,
            hints: &outline.hints,
            roots: &scent_syntax::roots(&entry.path, text),
        };
        let words = path_text(&entry.path);
        let FilePlaces { trigrams, facts } =
            writer.add(id, &entry.path, &words, text, &units, facts)?;
        Ok(State::Indexed {
            id,
            language: language.map_or(String::new(), |l| l.id.to_owned()),
            class: language.map_or(FileClass::Docs, |l| l.class),
            health: outline.health,
            lines: if text.is_empty() { 0 } else { source.count() },
            units: units.len() as u32,
            trigrams,
            facts,
        })
    }
}
