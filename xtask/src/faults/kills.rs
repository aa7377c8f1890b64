//! SIGKILL at every stage of every phase.

use super::answer::Oracle;
use super::check::{Measured, after_fault, measure};
use super::repository::STATES;
use super::strace::{self, Place};
use super::tally::{Findings, Tally};
use super::watch;
use super::world::{Copy, Run, World};
use super::{Options, each};

const KIND: &str = "kill";

/// Kills in a row with the same preparation.
const BATCH: usize = 20;

/// What is being done when the kill comes.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Cold,
    Slices,
    Increment,
    EmbedInSearch,
    EmbedInIndex,
    EmbedInBackground,
    Compaction,
    Rebuild,
    Clear,
}

/// Each phase, and how many of a hundred kills it gets.
const PHASES: [(Phase, usize); 9] = [
    (Phase::Cold, 14),
    (Phase::Slices, 12),
    (Phase::Increment, 18),
    (Phase::EmbedInSearch, 8),
    (Phase::EmbedInIndex, 10),
    (Phase::EmbedInBackground, 10),
    (Phase::Compaction, 14),
    (Phase::Rebuild, 10),
    (Phase::Clear, 4),
];

/// Increments until segments of the text index, and then those of all other
/// stores, are joined.
const UNTIL_COMPACTION: [usize; 2] = [11, 15];

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Cold => "cold index",
            Phase::Slices => "cold index, in slices",
            Phase::Increment => "increment",
            Phase::EmbedInSearch => "embedding, in a search",
            Phase::EmbedInIndex => "embedding, in index",
            Phase::EmbedInBackground => "embedding, in the background",
            Phase::Compaction => "compaction",
            Phase::Rebuild => "rebuild",
            Phase::Clear => "clear",
        }
    }

    /// What is run, and killed.
    fn args(self, world: &World) -> Vec<String> {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        match self {
            Phase::Cold
            | Phase::Slices
            | Phase::Increment
            | Phase::EmbedInIndex
            | Phase::Compaction => words("index"),
            Phase::EmbedInSearch => vec!["refresh cache".to_owned()],
            // What a search starts where too much waits for it.
            Phase::EmbedInBackground => {
                let path = world.root.to_string_lossy().into_owned();
                [words("index --wait --quiet --yes --exact"), vec![path]].concat()
            }
            Phase::Rebuild => words("index --rebuild"),
            Phase::Clear => words("clear"),
        }
    }

    /// Brings a world to where the phase begins, and says which state it is in.
    fn prepare(self, world: &World, random: &mut fastrand::Rng) -> anyhow::Result<usize> {
        let state = random.usize(0..STATES);
        world.forget()?;
        world.go_to(state)?;
        if matches!(self, Phase::Cold | Phase::Slices) {
            return Ok(state);
        }
        world.must(&["index"])?;
        match self {
            Phase::Increment => edit(world, state, random),
            Phase::EmbedInSearch | Phase::EmbedInIndex | Phase::EmbedInBackground => {
                let state = edit(world, state, random)?;
                world.must(&["index", "--no-vectors"])?;
                Ok(state)
            }
            Phase::Compaction => prepare_compaction(world, state, random),
            Phase::Cold | Phase::Slices | Phase::Rebuild | Phase::Clear => Ok(state),
        }
    }
}

fn edit(world: &World, state: usize, random: &mut fastrand::Rng) -> anyhow::Result<usize> {
    let state = (state + random.usize(1..STATES)) % STATES;
    world.go_to(state)?;
    Ok(state)
}

/// Makes so many small segments that the next commit joins them. The edits are
/// of one file each, or the segments would be joined for their deletions.
fn prepare_compaction(
    world: &World,
    state: usize,
    random: &mut fastrand::Rng,
) -> anyhow::Result<usize> {
    for nth in 0..UNTIL_COMPACTION[random.usize(0..2)] {
        world.mark(&format!("# Marker\n\nEdit {nth} of {}.\n", random.u32(..)))?;
        world.must(&["index"])?;
    }
    edit(world, state, random)
}

/// How the kills of a batch are placed.
#[derive(Debug, Clone, Copy)]
enum Placed {
    ByStrace,
    ByWatching,
}

/// Some kills in one phase.
struct Batch {
    phase: Phase,
    placed: Placed,
    seed: u64,
    kills: usize,
}

pub(super) fn attack(options: &Options, oracle: &Oracle, tally: &Tally) -> anyhow::Result<()> {
    let batches = batches(options);
    let left = each(options, &batches, |batch| {
        let result = run_batch(batch, options, oracle, tally);
        result.map_err(|e| e.context(format!("{:?}, seed {}", batch.phase, batch.seed)))
    })?;
    for batch in left {
        let (phase, kills) = (label(batch), batch.kills as u64);
        tally.leave_out(KIND, &phase, kills, "no time was left");
    }
    Ok(())
}

/// Where strace is, one batch in five is placed by watching all the same.
fn batches(options: &Options) -> Vec<Batch> {
    let traced = strace::is_there();
    let mut batches = Vec::new();
    let mut nth = 0;
    for (phase, share) in PHASES {
        let mut left = (options.kills * share).div_ceil(100);
        while left > 0 {
            let kills = left.min(BATCH);
            left -= kills;
            nth += 1;
            // Where slices are cut depends on the time, and with it the calls.
            let is_steady = !matches!(phase, Phase::Slices);
            let placed = match traced && is_steady && nth % 5 != 0 {
                true => Placed::ByStrace,
                false => Placed::ByWatching,
            };
            batches.push(Batch {
                phase,
                placed,
                seed: options.seed * 10_000 + nth,
                kills,
            });
        }
    }
    batches
}

fn label(batch: &Batch) -> String {
    let placed = match batch.placed {
        Placed::ByStrace => "by system call",
        Placed::ByWatching => "by change",
    };
    format!("{} ({placed})", batch.phase.name())
}

/// A world at the beginning of a phase.
struct Stage<'a> {
    world: &'a World,
    copy: Copy,
    state: usize,
    args: Vec<&'a str>,
    undisturbed: Measured,
}

fn run_batch(
    batch: &Batch,
    options: &Options,
    oracle: &Oracle,
    tally: &Tally,
) -> anyhow::Result<()> {
    let mut random = fastrand::Rng::with_seed(batch.seed);
    let mut world = World::new(&options.binary, options.seed, None)?;
    world.in_slices = matches!(batch.phase, Phase::Slices);
    let state = batch.phase.prepare(&world, &mut random)?;
    let copy = world.keep("start")?;
    let words = batch.phase.args(&world);
    let args: Vec<&str> = words.iter().map(String::as_str).collect();
    world.must(&args)?;
    let undisturbed = measure(&world)?;
    let stage = Stage {
        world: &world,
        copy,
        state,
        args,
        undisturbed,
    };
    let places = Places::find(batch.placed, &stage)?;
    let mut done = 0;
    for attempt in 0..batch.kills * 3 {
        if done == batch.kills || options.is_over() {
            break;
        }
        // Even steps from a random beginning.
        let step = (attempt % batch.kills) as f64 + random.f64();
        let place = step / batch.kills as f64;
        let mut findings = Findings::default();
        if let Some(case) = kill_once(&stage, &places, place, oracle, &mut random, &mut findings)? {
            let case = format!("seed {}, state {state}, {case}", batch.seed);
            tally.add(KIND, &label(batch), &case, &findings);
            done += 1;
        }
    }
    let missed = (batch.kills - done) as u64;
    tally.leave_out(
        KIND,
        &label(batch),
        missed,
        "the run ended before the kill, or time was up",
    );
    Ok(())
}

/// One kill, a quarter of the time two, and the questions after it. None where
/// the run ended before it could be killed.
fn kill_once(
    stage: &Stage,
    places: &Places,
    place: f64,
    oracle: &Oracle,
    random: &mut fastrand::Rng,
    findings: &mut Findings,
) -> anyhow::Result<Option<String>> {
    let Stage {
        world,
        copy,
        state,
        args,
        undisturbed,
    } = stage;
    world.restore(copy)?;
    let (run, mut case) = places.kill(world, args, place)?;
    if !run.killed {
        return Ok(None);
    }
    if random.u32(0..4) == 0 {
        let (_, again) = places.kill(world, args, random.f64())?;
        case = format!("{case}, then {again}");
    }
    after_fault(world, oracle, *state, random, findings)?;
    measure(world)?.against(undisturbed, findings);
    Ok(Some(case))
}

/// Where a run can be killed.
enum Places {
    Calls(Vec<Place>),
    Changes(usize),
}

impl Places {
    fn find(placed: Placed, stage: &Stage) -> anyhow::Result<Places> {
        stage.world.restore(&stage.copy)?;
        Ok(match placed {
            Placed::ByStrace => {
                let first = strace::record(stage.world, &stage.args)?;
                stage.world.restore(&stage.copy)?;
                let second = strace::record(stage.world, &stage.args)?;
                Places::Calls(first.places(&second))
            }
            Placed::ByWatching => Places::Changes(watch::changes(stage.world, &stage.args)?),
        })
    }

    /// Runs until a place, given from 0 to 1, and kills there.
    fn kill(&self, world: &World, args: &[&str], place: f64) -> anyhow::Result<(Run, String)> {
        match self {
            Places::Calls(places) => {
                let nth = ((places.len() as f64 * place) as usize).min(places.len() - 1);
                let run = strace::run_until(world, args, &places[nth])?;
                Ok((
                    run,
                    format!("call {nth} of {}: {:?}", places.len(), places[nth]),
                ))
            }
            Places::Changes(count) => {
                let nth = (*count as f64 * place) as usize;
                let run = watch::run_until(world, args, nth)?;
                Ok((run, format!("change {nth} of {count}")))
            }
        }
    }
}
