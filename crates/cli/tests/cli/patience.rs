//! Searches that do not wait until everything is indexed, and what is left when
//! somebody does not want to wait.

use crate::kill::{comparable, fresh_answer};
use crate::world::*;
use serde_json::Value;
use std::fs;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// A project whose updates are saved as often as possible.
fn world() -> World {
    let world = World::new(&[(".git/HEAD", "x\n")]);
    world.write_user_settings("index.commit_every = 0\n");
    for file in 0..400 {
        let function =
            |nth: usize| format!("fn first_{file}_{nth}() {{\n    call_{nth}();\n}}\n\n");
        let text: String = (0..30).map(function).collect();
        world.write(&format!("src/{}/file{file}.rs", file % 10), text);
    }
    world
}

/// Waits until the worker in the background has nothing left to do.
fn wait_for_worker(world: &World) {
    let began = Instant::now();
    loop {
        let status: Value = serde_json::from_str(&world.run(&["status", "--json"]).out).unwrap();
        let waiting = |set: &Value| set["waiting"] != 0;
        let embeds = status["embeddings"].as_array().unwrap().iter().any(waiting);
        if status["backlog"].is_null() && !embeds {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(120), "{status}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_first_search_answers_from_what_is_indexed() {
    let world = world();
    let query = ["first_7_3", "-k", "30"];
    let none = ["--patience", "0"];
    let run = world.run(&[&query[..], &none].concat());
    assert_eq!(run.code, Some(1), "{run:?}");
    let note = ["0% of 40", "are indexed", "in the background"];
    assert_holds(&run.err, &note, "nothing yet");
    let run = world.run(&["def", "first_7_3", "--no-such"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    wait_for_worker(&world);
    let answer = comparable(world.json(&query));
    assert_eq!(answer, fresh_answer(&world, &query));
}

#[test]
fn whoever_waits_gets_all() {
    let world = world();
    let found = world.run(&["def", "first_399_29", "--patience", "none"]);
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{found:?}");
    for wrong in ["-1", "soon", ""] {
        let run = world.run(&["retry", &format!("--patience={wrong}")]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_holds(&run.err, &["number of seconds, or `none`"], "refused");
    }
    let run = world.run(&["retry", "--patience", "1", "--no-update"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

/// A project whose first update got a signal after its first slice.
#[cfg(unix)]
fn interrupted(signal: &str) -> (World, Output) {
    for _ in 0..6 {
        let world = world();
        let mut process = world.process();
        process.args(["index", "--no-vectors"]);
        process.stdout(Stdio::null()).stderr(Stdio::piped());
        let child = process.spawn().unwrap();
        let is_begun = || {
            let folders = fs::read_dir(&world.data).into_iter().flatten().flatten();
            let mut folders = folders.map(|entry| entry.path());
            folders.any(|folder| folder.join("meta.json").exists())
        };
        let began = Instant::now();
        while !is_begun() && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = format!("kill -{signal} {}", child.id());
        let killed = std::process::Command::new("sh")
            .args(["-c", &kill])
            .status();
        assert!(killed.unwrap().success());
        let output = child.wait_with_output().unwrap();
        // On a busy machine the rest may be done before the signal is sent.
        if output.status.code() != Some(0) {
            return (world, output);
        }
    }
    panic!("{signal} never came in time");
}

/// A signal ends an update with what is done so far.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_indexed() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let (world, output) = interrupted(signal);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert_holds(&said, &["interrupted", "goes on from there"], signal);
        let run = world.run(&["status"]);
        assert_holds(&run.out, &["progress", "the next search goes on"], signal);
        let run = world.run(&["first_0_0", "--no-update"]);
        assert_holds(&run.err, &["`scent index` indexes the rest"], signal);
        world.run(&["index"]);
        let query = ["first_7_3", "-k", "30"];
        let answer = comparable(world.json(&query));
        assert_eq!(answer, fresh_answer(&world, &query), "{signal}");
    }
}

/// Without a repository, a folder inside an indexed one needs no index.
#[test]
fn a_path_inside_an_indexed_folder_uses_that_index() {
    let world = World::new(&[("src/retry.rs", RETRY_RS), ("docs/guide.md", GUIDE_MD)]);
    world.found(&["index", "-q"]);
    let indexes = || fs::read_dir(&world.data).unwrap().flatten();
    let count = || {
        indexes()
            .filter(|entry| entry.path().join("meta.json").exists())
            .count()
    };
    assert_eq!(count(), 1);
    let run = world.run(&["retry", "src", "-l"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "src/retry.rs\n"),
        "{run:?}"
    );
    assert_holds(&run.err, &["using the index of", "--exact"], "says so");
    assert_eq!(count(), 1, "no second index");
    let run = world.run(&["retry", "src", "-l", "--exact"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    assert_eq!(count(), 2);
    let run = world.run(&["retry", "src", "-l"]);
    assert_eq!(run.err, "", "it has its own now: {run:?}");
}
