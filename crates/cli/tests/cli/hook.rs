//! `scent hook`: what an agent is told beside its own searches, and when it is
//! told nothing.

use crate::world::*;
use serde_json::{Value, json};
use std::fs;
use std::time::{Duration, Instant};

fn hook(world: &World, input: &str) -> Run {
    ended(world.command().arg("hook").write_stdin(input))
}

/// What is added for a shell command, if something is.
fn added(world: &World, session: &str, command: &str) -> Option<String> {
    let input = json!({
        "session_id": session,
        "cwd": world.root,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    });
    let run = hook(world, &input.to_string());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{command}");
    if run.out.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let output = &answer["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "PreToolUse");
    // Nothing is decided for the agent, and nothing of its call is changed.
    assert_eq!(answer.as_object().unwrap().len(), 1, "{answer}");
    assert_eq!(output.as_object().unwrap().len(), 2, "{answer}");
    Some(output["additionalContext"].as_str().unwrap().to_owned())
}

fn indexed() -> World {
    let world = World::sample();
    assert_eq!(world.run(&["index"]).code, Some(0));
    world
}

#[test]
fn a_search_for_a_known_name_is_told_where_it_is() {
    let world = indexed();
    let outside = world.home.display();
    let cases = [
        (
            "grep -rn retry_delay .",
            Some("src/retry.rs:4; is used at src/retry.rs:15"),
        ),
        (
            "cd src && rg 'fn retry_delay' | head",
            Some("src/retry.rs:4"),
        ),
        (
            "find . -name '*RetryPolicy*'",
            Some("`RetryPolicy` is defined at src/retry.rs:9"),
        ),
        ("rg 'retry_delay|nowhere_at_all'", Some("src/retry.rs:4")),
        // Nothing is known, or it is not certain what is looked for and where.
        ("rg nowhere_at_all", None),
        ("rg retryDelay src", None),
        ("rg retry_delay src/retry.rs", None),
        ("git status", None),
        ("rg $NAME", None),
        (&format!("rg retry_delay {outside}"), None),
    ];
    for (nth, (command, want)) in cases.into_iter().enumerate() {
        let told = added(&world, &nth.to_string(), command);
        assert_eq!(told.is_some(), want.is_some(), "{command}: {told:?}");
        let told = told.unwrap_or_default();
        assert!(told.contains(want.unwrap_or_default()), "{command}: {told}");
        assert!(told.chars().count() <= 1200, "{command}: {told}");
    }
}

#[test]
fn a_session_is_told_once() {
    let world = indexed();
    let command = "grep -rn retry_delay .";
    assert!(added(&world, "a", command).is_some());
    assert_eq!(added(&world, "a", command), None);
    assert!(added(&world, "b", command).is_some());
    assert!(added(&world, "a", "rg RetryPolicy").is_some());
}

#[test]
fn without_an_index_or_a_question_nothing_is_said_and_nothing_made() {
    let world = World::sample();
    assert_eq!(added(&world, "a", "grep -rn retry_delay ."), None);
    let start = json!({"hook_event_name": "SessionStart", "cwd": world.root});
    let silent = [
        start.to_string(),
        String::new(),
        "{".to_owned(),
        "[1]".to_owned(),
    ];
    for input in &silent {
        let run = hook(&world, input);
        assert_eq!(
            run,
            Run {
                code: Some(0),
                out: String::new(),
                err: String::new()
            },
            "{input}"
        );
    }
    assert!(!world.data.exists(), "a hook makes nothing");
}

#[test]
fn a_session_begins_with_one_paragraph() {
    let world = indexed();
    let start = json!({"hook_event_name": "SessionStart", "cwd": world.root});
    let run = hook(&world, &start.to_string());
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let text = answer["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert_holds(
        text,
        &["scent, which the user installed", "scent uninstall"],
        "start",
    );
}

/// The index is read as it is: changed files are not looked for, and what is
/// damaged is left to who has time.
#[test]
fn the_index_is_read_as_it_is() {
    let world = indexed();
    world.write("src/new.rs", "pub fn brand_new() {}\n");
    assert_eq!(added(&world, "a", "rg brand_new"), None);
    let index = fs::read_dir(&world.data)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let index = index
        .filter(|path| path.join("lock").is_file())
        .last()
        .unwrap();
    let before: Vec<_> = sizes(&index);
    for (path, _) in &before {
        let name = path.file_name().unwrap().to_string_lossy();
        if !name.contains("manifest") && !name.contains("lock") {
            fs::write(path, "damaged").unwrap();
        }
    }
    let damaged = sizes(&index);
    assert_eq!(added(&world, "b", "rg retry_delay"), None);
    assert_eq!(sizes(&index), damaged, "nothing was mended");
}

fn sizes(folder: &std::path::Path) -> Vec<(std::path::PathBuf, u64)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut sizes: Vec<_> = entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.path(), entry.metadata().unwrap().len()))
        .collect();
    sizes.sort();
    sizes
}

#[test]
fn who_does_not_close_the_input_is_not_waited_for() {
    let world = indexed();
    let began = Instant::now();
    let mut child = world
        .process()
        .arg("hook")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take();
    let status = child.wait().unwrap();
    let took = began.elapsed();
    drop(input);
    assert_eq!(status.code(), Some(0));
    assert!(took >= Duration::from_millis(1400), "{took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}
