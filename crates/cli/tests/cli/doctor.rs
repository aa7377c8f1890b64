//! `scent doctor`: what is wrong is found, and what to do about it is said.

use crate::world::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A user for whom scent is installed.
fn user(args: &[&str]) -> World {
    let world = World::sample();
    if !args.is_empty() {
        let run = world.run(&[&["install", "-y"], args].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    world
}

/// What was checked, and the exit status.
fn doctor(world: &World, args: &[&str]) -> (Vec<Value>, Option<i32>) {
    let run = world.run(&[&["doctor", "--json"], args].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    (answer["checks"].as_array().unwrap().clone(), run.code)
}

/// The checks of a part of an agent, as `status: message`.
fn of(checks: &[Value], agent: &str, part: &str) -> Vec<String> {
    let of_part = checks.iter().filter(|check| {
        let is_agent = check["agent"].as_str().unwrap_or("") == agent;
        is_agent && check["part"] == part
    });
    let text = |check: &Value| {
        let [status, message] = ["status", "message"].map(|key| check[key].as_str().unwrap());
        format!("{status}: {message}")
    };
    of_part.map(text).collect()
}

fn edit(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, change(&text)).unwrap();
}

#[test]
fn every_agent_that_is_installed_is_started_and_answers() {
    let world = user(&[]);
    let listed = world.run(&["install", "--list", "--json"]).out;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    for agent in listed["agents"].as_array().unwrap() {
        let id = agent["id"].as_str().unwrap();
        for level in ["--user", "--project"] {
            let run = world.run(&["install", id, level, "--all", "-y"]);
            // Some have nothing for the user.
            assert!(run.code < Some(2), "{id}: {}", run.err);
        }
        let (checks, code) = doctor(&world, &[id]);
        assert_eq!(code, Some(0), "{id}: {checks:#?}");
        let servers = of(&checks, id, "mcp");
        let has_server = |level: &str| {
            let parts = agent[level].as_array().unwrap();
            usize::from(parts.iter().any(|part| part == "mcp"))
        };
        assert_eq!(
            servers.len(),
            has_server("user") + has_server("project"),
            "{id}"
        );
        for server in servers {
            assert_holds(&server, &["ok: `", " answers in ", "with 6 tools"], id);
        }
        let of_agent = checks.iter().filter(|check| check["agent"] == *id);
        for check in of_agent {
            assert_eq!(check["status"], "ok", "{check}");
        }
    }
}

type Break = fn(&World);

/// What somebody breaks, in which part it shows, what is found and what to do.
const BROKEN: [(&str, Break, &str, &str, &str); 7] = [
    (
        "the program of an entry is gone",
        |world| moved(&world.home.join(".claude.json"), "/nowhere/scent"),
        "mcp",
        "problem: /nowhere/scent is not there any more",
        "run `scent install claude-code --mcp`",
    ),
    (
        "the program of a hook is gone",
        |world| moved(&world.home.join(".claude/settings.json"), "/nowhere/scent"),
        "hook",
        "problem: /nowhere/scent is not there any more",
        "run `scent install claude-code --hook`",
    ),
    (
        "an entry starts another program of that name",
        |world| moved(&world.home.join(".claude.json"), &fake(world, "exit 3")),
        "mcp",
        "problem: `",
        "run `scent install claude-code --mcp`",
    ),
    (
        "a file is broken",
        |world| {
            edit(&world.home.join(".claude.json"), |text| {
                text.replace('}', "")
            })
        },
        "mcp",
        "problem: is not valid",
        "mend the file",
    ),
    (
        "another program has our name",
        |world| moved(&world.home.join(".claude.json"), "/bin/cat"),
        "mcp",
        "problem: has an entry called \"scent\" that was not written",
        "rename the entry",
    ),
    (
        "instructions are of another version",
        |world| {
            edit(&world.home.join(".claude/CLAUDE.md"), |text| {
                text.replace("It works best", "It works")
            });
        },
        "instructions",
        "warning: installed by another version",
        "run `scent install claude-code --instructions`",
    ),
    (
        "somebody changed the skill",
        |world| {
            edit(&world.home.join(".claude/skills/scent/SKILL.md"), |text| {
                text.replace("grep is", "grep was")
            });
        },
        "skill",
        "warning: was changed since",
        "keep it, or remove it",
    ),
];

#[test]
fn what_is_broken_is_found_and_advice_given() {
    for (what, damage, part, message, advice) in BROKEN {
        let world = user(&["claude-code", "--all"]);
        damage(&world);
        let (checks, code) = doctor(&world, &["claude-code"]);
        let found = of(&checks, "claude-code", part);
        assert!(found[0].starts_with(message), "{what}: {found:?}");
        let check = checks.iter().find(|check| check["part"] == part).unwrap();
        assert_holds(check["advice"].as_str().unwrap(), &[advice], what);
        let is_problem = message.starts_with("problem");
        assert_eq!(code, Some(if is_problem { 2 } else { 0 }), "{what}");
    }
}

fn moved(path: &Path, program: &str) {
    edit(path, |text| {
        text.replace(env!("CARGO_BIN_EXE_scent"), program)
    });
}

/// A program called scent that does something else.
fn fake(world: &World, line: &str) -> String {
    let folder = world.home.join("other");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("scent");
    fs::write(&file, format!("#!/bin/sh\n{line}\n")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    file.display().to_string()
}

/// Whoever wrote a project does not choose what runs on the machine of who
/// checks it.
#[cfg(unix)]
#[test]
fn the_program_of_a_project_is_not_started() {
    let world = user(&[]);
    let run = world.run(&["install", "claude-code", "--project", "--mcp", "-y"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let trap = world.home.join("trap");
    let program = fake(&world, &format!("touch '{}'", trap.display()));
    moved(&world.root.join(".mcp.json"), &program);
    let (checks, _) = doctor(&world, &["claude-code"]);
    let found = of(&checks, "claude-code", "mcp");
    assert_holds(&found[0], &["warning: starts ", "was not started"], "entry");
    assert!(!trap.exists(), "a program of the project ran");
    // The user's own entry is started as it is written.
    world.run(&["install", "claude-code", "--mcp", "-y"]);
    moved(&world.home.join(".claude.json"), &program);
    doctor(&world, &["claude-code"]);
    assert!(trap.exists());
}

#[test]
fn scent_itself_is_checked() {
    let world = user(&[]);
    let (checks, code) = doctor(&world, &[]);
    assert_eq!(code, Some(1), "nothing is installed: {checks:#?}");
    for (part, want) in [
        ("data", "ok: can be written; 0 indexes"),
        ("model", "ok: small"),
        ("index", "ok: not made yet"),
    ] {
        assert_holds(&of(&checks, "", part)[0], &[want], part);
    }
    assert!(!world.data.exists(), "a check makes nothing");
    world.run(&["index"]);
    let (checks, _) = doctor(&world, &[]);
    assert_holds(
        &of(&checks, "", "index")[0],
        &["ok: 5 files", "up to date"],
        "index",
    );
    world.write("src/retry.rs", "fn other() {}\n");
    let (checks, _) = doctor(&world, &[]);
    assert_holds(&of(&checks, "", "index")[0], &["1 file changed"], "index");
    world.write_user_settings("model = \"/no/such/model.safetensors\"\n");
    let (checks, code) = doctor(&world, &[]);
    assert!(
        of(&checks, "", "model")[0].starts_with("problem: "),
        "{checks:#?}"
    );
    assert_eq!(code, Some(2));
    world.write_user_settings("modell = 1\n");
    let (checks, code) = doctor(&world, &[]);
    assert!(
        of(&checks, "", "settings")[0].starts_with("problem: "),
        "{checks:#?}"
    );
    assert_eq!(code, Some(2));
}

#[test]
fn an_unknown_agent_is_a_mistake() {
    let world = user(&[]);
    assert_holds(
        &world.refused(&["doctor", "emacs"]),
        &["emacs: no such agent"],
        "name",
    );
}

#[test]
fn people_read_a_line_for_each_check() {
    let world = user(&["codex", "--all"]);
    let run = world.run(&["doctor", "codex"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let program = PathBuf::from(env!("CARGO_BIN_EXE_scent"));
    assert!(run.out.starts_with("scent "), "{}", run.out);
    let wanted = [
        "\ncodex\n  ok       mcp          ",
        " answers in ",
        "  ok       hook ",
    ];
    assert_holds(&run.out, &wanted, "text");
    assert!(run.out.contains(&program.display().to_string()));
}
