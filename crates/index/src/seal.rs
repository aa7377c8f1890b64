//! Whether the files of a generation are as they were when they were last
//! checked.
//!
//! Reading every byte at every start would be slow, so the names, lengths and
//! times of the files that a generation refers to are hashed into a small file
//! (`seal-N`) after each check. Where they differ, all checksums are verified
//! once more.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// The seal of one generation.
pub(crate) struct Seal {
    path: PathBuf,
    digest: [u8; 8],
}

impl Seal {
    /// What the seal of a generation should be, given the files it refers to.
    pub fn of(folder: &Path, generation: u64, mut files: Vec<String>) -> Seal {
        files.sort();
        let described: Vec<String> = files.iter().map(|name| describe(folder, name)).collect();
        Seal {
            path: folder.join(file_name(generation)),
            digest: xxh3_64(described.join("\n").as_bytes()).to_le_bytes(),
        }
    }

    /// What was noted, if nothing was touched since.
    pub fn kept(&self) -> Option<Noted> {
        let kept = fs::read(&self.path).ok()?;
        let rest = kept.strip_prefix(&self.digest)?;
        if rest.is_empty() {
            return Some(Noted { totals: None });
        }
        let (totals, sum) = rest.split_last_chunk::<8>()?;
        let sound = totals.len() == 40 && xxh3_64(totals).to_le_bytes() == *sum;
        let mut numbers =
            totals.chunks_exact(8).map(|c| u64::from_le_bytes(c.try_into().unwrap_or_default()));
        sound.then(|| Noted { totals: Some([0; 5].map(|_: u64| numbers.next().unwrap_or(0))) })
    }

    /// Notes the present state as checked. Failing to is no harm: the next
    /// reader checks again.
    pub fn write(&self, noted: Noted) {
        let mut bytes = self.digest.to_vec();
        if let Some(totals) = noted.totals {
            let totals: Vec<u8> = totals.iter().flat_map(|total| total.to_le_bytes()).collect();
            bytes.extend(&totals);
            bytes.extend(xxh3_64(&totals).to_le_bytes());
        }
        let _ = fs::write(&self.path, bytes);
    }
}

/// What a seal tells beside that nothing was touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noted {
    /// The sums of the lengths of the fields, which take a while to add up.
    pub totals: Option<[u64; 5]>,
}

pub(crate) fn file_name(generation: u64) -> String {
    format!("seal-{generation}")
}

fn describe(folder: &Path, name: &str) -> String {
    let Ok(data) = fs::metadata(folder.join(name)) else { return format!("{name} is absent") };
    let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{name} {} {}", data.len(), modified.map_or(0, |time| time.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_holds_until_something_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "1").unwrap();
        let seal = || Seal::of(folder.path(), 7, vec!["a".into(), "gone".into()]);
        assert_eq!(seal().kept(), None);
        for noted in [Noted::default(), Noted { totals: Some([1, 2, 3, 4, u64::MAX]) }] {
            seal().write(noted);
            assert_eq!(seal().kept(), Some(noted));
        }
        let path = folder.path().join(file_name(7));
        let mut bytes = fs::read(&path).unwrap();
        bytes[20] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(seal().kept(), None, "a number was changed");
        seal().write(Noted::default());
        fs::write(folder.path().join("a"), "22").unwrap();
        assert_eq!(seal().kept(), None, "a file was changed");
    }
}
