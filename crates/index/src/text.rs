//! Reading the text index: units by number, by name and by file.

use crate::declared::{declared_term, is_declared_term};
use crate::error::{IndexError, Result};
use crate::places::Places;
use crate::schema::{DIGEST, Fields, KIND, PLACE, TextField, WHOLE};
use crate::stored::{StoredUnit, UnitNo};
use rayon::prelude::*;
use scent_types::Kind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tantivy::columnar::Column;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{IndexRecordOption, Schema, Value};
use tantivy::{DocSet, Searcher, SegmentReader, TERMINATED, TantivyDocument, Term};

/// The sum of the lengths of each text field over all units.
pub(crate) type Totals = [u64; 5];

/// Units whose places one thread reads at a time.
const PIECE: usize = 16 << 10;

/// The units of one generation and the words in them.
pub struct TextReader {
    /// What errors call it.
    folder: PathBuf,
    fields: Fields,
    segments: Vec<Segment>,
    searcher: Searcher,
    /// Ids of files are below this.
    file_ids: u32,
    totals: OnceLock<Totals>,
    places: OnceLock<Places>,
}

pub(crate) struct Segment {
    pub base: UnitNo,
    pub reader: SegmentReader,
    place: Column<u64>,
    kind: Column<u64>,
    whole: Column<u64>,
    digest: Column<u64>,
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

impl TextReader {
    /// Reads what a searcher has open. `totals` are known where the same text
    /// index was read before.
    pub(crate) fn new(
        folder: &Path,
        schema: &Schema,
        searcher: Searcher,
        file_ids: u32,
        totals: Option<Totals>,
    ) -> Result<TextReader> {
        Ok(TextReader {
            folder: folder.to_owned(),
            fields: Fields::of(schema)?,
            segments: open_segments(&searcher)?,
            searcher,
            file_ids,
            totals: totals.map(OnceLock::from).unwrap_or_default(),
            places: OnceLock::new(),
        })
    }

    pub(crate) fn folder(&self) -> &Path {
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

    pub(crate) fn totals(&self) -> Totals {
        *self
            .totals
            .get_or_init(|| TextField::ALL.map(|field| self.sum_lengths(field)))
    }

    fn sum_lengths(&self, field: TextField) -> u64 {
        let field = self.fields.text(field);
        let mut sum = 0;
        for segment in &self.segments {
            let Ok(Some(lengths)) = segment.reader.fieldnorms_readers().get_field(field) else {
                continue;
            };
            let alive = segment.reader.alive_bitset();
            for doc in 0..segment.reader.max_doc() {
                if alive.is_none_or(|alive| alive.is_alive(doc)) {
                    sum += u64::from(lengths.fieldnorm(doc));
                }
            }
        }
        sum
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

    /// Calls `each` with every unit that declares a name without being called so:
    /// the struct of a field, the enum of a variant. The case does not matter.
    pub fn declaring(&self, name: &str, each: impl FnMut(UnitNo)) -> Result<()> {
        let term = declared_term(name);
        self.basic_postings(&Term::from_field_text(self.fields.symbol, &term), each)
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
                if is_declared_term(name) || !std::str::from_utf8(name).is_ok_and(&mut test) {
                    continue;
                }
                let found = inverted.read_postings_from_terminfo(place, IndexRecordOption::Basic);
                let postings = found.map_err(IndexError::io(&self.folder))?;
                segment.each_alive(postings, |doc, _| each(segment.base + doc));
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
            for doc in segment.reader.doc_ids_alive() {
                each(segment.base + doc);
            }
        }
    }

    /// The id of a unit's file, and its first line.
    pub fn place(&self, unit: UnitNo) -> (u32, u32) {
        let segment = self.segment(unit);
        let place = segment.place.values.get_val(unit - segment.base);
        ((place >> 32) as u32, place as u32)
    }

    /// The first line of what a unit is a part of, as one answer.
    pub fn whole(&self, unit: UnitNo) -> u32 {
        let segment = self.segment(unit);
        segment.whole.values.get_val(unit - segment.base) as u32
    }

    /// The same for units with the same text.
    pub fn digest(&self, unit: UnitNo) -> u64 {
        let segment = self.segment(unit);
        segment.digest.values.get_val(unit - segment.base)
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

    /// The unit that begins at a line of a file.
    pub fn unit_at(&self, file: u32, line: u32) -> Option<UnitNo> {
        let make = || Places::new(self.file_ids, &self.files_of_units());
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

    fn segment(&self, unit: UnitNo) -> &Segment {
        &self.segments[self.segments.partition_point(|s| s.base <= unit) - 1]
    }
}

fn open_segments(searcher: &Searcher) -> Result<Vec<Segment>> {
    let mut segments = Vec::new();
    let mut base = 0;
    for reader in searcher.segment_readers() {
        segments.push(Segment {
            base,
            reader: reader.clone(),
            place: reader.fast_fields().u64(PLACE)?,
            kind: reader.fast_fields().u64(KIND)?,
            whole: reader.fast_fields().u64(WHOLE)?,
            digest: reader.fast_fields().u64(DIGEST)?,
        });
        base += reader.max_doc();
    }
    Ok(segments)
}
