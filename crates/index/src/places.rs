//! Units by where they are.

use crate::stored::UnitNo;

/// The units of every file. They are sorted by counting, so that making this
/// costs little more than reading the places of all units.
#[derive(Debug)]
pub(crate) struct Places {
    /// Where the units of each file begin, by its id, and where the last end.
    starts: Vec<u32>,
    units: Vec<UnitNo>,
}

impl Places {
    /// `files` is the file of every unit by its number; ids from `ids` on
    /// stand for no file.
    pub fn new(ids: u32, files: &[u32]) -> Places {
        let mut starts = vec![0u32; ids as usize + 2];
        files
            .iter()
            .for_each(|file| starts[(*file).min(ids) as usize + 1] += 1);
        for id in 1..starts.len() {
            starts[id] += starts[id - 1];
        }
        let mut next = starts.clone();
        let mut units = vec![0; files.len()];
        for (unit, file) in (0..).zip(files) {
            let slot = &mut next[(*file).min(ids) as usize];
            units[*slot as usize] = unit;
            *slot += 1;
        }
        starts.pop();
        Places { starts, units }
    }

    /// The units of a file.
    pub fn of(&self, file: u32) -> &[UnitNo] {
        let file = file as usize;
        let bounds = self.starts.get(file).zip(self.starts.get(file + 1));
        bounds.map_or(&[], |(start, end)| {
            &self.units[*start as usize..*end as usize]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_by_their_files() {
        let places = Places::new(4, &[3, 0, 4, u32::MAX, 3, 1]);
        let cases: [(u32, &[u32]); 7] = [
            (0, &[1]),
            (1, &[5]),
            (2, &[]),
            (3, &[0, 4]),
            (4, &[]),
            (5, &[]),
            (u32::MAX, &[]),
        ];
        for (file, want) in cases {
            assert_eq!(places.of(file), want, "{file}");
        }
        assert_eq!(Places::new(0, &[]).of(0), [0; 0]);
    }
}
