//! The folders of a project and how many files they have.

use super::files::is_inside;
use scent_index::FileRecord;
use scent_types::Folder;
use std::collections::BTreeMap;

/// At most so many folders are listed.
const MOST: usize = 16;

/// A folder with more than this share of all files is listed by what is in it.
const LARGE: f32 = 0.3;

/// The folders directly below a path, the fullest first. Where most files are
/// in one of them, those in it.
pub fn folders(records: &[&FileRecord], path: &str) -> Vec<Folder> {
    let paths: Vec<&str> = records.iter().map(|record| record.path.as_str()).collect();
    let mut found = below(&paths, path);
    let large = (paths.len() as f32 * LARGE) as usize;
    while let Some(at) = found.iter().position(|folder| folder.count > large) {
        let inner = below(&paths, &found[at].path);
        if inner.len() < 2 || found.len() + inner.len() > MOST {
            break;
        }
        found.splice(at..=at, inner);
    }
    found.sort_by(|a, b| b.count.cmp(&a.count).then(a.path.cmp(&b.path)));
    found.truncate(MOST);
    found
}

/// The folders directly in a folder.
fn below(paths: &[&str], folder: &str) -> Vec<Folder> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let start = match folder {
        "" => 0,
        folder => folder.len() + 1,
    };
    for path in paths {
        if is_inside(path, folder)
            && path.len() > start
            && let Some(end) = path[start..].find('/')
        {
            *counts.entry(&path[..start + end]).or_default() += 1;
        }
    }
    let mut folders = Vec::new();
    for (path, count) in counts {
        folders.push(Folder {
            path: path.to_owned(),
            count,
        });
    }
    folders
}
