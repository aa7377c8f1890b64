//! Whether the files of a generation are as they were when they were last
//! checked.
//!
//! Reading every byte at every start would be slow, so the names, lengths,
//! times and inodes of the files that a generation refers to are hashed into a
//! small file (`seal-N`) after each check. Where they differ, all checksums are
//! verified once more.
//!
//! The seal also keeps the end of each file of the text index, where its
//! checksum stands. So a file that was swapped for another one, which is sound
//! in itself, is noticed; our own stores are named with their checksums by the
//! table of files.

use crate::os;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// The end of a file of the text index has its checksum in it, and is not
/// longer than this.
const TAIL: u64 = 160;

/// The seal of one generation.
pub(crate) struct Seal {
    folder: PathBuf,
    generation: u64,
    digest: u64,
    /// The files of the text index.
    text: Vec<String>,
}

/// A seal as it is written, before a checksum of it.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    digest: u64,
    totals: Option<[u64; 5]>,
    /// The length of each file of the text index, and a hash of its end.
    tails: HashMap<String, (u64, u64)>,
}

/// What a seal tells beside that nothing was touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noted {
    /// The sums of the lengths of the fields, which take a while to add up.
    pub totals: Option<[u64; 5]>,
}

impl Seal {
    /// What the seal of a generation should be, given the files of the text
    /// index and the others that it refers to.
    pub fn of(folder: &Path, generation: u64, text: Vec<String>, others: Vec<String>) -> Seal {
        let mut files: Vec<&String> = text.iter().chain(&others).collect();
        files.sort();
        let described: Vec<String> = files.iter().map(|name| describe(folder, name)).collect();
        let digest = xxh3_64(described.join("\n").as_bytes());
        Seal {
            folder: folder.to_owned(),
            generation,
            digest,
            text,
        }
    }

    /// What was noted, if nothing was touched since.
    pub fn kept(&self) -> Option<Noted> {
        let written = read(&self.folder, self.generation)?;
        (written.digest == self.digest).then_some(Noted {
            totals: written.totals,
        })
    }

    /// The first file of the text index that is not the one that was sealed.
    pub fn swapped(&self) -> Option<&str> {
        let written = read(&self.folder, self.generation)?;
        let is_other = |name: &&String| {
            let sealed = written.tails.get(*name);
            sealed.is_some_and(|sealed| tail(&self.folder.join(name)) != Some(*sealed))
        };
        self.text.iter().find(is_other).map(String::as_str)
    }

    /// Notes the present state as checked. Failing to is no harm: the next
    /// reader checks again.
    pub fn write(&self, noted: Noted) {
        let known = |generation| read(&self.folder, generation).map(|written| written.tails);
        let before = known(self.generation).or_else(|| known(self.generation.checked_sub(1)?));
        let before = before.unwrap_or_default();
        let tail_of = |name: &String| {
            let tail = before
                .get(name)
                .copied()
                .or_else(|| tail(&self.folder.join(name)))?;
            Some((name.clone(), tail))
        };
        let tails = self.text.iter().filter_map(tail_of).collect();
        let written = Written {
            digest: self.digest,
            totals: noted.totals,
            tails,
        };
        let mut bytes = postcard::to_stdvec(&written).expect("plain values can be written");
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        let _ = fs::write(path(&self.folder, self.generation), bytes);
    }
}

fn read(folder: &Path, generation: u64) -> Option<Written> {
    parse(&fs::read(path(folder, generation)).ok()?)
}

fn parse(bytes: &[u8]) -> Option<Written> {
    let (body, sum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(body).to_le_bytes() != *sum {
        return None;
    }
    postcard::from_bytes(body).ok()
}

pub(crate) fn file_name(generation: u64) -> String {
    format!("seal-{generation}")
}

fn path(folder: &Path, generation: u64) -> PathBuf {
    folder.join(file_name(generation))
}

/// The length of a file, and a hash of its end.
fn tail(path: &Path) -> Option<(u64, u64)> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .ok()?;
    let mut end = Vec::new();
    file.take(TAIL).read_to_end(&mut end).ok()?;
    Some((length, xxh3_64(&end)))
}

fn describe(folder: &Path, name: &str) -> String {
    let Ok(data) = fs::metadata(folder.join(name)) else {
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

    fn seal(folder: &Path) -> Seal {
        Seal::of(folder, 7, vec!["a".into(), "b".into()], vec!["gone".into()])
    }

    #[test]
    fn a_seal_holds_until_something_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("a"), "1").unwrap();
        fs::write(folder.join("b"), "2").unwrap();
        assert_eq!(seal(folder).kept(), None);
        for noted in [
            Noted::default(),
            Noted {
                totals: Some([1, 2, 3, 4, u64::MAX]),
            },
        ] {
            seal(folder).write(noted);
            assert_eq!(seal(folder).kept(), Some(noted));
        }
        let whole = fs::read(path(folder, 7)).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(path(folder, 7), &bytes).unwrap();
            assert_eq!(seal(folder).kept(), None, "byte {at} was changed");
        }
        fs::write(path(folder, 7), &whole).unwrap();
        fs::write(folder.join("a"), "22").unwrap();
        assert_eq!(seal(folder).kept(), None, "a file was changed");
    }

    #[test]
    fn a_file_in_the_place_of_another_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("a"), "1").unwrap();
        fs::write(folder.join("b"), "2").unwrap();
        seal(folder).write(Noted::default());
        assert_eq!(seal(folder).swapped(), None);
        for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
            fs::rename(folder.join(from), folder.join(to)).unwrap();
        }
        assert_eq!(seal(folder).kept(), None);
        assert_eq!(seal(folder).swapped(), Some("a"));
    }

    #[test]
    fn a_time_that_is_set_back_hides_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("a"), "1").unwrap();
        fs::write(folder.join("b"), "2").unwrap();
        seal(folder).write(Noted::default());
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
        assert_eq!(seal(folder).kept().is_none(), knows_more);
    }
}
