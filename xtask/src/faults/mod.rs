//! Attacks on the program: `cargo run -p xtask -- faults --binary PATH`.
//!
//! Kills, damage, full and read-only disks, and many processes at once. After
//! each fault the program has to answer as a fresh index does. Everything follows
//! from the seed, and ends by itself. The program and this one can be copied to
//! another machine; nothing else is needed but, for some faults, strace and the
//! right to mount.

mod answer;
mod check;
mod damage;
mod disk;
mod kills;
mod parallel;
mod repository;
mod strace;
mod system;
mod tally;
mod versions;
mod watch;
mod world;

use anyhow::{Context, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(crate) const USAGE: &str = "\
usage: xtask faults --binary PATH [--short] [--seed N] [--jobs N] [--only KIND,…]
                    [--kills N] [--mutations N] [--searches N] [--disks N]
                    [--other PATH] [--minutes N]
  --short    a sample that takes about a minute
  --only     of kills, damage, parallel, full-disk, read-only and versions only these
  --disks    disks that are filled in each phase
  --other    another version of the program, to run both in turn
  --minutes  what there is no time for is left out, and counted";

/// What is attacked, and how hard.
#[derive(Clone)]
struct Options {
    binary: PathBuf,
    other: Option<PathBuf>,
    seed: u64,
    jobs: usize,
    only: Vec<String>,
    kills: usize,
    mutations: usize,
    searches: usize,
    disks: usize,
    end: Instant,
}

impl Options {
    fn read(words: &[String]) -> anyhow::Result<Options> {
        let short = words.iter().any(|word| word == "--short");
        let limit = Duration::from_secs(if short { 80 } else { 3600 });
        let mut options = Options {
            binary: PathBuf::new(),
            other: None,
            seed: 1,
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            only: Vec::new(),
            kills: if short { 40 } else { 1000 },
            mutations: if short { 60 } else { 2000 },
            searches: if short { 20 } else { 200 },
            disks: if short { 2 } else { 20 },
            end: Instant::now() + limit,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--short" {
                continue;
            }
            let value = words
                .next()
                .with_context(|| format!("{word}: what?\n{USAGE}"))?;
            let number = || {
                value
                    .parse::<usize>()
                    .with_context(|| format!("{word} {value}: no number"))
            };
            match word.as_str() {
                "--binary" => options.binary = std::path::absolute(value)?,
                "--only" => options.only = value.split(',').map(str::to_owned).collect(),
                "--seed" => options.seed = number()? as u64,
                "--jobs" => options.jobs = number()?.max(1),
                "--kills" => options.kills = number()?,
                "--mutations" => options.mutations = number()?,
                "--searches" => options.searches = number()?,
                "--disks" => options.disks = number()?,
                "--other" => options.other = Some(std::path::absolute(value)?),
                "--minutes" => {
                    options.end = Instant::now() + Duration::from_secs(60 * number()? as u64);
                }
                _ => bail!("{word}: no such option\n{USAGE}"),
            }
        }
        anyhow::ensure!(
            options.binary.is_file(),
            "--binary PATH has to name the program\n{USAGE}"
        );
        Ok(options)
    }

    fn wants(&self, kind: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == kind)
    }

    /// Whether the time is up.
    fn is_over(&self) -> bool {
        Instant::now() > self.end
    }
}

/// Does a piece of work for each case, several at a time. Gives back the cases
/// that there was no time for.
fn each<'c, T: Sync>(
    options: &Options,
    cases: &'c [T],
    work: impl Fn(&T) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<Vec<&'c T>> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let take = || {
        let goes_on = !options.is_over() && failed.lock().is_ok_and(|failed| failed.is_none());
        goes_on
            .then(|| cases.get(next.fetch_add(1, Ordering::Relaxed)))
            .flatten()
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while let Some(case) = take() {
                    if let (Err(error), Ok(mut failed)) = (work(case), failed.lock()) {
                        *failed = Some(error);
                    }
                }
            });
        }
    });
    if let Ok(Some(error)) = failed.into_inner() {
        return Err(error);
    }
    Ok(cases.iter().skip(next.into_inner()).collect())
}

/// Runs the attacks that are asked for, and prints what came of them.
pub(crate) fn run(words: &[String]) -> anyhow::Result<ExitCode> {
    let options = Options::read(words)?;
    let began = Instant::now();
    let (oracle, tally) = (answer::Oracle::default(), tally::Tally::default());
    if options.wants("parallel") {
        parallel::attack(&options, &oracle, &tally)?;
    }
    if options.wants("read-only") {
        disk::attack_read_only(&options, &oracle, &tally)?;
    }
    if options.wants("full-disk") {
        disk::attack_full(&options, &oracle, &tally)?;
    }
    if options.wants("versions") {
        versions::attack(&options, &tally)?;
    }
    if options.wants("kills") {
        kills::attack(&options, &oracle, &tally)?;
    }
    if options.wants("damage") {
        damage::attack(&options, &oracle, &tally)?;
    }
    print!("{}{}", tally.table(), tally.left_out());
    println!(
        "faults: seed {}, {:.0} s",
        options.seed,
        began.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(!tally.is_clean())))
}
