//! Reads files that a repository may hold anything in place of: a pipe that
//! never says a word, a device without an end, a file of terabytes.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Settings and lists of what to ignore are never larger, in bytes.
pub(crate) const SMALL: u64 = 1 << 20;

/// The text of a file of settings, or the like: a regular file, or a link to
/// one, of at most 1 MB.
pub fn read_small(path: &Path) -> io::Result<String> {
    let bytes = read_regular(path, SMALL)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))
}

/// The bytes of a regular file, or of one that a link leads to, unless there
/// are more than so many.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_as(&fs::metadata(path)?, path, most)
}

/// The same where a link is not followed.
pub(crate) fn read_unlinked(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_as(&fs::symlink_metadata(path)?, path, most)
}

fn read_as(metadata: &Metadata, path: &Path, most: u64) -> io::Result<Vec<u8>> {
    check(metadata, most)?;
    // Files that the system makes up say that they are empty; some of them
    // never end, and none is part of a project.
    if metadata.len() == 0 {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    // It may have grown since.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        Err(too_large(most))
    } else {
        Ok(bytes)
    }
}

/// Whether a file can be read at all: of a kind that ends, and not too large.
fn check(metadata: &Metadata, most: u64) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "a folder, not a file",
        ));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    if metadata.len() > most {
        Err(too_large(most))
    } else {
        Ok(())
    }
}

fn too_large(most: u64) -> io::Error {
    let text = format!("larger than {} MB", most >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("text"), "a = 1\n").unwrap();
        fs::write(at("bytes"), b"a\xFF").unwrap();
        fs::write(at("full"), vec![b'a'; SMALL as usize]).unwrap();
        File::create(at("huge")).unwrap().set_len(5 << 30).unwrap();
        assert_eq!(read_small(&at("text")).unwrap(), "a = 1\n");
        assert_eq!(read_small(&at("full")).unwrap().len() as u64, SMALL);
        for (name, why) in [
            ("huge", "larger than 1 MB"),
            ("bytes", "not UTF-8"),
            ("", "a folder"),
            ("none", "No such file"),
        ] {
            let error = read_small(&at(name)).unwrap_err().to_string();
            assert!(error.contains(why), "{name}: {error}");
        }
    }
}
