//! A set of units.

use crate::corpus::UnitNo;
use crate::pattern::Matches;

/// Which units may answer.
#[derive(Clone, Debug)]
pub(crate) enum Allowed {
    All,
    These(UnitSet),
}

impl Allowed {
    pub fn holds(&self, unit: UnitNo) -> bool {
        match self {
            Allowed::All => true,
            Allowed::These(set) => set.holds(unit),
        }
    }

    /// Only the units that a pattern matched, where there is a pattern.
    pub fn narrowed_to(self, matches: &Option<Matches>) -> Allowed {
        match matches {
            None => self,
            Some(matches) => Allowed::These(matches.keys().copied().collect()),
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

    pub fn holds(&self, unit: UnitNo) -> bool {
        self.0.get(unit as usize / 64).is_some_and(|word| word & (1 << (unit % 64)) != 0)
    }
}

impl FromIterator<UnitNo> for UnitSet {
    fn from_iter<I: IntoIterator<Item = UnitNo>>(units: I) -> UnitSet {
        let mut set = UnitSet::default();
        units.into_iter().for_each(|unit| set.insert(unit));
        set
    }
}
