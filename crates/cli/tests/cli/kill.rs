//! Processes that are killed, and several at once.

use crate::world::*;
use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};
use std::time::Instant;
use tempfile::TempDir;

/// A project that takes a while to index.
fn large() -> World {
    let world = World::new(&[(".git/HEAD", "x\n")]);
    write_large(&world, "first");
    world
}

fn write_large(world: &World, word: &str) {
    for file in 0..300 {
        let function =
            |nth: usize| format!("fn {word}_{file}_{nth}() {{\n    call_{nth}();\n}}\n\n");
        let text: String = (0..20).map(function).collect();
        world.write(&format!("src/{}/file{file}.rs", file % 10), text);
    }
}

/// What an index that was never interrupted answers.
pub fn fresh_answer(world: &World, args: &[&str]) -> Value {
    let data = TempDir::new().unwrap();
    let flag = ["--data-dir", data.path().to_str().unwrap()];
    world.run(&[&["index"], &flag[..]].concat());
    comparable(world.json(&[args, &flag].concat()))
}

/// An answer without what depends on the past of its index.
pub fn comparable(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    fields.remove("generation");
    fields.remove("notes");
    answer
}

const LARGE_QUERIES: [&[&str]; 3] = [
    &["first_7_3", "-k", "30"],
    &["second file", "-k", "30"],
    &["-F", "_299_19()"],
];

fn check_as_fresh(world: &World, what: &str) {
    world.run(&["index"]);
    for args in LARGE_QUERIES {
        let answer = comparable(world.json(args));
        assert_eq!(answer, fresh_answer(world, args), "{what}: {args:?}");
    }
}

fn spawn_index(world: &World) -> Child {
    let mut process = world.process();
    process
        .arg("index")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    process.spawn().unwrap()
}

/// Kills `scent index` at moments spread over the time that it takes. Whatever
/// is left behind, the next search succeeds and is right.
fn check_kills(world: &World, prepare: impl Fn(usize)) {
    const KILLS: usize = 8;
    prepare(0);
    let started = Instant::now();
    assert!(spawn_index(world).wait().unwrap().success());
    let whole = started.elapsed();
    for nth in 0..KILLS {
        prepare(nth + 1);
        let mut child = spawn_index(world);
        std::thread::sleep(whole * nth as u32 / KILLS as u32);
        // On Unix this is kill -9.
        child.kill().unwrap();
        child.wait().unwrap();
        let answer = world.run(LARGE_QUERIES[0]);
        assert!(matches!(answer.code, Some(0 | 1)), "kill {nth}: {answer:?}");
        check_as_fresh(world, &format!("kill {nth} of {KILLS} in {whole:?}"));
    }
}

#[test]
fn a_killed_first_index_does_no_harm() {
    let world = large();
    check_kills(&world, |_| {
        let _ = fs::remove_dir_all(&world.data);
    });
}

#[test]
fn a_killed_update_does_no_harm() {
    let world = large();
    world.run(&["index"]);
    check_kills(&world, |nth| {
        write_large(&world, ["first", "second"][nth % 2])
    });
}

#[test]
fn two_at_once_both_end_well() {
    let world = large();
    for round in ["cold", "warm"] {
        let both = [spawn_index(&world), spawn_index(&world)];
        for mut child in both {
            assert!(child.wait().unwrap().success(), "{round}");
        }
        check_as_fresh(&world, round);
        write_large(&world, "second");
    }
}
