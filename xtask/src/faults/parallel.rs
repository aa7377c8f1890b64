//! Many processes at once.

use super::answer::{Oracle, Verdict, judge, questions, strs};
use super::check::{after_fault, bring_up_to_date, record};
use super::repository::{STATES, pinned_name, pinned_path};
use super::system;
use super::tally::{Findings, Tally};
use super::world::{Run, Started, World, finish, start};
use super::{Options, each};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

const KIND: &str = "parallel";

/// Processes that are started at the same moment.
const AT_ONCE: usize = 20;

/// Those that read beside a writer, and how often each runs something.
const READERS: usize = 6;
const READS: usize = 12;

/// How long a writer stands still: longer than anybody should give up after.
const STANDSTILL: Duration = Duration::from_secs(4);

/// Attempts to stop a writer before it is done.
const ATTEMPTS: usize = 20;

#[derive(Debug, Clone, Copy)]
enum Round {
    /// In a project without index.
    Searches,
    Mixed,
    Index,
    /// The same, while the first writer takes its time.
    SearchesSlow,
    MixedSlow,
    IndexSlow,
    /// While a writer takes its time with an edit, or with vectors.
    EditSlow,
    EmbeddingSlow,
    /// While everything changes all the time.
    BesideWriter,
    BesideClear,
}

impl Round {
    fn name(self) -> &'static str {
        match self {
            Round::Searches => "cold, searches",
            Round::Mixed => "cold, mixed",
            Round::Index => "cold, index",
            Round::SearchesSlow => "cold, searches, slow writer",
            Round::MixedSlow => "cold, mixed, slow writer",
            Round::IndexSlow => "cold, index, slow writer",
            Round::EditSlow => "edit, mixed, slow writer",
            Round::EmbeddingSlow => "embedding, mixed, slow writer",
            Round::BesideWriter => "beside a writer",
            Round::BesideClear => "beside a writer and clear",
        }
    }

    fn is_slow(self) -> bool {
        use Round::*;
        matches!(
            self,
            SearchesSlow | MixedSlow | IndexSlow | EditSlow | EmbeddingSlow
        )
    }

    /// Brings a world to where the round begins, and says which state it is in.
    fn prepare(self, world: &World, random: &mut fastrand::Rng) -> anyhow::Result<usize> {
        let state = random.usize(0..STATES);
        world.forget()?;
        world.go_to(state)?;
        if !matches!(self, Round::EditSlow | Round::EmbeddingSlow) {
            return Ok(state);
        }
        world.must(&["index"])?;
        let state = (state + random.usize(1..STATES)) % STATES;
        world.go_to(state)?;
        if matches!(self, Round::EmbeddingSlow) {
            world.must(&["index", "--no-vectors"])?;
        }
        Ok(state)
    }
}

pub(super) fn attack(options: &Options, oracle: &Oracle, tally: &Tally) -> anyhow::Result<()> {
    let rounds = rounds(options, tally);
    // One round at a time: each is as parallel as can be.
    let alone = Options {
        jobs: 1,
        ..options.clone()
    };
    let left = each(&alone, &rounds, |(round, seed)| {
        let mut random = fastrand::Rng::with_seed(*seed);
        let world = World::new(&options.binary, options.seed, None)?;
        let state = round.prepare(&world, &mut random)?;
        let state = match round {
            Round::BesideWriter | Round::BesideClear => {
                beside_writer(&world, *round, &mut random, tally)?
            }
            _ => at_once(&world, *round, state, oracle, &mut random, tally)?,
        };
        let mut findings = Findings::default();
        after_fault(&world, oracle, state, &mut random, &mut findings)?;
        tally.add(
            KIND,
            "afterwards",
            &format!("{}, seed {seed}", round.name()),
            &findings,
        );
        Ok(())
    })?;
    for (round, _) in left {
        tally.leave_out(KIND, round.name(), AT_ONCE as u64, "no time was left");
    }
    Ok(())
}

fn rounds(options: &Options, tally: &Tally) -> Vec<(Round, u64)> {
    let searches = options.searches.div_ceil(AT_ONCE);
    // The second number is that of a sample, too.
    let (more, others) = (searches / 3, searches.div_ceil(3));
    let counts = [
        (Round::SearchesSlow, searches.div_ceil(2)),
        (Round::Searches, searches / 2),
        (Round::MixedSlow, more),
        (Round::Mixed, others),
        (Round::IndexSlow, others),
        (Round::Index, more),
        (Round::EditSlow, others),
        (Round::EmbeddingSlow, more),
        // Who removes an index all the time may be faster than whoever mends it,
        // so this says nothing in a sample on a busy machine.
        (Round::BesideWriter, others),
        (Round::BesideClear, more),
    ];
    for (round, _) in counts.iter().filter(|(_, count)| *count == 0) {
        tally.leave_out(KIND, round.name(), AT_ONCE as u64, "not part of a sample");
    }
    let all = counts
        .into_iter()
        .flat_map(|(round, count)| std::iter::repeat_n(round, count));
    all.zip(options.seed * 10_000 + 8_000..).collect()
}

/// Starts many processes at once, and judges each. Gives back the state that the
/// project is in.
fn at_once(
    world: &World,
    round: Round,
    mut state: usize,
    oracle: &Oracle,
    random: &mut fastrand::Rng,
    tally: &Tally,
) -> anyhow::Result<usize> {
    let mut writer = None;
    for _ in 0..ATTEMPTS {
        if !round.is_slow() || writer.is_some() {
            break;
        }
        writer = stopped_writer(world)?;
        if writer.is_none() {
            state = round.prepare(world, random)?;
        }
    }
    if round.is_slow() && writer.is_none() {
        tally.leave_out(
            KIND,
            round.name(),
            AT_ONCE as u64,
            "no writer could be stopped",
        );
        return Ok(state);
    }
    let fresh = oracle.fresh(world, state)?;
    let commands: Vec<Vec<String>> = (0..AT_ONCE)
        .map(|nth| command(round, nth, random))
        .collect();
    let started: Result<Vec<_>, _> = commands
        .iter()
        .map(|words| start(world.command(&strs(words))))
        .collect();
    if let Some(writer) = writer {
        std::thread::sleep(STANDSTILL);
        system::set_stopped(writer.id(), false);
        finish(writer)?;
    }
    let all = questions();
    for (words, started) in commands.iter().zip(started?) {
        let run = finish(started)?;
        let asked = all.iter().position(|question| question == words);
        let verdict = match asked {
            Some(nth) => judge(world, &run, &fresh.answers[nth]),
            None => ended(words, &run),
        };
        let mut findings = Findings::default();
        record(words, &run, verdict, &mut findings);
        tally.add(KIND, round.name(), &format!("state {state}"), &findings);
    }
    Ok(state)
}

/// Starts `scent index`, and stops it while it writes. None where it was done
/// before.
fn stopped_writer(world: &World) -> anyhow::Result<Option<Started>> {
    let generation = || world.index_files().iter().find_map(|path| written(path));
    let (before, files) = (generation(), world.index_files().len());
    // The first files of a folder are there before the lock is taken.
    let enough = if files == 0 { 4 } else { files + 1 };
    let mut writer = start(world.command(&["index"]))?;
    while writer.is_running() && world.index_files().len() < enough {
        std::thread::sleep(Duration::from_micros(100));
    }
    let stopped = system::set_stopped(writer.id(), true);
    if stopped && writer.is_running() && generation() == before {
        return Ok(Some(writer));
    }
    system::set_stopped(writer.id(), false);
    finish(writer)?;
    Ok(None)
}

/// When a generation was written, of the file that names it.
fn written(path: &Path) -> Option<SystemTime> {
    let names_it = path.file_name().is_some_and(|name| name == "meta.json");
    names_it
        .then(|| path.metadata().ok()?.modified().ok())
        .flatten()
}

/// How a command ended whose answer is not compared.
fn ended(words: &[String], run: &Run) -> Verdict {
    let nothing_to_show = words[0] == "status" && run.err.contains("not indexed yet");
    match run.is_well() || nothing_to_show {
        true => Verdict::Right,
        false => Verdict::Failed,
    }
}

/// What the `nth` process of a round runs.
fn command(round: Round, nth: usize, random: &mut fastrand::Rng) -> Vec<String> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let all = questions();
    match round {
        // Those that are no command of their own.
        Round::Searches | Round::SearchesSlow => {
            let searches: Vec<_> = all
                .into_iter()
                .filter(|words| words[0] == "--json")
                .collect();
            searches[nth % searches.len()].clone()
        }
        Round::Index | Round::IndexSlow => words(["index", "index --wait"][nth % 2]),
        _ => match nth % 5 {
            0 => words(["index", "index --wait", "status", "status --json"][random.usize(0..4)]),
            _ => all[random.usize(0..all.len())].clone(),
        },
    }
}

/// Readers in a project that is edited and indexed all the time. What never
/// changes has to be found at every moment. Gives back the state that is reached.
fn beside_writer(
    world: &World,
    round: Round,
    random: &mut fastrand::Rng,
    tally: &Tally,
) -> anyhow::Result<usize> {
    world.must(&["index"])?;
    let done = AtomicBool::new(false);
    let seeds: Vec<u64> = (0..=READERS).map(|_| random.u64(..)).collect();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| write_until(world, round, seeds[0], &done, tally));
        let readers: Vec<_> = seeds[1..]
            .iter()
            .map(|seed| scope.spawn(|| read_often(world, round, *seed, tally)))
            .collect();
        let read: Vec<_> = readers.into_iter().map(|reader| reader.join()).collect();
        done.store(true, Ordering::Relaxed);
        let joined = |e| anyhow::anyhow!("a thread ended early: {e:?}");
        for result in read {
            result.map_err(joined)??;
        }
        writer.join().map_err(joined)?
    })
}

fn write_until(
    world: &World,
    round: Round,
    seed: u64,
    done: &AtomicBool,
    tally: &Tally,
) -> anyhow::Result<usize> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut state = 0;
    while !done.load(Ordering::Relaxed) {
        state = random.usize(0..STATES);
        world.go_to(state)?;
        let mut findings = Findings::default();
        bring_up_to_date(world, &mut findings)?;
        if matches!(round, Round::BesideClear) && random.u32(0..3) == 0 {
            let run = world.run(&["clear"])?;
            findings.failed |= !run.is_well();
            findings.see(format!("scent clear: {}", run.last_words()));
        }
        tally.add(
            KIND,
            &format!("{}, the writer", round.name()),
            "",
            &findings,
        );
    }
    Ok(state)
}

fn read_often(world: &World, round: Round, seed: u64, tally: &Tally) -> anyhow::Result<()> {
    let mut random = fastrand::Rng::with_seed(seed);
    for nth in 0..READS {
        let words = command(round, nth + 1, &mut random);
        let run = world.run(&strs(&words))?;
        let verdict = match ended(&words, &run) {
            Verdict::Right if !has_pinned(&words, &run) => Verdict::Lost,
            verdict => verdict,
        };
        let mut findings = Findings::default();
        record(&words, &run, verdict, &mut findings);
        tally.add(KIND, round.name(), "", &findings);
    }
    Ok(())
}

/// Whether an answer about a name that is always there has its place.
fn has_pinned(words: &[String], run: &Run) -> bool {
    let asked = |start: &str, language| {
        (words[0] == start && *words[words.len() - 1] == pinned_name(language))
            .then(|| pinned_path(language))
    };
    let path = asked("def", 0).or_else(|| asked("--json", 2));
    path.is_none_or(|path| run.out.contains(&path))
}
