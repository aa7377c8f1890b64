//! Whether the files of a generation are as they were when they were last
//! verified.
//!
//! Reading every byte at every start would be slow, so the names, lengths,
//! times and inodes of the files that a generation refers to are hashed into a
//! small file (`seal-N`) after each check. Where they differ, all checksums are
//! verified once more.
//!
//! The stamp also keeps the end of each file of the text index, where its
//! checksum stands. So a file that was swapped for another one, which is sound
//! in itself, is noticed; our own stores are named with their checksums by the
//! table of files.

use crate::directory::text_files;
use crate::error::{IndexError, Result};
use crate::files::FileTable;
use crate::storage::SharedStorage;
use crate::{layout, os, store};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;
use tantivy::Index;
use tantivy::index::IndexMeta;
use xxhash_rust::xxh3::xxh3_64;

/// The end of a file of the text index has its checksum in it, and is not
/// longer than this.
const TAIL: u64 = 160;

/// Says that the files of one generation were verified in their present state.
pub(crate) struct VerifiedStamp {
    storage: SharedStorage,
    generation: u64,
    digest: u64,
    /// The files of the text index.
    text: Vec<String>,
}

/// A stamp as it is written, before a checksum of it.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    digest: u64,
    totals: Option<[u64; 5]>,
    /// The length of each file of the text index, and a hash of its end.
    tails: HashMap<String, (u64, u64)>,
}

/// What a stamp keeps of the text index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CachedStats {
    /// The sums of the lengths of the fields, which take a while to add up.
    pub totals: Option<[u64; 5]>,
}

impl VerifiedStamp {
    /// The stamp of the present state of a generation.
    pub fn of(storage: &SharedStorage, metas: &IndexMeta, table: &FileTable) -> VerifiedStamp {
        let mut own = table.store_names();
        own.push(layout::table(table.generation));
        VerifiedStamp::of_files(storage, table.generation, text_files(metas), own)
    }

    pub fn of_files(
        storage: &SharedStorage,
        generation: u64,
        text: Vec<String>,
        own: Vec<String>,
    ) -> VerifiedStamp {
        let mut files: Vec<&String> = text.iter().chain(&own).collect();
        files.sort();
        let described: Vec<String> = files.iter().map(|name| describe(storage, name)).collect();
        let digest = xxh3_64(described.join("\n").as_bytes());
        VerifiedStamp {
            storage: storage.clone(),
            generation,
            digest,
            text,
        }
    }

    /// What was kept with the stamp, if nothing was touched since.
    pub fn stats(&self) -> Option<CachedStats> {
        let written = read(&self.storage, self.generation)?;
        let stats = CachedStats {
            totals: written.totals,
        };
        (written.digest == self.digest).then_some(stats)
    }

    /// Verifies every checksum unless nothing was touched since that was last
    /// done.
    pub fn check(&self, index: &Index, table: &FileTable) -> Result<CachedStats> {
        if let Some(stats) = self.stats() {
            return Ok(stats);
        }
        self.verify(index, table)?;
        Ok(CachedStats::default())
    }

    /// Verifies the checksum of every file that the generation refers to;
    /// returns how many these are.
    pub fn verify(&self, index: &Index, table: &FileTable) -> Result<usize> {
        let text = self.existing_text_files();
        for name in &text {
            let sound = index.directory().validate_checksum(Path::new(name));
            if !sound.map_err(tantivy::TantivyError::from)? {
                let what = format!("{name}: the checksum does not fit");
                return Err(IndexError::Damaged(what));
            }
        }
        if let Some(name) = self.swapped() {
            let what = format!("{name}: another file is in its place");
            return Err(IndexError::Damaged(what));
        }
        table.verify_stores(&self.storage)?;
        Ok(text.len() + table.store_names().len() + 1)
    }

    /// A segment need not have every file that it could have.
    fn existing_text_files(&self) -> Vec<&String> {
        let exists = |name: &&String| self.storage.metadata(name).is_ok();
        self.text.iter().filter(exists).collect()
    }

    /// The first file of the text index that is not the one that was verified.
    pub fn swapped(&self) -> Option<&str> {
        let written = read(&self.storage, self.generation)?;
        for name in &self.text {
            if let Some(verified) = written.tails.get(name)
                && tail(&self.storage, name) != Some(*verified)
            {
                return Some(name);
            }
        }
        None
    }

    /// Notes the present state as verified. Failing to is no harm: the next
    /// reader verifies again.
    pub fn write(&self, stats: CachedStats) {
        let known = |generation| read(&self.storage, generation).map(|written| written.tails);
        let before = known(self.generation).or_else(|| known(self.generation.checked_sub(1)?));
        let before = before.unwrap_or_default();
        let mut tails = HashMap::new();
        for name in &self.text {
            let known = before.get(name).copied();
            if let Some(tail) = known.or_else(|| tail(&self.storage, name)) {
                tails.insert(name.clone(), tail);
            }
        }
        let written = Written {
            digest: self.digest,
            totals: stats.totals,
            tails,
        };
        let mut bytes = postcard::to_stdvec(&written).expect("plain values can be written");
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        let name = layout::stamp(self.generation);
        let _ = self
            .storage
            .create(&name)
            .map(|mut file| file.write_all(&bytes));
    }
}

fn read(storage: &SharedStorage, generation: u64) -> Option<Written> {
    parse(&store::read(storage, &layout::stamp(generation)).ok()?)
}

fn parse(bytes: &[u8]) -> Option<Written> {
    let (body, sum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(body).to_le_bytes() != *sum {
        return None;
    }
    postcard::from_bytes(body).ok()
}

/// The length of a file, and a hash of its end.
fn tail(storage: &SharedStorage, name: &str) -> Option<(u64, u64)> {
    let mut file = storage.open(name).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .ok()?;
    let mut end = Vec::new();
    file.take(TAIL).read_to_end(&mut end).ok()?;
    Some((length, xxh3_64(&end)))
}

fn describe(storage: &SharedStorage, name: &str) -> String {
    let Ok(data) = storage.metadata(name) else {
        return format!("{name} is absent");
    };
    let modified = data
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map_or(0, |time| time.as_nanos());
    let (inode, changed) = os::identity(&data);
    format!("{name} {} {modified} {inode} {changed}", data.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::Local;
    use std::fs::{self, File};

    fn stamp(folder: &Path) -> VerifiedStamp {
        VerifiedStamp::of_files(
            &Local::shared(folder),
            7,
            vec!["a".into(), "b".into()],
            vec!["gone".into()],
        )
    }

    #[test]
    fn a_stamp_holds_until_something_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("a"), "1").unwrap();
        fs::write(folder.join("b"), "2").unwrap();
        assert_eq!(stamp(folder).stats(), None);
        for stats in [
            CachedStats::default(),
            CachedStats {
                totals: Some([1, 2, 3, 4, u64::MAX]),
            },
        ] {
            stamp(folder).write(stats);
            assert_eq!(stamp(folder).stats(), Some(stats));
        }
        let whole = fs::read(folder.join("seal-7")).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(folder.join("seal-7"), &bytes).unwrap();
            assert_eq!(stamp(folder).stats(), None, "byte {at} was changed");
        }
        fs::write(folder.join("seal-7"), &whole).unwrap();
        fs::write(folder.join("a"), "22").unwrap();
        assert_eq!(stamp(folder).stats(), None, "a file was changed");
    }

    #[test]
    fn a_file_in_the_place_of_another_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("a"), "1").unwrap();
        fs::write(folder.join("b"), "2").unwrap();
        stamp(folder).write(CachedStats::default());
        assert_eq!(stamp(folder).swapped(), None);
        for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
            fs::rename(folder.join(from), folder.join(to)).unwrap();
        }
        assert_eq!(stamp(folder).stats(), None);
        assert_eq!(stamp(folder).swapped(), Some("a"));
    }

    #[test]
    fn a_time_that_is_set_back_hides_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("a"), "1").unwrap();
        fs::write(folder.join("b"), "2").unwrap();
        stamp(folder).write(CachedStats::default());
        let time = fs::metadata(folder.join("a")).unwrap().modified().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(folder.join("a"), "3").unwrap();
        File::options()
            .write(true)
            .open(folder.join("a"))
            .unwrap()
            .set_modified(time)
            .unwrap();
        let knows_more = os::identity(&fs::metadata(folder.join("a")).unwrap()) != (0, 0);
        assert_eq!(stamp(folder).stats().is_none(), knows_more);
    }
}
