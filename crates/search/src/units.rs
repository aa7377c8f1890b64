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

    /// Every allowed unit as if a pattern had matched it.
    pub fn as_matches(&self) -> Matches {
        match self {
            Allowed::All => Matches::new(),
            Allowed::These(set) => set.iter().map(|unit| (unit, Default::default())).collect(),
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

    pub fn iter(&self) -> impl Iterator<Item = UnitNo> {
        let bits = |word: u64| (0..64).filter(move |bit| word & (1 << bit) != 0);
        self.0
            .iter()
            .enumerate()
            .flat_map(move |(at, &word)| bits(word).map(move |bit| at as u32 * 64 + bit))
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
