//! A set of units.

use crate::corpus::UnitNo;
use crate::pattern::Matches;
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

    /// Every allowed unit as if a pattern had matched it.
    pub fn as_matches(&self) -> Matches {
        let units = self.units.iter().flat_map(|units| units.iter());
        units.map(|unit| (unit, Default::default())).collect()
    }

    /// Only the units that a pattern matched, where there is a pattern.
    pub fn narrowed_to(self, matches: &Option<Matches>) -> Allowed {
        match matches {
            None => self,
            Some(matches) => Allowed {
                units: Some(matches.keys().copied().collect()),
                ..self
            },
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
        let bits = |word: u64| (0..64).filter(move |bit| word & (1 << bit) != 0);
        self.0
            .iter()
            .enumerate()
            .flat_map(move |(at, &word)| bits(word).map(move |bit| at as u32 * 64 + bit))
    }

    pub fn holds(&self, unit: UnitNo) -> bool {
        self.0
            .get(unit as usize / 64)
            .is_some_and(|word| word & (1 << (unit % 64)) != 0)
    }
}

impl FromIterator<UnitNo> for UnitSet {
    fn from_iter<I: IntoIterator<Item = UnitNo>>(units: I) -> UnitSet {
        let mut set = UnitSet::default();
        units.into_iter().for_each(|unit| set.insert(unit));
        set
    }
}
