//! Several snapshots as one: the units of all of them under one numbering.

use scent_index::{FileRecord, Result, Snapshot, StoredUnit, TextField};
use scent_types::Kind;
use std::sync::Arc;

/// A unit of a corpus: its number from 0 up to [`Corpus::space`].
pub(crate) type UnitNo = u32;

/// A unit, by snapshot and number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitRef {
    /// The position of the snapshot in the corpus.
    pub snapshot: usize,
    /// The number of the unit in it.
    pub at: u32,
}

/// What is searched: one snapshot or several, with common statistics.
pub struct Corpus {
    snapshots: Vec<Arc<Snapshot>>,
    /// Of each snapshot, the paths that answers must lie in; empty for all.
    scopes: Vec<Vec<String>>,
    bases: Vec<UnitNo>,
}

impl Corpus {
    /// The snapshots as one corpus, each with the paths to stay in; no path
    /// stands for all.
    pub fn new(parts: Vec<(Arc<Snapshot>, Vec<String>)>) -> Corpus {
        let (snapshots, scopes): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let mut bases = Vec::with_capacity(snapshots.len());
        let mut next = 0;
        for snapshot in &snapshots {
            bases.push(next);
            next += snapshot.text().space();
        }
        Corpus {
            snapshots,
            scopes,
            bases,
        }
    }

    /// The snapshots in order.
    pub fn snapshots(&self) -> &[Arc<Snapshot>] {
        &self.snapshots
    }

    /// A snapshot with the number of its first unit.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (UnitNo, &Snapshot)> {
        let snapshots = self.snapshots.iter().map(Arc::as_ref);
        self.bases.iter().copied().zip(snapshots)
    }

    /// The scope of each snapshot, in order.
    pub(crate) fn scopes(&self) -> &[Vec<String>] {
        &self.scopes
    }

    pub(crate) fn space(&self) -> usize {
        self.parts()
            .last()
            .map_or(0, |(base, last)| (base + last.text().space()) as usize)
    }

    pub(crate) fn count(&self) -> u64 {
        self.snapshots.iter().map(|s| s.text().count()).sum()
    }

    pub(crate) fn mean_length(&self, field: TextField) -> f32 {
        let total: u64 = self
            .snapshots
            .iter()
            .map(|s| s.text().total_length(field))
            .sum();
        (total as f32 / self.count().max(1) as f32).max(1.0)
    }

    pub(crate) fn unit_ref(&self, unit: UnitNo) -> UnitRef {
        let snapshot = self.bases.partition_point(|&base| base <= unit) - 1;
        UnitRef {
            snapshot,
            at: unit - self.bases[snapshot],
        }
    }

    /// Reads units, in the order of the list.
    pub fn read(&self, units: &[UnitRef]) -> Result<Vec<StoredUnit>> {
        let mut read = Vec::with_capacity(units.len());
        for (nth, snapshot) in self.snapshots.iter().enumerate() {
            let all = (0..units.len()).filter(|&place| units[place].snapshot == nth);
            let places: Vec<usize> = all.collect();
            let numbers: Vec<u32> = places.iter().map(|&place| units[place].at).collect();
            read.extend(places.into_iter().zip(snapshot.text().units(&numbers)?));
        }
        read.sort_unstable_by_key(|(place, _)| *place);
        Ok(read.into_iter().map(|(_, unit)| unit).collect())
    }

    /// The units of a unit's file, in order of their lines.
    pub fn units_beside(&self, unit: UnitRef) -> Result<Vec<StoredUnit>> {
        let text = self.snapshots[unit.snapshot].text();
        let (file, _) = text.place(unit.at);
        let units = text.units_of(file)?.into_iter();
        Ok(units.map(|(_, unit)| unit).collect())
    }

    /// The same, by their numbers.
    pub(crate) fn units(&self, units: &[UnitNo]) -> Result<Vec<StoredUnit>> {
        let units: Vec<UnitRef> = units.iter().map(|&unit| self.unit_ref(unit)).collect();
        self.read(&units)
    }

    pub(crate) fn kind(&self, unit: UnitNo) -> Kind {
        let UnitRef { snapshot, at } = self.unit_ref(unit);
        self.snapshots[snapshot].text().kind(at)
    }

    /// Where a unit stands among all, by path and line: what decides a tie.
    pub(crate) fn position(&self, unit: UnitNo) -> (usize, &str, u32) {
        let UnitRef { snapshot, at } = self.unit_ref(unit);
        let (file, line) = self.snapshots[snapshot].text().place(at);
        let file = self.snapshots[snapshot].file(file);
        let path = file.map_or("", |file| file.path.as_str());
        (snapshot, path, line)
    }

    /// The file of a unit, as its snapshot and id.
    pub(crate) fn file_of(&self, unit: UnitRef) -> (usize, u32) {
        let (file, _) = self.snapshots[unit.snapshot].text().place(unit.at);
        (unit.snapshot, file)
    }

    /// What a unit is a part of, as one answer: its snapshot, the id of its
    /// file, and the first line.
    pub(crate) fn whole_of(&self, unit: UnitNo) -> (usize, u32, u32) {
        let unit = self.unit_ref(unit);
        let text = self.snapshots[unit.snapshot].text();
        let (file, _) = text.place(unit.at);
        (unit.snapshot, file, text.whole(unit.at))
    }

    /// The same for units with the same text.
    pub(crate) fn digest(&self, unit: UnitNo) -> u64 {
        let UnitRef { snapshot, at } = self.unit_ref(unit);
        self.snapshots[snapshot].text().digest(at)
    }

    /// The record of the file that holds a unit.
    pub fn record(&self, unit: UnitRef) -> Option<&FileRecord> {
        let (snapshot, file) = self.file_of(unit);
        self.snapshots[snapshot].file(file)
    }
}
