//! Many processes at once, and what killed ones leave behind.

use crate::kill::{comparable, fresh_answer};
use crate::world::*;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// How long a writer holds the lock: longer than anybody should give up after.
const HELD: Duration = Duration::from_secs(3);

/// The folder of the index in a data folder.
fn index_folder(data: &Path) -> PathBuf {
    let mut folders = fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    folders
        .find(|path| path.join("meta.json").exists())
        .expect("an index")
}

/// Takes the lock of an index folder, as a writer does.
fn lock(folder: &Path) -> File {
    fs::create_dir_all(folder).unwrap();
    let mut options = File::options();
    let lock = options
        .read(true)
        .write(true)
        .create(true)
        .open(folder.join("lock"))
        .unwrap();
    lock.lock().unwrap();
    lock
}

/// Runs these at the same time in a project without index, while somebody else
/// takes their time to write it.
fn beside_slow_writer(commands: &[&[&str]]) -> (World, Vec<Output>) {
    let world = World::sample();
    world.run(&["index"]);
    let folder = index_folder(&world.data);
    world.run(&["clear"]);
    let lock = lock(&folder);
    let start = |args: &&[&str]| {
        let mut process = world.process();
        process
            .args(*args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process.spawn().unwrap()
    };
    let started: Vec<_> = commands.iter().map(start).collect();
    thread::sleep(HELD);
    drop(lock);
    let outputs = started
        .into_iter()
        .map(|child| child.wait_with_output().unwrap())
        .collect();
    (world, outputs)
}

#[test]
fn many_searches_in_a_new_project_all_answer() {
    // By words, since vectors may still be missing from some of the answers.
    let query: &[&str] = &["--json", "--keyword-only", "retry", "-k", "30"];
    let (world, outputs) = beside_slow_writer(&[query; 20]);
    let fresh = fresh_answer(&world, &query[1..]);
    for output in outputs {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(comparable(answer), fresh);
    }
}

#[test]
fn many_lookups_in_a_new_project_all_answer() {
    let (_world, outputs) = beside_slow_writer(&LOOKUPS);
    for (args, output) in LOOKUPS.iter().zip(outputs) {
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{args:?}: {output:?}"
        );
    }
}

#[test]
fn many_times_index_at_once() {
    let commands: Vec<&[&str]> = [&["index"][..], &["index", "--wait"]].repeat(5);
    let (world, outputs) = beside_slow_writer(&commands);
    for (args, output) in commands.iter().zip(outputs) {
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    }
    let query = ["retry", "-k", "30"];
    assert_eq!(comparable(world.json(&query)), fresh_answer(&world, &query));
}

const LOOKUPS: [&[&str]; 8] = [
    &["retry_delay"],
    &["def", "retry_delay"],
    &["refs", "retry_delay"],
    &["deps", "src/retry.rs"],
    &["impact", "retry_delay"],
    &["callpath", "RetryPolicy::next", "retry_delay"],
    &["outline", "src/retry.rs"],
    &["similar", "src/retry.rs:4"],
];

#[test]
fn who_looks_something_up_does_not_wait_for_a_writer() {
    let world = World::sample();
    world.run(&["index"]);
    let _lock = lock(&index_folder(&world.data));
    // Something that would have to be written.
    world.write("src/more.rs", "pub fn more() {\n    retry_delay(1);\n}\n");
    for args in LOOKUPS {
        let run = world.run(args);
        assert!(matches!(run.code, Some(0 | 1)), "{args:?}: {run:?}");
    }
}

/// The names of the files in the folder of the index.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    sorted(
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect(),
    )
}

/// What `scent index` leaves of an edit that was killed between the deletions
/// and the swap: a file of deletions that nothing refers to.
fn leave_deletions(world: &World) {
    let folder = index_folder(&world.data);
    let aside = TempDir::new().unwrap();
    let copy = aside.path().join(folder.file_name().unwrap());
    fs::create_dir(&copy).unwrap();
    for name in names(&folder) {
        fs::copy(folder.join(&name), copy.join(&name)).unwrap();
    }
    let before = names(&folder);
    world.run(&[
        "index",
        "--no-vectors",
        "--data-dir",
        aside.path().to_str().unwrap(),
    ]);
    let is_new = |name: &&String| name.ends_with(".del") && !before.contains(name);
    let after = names(&copy);
    let deletions: Vec<&String> = after.iter().filter(is_new).collect();
    assert!(!deletions.is_empty(), "the edit deletes nothing: {after:?}");
    for name in deletions {
        fs::copy(copy.join(name), folder.join(name)).unwrap();
    }
}

#[test]
fn deletions_of_a_killed_commit_are_in_nobodys_way() {
    let commands: [&[&str]; 4] = [
        &["retry_delay"],
        &["def", "Client"],
        &["refs", "wait"],
        &["index"],
    ];
    for args in commands {
        let world = World::sample();
        world.run(&["index"]);
        world.write(
            "src/retry.rs",
            RETRY_RS.replace("base << attempt", "wait(base)"),
        );
        leave_deletions(&world);
        let run = world.run(args);
        assert!(matches!(run.code, Some(0 | 1)), "{args:?}: {run:?}");
        let query = ["retry", "-k", "30"];
        assert_eq!(
            comparable(world.json(&query)),
            fresh_answer(&world, &query),
            "{args:?}"
        );
    }
}

#[test]
fn a_commit_sweeps_what_killed_ones_left() {
    let world = World::sample();
    world.run(&["index"]);
    let folder = index_folder(&world.data);
    // A temporary file of metadata, a segment and stores that nothing names.
    let left = [
        ".tmpA1b2C3",
        "0123456789abcdef0123456789abcdef.term",
        "0123456789abcdef0123456789abcdef.4.del",
        "sketch-77",
        "vectors-78",
    ];
    for name in left {
        fs::write(folder.join(name), "left").unwrap();
    }
    world.write("src/more.rs", "pub fn more() {}\n");
    world.run(&["index"]);
    let still: Vec<String> = names(&folder)
        .into_iter()
        .filter(|name| left.contains(&&**name))
        .collect();
    assert_eq!(still, [""; 0]);
}
