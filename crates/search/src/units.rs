//! A set of units.

use crate::corpus::UnitNo;
use std::collections::HashSet;

/// Which units may answer: all, or those in a set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    units: Option<UnitSet>,
    /// The ids of the files that hold them, by snapshot.
    files: Option<Vec<HashSet<u32>>>,
    /// Units that may not answer in any case, and their files by snapshot.
    hidden: UnitSet,
    hidden_files: Vec<HashSet<u32>>,
}

impl Allowed {
    pub fn these(units: UnitSet, files: Vec<HashSet<u32>>) -> Allowed {
        Allowed {
            units: Some(units),
            files: Some(files),
            ..Allowed::default()
        }
    }

    /// The same without some units and the files that hold them.
    pub fn without(self, hidden: UnitSet, hidden_files: Vec<HashSet<u32>>) -> Allowed {
        Allowed {
            hidden,
            hidden_files,
            ..self
        }
    }

    pub fn holds(&self, unit: UnitNo) -> bool {
        let is_one = |units: &UnitSet| units.holds(unit);
        !self.hidden.holds(unit) && self.units.as_ref().is_none_or(is_one)
    }

    pub fn holds_file(&self, snapshot: usize, id: u32) -> bool {
        let hidden = self.hidden_files.get(snapshot);
        let is_one = |files: &Vec<HashSet<u32>>| files[snapshot].contains(&id);
        !hidden.is_some_and(|hidden| hidden.contains(&id)) && self.files.as_ref().is_none_or(is_one)
    }

    /// The units, where not all are allowed.
    pub fn iter(&self) -> impl Iterator<Item = UnitNo> {
        let units = self.units.iter().flat_map(|units| units.iter());
        units.filter(|unit| !self.hidden.holds(*unit))
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

    /// The units in both sets.
    pub fn both(mut self, other: &UnitSet) -> UnitSet {
        self.0.truncate(other.0.len());
        for (ours, theirs) in self.0.iter_mut().zip(&other.0) {
            *ours &= theirs;
        }
        self
    }

    /// The units that are not in the other set.
    pub fn minus(mut self, other: &UnitSet) -> UnitSet {
        for (ours, theirs) in self.0.iter_mut().zip(&other.0) {
            *ours &= !theirs;
        }
        self
    }

    /// Adds the units of the other set.
    pub fn add(&mut self, other: &UnitSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (ours, theirs) in self.0.iter_mut().zip(&other.0) {
            *ours |= theirs;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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

#[cfg(test)]
mod tests {
    use super::UnitSet;

    #[test]
    fn sets_of_any_length_are_combined() {
        let few = || UnitSet::from_iter([1, 2]);
        let many = || UnitSet::from_iter([2, 70, 200]);
        let list = |set: UnitSet| set.iter().collect::<Vec<_>>();
        assert_eq!(list(few().both(&many())), [2]);
        assert_eq!(list(many().both(&few())), [2]);
        assert_eq!(list(few().minus(&many())), [1]);
        assert_eq!(list(many().minus(&few())), [70, 200]);
        let mut all = few();
        all.add(&many());
        assert_eq!(list(all), [1, 2, 70, 200]);
    }
}
