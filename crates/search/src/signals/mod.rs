//! What speaks for a candidate beside its lanes.
//!
//! Each signal is one file: what it adds to the score, and why in words. What
//! a signal counts stands in `data/weights.toml`; 1 is what the best of a lane
//! with the weight 1 gets.

mod coherence;
mod container;
mod entry;
mod folder;
mod importance;
mod kind;
mod length;
mod name;
mod near;
mod sort;
mod stem;
mod whole_stem;
mod words;

pub(crate) use words::Asked;

use crate::corpus::{Corpus, UnitNo};
use crate::fuse::Fused;
use crate::sorts::sorts_of;
use crate::weights::SignalWeights;
use crate::{Part, SearchError};
use rayon::prelude::*;
use scent_index::StoredUnit;
use scent_types::Sort;
use std::collections::HashMap;
use words::words_of;

/// So many units are worth a thread of their own.
const HANDFUL: usize = 16;

/// What adds to a score.
struct Signal {
    name: &'static str,
    /// How much it adds.
    amount: fn(&Seen, &SignalWeights) -> f32,
    /// Why, in words.
    why: fn(&Seen) -> String,
}

const SIGNALS: [Signal; 13] = [
    name::SIGNAL,
    container::SIGNAL,
    stem::SIGNAL,
    whole_stem::SIGNAL,
    folder::SIGNAL,
    kind::SIGNAL,
    length::SIGNAL,
    coherence::SIGNAL,
    sort::SIGNAL,
    near::SIGNAL,
    entry::SIGNAL,
    importance::SYMBOL,
    importance::FILE,
];

/// A candidate as signals see it.
struct Seen<'a> {
    asked: &'a Asked,
    unit: &'a StoredUnit,
    file: &'a SeenFile,
    /// How much of the repository leads to the unit; 1 is the mean.
    importance: f32,
}

/// The names that enclose a candidate.
fn around<'s>(seen: &Seen<'s>) -> &'s str {
    let unit = seen.unit;
    unit.qualified.strip_suffix(&unit.name).unwrap_or_default()
}

/// A file with candidates in it.
struct SeenFile {
    /// The words of its name.
    stem: Vec<String>,
    /// The words of the folders around it.
    folders: Vec<String>,
    /// What it is that nobody asked for.
    sorts: Vec<Sort>,
    /// What all its candidates have in the lanes, against the plain file with
    /// most.
    coherence: f32,
    /// How near it is to the file that was named with the question.
    near: f32,
    /// It is called as files are in which programs begin.
    holds_entry: bool,
    /// How much of the repository leads to it; 1 is the mean.
    importance: f32,
}

/// Adds the signals of the first candidates, which are in order of their
/// lanes, to their scores.
pub(crate) fn add(
    corpus: &Corpus,
    asked: &Asked,
    candidates: &mut [Fused],
    weights: &SignalWeights,
    explain: bool,
) -> Result<(), SearchError> {
    let files = files(corpus, asked, candidates);
    let add = |candidate: &mut Fused| -> Result<(), SearchError> {
        let unit = corpus.unit(corpus.unit_ref(candidate.unit))?;
        let key = file_of(corpus, candidate.unit);
        let file = &files[&key];
        let importance = corpus.snapshots()[key.0].importance_of_lines(key.1, unit.lines);
        let seen = Seen {
            asked,
            unit: &unit,
            file,
            importance,
        };
        for Signal { name, amount, why } in &SIGNALS {
            let amount = amount(&seen, weights);
            candidate.score += amount;
            if explain && amount != 0.0 {
                candidate.parts.push(Part {
                    name,
                    amount,
                    why: why(&seen),
                });
            }
        }
        Ok(())
    };
    candidates
        .par_iter_mut()
        .with_min_len(HANDFUL)
        .try_for_each(add)
}

type FileKey = (usize, u32);

fn file_of(corpus: &Corpus, unit: UnitNo) -> FileKey {
    corpus.file_of(corpus.unit_ref(unit))
}

fn files(corpus: &Corpus, asked: &Asked, candidates: &[Fused]) -> HashMap<FileKey, SeenFile> {
    let mut files: HashMap<FileKey, SeenFile> = HashMap::new();
    for candidate in candidates {
        let key = file_of(corpus, candidate.unit);
        let file = files.entry(key).or_insert_with(|| {
            let (_, path, _) = corpus.position(candidate.unit);
            let importance = corpus.snapshots()[key.0].importance_of_file(key.1);
            SeenFile {
                importance,
                ..SeenFile::new(path, asked)
            }
        });
        file.coherence += candidate.score;
    }
    // Tests and the like often have most: that says nothing against the others.
    let plain = files.values().filter(|file| file.sorts.is_empty());
    let most = plain
        .map(|file| file.coherence)
        .fold(f32::MIN_POSITIVE, f32::max);
    files
        .values_mut()
        .for_each(|file| file.coherence = (file.coherence / most).min(1.0));
    files
}

impl SeenFile {
    fn new(path: &str, asked: &Asked) -> SeenFile {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name
            .split('.')
            .find(|part| !part.is_empty())
            .unwrap_or(name);
        let mut sorts = sorts_of(path);
        // A file that stands for its folder is called like it.
        let barrel = sorts.contains(&Sort::Barrel) && !folders.is_empty();
        sorts.retain(|sort| !asked.wants(*sort));
        let stem = match barrel {
            true => folders.rsplit('/').next().unwrap_or(stem),
            false => stem,
        };
        let near = asked
            .near
            .as_deref()
            .map_or(0.0, |near| near::nearness(path, near));
        SeenFile {
            stem: words_of(stem),
            folders: words_of(folders),
            sorts,
            coherence: 0.0,
            near,
            holds_entry: entry::is_entry_file(name),
            importance: 1.0,
        }
    }
}
