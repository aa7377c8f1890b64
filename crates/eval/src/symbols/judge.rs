//! An answer held against what is expected.

use super::ask::{Answer, Place, SURE};
use super::counts::Counts;
use super::suite::{Suite, Task, TaskKind};
use std::collections::BTreeSet;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// All that was said.
    pub all: Counts,
    /// What was said to be sure.
    pub sure: Counts,
}

/// Judges an answer. What is in a file that was not read for the answers, or in
/// a place that the suite says nothing of, counts neither for nor against it.
pub fn judge(suite: &Suite, task: &Task, answer: &Answer) -> Judged {
    let all: Vec<&Place> = answer.places.iter().collect();
    let mut sure = all.clone();
    sure.retain(|place| place.confidence >= SURE);
    let count: fn(&Suite, &Task, &[&Place]) -> Counts = match task.kind {
        TaskKind::Definition | TaskKind::Member | TaskKind::References => lines,
        TaskKind::Imports => imports,
        TaskKind::Importers => importers,
        TaskKind::Callpath => hops,
    };
    Judged {
        all: count(suite, task, &all),
        sure: count(suite, task, &sure),
    }
}

/// Expected and found, as `PATH:LINE`.
fn lines(suite: &Suite, task: &Task, places: &[&Place]) -> Counts {
    let expected = task.expected.iter().map(|place| first_word(place));
    let found = places.iter().map(|place| {
        let is_read = suite.read.contains(&place.path);
        (format!("{}:{}", place.path, place.line), is_read)
    });
    compare(expected.collect(), &task.either, found.collect())
}

/// Expected is `LINE PATH`. A path that ends in `/` is a folder, of which one
/// file will do.
fn imports(suite: &Suite, task: &Task, places: &[&Place]) -> Counts {
    let expected = task.expected.iter().filter_map(|one| one.split_once(' '));
    let expected: BTreeSet<&str> = expected.map(|(_, path)| path).collect();
    let only_folders = expected.iter().all(|path| path.ends_with('/'));
    let mut found = BTreeSet::new();
    for place in places {
        let by = format!("{}:{}", task.name, place.by.unwrap_or_default());
        let is_read = suite.read.contains(&place.path) && !task.either.contains(&by);
        let folder = folder_of(&place.path);
        let is_folder = only_folders || expected.contains(folder);
        let path = if is_folder { folder } else { &place.path };
        found.insert((path.to_owned(), is_read));
    }
    compare(expected, &[], found)
}

fn importers(suite: &Suite, task: &Task, places: &[&Place]) -> Counts {
    let expected = task.expected.iter().map(String::as_str);
    let found = places.iter().map(|place| {
        let is_read = suite.read.contains(&place.path);
        (place.path.clone(), is_read)
    });
    compare(expected.collect(), &task.either, found.collect())
}

/// Of a call path, every hop has to be one of the expected edges, each of which
/// is the line of a call and the place of what it calls. A way that is there and
/// not found is missed once; where there is none, every way is wrong.
fn hops(_: &Suite, task: &Task, places: &[&Place]) -> Counts {
    let mut counts = Counts::default();
    if places.is_empty() {
        counts.missed = usize::from(!task.expected.is_empty());
        return counts;
    }
    let is_real = places.len() > 1 && places.windows(2).all(|hop| is_edge(task, hop[0], hop[1]));
    counts.right = usize::from(is_real);
    counts.wrong = usize::from(!is_real);
    counts.missed = usize::from(!is_real && !task.expected.is_empty());
    counts
}

fn is_edge(task: &Task, from: &Place, to: &Place) -> bool {
    let line = format!("{}:{}", from.path, from.line);
    let mut edges = task.expected.iter().filter_map(|edge| edge.split_once(' '));
    edges.any(|(call, callee)| {
        let path = callee.rsplit_once(':').map_or(callee, |(path, _)| path);
        call == line && path == to.path
    })
}

fn compare(expected: BTreeSet<&str>, either: &[String], found: BTreeSet<(String, bool)>) -> Counts {
    let mut counts = Counts::default();
    for (place, is_read) in &found {
        if expected.contains(place.as_str()) {
            counts.right += 1;
        } else if !is_read || either.contains(place) {
            counts.not_judged += 1;
        } else {
            counts.wrong += 1;
        }
    }
    let is_found = |place: &str| found.iter().any(|(other, _)| other == place);
    counts.missed = expected.iter().filter(|place| !is_found(place)).count();
    counts
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

/// The folder of a path, with the `/` at its end.
fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..=end])
}

#[cfg(test)]
mod tests;
