//! How long searches among vectors take, and how many of the nearest they
//! find: `cargo bench -p scent-index [-- ROWS… KIND…]`.
//!
//! Rows are made up: a vector is a centre and some chance. With many centres,
//! as in real embeddings, a query has a few hundred near neighbours; with few,
//! or with one centre that all share, the nearest are hard to tell from the
//! rest, and without any they are as hard to tell as can be.

use scent_index::{
    Facts, FileParts, FilePlaces, FileRecord, FileTable, Local, Lock, Part, Quantised, Query, Scan,
    Snapshot, State, UnitPart, UnitTexts, VectorCommit, VectorModel, Vectors, Writer,
};
use scent_types::{FileClass, Health, Kind, Lines, Unit};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

const DIMS: usize = 256;
const TOKEN_BYTES: usize = 8;
const TOKENS: usize = 16;
const UNITS: usize = 10;
const QUERIES: usize = 100;
const POOL: usize = 1000;

/// Kinds of data: a name, how many centres, and what all rows share.
const KINDS: [(&str, usize, f32); 4] = [
    ("clustered", 4000, 0.0),
    ("few clusters", 100, 0.0),
    ("lopsided", 4000, 0.6),
    ("chance", 0, 0.0),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let sizes: Vec<usize> = arguments
        .iter()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let sizes = if sizes.is_empty() {
        vec![100_000, 300_000, 1_000_000]
    } else {
        sizes
    };
    let named = |name: &str| arguments.iter().any(|arg| arg == name);
    let all = !KINDS.iter().any(|kind| named(kind.0));
    for rows in sizes {
        KINDS
            .into_iter()
            .filter(|kind| all || named(kind.0))
            .for_each(|kind| measure(rows, kind));
    }
}

fn measure(rows: usize, (name, centres, shared): (&str, usize, f32)) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut data = Data::new(centres, shared);
    println!("\n{rows} rows, {name}");
    write_units(folder.path(), rows);
    let spent = write_parts(folder.path(), rows / UNITS, &mut data);
    println!("  vector commit: {:.1} s", spent.as_secs_f64());
    println!("  disk: {}", disk(folder.path(), rows));
    let started = Instant::now();
    write_parts(folder.path(), 1, &mut data);
    println!("  vector commit of one file: {:.1?}", started.elapsed());
    let queries: Vec<Query> = (0..QUERIES)
        .map(|_| Query::new(&data.near_some_centre()))
        .collect();
    first_search(folder.path(), &queries[0]);
    let snapshot = Snapshot::open(&Local::shared(folder.path())).expect("an index");
    look_up(&snapshot);
    let vectors = snapshot.vectors_of(&model()).expect("vectors");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let exact = time(vectors, Scan::Exact, &queries);
            let estimated = time(vectors, Scan::Estimated, &queries);
            let filtered = time_filtered(vectors, &queries);
            println!("  {threads} threads: exact {exact}, estimated {estimated}, one file in ten {filtered}");
        });
    }
    let recall = |count| recall(vectors, &queries, count);
    println!(
        "  recall: @10 {:.4}, @100 {:.4}, @1000 {:.4}",
        recall(10),
        recall(100),
        recall(POOL)
    );
}

/// Vectors by chance.
struct Data {
    random: fastrand::Rng,
    centres: Vec<Vec<f32>>,
    shared: Vec<f32>,
    share: f32,
}

impl Data {
    fn new(centres: usize, share: f32) -> Data {
        let mut random = fastrand::Rng::with_seed(7);
        let shared = noise(&mut random);
        let centres = (0..centres).map(|_| noise(&mut random)).collect();
        Data {
            random,
            centres,
            shared,
            share,
        }
    }

    /// Rows of one centre have cosines of 0.5 to 0.85.
    fn near_some_centre(&mut self) -> Vec<f32> {
        let chance = noise(&mut self.random);
        if self.centres.is_empty() {
            return chance;
        }
        let centre = &self.centres[self.random.usize(..self.centres.len())];
        let near = 0.5 + 0.35 * self.random.f32();
        let own = mixed(centre, near, &chance);
        mixed(&self.shared, self.share, &own)
    }
}

/// A unit vector whose square has this share of one and the rest of another.
fn mixed(a: &[f32], share: f32, b: &[f32]) -> Vec<f32> {
    let (of_a, of_b) = (share.sqrt(), (1.0 - share).sqrt());
    unit(a.iter().zip(b).map(|(a, b)| of_a * a + of_b * b).collect())
}

fn noise(random: &mut fastrand::Rng) -> Vec<f32> {
    let number = || {
        random
            .u64(..)
            .to_le_bytes()
            .iter()
            .map(|&byte| f32::from(byte) - 127.5)
            .sum()
    };
    unit(std::iter::repeat_with(number).take(DIMS).collect())
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|v| *v /= length);
    vector
}

fn lock(folder: &Path) -> Lock {
    Lock::acquire(&Local::shared(folder), Duration::ZERO).expect("a lock")
}

fn line(nth: usize) -> u32 {
    (nth * 20 + 1) as u32
}

fn write_units(folder: &Path, rows: usize) {
    let started = Instant::now();
    let writer = Writer::create(lock(folder), 0, 2).expect("a writer");
    let units: Vec<Unit> = (0..UNITS).map(|nth| plain_unit(line(nth))).collect();
    let words = "some words of a unit that a model would read ".repeat(20);
    let mut files = Vec::new();
    for id in 0..(rows / UNITS) as u32 {
        let path = format!("src/file{id:07}.rs");
        let texts: Vec<UnitTexts> = units
            .iter()
            .map(|unit| UnitTexts {
                unit,
                body: "",
                whole: "",
                words: &words,
            })
            .collect();
        let nothing = Facts {
            symbols: &[],
            references: &[],
            imports: &[],
            hints: &[],
            roots: &[],
        };
        let places = writer
            .add(id, &path, "src file", "", &texts, nothing)
            .expect("added");
        files.push(record(path, id, places));
    }
    let next_id = files.len() as u32;
    writer
        .stage(FileTable {
            next_id,
            files,
            ..FileTable::default()
        })
        .and_then(|staged| staged.commit(None))
        .expect("committed");
    println!("  text commit: {:.1} s", started.elapsed().as_secs_f64());
}

fn plain_unit(start: u32) -> Unit {
    let lines = Lines::new(start, start + 9);
    Unit {
        kind: Kind::Function,
        name: "name".into(),
        names: Vec::new(),
        qualified: format!("name{start}"),
        signature: String::new(),
        doc: String::new(),
        members: Vec::new(),
        lines,
        cover: lines,
        extent_end: lines.end,
        whole: lines,
        parent: None,
        passage: 0,
    }
}

fn record(path: String, id: u32, places: FilePlaces) -> FileRecord {
    let state = State::Indexed {
        id,
        language: String::new(),
        class: FileClass::Code,
        health: Health::Ok,
        lines: 200,
        units: UNITS as u32,
        trigrams: places.trigrams,
        facts: places.facts,
    };
    FileRecord {
        path,
        raw_path: None,
        size: 1,
        modified: 1,
        racy: false,
        included: false,
        hash: 0,
        state,
    }
}

fn model() -> VectorModel {
    VectorModel {
        fingerprint: 1,
        name: "chance".into(),
        dims: DIMS as u32,
        token_bytes: TOKEN_BYTES as u32,
    }
}

/// Commits vectors for the first files; the time without that for making them.
fn write_parts(folder: &Path, files: usize, data: &mut Data) -> Duration {
    let base = Snapshot::open(&Local::shared(folder)).expect("an index");
    let mut commit = VectorCommit::begin(lock(folder), &base, model()).expect("begun");
    let mut spent = Duration::ZERO;
    for id in 0..files as u32 {
        let file = parts(id, data);
        let started = Instant::now();
        commit.add(&file).expect("added");
        spent += started.elapsed();
    }
    let started = Instant::now();
    commit.commit().expect("committed");
    spent + started.elapsed()
}

/// Parts whose sums are the vectors that are wanted.
fn parts(id: u32, data: &mut Data) -> FileParts {
    let path: Vec<f32> = noise(&mut data.random).iter().map(|v| v * 0.4).collect();
    let tokens = vec![1; TOKENS * TOKEN_BYTES];
    let unit = |nth: usize| {
        let vector = data.near_some_centre();
        let body: Vec<f32> = vector.iter().zip(&path).map(|(v, p)| v - p).collect();
        let body = Part {
            vector: Quantised::of(&body),
            tokens: tokens.clone(),
        };
        UnitPart {
            line: line(nth),
            key: u128::from(id) << 32 | nth as u128,
            body,
        }
    };
    let units = (0..UNITS).map(unit).collect();
    FileParts {
        id,
        path: Part {
            vector: Quantised::of(&path),
            tokens: tokens.clone(),
        },
        units,
    }
}

fn disk(folder: &Path, rows: usize) -> String {
    let size = |name: &str| std::fs::metadata(folder.join(name)).map_or(0, |data| data.len());
    let all = size("vectors-2") as f64 / rows as f64;
    let tokens = (TOKENS * TOKEN_BYTES) as f64 * (1.0 + 1.0 / UNITS as f64);
    let pending = size("pending-1") as f64 / rows as f64;
    format!(
        "{:.1} bytes a row without tokens; {pending:.1} waiting",
        all - tokens
    )
}

/// What a new process has to do, but for reading from disk.
fn first_search(folder: &Path, query: &Query) {
    let started = Instant::now();
    let snapshot = Snapshot::open(&Local::shared(folder)).expect("an index");
    let opened = started.elapsed();
    let vectors = snapshot.vectors_of(&model()).expect("vectors");
    let ready = started.elapsed();
    let found = vectors.search(query, POOL, &|_| true);
    let done = started.elapsed();
    println!(
        "  first search: opened in {opened:.1?}, made ready in {:.1?}, {} found in {:.1?}",
        ready - opened,
        found.len(),
        done - ready
    );
}

fn look_up(snapshot: &Snapshot) {
    let started = Instant::now();
    snapshot.text().unit_at(0, 1);
    let ready = started.elapsed();
    let files = snapshot.table().next_id;
    let found = (0..1000u32).filter(|n| {
        snapshot
            .text()
            .unit_at(n * 7919 % files, line(*n as usize % UNITS))
            .is_some()
    });
    let found = found.count();
    println!(
        "  units by place: ready in {ready:.1?}, {found} found in {:.1?}",
        started.elapsed() - ready
    );
}

/// The median and the slowest of ten.
fn time(vectors: &Vectors, scan: Scan, queries: &[Query]) -> String {
    times(queries, |query| {
        vectors.search_by(scan, query, POOL, &|_| true).len()
    })
}

fn time_filtered(vectors: &Vectors, queries: &[Query]) -> String {
    times(queries, |query| {
        vectors.search(query, POOL, &|file| file % 10 == 0).len()
    })
}

fn times(queries: &[Query], search: impl Fn(&Query) -> usize) -> String {
    let mut times: Vec<f64> = queries
        .iter()
        .map(|query| {
            let started = Instant::now();
            assert!(search(query) <= POOL);
            started.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    format!(
        "{:.2} ms (p90 {:.2})",
        times[times.len() / 2],
        times[times.len() * 9 / 10]
    )
}

/// How many of the nearest are found where scores are estimated.
fn recall(vectors: &Vectors, queries: &[Query], count: usize) -> f64 {
    let rows = |scan, query| -> HashSet<u32> {
        vectors
            .search_by(scan, query, POOL, &|_| true)
            .iter()
            .take(count)
            .map(|s| s.row)
            .collect()
    };
    let shares = queries.iter().map(|query| {
        let exact = rows(Scan::Exact, query);
        exact.intersection(&rows(Scan::Estimated, query)).count() as f64 / exact.len() as f64
    });
    shares.sum::<f64>() / queries.len() as f64
}
