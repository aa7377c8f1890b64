//! Kills placed at a change of the index folder, on any system.

use super::world::{Run, World, finish_unless, start};
use std::path::PathBuf;
use std::time::SystemTime;

/// The names, sizes and times of all files of the index.
type Look = Vec<(PathBuf, u64, Option<SystemTime>)>;

fn look(world: &World) -> Look {
    let described = |path: PathBuf| {
        let data = path.metadata().ok();
        let length = data.as_ref().map_or(0, |data| data.len());
        (path, length, data.and_then(|data| data.modified().ok()))
    };
    world.index_files().into_iter().map(described).collect()
}

/// How many changes an undisturbed run shows.
pub(super) fn changes(world: &World, args: &[&str]) -> anyhow::Result<usize> {
    let mut seen = 0;
    let run = run_watched(world, args, |count| {
        seen = count;
        false
    })?;
    anyhow::ensure!(run.is_well(), "{args:?}, watched: {}", run.last_words());
    Ok(seen)
}

/// Runs the program, and kills it at the n-th change. The run may end before.
pub(super) fn run_until(world: &World, args: &[&str], nth: usize) -> anyhow::Result<Run> {
    run_watched(world, args, |count| count >= nth)
}

fn run_watched(
    world: &World,
    args: &[&str],
    mut kill: impl FnMut(usize) -> bool,
) -> anyhow::Result<Run> {
    let mut last = look(world);
    let mut count = 0;
    let started = start(world.command(args))?;
    finish_unless(started, || {
        let now = look(world);
        count += usize::from(now != last);
        last = now;
        kill(count)
    })
}
