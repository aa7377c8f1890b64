//! Writing: units in, one atomic commit out.

use crate::blobs::{self, BlobPlace, BlobWriter};
use crate::commit::{publish, stamp};
use crate::declared::{declared, declared_term};
use crate::directory;
use crate::error::Result;
use crate::facts::{Facts, FactsReader};
use crate::files::{FileTable, State};
use crate::lock::Lock;
use crate::pending::{self, PendingWriter};
use crate::ranks::{FileRank, store_ranks};
use crate::schema::{DIGEST, Fields, KIND, PLACE, TextField, WHOLE};
use crate::storage::SharedStorage;
use crate::stored::StoredUnit;
use crate::trigram_filter::TrigramFilter;
use crate::verified::CachedStats;
use scent_types::Unit;
use scent_words::names::{SEPARATORS, last_part};
use std::collections::HashMap;
use std::sync::Mutex;
use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::NoMergePolicy;
use tantivy::schema::Field;
use tantivy::{Index, IndexWriter, TantivyDocument, Term};
use xxhash_rust::xxh3::Xxh3;

/// Words are gathered in this much memory before a segment is written.
const MEMORY_PER_THREAD: usize = 40 << 20;

/// From this many segments on, the smallest are joined.
const MANY_SEGMENTS: usize = 12;

/// So many of the largest are left as they are.
const FEW_SEGMENTS: usize = 4;

/// A unit with the text it is searched by.
#[derive(Debug)]
pub struct UnitTexts<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The text of its lines.
    pub body: &'a str,
    /// The text of what it is a part of, as one answer.
    pub whole: &'a str,
    /// What a model reads of it.
    pub words: &'a str,
}

/// Where what belongs to a file is kept.
#[derive(Clone, Copy, Debug)]
pub struct FilePlaces {
    /// Its trigrams.
    pub trigrams: BlobPlace,
    /// What it defines, uses and imports.
    pub facts: BlobPlace,
}

/// The next generation of an index while it is being made.
pub struct Writer {
    storage: SharedStorage,
    generation: u64,
    index: Index,
    writer: IndexWriter,
    fields: Fields,
    place: Field,
    kind: Field,
    whole: Field,
    digest: Field,
    stores: Stores,
    /// How many bytes of facts the generations hold that were published.
    published_facts: u64,
    _lock: Lock,
}

/// The stores that a generation adds.
struct Stores {
    trigrams: Mutex<BlobWriter>,
    facts: Mutex<BlobWriter>,
    pending: PendingWriter,
}

impl Stores {
    fn new(storage: &SharedStorage, generation: u64) -> Stores {
        Stores {
            trigrams: Mutex::new(BlobWriter::new(storage, blobs::TRIGRAMS, generation)),
            facts: Mutex::new(BlobWriter::new(storage, blobs::FACTS, generation)),
            pending: PendingWriter::new(storage, generation),
        }
    }

    /// Completes them, and enters them into a table of files. Returns how many
    /// bytes of facts are new.
    fn finish(self, storage: &SharedStorage, table: &mut FileTable) -> Result<u64> {
        let (mut trigram_places, mut fact_places) = (Vec::new(), Vec::new());
        for file in &mut table.files {
            let State::Indexed {
                trigrams, facts, ..
            } = &mut file.state
            else {
                continue;
            };
            trigram_places.push(trigrams);
            fact_places.push(facts);
        }
        let new_facts = self.facts.lock().expect("no writer panics").length();
        for (blobs, places) in [(self.trigrams, trigram_places), (self.facts, fact_places)] {
            let mut blobs = blobs.into_inner().expect("no writer panics");
            blobs.join(storage, places)?;
            blobs.finish()?;
        }
        finish_pending(storage, table, self.pending)?;
        table.ranks.stale = true;
        Ok(new_facts)
    }
}

impl Writer {
    /// Begins the generation after `generation`, which is the current one.
    pub fn begin(lock: Lock, generation: u64, threads: usize) -> Result<Writer> {
        let storage = lock.storage();
        let index = directory::open_text_index(storage)?;
        directory::sweep_leftovers(storage, &index.load_metas()?, generation);
        Writer::new(lock, index, generation, threads)
    }

    /// Begins a new index, whose first generation comes after `generation`, and
    /// removes what the storage holds of another.
    pub fn create(lock: Lock, generation: u64, threads: usize) -> Result<Writer> {
        lock.remove_index()?;
        let index = directory::create_text_index(lock.storage())?;
        Writer::new(lock, index, generation, threads)
    }

    fn new(lock: Lock, index: Index, generation: u64, threads: usize) -> Result<Writer> {
        let storage = lock.storage();
        let writer = index.writer_with_num_threads(threads, threads * MEMORY_PER_THREAD)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let generation = generation + 1;
        Ok(Writer {
            storage: storage.clone(),
            generation,
            writer,
            fields: Fields::of(&index.schema())?,
            place: index.schema().get_field(PLACE)?,
            kind: index.schema().get_field(KIND)?,
            whole: index.schema().get_field(WHOLE)?,
            digest: index.schema().get_field(DIGEST)?,
            index,
            stores: Stores::new(storage, generation),
            published_facts: 0,
            _lock: lock,
        })
    }

    /// Adds a file's units under an id that was never used before. The words
    /// of the path and those of the units wait for a model; where there are
    /// none, nothing waits.
    pub fn add(
        &self,
        id: u32,
        path: &str,
        path_words: &str,
        text: &str,
        units: &[UnitTexts],
        facts: Facts,
    ) -> Result<FilePlaces> {
        let mut seen = HashMap::new();
        let named: Vec<&Unit> = units.iter().map(|texts| texts.unit).collect();
        let mut declared = declared(&named, facts.symbols);
        for (at, texts) in units.iter().enumerate() {
            let unit = texts.unit;
            let nth = seen
                .entry((unit.kind, unit.qualified.as_str()))
                .or_insert(0u32);
            let unit_id = unit_id(path, unit, *nth);
            *nth += 1;
            let mut document = self.document(id, unit_id, path, texts);
            for name in declared.remove(&at).unwrap_or_default() {
                document.add_text(self.fields.symbol, declared_term(name));
            }
            self.writer.add_document(document)?;
        }
        let words: Vec<_> = units
            .iter()
            .map(|u| (u.unit.lines.start, u.words))
            .collect();
        self.stores.pending.append(id, path_words, &words)?;
        let filter = TrigramFilter::of(text);
        Ok(FilePlaces {
            trigrams: append(&self.stores.trigrams, filter.bytes())?,
            facts: append(&self.stores.facts, &facts.to_bytes())?,
        })
    }

    fn document(&self, file: u32, id: u64, path: &str, texts: &UnitTexts) -> TantivyDocument {
        let UnitTexts {
            unit, whole, body, ..
        } = *texts;
        let mut document = TantivyDocument::new();
        let mut text = |field: TextField, text: &str| {
            if !text.is_empty() {
                document.add_text(self.fields.text(field), text);
            }
        };
        match (unit.names.as_slice(), unit.name.as_str()) {
            ([], "") => text(TextField::Name, &unit.qualified),
            ([], name) => text(TextField::Name, name),
            (names, _) => text(TextField::Name, &names.join(" ")),
        }
        text(TextField::Signature, &unit.signature);
        text(TextField::Path, path);
        text(TextField::Doc, &unit.doc);
        text(TextField::Body, body);
        text(TextField::Body, &unit.members.join("\n"));
        for symbol in symbols(unit) {
            document.add_text(self.fields.symbol, symbol.to_lowercase());
        }
        document.add_u64(self.fields.file, u64::from(file));
        document.add_u64(
            self.place,
            u64::from(file) << 32 | u64::from(unit.lines.start),
        );
        document.add_u64(self.kind, unit.kind as u64);
        document.add_u64(self.whole, u64::from(unit.whole.start));
        document.add_u64(self.digest, digest(unit, whole));
        let stored = StoredUnit::new(id, file, unit);
        let bytes = postcard::to_stdvec(&stored).expect("a unit of plain values can be written");
        document.add_bytes(self.fields.unit, &bytes);
        document
    }

    /// Removes a file's units.
    pub fn remove(&self, id: u32) {
        self.writer
            .delete_term(Term::from_field_u64(self.fields.file, u64::from(id)));
    }

    /// Publishes what was added so far as a generation with this table of files,
    /// which is brought up to date, and goes on with the generation after it.
    /// Importance is left for later, and so is joining segments.
    pub fn publish(&mut self, table: &mut FileTable) -> Result<()> {
        let next = Stores::new(&self.storage, self.generation + 1);
        let stores = std::mem::replace(&mut self.stores, next);
        table.generation = self.generation;
        self.published_facts += stores.finish(&self.storage, table)?;
        publish(&self.index, &mut self.writer, &self.storage, table)?;
        directory::sweep(&self.storage, &self.index.load_metas()?, table);
        self.generation += 1;
        Ok(())
    }

    /// Completes the stores of the new generation, with this table of files.
    pub fn stage(self, mut table: FileTable) -> Result<Staged> {
        table.generation = self.generation;
        let new_facts = self.stores.finish(&self.storage, &mut table)?;
        let new_facts = self.published_facts + new_facts;
        Ok(Staged {
            storage: self.storage,
            table,
            new_facts,
            index: self.index,
            writer: self.writer,
            _lock: self._lock,
        })
    }
}

fn append(to: &Mutex<BlobWriter>, bytes: &[u8]) -> Result<BlobPlace> {
    to.lock().expect("no writer panics").append(bytes)
}

/// A generation whose stores are on disk, before it becomes the current one.
pub struct Staged {
    storage: SharedStorage,
    table: FileTable,
    new_facts: u64,
    index: Index,
    writer: IndexWriter,
    _lock: Lock,
}

impl Staged {
    /// The files of the generation.
    pub fn table(&self) -> &FileTable {
        &self.table
    }

    /// What the files define, use and import.
    pub fn facts(&self) -> Result<FactsReader> {
        FactsReader::open(&self.storage, &self.table)
    }

    /// How many bytes of facts are new in it, and in those that its writer
    /// published before it.
    pub fn new_facts(&self) -> u64 {
        self.new_facts
    }

    /// Makes it the current one. Without ranks it keeps those of the generation
    /// before, which are stale.
    pub fn commit(mut self, ranks: Option<Vec<FileRank>>) -> Result<u64> {
        if let Some(ranks) = ranks {
            store_ranks(&self.storage, &mut self.table, ranks)?;
        }
        publish(
            &self.index,
            &mut self.writer,
            &self.storage,
            &mut self.table,
        )?;
        join_segments(&self.index, &mut self.writer)?;
        self.writer.wait_merging_threads()?;
        directory::sweep(&self.storage, &self.index.load_metas()?, &self.table);
        stamp(
            &self.index,
            &self.storage,
            &self.table,
            CachedStats::default(),
        )?;
        Ok(self.table.generation)
    }
}

/// Changes with what units are found by, so that indexes are rebuilt.
pub const FOUND_BY: u32 = 3;

/// The whole names that a unit is found by: plain, qualified, and with just the
/// nearest of what encloses it, as people say it. A name that is qualified
/// itself, as `defmodule Shop.Cart`, is also found by its last part.
fn symbols(unit: &Unit) -> Vec<String> {
    let scope = unit
        .qualified
        .strip_suffix(unit.name.as_str())
        .unwrap_or("");
    let before_nearest = scope.trim_end_matches(SEPARATORS).rfind(SEPARATORS);
    let nearest = before_nearest.map_or("", |at| &scope[at + 1..]);
    let own = std::slice::from_ref(&unit.name);
    let names = if unit.names.is_empty() {
        own
    } else {
        &unit.names
    };
    let mut symbols: Vec<String> = Vec::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        symbols.push(name.clone());
        let last = last_part(name);
        if unit.kind.is_symbol() && last.len() < name.len() && is_name(last) {
            symbols.push(last.to_owned());
        }
        let scopes = [scope, nearest]
            .into_iter()
            .filter(|scope| !scope.is_empty());
        symbols.extend(scopes.map(|scope| format!("{scope}{name}")));
    }
    symbols
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// An id that stays the same while the unit keeps its path and name.
fn unit_id(path: &str, unit: &Unit, nth: u32) -> u64 {
    let mut hash = Xxh3::new();
    for part in [path, unit.kind.as_str(), &unit.qualified] {
        hash.update(part.as_bytes());
        hash.update(&[0]);
    }
    hash.update(&nth.to_le_bytes());
    hash.digest()
}

/// The same for units with the same name and text, however it is indented.
fn digest(unit: &Unit, whole: &str) -> u64 {
    let mut hash = Xxh3::new();
    for text in [unit.kind.as_str(), &unit.qualified] {
        hash.update(text.as_bytes());
        hash.update(&[0]);
    }
    for line in whole.lines().map(str::trim).filter(|line| !line.is_empty()) {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    hash.digest()
}

/// Joins small segments, and those of which most was deleted.
fn join_segments(index: &Index, writer: &mut IndexWriter) -> Result<()> {
    let ids = segments_to_join(index.searchable_segment_metas()?);
    if ids.is_empty() {
        return Ok(());
    }
    writer.merge(&ids).wait()?;
    writer.garbage_collect_files().wait()?;
    Ok(())
}

/// Takes the list, since files stay on disk as long as anyone holds it.
fn segments_to_join(mut segments: Vec<SegmentMeta>) -> Vec<SegmentId> {
    segments.sort_by_key(|s| s.num_docs());
    let many = segments.len() >= MANY_SEGMENTS;
    let surplus = if many {
        segments.len() - FEW_SEGMENTS
    } else {
        0
    };
    let mostly_deleted = |s: &SegmentMeta| s.num_deleted_docs() > s.max_doc() / 2;
    let chosen = segments
        .iter()
        .enumerate()
        .filter(|(nth, s)| *nth < surplus || mostly_deleted(s));
    chosen.map(|(_, s)| s.id()).collect()
}

/// Carries over what waits for vectors, and adds what is new.
fn finish_pending(
    storage: &SharedStorage,
    table: &mut FileTable,
    new: PendingWriter,
) -> Result<()> {
    if !table.vectors.pending.is_empty() {
        let lacking = pending::lacking(storage, table)?;
        pending::strike_done(storage, &mut table.vectors.pending, &lacking)?;
        pending::join(storage, &mut table.vectors.pending, &lacking, &new)?;
    }
    table.vectors.pending.extend(new.finish()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use scent_types::{Kind, Lines};

    #[test]
    fn a_unit_is_found_by_every_name_it_has() {
        let lines = Lines::new(1, 1);
        let unit = |name: &str, qualified: &str, names: &[&str]| Unit {
            kind: Kind::Function,
            name: name.into(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            qualified: qualified.into(),
            signature: String::new(),
            doc: String::new(),
            members: Vec::new(),
            lines,
            cover: lines,
            extent_end: 1,
            whole: lines,
            parent: None,
            passage: 0,
        };
        assert_eq!(symbols(&unit("push", "push", &[])), ["push"]);
        assert_eq!(
            symbols(&unit("push", "A::B::push", &[])),
            ["push", "A::B::push", "B::push"]
        );
        assert_eq!(
            symbols(&unit("X, Y", "m.X, Y", &["X", "Y"])),
            ["X", "m.X", "Y", "m.Y"]
        );
        assert_eq!(
            symbols(&unit("Shop.Cart", "Shop.Cart", &[])),
            ["Shop.Cart", "Cart"]
        );
        assert_eq!(symbols(&unit("v1.2", "v1.2", &[])), ["v1.2"]);
        assert!(symbols(&unit("", "A", &[])).is_empty());
    }
}
