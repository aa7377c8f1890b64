//! How important files and symbols are, as it is kept.
//!
//! Format of `ranks-N`, numbers of 4 bytes each: how many files, how many
//! symbols; then for the files, in order of their ids, the ids, the position of
//! each one's first symbol, how many symbols there are, and how important each
//! file is; then the line of each symbol, by file and line, and how important
//! each is; 8 bytes of xxh3 at the end.
//!
//! Where much is indexed that has not changed, a commit of a few files keeps the
//! store of the generation before, and a commit of its own catches up later.

use crate::error::Result;
use crate::files::{FileTable, RankStore};
use crate::layout;
use crate::storage::SharedStorage;
use crate::store::{self, StoreWriter, array_at, u32_at};
use memmap2::Mmap;
use scent_types::Lines;

/// What has no number of its own is taken to be as important as the mean.
const MEAN: f32 = 1.0;

/// How important a file and its symbols are.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRank {
    /// The id of the file.
    pub file: u32,
    /// That of the file, with what its symbols have; 1 is the mean of all files.
    pub whole: f32,
    /// The line of each symbol's name, and how important it is; 1 is the mean
    /// of all files and symbols. In order of the lines.
    pub symbols: Vec<(u32, f32)>,
}

/// Gives the generation of a table a store of ranks.
pub(crate) fn store_ranks(
    storage: &SharedStorage,
    table: &mut FileTable,
    ranks: Vec<FileRank>,
) -> Result<()> {
    write(storage, table.generation, ranks)?;
    table.ranks = RankStore {
        number: Some(table.generation),
        stale: false,
    };
    Ok(())
}

/// Writes a store.
pub(crate) fn write(storage: &SharedStorage, number: u64, mut ranks: Vec<FileRank>) -> Result<()> {
    ranks.sort_unstable_by_key(|file| file.file);
    let symbols = || ranks.iter().flat_map(|file| &file.symbols);
    let mut starts = vec![0];
    for file in &ranks {
        starts.push(starts[starts.len() - 1] + file.symbols.len() as u32);
    }
    let mut bytes = Vec::new();
    let mut add = |number: u32| bytes.extend(number.to_le_bytes());
    add(ranks.len() as u32);
    add(starts[ranks.len()]);
    ranks.iter().for_each(|file| add(file.file));
    starts.iter().for_each(|start| add(*start));
    ranks.iter().for_each(|file| add(file.whole.to_bits()));
    symbols().for_each(|(line, _)| add(*line));
    symbols().for_each(|(_, rank)| add(rank.to_bits()));
    let mut store = StoreWriter::new(storage, layout::ranks(number));
    store.append(&bytes)?;
    store.finish()
}

/// A store, mapped.
#[derive(Debug)]
pub(crate) struct Ranks {
    bytes: Mmap,
    files: usize,
    symbols: usize,
}

impl Ranks {
    pub fn open(storage: &SharedStorage, number: u64) -> Result<Ranks> {
        let name = layout::ranks(number);
        let bytes = store::map(storage, &name)?;
        let counts = (bytes.len() >= 8).then(|| (u32_at(&bytes, 0), u32_at(&bytes, 1)));
        let (files, symbols) = counts.unwrap_or_default();
        let (files, symbols) = (files as usize, symbols as usize);
        if bytes.len() != 4 * (3 + 3 * files + 2 * symbols) + 8 {
            return Err(store::damaged(&storage.path(&name), "it is cut off"));
        }
        Ok(Ranks {
            bytes,
            files,
            symbols,
        })
    }

    /// How important a file is; 1 is the mean.
    pub fn file(&self, id: u32) -> f32 {
        self.nth(id)
            .map_or(MEAN, |nth| self.number(3 + 2 * self.files + nth))
    }

    /// How important the most important symbol is whose name lies in some lines
    /// of a file; 1 is the mean, 0 where there is none.
    pub fn lines(&self, id: u32, lines: Lines) -> f32 {
        let Some(nth) = self.nth(id) else { return MEAN };
        let starts = 2 + self.files;
        let start = |nth: usize| u32_at(&self.bytes, starts + nth) as usize;
        let first = 3 + 3 * self.files;
        let line = |at: usize| u32_at(&self.bytes, first + at);
        let (begin, end) = (start(nth), start(nth + 1).min(self.symbols));
        let begin = partition(begin, end, |at| line(at) < lines.start);
        let inside = (begin..end).take_while(|&at| line(at) <= lines.end);
        inside
            .map(|at| self.number(first + self.symbols + at))
            .fold(0.0, f32::max)
    }

    /// The position of a file.
    fn nth(&self, id: u32) -> Option<usize> {
        let at = partition(0, self.files, |at| u32_at(&self.bytes, 2 + at) < id);
        (at < self.files && u32_at(&self.bytes, 2 + at) == id).then_some(at)
    }

    fn number(&self, at: usize) -> f32 {
        f32::from_le_bytes(array_at(&self.bytes, at))
    }
}

/// The ranks of one generation, where there are any.
#[derive(Debug)]
pub struct RankReader {
    ranks: Option<Ranks>,
}

impl RankReader {
    pub(crate) fn open(storage: &SharedStorage, table: &FileTable) -> Result<RankReader> {
        let ranks = match table.ranks.number {
            Some(number) => Some(Ranks::open(storage, number)?),
            None => None,
        };
        Ok(RankReader { ranks })
    }

    /// How much of the repository leads to the file with this id: 1 is the mean
    /// of all files, and what a file has whose number is not known yet.
    pub fn file(&self, id: u32) -> f32 {
        self.ranks.as_ref().map_or(MEAN, |ranks| ranks.file(id))
    }

    /// The same for the symbol whose name is in some lines of a file, such as
    /// those of a unit; the greatest, where there are several, and 0 where there
    /// is none. 1 is the mean of all symbols and files.
    pub fn lines(&self, id: u32, lines: Lines) -> f32 {
        let ranks = self.ranks.as_ref();
        ranks.map_or(MEAN, |ranks| ranks.lines(id, lines))
    }
}

/// The first position in a range for which something does not hold, where it
/// holds for all before it.
fn partition(mut begin: usize, mut end: usize, holds: impl Fn(usize) -> bool) -> usize {
    while begin < end {
        let middle = begin + (end - begin) / 2;
        if holds(middle) {
            begin = middle + 1
        } else {
            end = middle
        }
    }
    begin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::Local;

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let ranks = vec![
            FileRank {
                file: 9,
                whole: 0.5,
                symbols: vec![(2, 3.0), (2, 1.0), (7, 0.25)],
            },
            FileRank {
                file: 4,
                whole: 1.5,
                symbols: Vec::new(),
            },
        ];
        write(&Local::shared(folder.path()), 3, ranks).unwrap();
        store::verify(&Local::shared(folder.path()), "ranks-3", None).unwrap();
        let ranks = Ranks::open(&Local::shared(folder.path()), 3).unwrap();
        for (file, want) in [(9, 0.5), (4, 1.5), (5, MEAN), (10, MEAN)] {
            assert_eq!(ranks.file(file), want, "{file}");
        }
        for (file, start, end, want) in [
            (9, 1, 1, 0.0),
            (9, 1, 2, 3.0),
            (9, 3, 9, 0.25),
            (9, 8, 9, 0.0),
            (4, 1, 9, 0.0),
            (7, 1, 9, MEAN),
        ] {
            assert_eq!(
                ranks.lines(file, Lines::new(start, end)),
                want,
                "{file} {start}-{end}"
            );
        }
        write(&Local::shared(folder.path()), 4, Vec::new()).unwrap();
        assert_eq!(
            Ranks::open(&Local::shared(folder.path()), 4)
                .unwrap()
                .file(0),
            MEAN
        );
        let path = folder.path().join("ranks-3");
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 4]).unwrap();
        assert!(
            Ranks::open(&Local::shared(folder.path()), 3)
                .unwrap_err()
                .wants_rebuild()
        );
    }
}
