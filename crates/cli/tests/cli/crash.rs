//! Files that end the process while they are parsed.
#![cfg(unix)]

use crate::world::*;
use std::fs;
use std::time::Duration;

const ABORT: &str = "# scent-test: abort while parsing\ndef poisoned_retry():\n    pass\n";
const OVERFLOW: &str = "# scent-test: overflow while parsing\ndef deep_retry():\n    pass\n";

/// One file never ends a command: it is indexed by paragraphs, named once, and
/// listed from then on.
#[test]
fn a_file_that_crashes_the_parser_is_indexed_by_paragraphs() {
    let world = World::sample();
    world.write("src/abort.py", ABORT);
    world.write("src/overflow.py", OVERFLOW);
    let run = world.run(&["retry delay", "-l"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("src/retry.rs"), "{run:?}");
    assert_holds(
        &run.err,
        &["the parser crashed on", "and 1 more", "--unhealthy"],
        "named",
    );
    let unhealthy = world.found(&["status", "--unhealthy"]);
    let listed = [
        "src/abort.py: the parser crashed",
        "src/overflow.py: the parser crashed",
    ];
    assert_holds(&unhealthy, &listed, "listed");
    let found = world.run(&["-F", "poisoned_retry", "-l"]);
    assert_eq!(
        (found.out.as_str(), found.err.as_str()),
        ("src/abort.py\n", ""),
        "searched, too"
    );
    let run = world.run(&["outline", "src/abort.py"]);
    assert!(matches!(run.code, Some(0 | 1)), "{run:?}");

    world.write("src/abort.py", "def poisoned_retry():\n    pass\n");
    assert_holds(
        &world.found(&["def", "poisoned_retry"]),
        &["src/abort.py:1"],
        "once it is mended",
    );
    let unhealthy = world.found(&["status", "--unhealthy"]);
    assert!(!unhealthy.contains("src/abort.py"), "{unhealthy}");
}

/// Commands that need no index go on as well.
#[test]
fn a_crash_without_an_index_is_survived() {
    let world = World::sample();
    world.write("src/abort.py", ABORT);
    for args in [
        &["units", "src/abort.py"][..],
        &["outline", "src/abort.py", "src/retry.rs"],
    ] {
        let _ = fs::remove_dir_all(&world.data);
        let run = world.run(args);
        assert_eq!(run.code, Some(0), "{args:?}: {run:?}");
    }
}

/// What was read from standard input is there when the command starts again, and
/// nothing is printed twice.
#[test]
fn a_command_that_starts_again_has_its_input_and_prints_once() {
    let world = World::sample();
    world.write("src/abort.py", ABORT);
    let run = ended(
        world
            .command()
            .args(["-", "-l"])
            .write_stdin("retry delay\n"),
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("src/retry.rs"), "{run:?}");
    let _ = fs::remove_dir_all(&world.data);
    let list = "src/abort.py\nsrc/retry.rs\n";
    let run = ended(
        world
            .command()
            .args(["units", "--files-from", "-"])
            .write_stdin(list),
    );
    assert!(
        run.out.contains("poisoned") && run.out.contains("retry_delay"),
        "{run:?}"
    );
    let _ = fs::remove_dir_all(&world.data);
    let run = world.run(&["units", "src/client.py", "src/abort.py"]);
    assert_eq!(run.out.matches("class Client\n").count(), 1, "{run:?}");
}

/// Notes that cannot be read are no reason to start again for ever.
#[test]
fn notes_that_are_spoiled_are_begun_anew() {
    for spoiled in [
        b"\xFF\xFE not notes".to_vec(),
        vec![b'a'; 5 << 20],
        Vec::new(),
    ] {
        let world = World::sample();
        world.write("src/abort.py", ABORT);
        fs::create_dir_all(&world.data).unwrap();
        fs::write(world.data.join("crashed"), &spoiled).unwrap();
        let run = ended(
            world
                .command()
                .args(["retry delay", "-l"])
                .timeout(Duration::from_secs(60)),
        );
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    let world = World::sample();
    // Each thread may note a file before the process starts again.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for nth in 0..50 * threads + 10 {
        world.write(&format!("src/{nth}.py"), format!("{ABORT}# {nth}\n"));
    }
    let run = world.run(&["retry delay", "-l"]);
    assert_eq!(run.code, None, "{run:?}");
    assert_holds(
        &run.err,
        &["parsers crashed on 50 files", ".scentignore"],
        "too many",
    );
    let mut ends = (0..threads + 1).map(|_| world.run(&["retry delay", "-l"]).code);
    assert!(ends.any(|code| code == Some(0)), "the next ones go on");
}

/// A signal from outside ends the process, and no file is to blame.
#[test]
fn whoever_kills_the_process_blames_nobody() {
    let world = World::sample();
    for nth in 0..60 {
        world.write(&format!("src/{nth}.py"), CLIENT_PY.repeat(200));
    }
    for signal in ["ABRT", "SEGV", "KILL", "TERM"] {
        for millis in [20, 60, 120] {
            let _ = fs::remove_dir_all(&world.data);
            let mut child = world
                .process()
                .args(["index", "--no-vectors", "-q"])
                .spawn()
                .unwrap();
            std::thread::sleep(std::time::Duration::from_millis(millis));
            let kill = format!("kill -{signal} {}", child.id());
            let _ = std::process::Command::new("sh")
                .args(["-c", &kill])
                .status();
            child.wait().unwrap();
            let notes = fs::read_to_string(world.data.join("crashed")).unwrap_or_default();
            assert_eq!(notes, "", "{signal} after {millis} ms");
        }
    }
    world.run(&["index", "--no-vectors", "-q"]);
    assert_eq!(world.found(&["status", "--unhealthy"]), "");
}
