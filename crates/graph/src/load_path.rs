//! Folders from which files are required by name, as the requires of a project
//! show: `require "cask/dsl"` finds `Library/Homebrew/cask/dsl.rb` once others
//! have shown that names begin in `Library/Homebrew`.

use crate::paths::{FileNo, Paths, file_name};
use rustc_hash::FxHashSet;
use scent_index::FactsReader;
use scent_types::{ImportRules, ImportStyle};
use std::collections::BTreeMap;

/// So many files have to be required from a folder before it counts.
const FEWEST: usize = 3;

/// Files by the folder that a name of them would begin in.
type Votes = BTreeMap<String, FxHashSet<FileNo>>;

/// The folders that explain the most requires, each file counted for one of
/// them: what is required as `extend/pathname` from one folder is none that is
/// required as `pathname` from another.
pub(crate) fn learned(paths: &Paths, facts: &FactsReader) -> FxHashSet<String> {
    let (mut votes, usual) = votes(paths, facts);
    let mut found = FxHashSet::default();
    let mut explained = usual;
    loop {
        votes.retain(|_, files| {
            files.retain(|file| !explained.contains(file));
            files.len() >= FEWEST
        });
        let most = votes.iter().max_by_key(|(folder, files)| {
            // Of equals, the outermost.
            (files.len(), std::cmp::Reverse(folder.len()))
        });
        let Some((folder, files)) = most else {
            return found;
        };
        explained.extend(files);
        found.insert(folder.clone());
    }
}

/// What each folder would explain, and what usual folders explain already.
fn votes(paths: &Paths, facts: &FactsReader) -> (Votes, FxHashSet<FileNo>) {
    let mut votes = Votes::new();
    let mut explained = FxHashSet::default();
    for (module, rules) in required(paths, facts) {
        for named in paths.all_ending(module, rules.extensions, |_| true) {
            let Some(root) = root_of(paths.path(named), module) else {
                continue;
            };
            if rules.roots.contains(&file_name(root)) {
                explained.insert(named);
            } else {
                votes.entry(root.to_owned()).or_default().insert(named);
            }
        }
    }
    (votes, explained)
}

/// What the files require by name.
fn required<'t>(
    paths: &Paths<'t>,
    facts: &'t FactsReader,
) -> BTreeMap<&'t str, &'static ImportRules> {
    let mut required = BTreeMap::new();
    for file in paths.all() {
        let rules = paths.rules(file);
        if rules.style != ImportStyle::Ruby {
            continue;
        }
        // A file whose facts cannot be read says nothing.
        let Ok(read) = facts.of(paths.record(file)) else {
            continue;
        };
        for import in read.imports().filter(|i| !i.module.starts_with('.')) {
            required.insert(import.module.trim_end_matches(".rb"), rules);
        }
    }
    required
}

/// The folder that a module of a path begins in.
fn root_of<'p>(path: &'p str, module: &str) -> Option<&'p str> {
    let (path, _) = path.rsplit_once('.')?;
    Some(path.strip_suffix(module)?.trim_end_matches('/'))
}
