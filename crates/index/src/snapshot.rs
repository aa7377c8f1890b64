//! Reading: one generation, which never changes while it is being read.

use crate::blobs::{self, BlobReader};
use crate::directory::{self, META, table_path, text_files};
use crate::error::{IndexError, Result};
use crate::facts::{StoredFacts, SymbolRef};
use crate::files::{FileRecord, FileTable, VectorModel, VectorSet};
use crate::graph::PathIndex;
use crate::names::Names;
use crate::pending::{Pending, PendingStore};
use crate::places::Places;
use crate::ranks::Ranks;
use crate::schema::{self, Fields, KIND, PLACE, TextField};
use crate::seal::{Noted, Seal};
use crate::stored::StoredUnit;
use crate::vectors::{self, Vectors};
use rayon::prelude::*;
use scent_types::{Kind, Lines};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tantivy::columnar::Column;
use tantivy::index::IndexMeta;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{
    DocSet, Index, ReloadPolicy, Searcher, SegmentReader, TERMINATED, TantivyDocument, Term,
};

/// The number of a unit in a snapshot: from 0 up to [`Snapshot::space`].
pub type UnitNo = u32;

/// How often to try when something is not as it should be.
const TRIES: usize = 5;

/// How often to try when a writer was faster each time.
const TRIES_WHEN_BUSY: usize = 100;

/// Units whose places one thread reads at a time.
const PIECE: usize = 16 << 10;

/// One generation of an index.
pub struct Snapshot {
    folder: PathBuf,
    table: FileTable,
    fields: Fields,
    segments: Vec<Segment>,
    searcher: Searcher,
    totals: OnceLock<[u64; 5]>,
    /// The position of each file in the table, by its id.
    by_id: OnceLock<Vec<u32>>,
    places: OnceLock<Places>,
    sketches: BlobReader,
    facts: BlobReader,
    sets: Vec<OpenSet>,
    pending: Vec<PendingStore>,
    ranks: Option<Ranks>,
    paths: OnceLock<PathIndex>,
    names: OnceLock<Names>,
}

/// The vectors of one model.
struct OpenSet {
    model: VectorModel,
    segments: Vec<Arc<vectors::Segment>>,
    vectors: OnceLock<Vectors>,
    waiting: OnceLock<u64>,
}

impl OpenSet {
    fn open(folder: &Path, set: &VectorSet) -> Result<OpenSet> {
        let segments = vectors::Segment::open_all(folder, set)?;
        let (vectors, waiting) = Default::default();
        Ok(OpenSet {
            model: set.model.clone(),
            segments,
            vectors,
            waiting,
        })
    }
}

pub(crate) struct Segment {
    pub base: UnitNo,
    pub reader: SegmentReader,
    place: Column<u64>,
    kind: Column<u64>,
}

impl Segment {
    /// Reads the files of units from one on; those of deleted ones stay as
    /// they are.
    fn read_files(&self, first: u32, files: &mut [u32]) {
        let mut places = vec![0; files.len()];
        self.place.values.get_range(u64::from(first), &mut places);
        let alive = self.reader.alive_bitset();
        for ((doc, file), place) in (first..).zip(files).zip(places) {
            if alive.is_none_or(|alive| alive.is_alive(doc)) {
                *file = (place >> 32) as u32;
            }
        }
    }

    /// Calls `each` with every document of a list that is not deleted, and how
    /// often it holds the term.
    pub fn each_alive(&self, mut postings: SegmentPostings, mut each: impl FnMut(u32, u32)) {
        let alive = self.reader.alive_bitset();
        let mut doc = postings.doc();
        while doc != TERMINATED {
            if alive.is_none_or(|alive| alive.is_alive(doc)) {
                each(doc, postings.term_freq());
            }
            doc = postings.advance();
        }
    }
}

impl Snapshot {
    /// The current generation of the index in a folder.
    pub fn open(folder: &Path) -> Result<Snapshot> {
        if !folder.join(META).exists() {
            return Err(IndexError::Missing);
        }
        let mut tries = 1;
        loop {
            match Snapshot::open_once(folder) {
                Ok(Some(snapshot)) => return Ok(snapshot),
                Err(IndexError::OtherVersion) => return Err(IndexError::OtherVersion),
                Err(error) if tries >= TRIES => return Err(error),
                Ok(None) if tries >= TRIES_WHEN_BUSY => return Err(IndexError::Busy),
                // A writer may have replaced what was about to be opened.
                _ => std::thread::sleep(std::time::Duration::from_millis(5)),
            }
            tries += 1;
        }
    }

    /// Tries once. None where a commit came between the parts.
    pub(crate) fn open_once(folder: &Path) -> Result<Option<Snapshot>> {
        let index = directory::open_text_index(folder)?;
        if index.schema() != schema::schema() || *index.settings() != schema::settings() {
            return Err(IndexError::OtherVersion);
        }
        let metas = index.load_metas()?;
        let generation = generation(&metas)?;
        let table = FileTable::read(&table_path(folder, generation))?;
        if table.generation != generation {
            return Err(IndexError::Damaged(
                "its table is that of another generation".into(),
            ));
        }
        let (seal, noted) = check_seal(&index, &metas, folder, &table)?;
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        if generation != self::generation(&index.load_metas()?)? {
            return Ok(None);
        }
        let searcher: Searcher = reader.searcher();
        if searcher.num_docs() != table.units() {
            return Err(IndexError::Damaged("its parts do not fit together".into()));
        }
        let sketches = table.files.iter().filter_map(FileRecord::sketch);
        let facts = table.files.iter().filter_map(FileRecord::facts);
        let sets = table
            .vectors
            .sets
            .iter()
            .map(|set| OpenSet::open(folder, set));
        let snapshot = Snapshot {
            folder: folder.to_owned(),
            fields: Fields::of(&index.schema())?,
            segments: open_segments(&searcher)?,
            searcher,
            totals: noted.totals.map(OnceLock::from).unwrap_or_default(),
            by_id: OnceLock::new(),
            places: OnceLock::new(),
            sketches: BlobReader::open(folder, blobs::SKETCH, sketches)?,
            facts: BlobReader::open(folder, blobs::FACTS, facts)?,
            sets: sets.collect::<Result<_>>()?,
            pending: PendingStore::open_all(folder, &table.vectors.pending)?,
            ranks: table
                .ranks
                .number
                .map(|number| Ranks::open(folder, number))
                .transpose()?,
            paths: OnceLock::new(),
            names: OnceLock::new(),
            table,
        };
        if noted.totals.is_none() {
            seal.write(snapshot.noted());
        }
        Ok(Some(snapshot))
    }

    /// Verifies every checksum of the current generation, whatever the seal
    /// says; returns how many files that were.
    pub fn verify(folder: &Path) -> Result<usize> {
        if !folder.join(META).exists() {
            return Err(IndexError::Missing);
        }
        let index = directory::open_text_index(folder)?;
        let metas = index.load_metas()?;
        let table = FileTable::read(&table_path(folder, generation(&metas)?))?;
        let seal = seal_of(&metas, folder, &table);
        verify(&index, &metas, folder, &table, &seal)?;
        Ok(existing_text_files(&metas, folder).len() + table.store_names().len() + 1)
    }

    /// What is known of the files.
    pub fn table(&self) -> &FileTable {
        &self.table
    }

    /// The folder that holds the index.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many numbers of units there are, deleted ones included.
    pub fn space(&self) -> u32 {
        self.segments
            .last()
            .map_or(0, |s| s.base + s.reader.max_doc())
    }

    /// How many units there are.
    pub fn count(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// The sum of the lengths of a field over all units.
    pub fn total_length(&self, field: TextField) -> u64 {
        self.totals()[field as usize]
    }

    /// What the seal of a generation with the same text index may tell.
    pub(crate) fn noted(&self) -> Noted {
        Noted {
            totals: Some(self.totals()),
        }
    }

    fn totals(&self) -> [u64; 5] {
        *self
            .totals
            .get_or_init(|| TextField::ALL.map(|field| self.sum_lengths(field)))
    }

    fn sum_lengths(&self, field: TextField) -> u64 {
        let field = self.fields.text(field);
        let sum = |segment: &Segment| -> Option<u64> {
            let lengths = segment
                .reader
                .fieldnorms_readers()
                .get_field(field)
                .ok()??;
            let docs = 0..segment.reader.max_doc();
            Some(match segment.reader.alive_bitset() {
                None => docs.map(|d| u64::from(lengths.fieldnorm(d))).sum(),
                Some(alive) => docs
                    .filter(|&d| alive.is_alive(d))
                    .map(|d| u64::from(lengths.fieldnorm(d)))
                    .sum(),
            })
        };
        self.segments.iter().filter_map(sum).sum()
    }

    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Calls `each` with every unit of this exact name, in lower case.
    pub fn named(&self, name: &str, each: impl FnMut(UnitNo)) -> Result<()> {
        self.basic_postings(&Term::from_field_text(self.fields.symbol, name), each)
    }

    /// Calls `each` with every unit that has a name, plain or qualified, in
    /// lower case, which passes the test; once for each such name.
    pub fn names_where(
        &self,
        mut test: impl FnMut(&str) -> bool,
        mut each: impl FnMut(UnitNo),
    ) -> Result<()> {
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(self.fields.symbol)?;
            let mut stream = inverted
                .terms()
                .stream()
                .map_err(IndexError::io(&self.folder))?;
            while let Some((name, place)) = stream.next() {
                if std::str::from_utf8(name).is_ok_and(&mut test) {
                    let found =
                        inverted.read_postings_from_terminfo(place, IndexRecordOption::Basic);
                    let postings = found.map_err(IndexError::io(&self.folder))?;
                    segment.each_alive(postings, |doc, _| each(segment.base + doc));
                }
            }
        }
        Ok(())
    }

    /// The units of a file, in order of their lines.
    pub fn units_of(&self, file: u32) -> Result<Vec<(UnitNo, StoredUnit)>> {
        let mut found = Vec::new();
        let term = Term::from_field_u64(self.fields.file, u64::from(file));
        self.basic_postings(&term, |unit| found.push(unit))?;
        let stored = self.units(&found)?;
        let mut units: Vec<_> = found.into_iter().zip(stored).collect();
        units.sort_by_key(|(_, unit)| unit.cover.start);
        Ok(units)
    }

    fn basic_postings(&self, term: &Term, mut each: impl FnMut(UnitNo)) -> Result<()> {
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(term.field())?;
            let found = inverted.read_postings(term, IndexRecordOption::Basic);
            let Some(postings) = found.map_err(IndexError::io(&self.folder))? else {
                continue;
            };
            segment.each_alive(postings, |doc, _| each(segment.base + doc));
        }
        Ok(())
    }

    /// Calls `each` with every unit there is.
    pub fn each_unit(&self, mut each: impl FnMut(UnitNo)) {
        for segment in &self.segments {
            segment
                .reader
                .doc_ids_alive()
                .for_each(|doc| each(segment.base + doc));
        }
    }

    /// The id of a unit's file, and its first line.
    pub fn place(&self, unit: UnitNo) -> (u32, u32) {
        let segment = self.segment(unit);
        let place = segment.place.values.get_val(unit - segment.base);
        ((place >> 32) as u32, place as u32)
    }

    /// What a unit is.
    pub fn kind(&self, unit: UnitNo) -> Kind {
        let segment = self.segment(unit);
        let kind = segment.kind.values.get_val(unit - segment.base) as usize;
        Kind::ALL.get(kind).copied().unwrap_or(Kind::Code)
    }

    /// A unit as it is kept.
    pub fn unit(&self, unit: UnitNo) -> Result<StoredUnit> {
        let at = self.segments.partition_point(|s| s.base <= unit) - 1;
        let address = tantivy::DocAddress::new(at as u32, unit - self.segments[at].base);
        let document: TantivyDocument = self.searcher.doc(address)?;
        let bytes = document
            .get_first(self.fields.unit)
            .and_then(|v| v.as_bytes());
        let stored = bytes.and_then(|bytes| postcard::from_bytes(bytes).ok());
        stored.ok_or_else(|| IndexError::Damaged("a unit cannot be read".into()))
    }

    /// Units as they are kept, in the order of the list. They are read in the
    /// order in which they lie, so that what is stored together is unpacked once.
    pub fn units(&self, units: &[UnitNo]) -> Result<Vec<StoredUnit>> {
        let mut order: Vec<usize> = (0..units.len()).collect();
        order.sort_unstable_by_key(|&nth| units[nth]);
        let mut read = Vec::with_capacity(units.len());
        for nth in order {
            read.push((nth, self.unit(units[nth])?));
        }
        read.sort_unstable_by_key(|(nth, _)| *nth);
        Ok(read.into_iter().map(|(_, unit)| unit).collect())
    }

    /// The record of the file with this id.
    pub fn file(&self, id: u32) -> Option<&FileRecord> {
        self.table.files.get(self.file_no(id)? as usize)
    }

    /// The position in the table of the file with this id.
    pub fn file_no(&self, id: u32) -> Option<u32> {
        let by_id = self.by_id.get_or_init(|| {
            let mut by_id = vec![u32::MAX; self.table.next_id as usize];
            for (at, file) in self.table.files.iter().enumerate() {
                if let Some(slot) = file.id().and_then(|id| by_id.get_mut(id as usize)) {
                    *slot = at as u32;
                }
            }
            by_id
        });
        by_id.get(id as usize).copied().filter(|at| *at != u32::MAX)
    }

    /// The trigrams that a file may hold; empty where that is not known.
    pub fn sketch(&self, file: &FileRecord) -> &[u8] {
        let Some(sketch) = file.sketch() else {
            return &[];
        };
        self.sketches.get(sketch).unwrap_or(&[])
    }

    /// What a file defines, uses and imports.
    pub fn facts(&self, file: &FileRecord) -> Result<StoredFacts<'_>> {
        StoredFacts::of(&self.facts, file)
    }

    /// What a file defines, without reading what it uses.
    pub fn symbols(&self, file: &FileRecord) -> Result<Vec<SymbolRef<'_>>> {
        StoredFacts::symbols_of(&self.facts, file)
    }

    /// The names of all symbols.
    pub fn names(&self) -> Result<&Names> {
        if let Some(known) = self.names.get() {
            return Ok(known);
        }
        let made = Names::gather(&self.table, &self.facts)?;
        Ok(self.names.get_or_init(|| made))
    }

    /// The files by what imports may call them.
    pub(crate) fn path_index(&self) -> Result<&PathIndex> {
        if let Some(known) = self.paths.get() {
            return Ok(known);
        }
        let made = PathIndex::new(&self.table, &self.facts)?;
        Ok(self.paths.get_or_init(|| made))
    }

    pub(crate) fn fact_blobs(&self) -> &BlobReader {
        &self.facts
    }

    /// How much of the repository leads to the file with this id: 1 is the mean
    /// of all files, and what a file has whose number is not known yet.
    pub fn importance_of_file(&self, id: u32) -> f32 {
        self.ranks.as_ref().map_or(1.0, |ranks| ranks.file(id))
    }

    /// The same for the symbol whose name is in some lines of a file, such as
    /// those of a unit; the greatest, where there are several, and 0 where there
    /// is none. 1 is the mean of all symbols and files.
    pub fn importance_of_lines(&self, id: u32, lines: Lines) -> f32 {
        self.ranks
            .as_ref()
            .map_or(1.0, |ranks| ranks.lines(id, lines))
    }

    /// The unit that begins at a line of a file.
    pub fn unit_at(&self, file: u32, line: u32) -> Option<UnitNo> {
        let make = || Places::new(self.table.next_id, &self.files_of_units());
        let units = self.places.get_or_init(make).of(file);
        // Those of a file were written in the order of their lines, mostly into
        // one segment.
        let at = units.partition_point(|&unit| self.place(unit).1 < line);
        let begins = |unit: &UnitNo| self.place(*unit) == (file, line);
        let near = units.get(at).copied().filter(begins);
        near.or_else(|| units.iter().copied().find(begins))
    }

    /// The file of every unit by its number; none for those that are deleted.
    fn files_of_units(&self) -> Vec<u32> {
        let mut files = vec![u32::MAX; self.space() as usize];
        for segment in &self.segments {
            let range = segment.base as usize..(segment.base + segment.reader.max_doc()) as usize;
            let pieces = files[range].par_chunks_mut(PIECE).enumerate();
            pieces.for_each(|(nth, files)| segment.read_files((nth * PIECE) as u32, files));
        }
        files
    }

    /// The models whose vectors are wanted, in order.
    pub fn models(&self) -> impl Iterator<Item = &VectorModel> {
        self.sets.iter().map(|set| &set.model)
    }

    /// The vectors of a model, where there are any.
    pub fn vectors_of(&self, model: &VectorModel) -> Option<&Vectors> {
        let set = self.set_of(model).filter(|set| !set.segments.is_empty())?;
        let is_live = |id| self.file(id).is_some();
        let make = || Vectors::new(set.model.clone(), set.segments.clone(), is_live);
        Some(set.vectors.get_or_init(make))
    }

    /// The segments of a model's vectors.
    pub(crate) fn segments_of(&self, model: &VectorModel) -> &[Arc<vectors::Segment>] {
        self.set_of(model).map_or(&[], |set| &set.segments)
    }

    fn set_of(&self, model: &VectorModel) -> Option<&OpenSet> {
        self.sets.iter().find(|set| set.model.is_same(model))
    }

    /// What waits for vectors of a model.
    pub fn pending_of(&self, model: &VectorModel) -> Pending<'_> {
        let vectors = self.vectors_of(model);
        let has = |id| vectors.is_some_and(|vectors| vectors.has_file(id));
        Pending::of(&self.table, &self.pending, has)
    }

    /// How many units wait for vectors of a model; counted once.
    pub fn waiting_for(&self, model: &VectorModel) -> u64 {
        let count = || self.pending_of(model).units();
        self.set_of(model)
            .map_or_else(count, |set| *set.waiting.get_or_init(count))
    }

    fn segment(&self, unit: UnitNo) -> &Segment {
        &self.segments[self.segments.partition_point(|s| s.base <= unit) - 1]
    }
}

pub(crate) fn generation(metas: &IndexMeta) -> Result<u64> {
    let number = metas
        .payload
        .as_ref()
        .and_then(|payload| payload.parse().ok());
    number.ok_or(IndexError::Missing)
}

/// Verifies every checksum unless nothing was touched since that was last done.
fn check_seal(
    index: &Index,
    metas: &IndexMeta,
    folder: &Path,
    table: &FileTable,
) -> Result<(Seal, Noted)> {
    let seal = seal_of(metas, folder, table);
    if let Some(noted) = seal.kept() {
        return Ok((seal, noted));
    }
    verify(index, metas, folder, table, &seal)?;
    Ok((seal, Noted::default()))
}

/// Verifies the checksum of every file that a generation refers to.
fn verify(
    index: &Index,
    metas: &IndexMeta,
    folder: &Path,
    table: &FileTable,
    seal: &Seal,
) -> Result<()> {
    for name in existing_text_files(metas, folder) {
        let sound = index.directory().validate_checksum(Path::new(&name));
        if !sound.map_err(tantivy::TantivyError::from)? {
            return Err(IndexError::Damaged(format!(
                "{name}: the checksum does not fit"
            )));
        }
    }
    if let Some(name) = seal.swapped() {
        return Err(IndexError::Damaged(format!(
            "{name}: another file is in its place"
        )));
    }
    table.verify_stores(folder)
}

/// Notes that the files of the current generation are as they were written.
pub(crate) fn seal(index: &Index, folder: &Path, table: &FileTable, noted: Noted) -> Result<()> {
    seal_of(&index.load_metas()?, folder, table).write(noted);
    Ok(())
}

fn seal_of(metas: &IndexMeta, folder: &Path, table: &FileTable) -> Seal {
    let mut own = table.store_names();
    own.push(format!("files-{}", table.generation));
    Seal::of(folder, table.generation, text_files(metas), own)
}

/// A segment need not have every file that it could have.
fn existing_text_files(metas: &IndexMeta, folder: &Path) -> Vec<String> {
    text_files(metas)
        .into_iter()
        .filter(|name| folder.join(name).exists())
        .collect()
}

fn open_segments(searcher: &Searcher) -> Result<Vec<Segment>> {
    let mut base = 0;
    let open = |reader: &SegmentReader| {
        let segment = Segment {
            base,
            reader: reader.clone(),
            place: reader.fast_fields().u64(PLACE)?,
            kind: reader.fast_fields().u64(KIND)?,
        };
        base += reader.max_doc();
        Ok(segment)
    };
    searcher.segment_readers().iter().map(open).collect()
}
