//! How files are named in answers.

use crate::world::*;

/// Commands with a part of what they print where one stands in the project; P
/// stands for the project.
const COMMANDS: [(&[&str], &str); 15] = [
    (&["retry_delay", "-k", "1"], "src/retry.rs"),
    (&["retry_delay", "-k", "1", "-l"], "src/retry.rs"),
    (&["-F", "base << attempt", "--vimgrep"], "src/retry.rs:6:"),
    (&["-F", "base << attempt", "--count"], "src/retry.rs:1"),
    (
        &["-F", "base << attempt", "--no-ignore"],
        "src/retry.rs:6-6",
    ),
    (&["similar", "P/src/client.py:7", "-k", "1"], "src/retry.rs"),
    (&["def", "retry_delay", "P"], "src/retry.rs"),
    (&["refs", "retry_delay", "P"], "src/retry.rs"),
    (&["deps", "P/src/main.py"], "src/main.py"),
    (&["impact", "retry_delay"], "src/retry.rs"),
    (&["callpath", "next", "retry_delay"], "src/retry.rs"),
    (&["outline", "P/src/client.py"], "src/client.py"),
    (&["units", "P/src/client.py"], "src/client.py"),
    (&["status", "P", "--skipped"], "web/data.bin"),
    (&["status", "P", "--unhealthy"], "src/broken.py"),
];

fn world() -> World {
    let world = World::sample();
    let main = "from client import Client\n\nClient().send(1)\n";
    world.write("src/main.py", main);
    world.write("src/broken.py", "def )(:\n    (\n");
    world.write("web/data.bin", [0u8; 8]);
    world.write("docs/deep/empty.txt", "");
    world
}

/// Every command names files as one would type their names here.
#[test]
fn every_command_names_files_from_where_one_stands() {
    let world = world();
    let project = world.root.to_str().unwrap();
    for (args, path) in COMMANDS {
        for (from, project_from_there) in [("", "."), ("src", ".."), ("docs/deep", "../..")] {
            let folder = world.root.join(from);
            let args = args.iter().map(|arg| arg.replace('P', project_from_there));
            let run = ended(world.command().current_dir(folder).args(args.clone()));
            let want = match (path.strip_prefix("src/"), from) {
                (_, "") => path.to_owned(),
                (Some(inside), "src") => inside.to_owned(),
                _ => format!("{project_from_there}/{path}"),
            };
            let begins = run
                .out
                .lines()
                .any(|line| line.trim_start().starts_with(&want));
            assert!(
                begins,
                "{want}: {:?} in {from:?}: {run:?}",
                args.collect::<Vec<_>>()
            );
            assert!(!run.out.contains(project), "{path} in {from:?}: {run:?}");
        }
    }
}

#[test]
fn files_beside_a_place_are_named_alike() {
    let world = world();
    for (args, want) in [
        (&["deps", "main.py"][..], " -> client.py\n"),
        (
            &["deps", "main.py", "--format", "dot"],
            "\"main.py\" -> \"client.py\";",
        ),
        (
            &["-F", "base << attempt", "--format", "markdown"],
            "### `retry.rs:",
        ),
    ] {
        let run = ended(
            world
                .command()
                .current_dir(world.root.join("src"))
                .args(args),
        );
        assert_holds(&run.out, &[want], &format!("{args:?}"));
    }
}

#[test]
fn errors_name_places_as_they_were_typed() {
    let world = world();
    for (args, want) in [
        (
            ["similar", "retry.rs:99"],
            "`scent units retry.rs` lists the units",
        ),
        (["refs", "retry.rs:2"], "scent: retry.rs:2: no definition"),
    ] {
        let run = ended(
            world
                .command()
                .current_dir(world.root.join("src"))
                .args(args),
        );
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_holds(&run.err, &[want], args[0]);
    }
}

/// From another project, only the whole path is of use.
#[test]
fn files_of_another_project_are_named_in_full() {
    let world = world();
    let project = world.root.to_str().unwrap();
    let mut command = world.command();
    let elsewhere = ended(
        command
            .current_dir(&world.home)
            .args(["def", "retry_delay", project]),
    );
    assert_holds(
        &elsewhere.out,
        &[&format!("{project}/src/retry.rs:4")],
        "elsewhere",
    );
}
