//! Disks that are full, and folders that nothing can be written to.

use super::answer::{Fresh, Oracle, Verdict, bytes_of, judge, questions, strs};
use super::check::{after_fault, record};
use super::repository::STATES;
use super::system::{self, Disk};
use super::tally::{Findings, Tally};
use super::world::{Run, World};
use super::{Options, each};
use std::fs;
use std::io::Write;
use std::path::Path;

const FULL: &str = "full disk";
const READ_ONLY: &str = "read-only";

/// The size of the disk before it is filled.
const DISK: u64 = 64 << 20;

/// Questions while the disk is full.
const QUESTIONS: usize = 3;

#[derive(Debug, Clone, Copy)]
enum Phase {
    First,
    Increment,
    Embedding,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::First => "first index",
            Phase::Increment => "increment",
            Phase::Embedding => "embedding",
        }
    }
}

pub(super) fn attack_full(options: &Options, oracle: &Oracle, tally: &Tally) -> anyhow::Result<()> {
    let phases = [Phase::First, Phase::Increment, Phase::Embedding];
    let count = options.disks;
    let cases: Vec<(Phase, usize)> = phases
        .into_iter()
        .flat_map(|phase| (0..count).map(move |nth| (phase, nth)))
        .collect();
    let left = each(options, &cases, |(phase, nth)| {
        let room = *nth as f64 / count as f64;
        let seed = options.seed * 10_000 + 9_000 + *nth as u64;
        fill(*phase, room, seed, options, oracle, tally)
    })?;
    for (phase, _) in left {
        tally.leave_out(FULL, phase.name(), 1, "no time was left");
    }
    Ok(())
}

/// Fills the disk but for a share of what is needed, works there, makes room,
/// and looks whether everything is right again.
fn fill(
    phase: Phase,
    room: f64,
    seed: u64,
    options: &Options,
    oracle: &Oracle,
    tally: &Tally,
) -> anyhow::Result<()> {
    let mut random = fastrand::Rng::with_seed(seed);
    let world = World::new(&options.binary, options.seed, None)?;
    let state = random.usize(0..STATES);
    world.go_to(state)?;
    world.must(&["index"])?;
    let needed = bytes_of(&world.index_files());
    world.forget()?;
    let Some(_disk) = Disk::mount(&world.data, DISK) else {
        tally.leave_out(FULL, phase.name(), 1, "mounting is not allowed");
        return Ok(());
    };
    let (state, needed) = prepare(phase, &world, state, needed, &mut random)?;
    let left = (needed as f64 * room * room) as u64;
    let fresh = oracle.fresh(&world, state)?;
    let ballast = world.data.join("ballast");
    fill_but(&ballast, left)?;
    let mut findings = Findings::default();
    work(phase, &world, &fresh, &mut random, &mut findings)?;
    fs::remove_file(&ballast)?;
    after_fault(&world, oracle, state, &mut random, &mut findings)?;
    let case = format!("seed {seed}, state {state}, {left} bytes of {needed} left");
    tally.add(FULL, phase.name(), &case, &findings);
    Ok(())
}

/// Brings the index to where a phase begins. Says which state it is in, and how
/// much room the phase takes at most.
fn prepare(
    phase: Phase,
    world: &World,
    state: usize,
    needed: u64,
    random: &mut fastrand::Rng,
) -> anyhow::Result<(usize, u64)> {
    if matches!(phase, Phase::First) {
        return Ok((state, needed * 5 / 4));
    }
    world.must(&["index"])?;
    let state = (state + random.usize(1..STATES)) % STATES;
    world.go_to(state)?;
    if matches!(phase, Phase::Embedding) {
        world.must(&["index", "--no-vectors"])?;
    }
    Ok((state, needed / 2))
}

/// Takes all room but so many bytes.
fn fill_but(ballast: &Path, left: u64) -> anyhow::Result<()> {
    let mut file = fs::File::create(ballast)?;
    let block = [1; 4096];
    let mut length = 0;
    while file.write_all(&block).is_ok() {
        length += block.len() as u64;
    }
    Ok(file.set_len(length.saturating_sub(left))?)
}

/// Searches and indexes where there is no room. Answers come from the last
/// generation; where there is none, one line says why.
fn work(
    phase: Phase,
    world: &World,
    fresh: &Fresh,
    random: &mut fastrand::Rng,
    findings: &mut Findings,
) -> anyhow::Result<()> {
    for attempt in 0..QUESTIONS {
        let nth = random.usize(0..fresh.answers.len());
        let words = &questions()[nth];
        let run = world.run(&strs(words))?;
        let verdict = match judge(world, &run, &fresh.answers[nth]) {
            Verdict::Failed if matches!(phase, Phase::First) && is_one_line(&run) => Verdict::Noted,
            verdict => verdict,
        };
        record(words, &run, verdict, findings);
        if attempt == 0 {
            let run = world.run(&["index"])?;
            let well = run.is_well() || is_one_line(&run);
            let verdict = if well {
                Verdict::Noted
            } else {
                Verdict::Failed
            };
            record(&["index".to_owned()], &run, verdict, findings);
        }
    }
    Ok(())
}

/// Whether an error is one line, apart from what says that work began.
fn is_one_line(run: &Run) -> bool {
    let progress = ["scent: indexing ", "scent: reading ", "scent: embedding "];
    let errors = run
        .err
        .lines()
        .filter(|line| !progress.iter().any(|p| line.starts_with(p)));
    errors.count() == 1
}

/// What there is when the folder is closed.
#[derive(Debug, Clone, Copy)]
enum Index {
    Complete,
    Stale,
    Absent,
}

pub(super) fn attack_read_only(
    options: &Options,
    oracle: &Oracle,
    tally: &Tally,
) -> anyhow::Result<()> {
    let indexes = [Index::Complete, Index::Stale, Index::Absent];
    let rounds = options.disks.div_ceil(4);
    let mut cases = Vec::new();
    for nth in 0..rounds {
        cases.extend(
            indexes
                .iter()
                .flat_map(|index| [(*index, true, nth), (*index, false, nth)]),
        );
    }
    let left = each(options, &cases, |(index, mounted, nth)| {
        let seed = options.seed * 10_000 + 9_500 + *nth as u64;
        close(*index, *mounted, seed, options, oracle, tally)
    })?;
    for (index, mounted, _) in left {
        tally.leave_out(READ_ONLY, &label(*index, *mounted), 1, "no time was left");
    }
    Ok(())
}

fn label(index: Index, mounted: bool) -> String {
    let what = match index {
        Index::Complete => "complete index",
        Index::Stale => "stale index",
        Index::Absent => "no index",
    };
    format!("{what} ({})", if mounted { "mount" } else { "permissions" })
}

fn close(
    index: Index,
    mounted: bool,
    seed: u64,
    options: &Options,
    oracle: &Oracle,
    tally: &Tally,
) -> anyhow::Result<()> {
    let label = label(index, mounted);
    let mut random = fastrand::Rng::with_seed(seed);
    let user = if mounted {
        None
    } else {
        system::unprivileged()
    };
    let world = World::new(&options.binary, options.seed, user)?;
    let disk = if mounted {
        Disk::mount(&world.data, DISK)
    } else {
        None
    };
    let by_permissions = !mounted && system::has_permissions() && world.works();
    if disk.is_none() && !by_permissions {
        tally.leave_out(READ_ONLY, &label, 1, "not possible here");
        return Ok(());
    }
    let mut state = random.usize(0..STATES);
    world.go_to(state)?;
    if !matches!(index, Index::Absent) {
        world.must(&["index"])?;
    }
    if matches!(index, Index::Stale) {
        state = (state + random.usize(1..STATES)) % STATES;
        world.go_to(state)?;
    }
    let set_closed = |closed: bool| match &disk {
        Some(disk) => disk.set_read_only(closed),
        None => set_permissions(&world, closed).is_ok(),
    };
    anyhow::ensure!(
        set_closed(true),
        "{} cannot be closed",
        world.data.display()
    );
    let mut findings = Findings::default();
    let asked = ask_all(&world, index, state, oracle, &mut findings);
    anyhow::ensure!(
        set_closed(false),
        "{} cannot be opened again",
        world.data.display()
    );
    asked?;
    after_fault(&world, oracle, state, &mut random, &mut findings)?;
    tally.add(
        READ_ONLY,
        &label,
        &format!("seed {seed}, state {state}"),
        &findings,
    );
    Ok(())
}

fn set_permissions(world: &World, closed: bool) -> anyhow::Result<()> {
    let mut folders = vec![world.data.clone()];
    for file in world.index_files() {
        system::set_mode(&file, if closed { 0o444 } else { 0o644 })?;
        folders.extend(file.parent().map(Path::to_owned));
    }
    for folder in folders {
        system::set_mode(&folder, if closed { 0o555 } else { 0o755 })?;
    }
    Ok(())
}

/// Asks everything. Without an index each refusal has to say in one line what
/// to do.
fn ask_all(
    world: &World,
    index: Index,
    state: usize,
    oracle: &Oracle,
    findings: &mut Findings,
) -> anyhow::Result<()> {
    let fresh = oracle.fresh(world, state)?;
    for (words, answer) in questions().iter().zip(&fresh.answers) {
        let run = world.run(&strs(words))?;
        let verdict = judge(world, &run, answer);
        // Some commands need no index.
        let is_clear = is_one_line(&run) && run.err.contains("--data-dir");
        let well = match index {
            Index::Complete => verdict == Verdict::Right,
            Index::Stale => matches!(verdict, Verdict::Right | Verdict::Noted),
            Index::Absent => verdict == Verdict::Right || run.code == Some(2) && is_clear,
        };
        let verdict = match (well, verdict) {
            (true, _) => Verdict::Right,
            (false, Verdict::Noted) => Verdict::Failed,
            (false, verdict) => verdict,
        };
        record(words, &run, verdict, findings);
    }
    Ok(())
}
