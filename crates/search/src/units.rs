//! A set of units.

use crate::corpus::UnitNo;
use std::collections::HashSet;

/// Which units may answer: all, or those in a set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    units: Option<UnitSet>,
    /// The ids of the files that hold them, by snapshot.
    files: Option<Vec<HashSet<u32>>>,
}

impl Allowed {
    pub fn these(units: UnitSet, files: Vec<HashSet<u32>>) -> Allowed {
        Allowed {
            units: Some(units),
            files: Some(files),
        }
    }

    pub fn holds(&self, unit: UnitNo) -> bool {
        self.units.as_ref().is_none_or(|units| units.holds(unit))
    }

    pub fn holds_file(&self, snapshot: usize, id: u32) -> bool {
        self.files
            .as_ref()
            .is_none_or(|files| files[snapshot].contains(&id))
    }

    /// The units, where not all are allowed.
    pub fn iter(&self) -> impl Iterator<Item = UnitNo> {
        self.units.iter().flat_map(|units| units.iter())
    }

    /// Only these units.
    pub fn narrowed_to(self, units: impl Iterator<Item = UnitNo>) -> Allowed {
        Allowed {
            units: Some(units.collect()),
            ..self
        }
    }
}

/// A set of units as bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnitSet(Vec<u64>);

impl UnitSet {
    pub fn insert(&mut self, unit: UnitNo) {
        let word = unit as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (unit % 64);
    }

    pub fn iter(&self) -> impl Iterator<Item = UnitNo> {
        (0..).zip(&self.0).flat_map(|(at, &word)| {
            let bits = (0..64).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| at * 64 + bit)
        })
    }

    pub fn holds(&self, unit: UnitNo) -> bool {
        let word = self.0.get(unit as usize / 64);
        word.is_some_and(|word| word & (1 << (unit % 64)) != 0)
    }
}

impl FromIterator<UnitNo> for UnitSet {
    fn from_iter<I: IntoIterator<Item = UnitNo>>(units: I) -> UnitSet {
        let mut set = UnitSet::default();
        for unit in units {
            set.insert(unit);
        }
        set
    }
}
