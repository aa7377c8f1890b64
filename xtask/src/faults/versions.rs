//! Two programs of different versions with one place for indexes.

use super::Options;
use super::tally::{Findings, Tally};
use super::world::World;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const KIND: &str = "two versions";
const ROUNDS: usize = 6;

/// Lets both search in turn. After each has made its index, nobody makes one
/// again.
pub(super) fn attack(options: &Options, tally: &Tally) -> anyhow::Result<()> {
    let Some(other) = &options.other else {
        tally.leave_out(
            KIND,
            "in turn",
            ROUNDS as u64,
            "--other names no second program",
        );
        return Ok(());
    };
    let mut world = World::new(&options.binary, options.seed, None)?;
    world.go_to(0)?;
    // Files that changed just before they were read are looked at once more.
    for _ in 0..2 {
        search_with_both(&mut world, &options.binary, other)?;
        std::thread::sleep(Duration::from_millis(200));
    }
    for nth in 0..ROUNDS {
        let before = written(&world);
        let mut findings = search_with_both(&mut world, &options.binary, other)?;
        if written(&world) != before {
            findings.needs_hand = true;
            findings.see("an index was written again, though nothing had changed");
        }
        tally.add(KIND, "in turn", &format!("round {nth}"), &findings);
    }
    Ok(())
}

fn search_with_both(world: &mut World, one: &Path, two: &Path) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    for binary in [one, two] {
        world.binary = binary.to_owned();
        let run = world.run(&["refresh cache", "--json"])?;
        findings.panicked |= run.panicked();
        findings.failed |= !run.is_well();
        findings.see(format!("{}: {}", binary.display(), run.last_words()));
    }
    Ok(findings)
}

/// The metadata of every index, and when each was written.
fn written(world: &World) -> Vec<(PathBuf, Option<SystemTime>)> {
    let files = world.index_files().into_iter();
    let metadata = files.filter(|path| path.file_name().is_some_and(|name| name == "meta.json"));
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    metadata.map(|path| (path.clone(), time(&path))).collect()
}
