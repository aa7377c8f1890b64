//! The files that every system is given: a copy of what there is to search,
//! without what ignore rules, size or binary content exclude, so that no one
//! scores by reading more or less than the others.
//!
//! Generated and minified files are in it: leaving them out is a choice of a
//! search engine, and has to prove itself.

use crate::suite::Corpus;
use anyhow::Context;
use scent_engine::{Engine, FileInfo, Settings, Silent, targets};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with the files of one repository.
#[derive(Clone, Debug)]
pub struct View {
    /// The folder.
    pub folder: PathBuf,
    /// How many files it holds.
    pub files: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Changes with any file.
    pub digest: u64,
}

/// Lays the files of a repository out below a folder, or leaves them where
/// they are still the same.
pub fn lay_out(corpus: &Corpus, suite: &str, cache: &Path) -> anyhow::Result<View> {
    let engine = Engine::new(cache.join("walked"), Settings::default());
    let target = targets(&[corpus.searched()], true)?.remove(0);
    let project = engine.open(&target.root);
    project.update(&Silent)?;
    let mut files = project.files()?;
    files.retain(is_given);
    let list: String = files
        .iter()
        .map(|f| format!("{:032x} {}\n", f.hash, f.path))
        .collect();
    let folder = cache.join("views").join(suite).join(&corpus.name);
    let done = cache
        .join("views")
        .join(suite)
        .join(format!("{}.files", corpus.name));
    let same = fs::read_to_string(&done).is_ok_and(|known| known == list);
    if !same || !folder.is_dir() {
        // Half a copy is not to be taken for a whole one.
        let _ = fs::remove_file(&done);
        copy(&files, &target.root, &folder)?;
        fs::write(&done, &list)?;
    }
    Ok(View {
        folder: folder.canonicalize()?,
        files: files.len() as u64,
        bytes: files.iter().map(|file| file.size).sum(),
        digest: xxhash_rust::xxh3::xxh3_64(list.as_bytes()),
    })
}

fn is_given(file: &FileInfo) -> bool {
    let skipped = file.skipped.as_ref();
    let is_text = skipped.is_none_or(|skipped| skipped.is_generated);
    // No suite names a path that is not Unicode, and not every peer can print one.
    is_text && file.is_unicode
}

fn copy(files: &[FileInfo], from: &Path, to: &Path) -> anyhow::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for file in files {
        let place = to.join(&file.path);
        fs::create_dir_all(place.parent().unwrap_or(to))?;
        fs::copy(from.join(&file.path), &place).with_context(|| file.path.clone())?;
    }
    Ok(())
}
