//! Which files and symbols of a project to read first.
//!
//! They come in order of importance, changed by what they are: code before
//! documentation and tests, types before constants, what others use before what
//! only its own file uses. `data/map.toml` has the numbers.

mod entries;
mod files;
mod folders;
mod symbols;
mod weights;

pub use entries::entries;
pub use files::{RankedFile, ranked_files};
pub use folders::folders;
pub use symbols::gather_members;

use files::{Tier, folder_of};
use scent_types::FileOutline;
use std::collections::HashMap;
use weights::weights;

/// Files of a map with the order in which their symbols are to be read: the
/// position of a file, and of a symbol in it.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Arranged {
    pub files: Vec<FileOutline>,
    pub order: Vec<(usize, usize)>,
}

/// Groups files by folder, the most important folder first, and says in which
/// order their symbols are to be read.
pub fn arranged(ranked: &[RankedFile], outlines: Vec<FileOutline>) -> Arranged {
    let mut outlines: Vec<Option<FileOutline>> = outlines.into_iter().map(Some).collect();
    let mut files = Vec::new();
    let mut worth = Vec::new();
    for nth in by_folder(ranked) {
        let RankedFile { tier, score, .. } = ranked[nth];
        let Some(mut outline) = outlines[nth].take() else {
            continue;
        };
        let mut score = score;
        for symbol in keep_first(&mut outline, usize::MAX) {
            worth.push((tier, score, (files.len(), symbol)));
            score *= weights().symbols.further;
        }
        files.push(outline);
    }
    // Stable, so that a symbol stays behind those that enclose it.
    worth.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let order = worth.into_iter().map(|(.., place)| place).collect();
    Arranged { files, order }
}

/// The positions of files, those of a folder after the first of it.
fn by_folder(ranked: &[RankedFile]) -> Vec<usize> {
    let mut first: HashMap<(Tier, &str), usize> = HashMap::new();
    let mut places = Vec::new();
    for (nth, file) in ranked.iter().enumerate() {
        let folder = (file.tier, folder_of(&file.record.path));
        places.push((*first.entry(folder).or_insert(nth), nth));
    }
    places.sort_unstable();
    places.into_iter().map(|(_, nth)| nth).collect()
}

/// Keeps so many symbols of a file that are to be read first, in order of the
/// lines. Returns their new positions, those to read first before.
pub fn keep_first(outline: &mut FileOutline, most: usize) -> Vec<usize> {
    let mut order = symbols::in_order(outline);
    order.truncate(most);
    let mut kept = order.clone();
    kept.sort_unstable();
    for at in &mut order {
        *at = kept.partition_point(|before| before < at);
    }
    let symbols = kept.into_iter().map(|at| outline.symbols[at].clone());
    outline.symbols = symbols.collect();
    order
}
