//! Which project a call means, and which it may not read.

use crate::client::{Client, Era, Told, address};
use crate::world::World;
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// A world with a project inside its home and one beside it.
fn projects() -> World {
    let world = World::sample();
    for name in ["one", "two", "three", "four"] {
        let folder = world.home.join(name);
        std::fs::create_dir_all(folder.join(".git")).unwrap();
        std::fs::write(
            folder.join("who.py"),
            format!("def who_{name}():\n    pass\n"),
        )
        .unwrap();
    }
    world
}

fn server(world: &World, folder: &Path, args: &[&str]) -> Command {
    let mut command = world.process();
    command.env_remove("CLAUDE_PROJECT_DIR");
    command.arg("mcp").args(args).current_dir(folder);
    command
}

fn who(client: &mut Client) -> Told {
    client.call("def", json!({"name": "who_*"}))
}

#[test]
fn the_strongest_that_names_a_project_decides() {
    let world = projects();
    let [one, two, three, four] = ["one", "two", "three", "four"].map(|n| world.home.join(n));
    let named = json!({"name": "who_*", "root": three.display().to_string()});
    // The folder that it was started in.
    let mut client = Client::start_as(&mut server(&world, &one, &[]));
    client.meet(Era::Legacy);
    assert!(who(&mut client).text.contains("who_one"));
    // What the client declares is stronger.
    let mut client = Client::start_as(&mut server(&world, &one, &[]));
    client.roots = vec![address(&two)];
    client.meet(Era::Legacy);
    assert!(who(&mut client).text.contains("who_two"));
    // What the environment says is stronger.
    let mut command = server(&world, &one, &[]);
    let mut client = Client::start_as(command.env("CLAUDE_PROJECT_DIR", &three));
    client.roots = vec![address(&two)];
    client.meet(Era::Legacy);
    assert!(who(&mut client).text.contains("who_three"));
    // What it was given is stronger.
    let root = four.display().to_string();
    let given = ["--root", "${workspaceFolder}", "--root", root.as_str()];
    let mut command = server(&world, &one, &given);
    let mut client = Client::start_as(command.env("CLAUDE_PROJECT_DIR", &three));
    client.meet(Era::Modern);
    assert!(who(&mut client).text.contains("who_four"));
    // What the call names is stronger.
    assert!(client.call("def", named).text.contains("who_three"));
}

#[test]
fn without_a_project_a_call_is_told_to_name_one() {
    let world = projects();
    let one = world.home.join("one");
    for folder in [Path::new("/"), &world.home] {
        let mut client = Client::start_as(&mut server(&world, folder, &[]));
        client.meet(Era::Modern);
        let told = who(&mut client);
        assert!(
            told.is_error && told.text.contains("pass root="),
            "{}",
            told.text
        );
        let whole = one.join("who.py").display().to_string();
        for arguments in [
            json!({"name": "who_*", "root": one.display().to_string()}),
            json!({"name": "who_*", "root": address(&one)}),
            json!({"name": format!("{whole}:1")}),
        ] {
            let tool = if arguments.get("root").is_some() {
                "def"
            } else {
                "refs"
            };
            let told = client.call(tool, arguments);
            assert!(told.text.contains("who_one"), "{}", told.text);
        }
        let told = client.call("search", json!({"query": "root", "root": "/etc"}));
        assert!(
            told.is_error && told.text.contains("/etc: outside"),
            "{}",
            told.text
        );
    }
}

#[test]
fn what_is_outside_the_project_is_refused_unless_it_is_allowed() {
    let world = projects();
    let [one, two] = ["one", "two"].map(|n| world.home.join(n));
    let other = two.display().to_string();
    for (args, allowed) in [(vec![], false), (vec!["--allow", other.as_str()], true)] {
        let mut client = Client::start_as(&mut server(&world, &one, &args));
        client.meet(Era::Modern);
        let file = two.join("who.py").display().to_string();
        for (tool, arguments) in [
            ("def", json!({"name": "who_*", "root": other})),
            ("outline", json!({"paths": [file]})),
            ("search", json!({"query": "who", "paths": other})),
        ] {
            let told = client.call(tool, arguments);
            assert_eq!(!told.is_error, allowed, "{tool}: {}", told.text);
            assert_eq!(told.text.contains("who_two"), allowed, "{}", told.text);
            assert_eq!(told.text.contains("scent mcp --allow"), !allowed);
        }
        let told = client.call("search", json!({"query": "x", "root": "/etc"}));
        assert!(told.is_error, "{}", told.text);
    }
}

#[test]
fn files_with_keys_are_shown_only_where_that_is_allowed() {
    let world = World::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".env", "PASSWORD=hunter2_marker\n"),
        ("src/notes.md", "# Notes\n\nWhere hunter2_marker stands.\n"),
    ]);
    let mut client = Client::met(&world, Era::Modern, &[]);
    for (tool, arguments) in [
        ("search", json!({"query": "hunter2_marker"})),
        (
            "search",
            json!({"pattern": "hunter2_marker", "context": "full"}),
        ),
        ("refs", json!({"name": "hunter2_marker", "text": true})),
        ("outline", json!({"paths": [".env"]})),
        ("outline", json!({})),
    ] {
        let told = client.call(tool, arguments);
        assert!(!told.text.contains("PASSWORD"), "{tool}: {}", told.text);
    }
    let mut open = Client::met(&world, Era::Modern, &["--allow-secrets"]);
    let text = open.text("search", json!({"pattern": "hunter2_marker"}));
    assert!(text.contains("PASSWORD="), "{text}");
}
