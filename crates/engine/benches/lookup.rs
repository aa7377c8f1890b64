//! How long look-ups take in a process that has the index open, and what the
//! graph costs.
//!
//!     cargo bench -p scent-engine --bench lookup -- FOLDER
//!
//! Indexes the folder into a temporary place, without meanings. Then it asks for
//! definitions of many names, right and misspelt, and for the references of the name that is defined
//! once and whose number of uses is nearest to a thousand, and works out once
//! more how important everything is.

use scent_engine::{Engine, ReferenceFilter, Settings, Silent, targets};
use scent_graph::{Graph, importance};
use scent_index::Snapshot;
use scent_syntax::import_rules;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// So many names are asked for.
const NAMES: usize = 300;

/// The number of uses that is looked for.
const USES: usize = 1_000;

fn main() {
    let folder = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let Some(folder) = folder.map(PathBuf::from).filter(|folder| folder.is_dir()) else {
        println!("usage: cargo bench -p scent-engine --bench lookup -- FOLDER");
        return;
    };
    let data = tempfile::tempdir().expect("a temporary folder");
    let engine = Engine::new(data.path(), Settings::default());
    let targets = targets(&[folder], true).expect("a folder that exists");
    let project = engine.open(&targets[0].root);
    let started = Instant::now();
    let snapshot = project
        .update(&Silent)
        .expect("a folder that can be indexed")
        .snapshot;
    println!(
        "index: {} ms, {} files",
        started.elapsed().as_millis(),
        snapshot.table().files.len()
    );
    println!("bytes: {}", sizes(project.index_folder()));

    let started = Instant::now();
    importance(snapshot.table(), snapshot.facts(), import_rules).expect("facts that can be read");
    println!("importance: {} ms", started.elapsed().as_millis());

    let uses = uses(&snapshot);
    let mut names: Vec<&String> = uses.keys().collect();
    names.sort_unstable();
    let step = (names.len() / NAMES).max(1);
    let define = |name: &str| project.definitions(name, 20).map(|d| d.total);
    let times: Vec<u128> = names
        .iter()
        .step_by(step)
        .map(|name| micros(|| define(name).expect("an answer")))
        .collect();
    println!("def: {}", spread(times));
    let wrong: Vec<String> = names
        .iter()
        .step_by(step)
        .filter_map(|name| misspelt(name))
        .collect();
    let wrong: Vec<&String> = wrong
        .iter()
        .filter(|name| !uses.contains_key(*name))
        .collect();
    let times = wrong
        .iter()
        .map(|name| micros(|| define(name).expect("an answer")))
        .collect();
    println!(
        "def of {} names that do not exist: {}",
        wrong.len(),
        spread(times)
    );
    let once = names.iter().filter(|name| uses[**name].1 == 1);
    let Some(name) = once.min_by_key(|name| uses[**name].0.abs_diff(USES)) else {
        return;
    };
    let refer = || project.references(name, &ReferenceFilter::default(), 2 * USES);
    let total = refer().expect("an answer").total;
    let times = (0..20)
        .map(|_| micros(|| refer().expect("an answer").total))
        .collect();
    println!("refs {name} ({total} uses): {}", spread(times));
}

/// A name with a letter gone from its middle. Nobody types the sentences that
/// some tests are called by.
fn misspelt(name: &str) -> Option<String> {
    if name.len() > 64 || name.contains(' ') {
        return None;
    }
    let (middle, _) = name
        .char_indices()
        .nth(name.chars().count() / 2)
        .filter(|at| at.0 > 2)?;
    Some(
        name[..middle]
            .chars()
            .chain(name[middle..].chars().skip(1))
            .collect(),
    )
}

fn micros<T>(work: impl FnOnce() -> T) -> u128 {
    let started = Instant::now();
    std::hint::black_box(work());
    started.elapsed().as_micros()
}

fn spread(mut times: Vec<u128>) -> String {
    times.sort_unstable();
    let at = |share: usize| {
        times
            .get(times.len() * share / 100)
            .copied()
            .unwrap_or_default()
    };
    format!("p50 {} µs, p95 {} µs", at(50), at(95))
}

/// How often every name that is defined is used, and how often it is defined.
fn uses(snapshot: &Snapshot) -> HashMap<String, (usize, usize)> {
    let graph = Graph::new(snapshot, import_rules).expect("a graph");
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for file in snapshot
        .table()
        .files
        .iter()
        .filter_map(|file| graph.file_at(&file.path))
    {
        let facts = graph.facts(file).expect("facts that can be read");
        for used in facts.uses().filter(|used| !used.role.gives()) {
            counts.entry(used.name.to_owned()).or_default().0 += 1;
        }
        for symbol in facts.symbols() {
            counts.entry(symbol.name.to_owned()).or_default().1 += 1;
        }
    }
    counts.retain(|_, (_, defined)| *defined > 0);
    counts
}

/// How many bytes each sort of store has.
fn sizes(folder: &Path) -> String {
    let mut sizes: HashMap<String, u64> = HashMap::new();
    for entry in std::fs::read_dir(folder).expect("an index").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let sort = match name.split_once('.') {
            Some(_) => "text",
            None => name.split('-').next().unwrap_or_default(),
        };
        let bytes = entry.metadata().map_or(0, |data| data.len());
        *sizes.entry(sort.to_owned()).or_default() += bytes;
    }
    let mut sizes: Vec<(String, u64)> = sizes.into_iter().collect();
    sizes.sort_unstable();
    let told = |(sort, bytes): &(String, u64)| format!("{sort} {bytes}");
    sizes.iter().map(told).collect::<Vec<_>>().join(", ")
}
