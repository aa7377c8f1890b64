//! How long a search takes in a process that has the index open.
//!
//!     cargo bench -p scent-engine --bench warm -- FOLDER
//!
//! Indexes the folder into a temporary place, meanings included, then asks each of a few queries
//! many times and prints the median and the 95th percentile in microseconds.

use scent_engine::{Engine, OnBusy, Refresh, Settings, Silent, targets};
use scent_types::Request;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

const QUERIES: [&str; 5] = [
    "open a file and read its contents",
    "how are errors reported to the caller",
    "parse the configuration",
    "release memory when the last reference is gone",
    "init",
];

const RUNS: usize = 100;
/// How often each query is asked to see where the time goes.
const TRACED: usize = 20;

fn main() {
    let folder = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let Some(folder) = folder.map(PathBuf::from).filter(|folder| folder.is_dir()) else {
        println!("usage: cargo bench -p scent-engine --bench warm -- FOLDER");
        return;
    };
    let data = tempfile::tempdir().expect("a temporary folder");
    let engine = Engine::new(data.path(), Settings::default());
    let targets = targets(&[folder], true).expect("a folder that exists");
    let projects = [engine.open(&targets[0].root)];
    projects[0]
        .update(&Silent)
        .expect("a folder that can be indexed");
    projects[0]
        .embed(OnBusy::Wait, &Silent)
        .expect("units that can be embedded");

    let snapshot = projects[0].snapshot().expect("an index");
    let mut times = Vec::new();
    let mut by_query: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for _ in 0..RUNS {
        for query in QUERIES {
            let request = Request {
                query: query.into(),
                limit: 10,
                ..Request::default()
            };
            let started = Instant::now();
            let answer = engine
                .search(&projects, &request, Refresh::Never, &Silent)
                .expect("an answer");
            let took = started.elapsed().as_micros() as u64;
            times.push(took);
            by_query.entry(query).or_default().push(took);
            std::hint::black_box(answer);
        }
    }
    times.sort_unstable();
    let at = |share: usize| times[times.len() * share / 100];
    println!(
        "files {} units {}",
        snapshot.table().files.len(),
        snapshot.text().count()
    );
    println!("p50 {} µs, p95 {} µs", at(50), at(95));

    for (query, times) in &mut by_query {
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 100];
        println!("  p50 {} µs, p95 {} µs: {query}", at(50), at(95));
    }

    // Where the time goes.
    let mut stages: BTreeMap<&str, u64> = BTreeMap::new();
    for query in QUERIES.iter().cycle().take(QUERIES.len() * TRACED) {
        let request = Request {
            query: (*query).into(),
            limit: 10,
            explain: true,
            ..Request::default()
        };
        let answer = engine
            .search(&projects, &request, Refresh::Never, &Silent)
            .expect("an answer");
        for stage in answer.stages {
            *stages.entry(stage.name).or_default() += stage.micros;
        }
    }
    let asked = (QUERIES.len() * TRACED) as u64;
    let means: Vec<String> = stages
        .iter()
        .map(|(name, micros)| format!("{name} {}", micros / asked))
        .collect();
    println!("mean µs: {}", means.join(", "));
}
