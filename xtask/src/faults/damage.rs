//! Files of the index that are not what they were written as.

use super::answer::Oracle;
use super::check::{Measured, ask, kind_of, measure};
use super::repository::STATES;
use super::system;
use super::tally::{Findings, Tally};
use super::world::{Copy, World, set_modified};
use super::{Options, each};
use std::fs;
use std::path::{Path, PathBuf};

const KIND: &str = "damage";

/// Mutations of the same index.
const BATCH: usize = 25;

/// Questions after each.
const QUESTIONS: usize = 4;

#[derive(Debug, Clone, Copy)]
enum Mutation {
    FlipOneBit,
    FlipSomeBits,
    Truncate,
    Extend,
    ZeroBlock,
    GarbageBlock,
    Empty,
    Remove,
    SwapWithSameKind,
    SwapWithOtherKind,
    Older,
    MakeFolder,
    MakeUnreadable,
}

const MUTATIONS: [(Mutation, &str); 13] = [
    (Mutation::FlipOneBit, "one bit flipped"),
    (Mutation::FlipSomeBits, "some bits flipped"),
    (Mutation::Truncate, "truncated"),
    (Mutation::Extend, "extended"),
    (Mutation::ZeroBlock, "a block of zeros"),
    (Mutation::GarbageBlock, "a block of garbage"),
    (Mutation::Empty, "emptied"),
    (Mutation::Remove, "removed"),
    (Mutation::SwapWithSameKind, "swapped with its kind"),
    (Mutation::SwapWithOtherKind, "swapped with another kind"),
    (Mutation::Older, "an older one"),
    (Mutation::MakeFolder, "made a folder"),
    (Mutation::MakeUnreadable, "made unreadable"),
];

/// The longest list of files that an index is expected to have. A shorter list
/// is gone through again.
const FILES: usize = 64;

#[derive(Debug, Clone, Copy)]
struct Case {
    file: usize,
    mutation: usize,
    /// The time of the last change is set back, as a failing disk would leave it.
    keeps_time: bool,
}

struct Batch {
    seed: u64,
    cases: Vec<Case>,
}

/// Every mutation of every file, in an order that follows from the seed; again
/// from the beginning where more is asked for.
fn batches(options: &Options) -> Vec<Batch> {
    let mut cases = Vec::new();
    for file in 0..FILES {
        for mutation in 0..MUTATIONS.len() {
            cases.extend([true, false].map(|keeps_time| Case {
                file,
                mutation,
                keeps_time,
            }));
        }
    }
    fastrand::Rng::with_seed(options.seed).shuffle(&mut cases);
    let wanted: Vec<Case> = cases.into_iter().cycle().take(options.mutations).collect();
    let batches = wanted.chunks(BATCH).zip(1..);
    let seed = |nth: u64| options.seed * 10_000 + 5_000 + nth;
    batches
        .map(|(cases, nth)| Batch {
            seed: seed(nth),
            cases: cases.to_vec(),
        })
        .collect()
}

pub(super) fn attack(options: &Options, oracle: &Oracle, tally: &Tally) -> anyhow::Result<()> {
    let batches = batches(options);
    let left = each(options, &batches, |batch| {
        run_batch(batch, options, oracle, tally)
    })?;
    for case in left.into_iter().flat_map(|batch| &batch.cases) {
        tally.leave_out(KIND, MUTATIONS[case.mutation].1, 1, "no time was left");
    }
    Ok(())
}

/// An index of several segments with deletions and vectors, half the time with
/// units that wait for vectors, and how it was an edit before.
struct Stage {
    world: World,
    copy: Copy,
    older: Copy,
    state: usize,
    files: Vec<PathBuf>,
    undisturbed: Measured,
}

impl Stage {
    fn build(options: &Options, random: &mut fastrand::Rng) -> anyhow::Result<Stage> {
        let mut world = World::new(&options.binary, options.seed, system::unprivileged())?;
        if !world.works() {
            // The other user cannot reach the program.
            world = World::new(&options.binary, options.seed, None)?;
        }
        let mut state = random.usize(0..STATES);
        for _ in 0..2 {
            world.go_to(state)?;
            world.must(&["index"])?;
            state = (state + random.usize(1..STATES)) % STATES;
        }
        let older = world.keep("older")?;
        world.go_to(state)?;
        let index: &[&str] = if random.bool() {
            &["index"]
        } else {
            &["index", "--no-vectors"]
        };
        world.must(index)?;
        let copy = world.keep("start")?;
        let files = world.index_files();
        world.must(&["some words"])?;
        let undisturbed = measure(&world)?;
        Ok(Stage {
            world,
            copy,
            older,
            state,
            files,
            undisturbed,
        })
    }
}

fn run_batch(
    batch: &Batch,
    options: &Options,
    oracle: &Oracle,
    tally: &Tally,
) -> anyhow::Result<()> {
    let mut random = fastrand::Rng::with_seed(batch.seed);
    let stage = Stage::build(options, &mut random)?;
    for (nth, case) in batch.cases.iter().enumerate() {
        let (mutation, name) = MUTATIONS[case.mutation];
        if options.is_over() {
            tally.leave_out(KIND, name, 1, "no time was left");
            continue;
        }
        stage.world.restore(&stage.copy)?;
        let path = &stage.files[case.file % stage.files.len()];
        if !mutate(&stage, path, mutation, case.keeps_time, &mut random)? {
            tally.leave_out(KIND, name, 1, "not possible here");
            continue;
        }
        let mut findings = Findings::default();
        check(&stage, oracle, &mut random, &mut findings)?;
        let file = path.file_name().unwrap_or_default().display();
        let time = if case.keeps_time {
            "its time kept"
        } else {
            "its time changed"
        };
        let case = format!("seed {}, number {nth}, {file}, {time}", batch.seed);
        tally.add(KIND, name, &case, &findings);
    }
    Ok(())
}

fn check(
    stage: &Stage,
    oracle: &Oracle,
    random: &mut fastrand::Rng,
    findings: &mut Findings,
) -> anyhow::Result<()> {
    let fresh = oracle.fresh(&stage.world, stage.state)?;
    let mut order: Vec<usize> = (0..fresh.answers.len()).collect();
    random.shuffle(&mut order);
    for &nth in order.iter().take(QUESTIONS) {
        ask(&stage.world, &fresh, nth, findings)?;
    }
    measure(&stage.world)?.against_size(&stage.undisturbed, findings);
    Ok(())
}

/// Changes a file. Says whether it could be done.
fn mutate(
    stage: &Stage,
    path: &Path,
    mutation: Mutation,
    keeps_time: bool,
    random: &mut fastrand::Rng,
) -> anyhow::Result<bool> {
    let time = fs::metadata(path)?.modified()?;
    let bytes = fs::read(path)?;
    let changed = match mutation {
        Mutation::Remove => {
            fs::remove_file(path)?;
            return Ok(true);
        }
        Mutation::MakeFolder => {
            make_folder(stage, path, keeps_time)?;
            return Ok(true);
        }
        Mutation::MakeUnreadable => {
            system::set_mode(path, 0)?;
            return Ok(system::has_permissions() && fs_is_closed(stage));
        }
        Mutation::SwapWithSameKind => return swap(stage, path, true, keeps_time, random),
        Mutation::SwapWithOtherKind => return swap(stage, path, false, keeps_time, random),
        Mutation::Older => match older(stage, path) {
            Some(older) => older,
            None => return swap(stage, path, true, keeps_time, random),
        },
        _ => changed(bytes, mutation, random),
    };
    // In place, so that the owner stays.
    fs::write(path, changed)?;
    if keeps_time {
        set_modified(path, time)?;
    }
    Ok(true)
}

/// Root reads what is closed to all others.
fn fs_is_closed(stage: &Stage) -> bool {
    stage.world.has_user() || system::unprivileged().is_none()
}

/// A folder in place of a file; one with something in it is harder to remove.
fn make_folder(stage: &Stage, path: &Path, filled: bool) -> anyhow::Result<()> {
    fs::remove_file(path)?;
    stage.world.make_folder(path)?;
    if filled {
        fs::write(path.join("file"), "text")?;
    }
    Ok(())
}

/// The bytes that the same file, or the last of its kind, had an edit before.
fn older(stage: &Stage, path: &Path) -> Option<Vec<u8>> {
    let now = fs::read(path).ok()?;
    let then = stage.older.data_file(&stage.world, path).or_else(|| {
        let kind = kind_of(path);
        let files = stage.older.data_files();
        files.into_iter().rev().find(|other| kind_of(other) == kind)
    })?;
    fs::read(then).ok().filter(|then| *then != now)
}

fn changed(mut bytes: Vec<u8>, mutation: Mutation, random: &mut fastrand::Rng) -> Vec<u8> {
    if bytes.is_empty() {
        // There is nothing to flip in a lock.
        return vec![random.u8(..); 16];
    }
    let length = bytes.len();
    let from = random.usize(0..length);
    let block = from..(from + random.usize(1..600)).min(length);
    match mutation {
        Mutation::FlipOneBit => bytes[from] ^= 1 << random.u8(0..8),
        Mutation::FlipSomeBits => {
            for _ in 0..random.usize(2..40) {
                bytes[random.usize(0..length)] ^= 1 << random.u8(0..8);
            }
        }
        Mutation::Truncate => bytes.truncate(from),
        Mutation::Extend => bytes.extend((0..random.usize(1..600)).map(|_| random.u8(..))),
        Mutation::ZeroBlock => bytes[block].fill(0),
        Mutation::GarbageBlock => bytes[block].fill_with(|| random.u8(..)),
        _ => bytes.clear(),
    }
    bytes
}

/// Exchanges the names of two files.
fn swap(
    stage: &Stage,
    path: &Path,
    same_kind: bool,
    keeps_time: bool,
    random: &mut fastrand::Rng,
) -> anyhow::Result<bool> {
    let kind = kind_of(path);
    let fits = |other: &&PathBuf| *other != path && (kind_of(other) == kind) == same_kind;
    let mut others: Vec<&PathBuf> = stage.files.iter().filter(fits).collect();
    if others.is_empty() {
        // It is the only one of its kind.
        others = stage.files.iter().filter(|other| *other != path).collect();
    }
    let Some(other) = random.choice(others) else {
        return Ok(false);
    };
    let [one, two] = [path, other].map(|path| fs::metadata(path).and_then(|data| data.modified()));
    let between = stage.world.beside("between");
    fs::rename(path, &between)?;
    fs::rename(other, path)?;
    fs::rename(&between, other)?;
    if keeps_time {
        set_modified(path, one?)?;
        set_modified(other, two?)?;
    }
    Ok(true)
}
