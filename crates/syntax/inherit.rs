//! Queries that build on those of another folder. The build and the tests that
//! read queries from disk share this file.

use std::fs;
use std::path::Path;

/// Stands at the beginning of a query that comes after others of the same name.
const MARK: &str = "; inherits: ";

/// The query in a file of a language folder, those that it inherits before it.
pub fn whole_query(languages: &Path, folder: &str, file: &str) -> String {
    joined(languages, folder, file, &mut Vec::new())
}

fn joined(root: &Path, folder: &str, file: &str, inside: &mut Vec<String>) -> String {
    assert!(
        !inside.iter().any(|f| f == folder),
        "{folder}/{file} inherits from itself"
    );
    let path = root.join(folder).join(file);
    let own = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    inside.push(folder.to_owned());
    let named = own
        .lines()
        .next()
        .and_then(|line| line.strip_prefix(MARK))
        .unwrap_or("");
    let parents = named
        .split(',')
        .map(str::trim)
        .filter(|parent| !parent.is_empty());
    let mut whole: String = parents
        .map(|parent| joined(root, parent, file, inside))
        .collect();
    inside.pop();
    whole.push_str(&own);
    whole.push('\n');
    whole
}
