//! The files of a corpus that a path in a text may mean.

use crate::corpus::Corpus;
use crate::retrieve::FileKey;
use crate::units::Allowed;
use std::collections::HashMap;

/// A path that fits more files than this means none in particular.
const MOST: usize = 3;

/// The files that may answer, by their names.
pub(super) struct FilesByName<'c> {
    by_name: HashMap<String, Vec<(FileKey, &'c str)>>,
}

impl<'c> FilesByName<'c> {
    pub fn new(corpus: &'c Corpus, allowed: &Allowed) -> FilesByName<'c> {
        let mut by_name: HashMap<String, Vec<(FileKey, &str)>> = HashMap::new();
        for (nth, snapshot) in corpus.snapshots().iter().enumerate() {
            for file in &snapshot.table().files {
                if let Some(id) = file.id()
                    && allowed.holds_file(nth, id)
                {
                    let name = name_of(&file.path).to_lowercase();
                    by_name
                        .entry(name)
                        .or_default()
                        .push(((nth, id), file.path.as_str()));
                }
            }
        }
        FilesByName { by_name }
    }

    /// The files that a path means, on whatever machine it was written. Where it
    /// has folders, some of them must be the same; `whole` says that a name
    /// without folders may be all there is.
    pub fn meant(&self, path: &str, whole: bool) -> Vec<FileKey> {
        let known = self.by_name.get(&name_of(path).to_lowercase());
        let known = known.map_or(&[][..], Vec::as_slice);
        let fits = known
            .iter()
            .map(|(key, file)| (shared(path, file), *key, *file));
        let fits: Vec<(usize, FileKey, &str)> = fits
            .filter(|(same, _, file)| {
                let is_all = *same == parts(file);
                let names_no_folder = whole && !path.contains('/');
                *same > 1 || is_all || names_no_folder
            })
            .collect();
        let most = fits.iter().map(|(same, _, _)| *same).max().unwrap_or(0);
        let best = fits.iter().filter(|(same, _, _)| *same == most);
        let best: Vec<FileKey> = best.map(|(_, key, _)| *key).collect();
        if best.len() > MOST { Vec::new() } else { best }
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn parts(path: &str) -> usize {
    path.split('/').count()
}

/// How many parts at the end of two paths are the same.
fn shared(a: &str, b: &str) -> usize {
    let pairs = a.rsplit('/').zip(b.rsplit('/'));
    pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}
