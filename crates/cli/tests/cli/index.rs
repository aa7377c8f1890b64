//! `scent index`, `status`, `remove` and where indexes are kept.

use crate::world::*;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The names of the folders in a folder.
fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.path().is_dir());
    sorted(
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect(),
    )
}

#[test]
fn indexes_are_kept_where_asked_and_nowhere_else() {
    let world = World::sample();
    world.found(&["retry"]);
    assert_eq!(folders(&world.data).len(), 1, "SCENT_DATA_DIR");
    assert_eq!(
        folders(&world.root),
        [".git", "config", "docs", "src", "web"],
        "not in the project"
    );
    let flag = world.root.with_file_name("flag");
    world.found(&["retry", "--data-dir", flag.to_str().unwrap()]);
    assert_eq!(folders(&flag).len(), 1, "--data-dir");
    let run = ended(world.command().env_remove("SCENT_DATA_DIR").arg("retry"));
    assert_eq!(run.code, Some(0));
    assert_eq!(
        folders(&world.home).len(),
        1,
        "a folder below the home by default"
    );
}

#[test]
fn an_index_can_be_looked_at_and_removed() {
    let world = World::sample();
    world.write("node_modules/a/index.js", "x\n");
    world.write("logo.png", b"\x89PNG\0\0");
    assert_holds(
        &world.refused(&["status"]),
        &["not indexed", "scent index"],
        "no index",
    );
    let run = world.run(&["index"]);
    assert_eq!(run.code, Some(0));
    assert_holds(&run.out, &["5 files", "2 skipped"], "index");
    assert_holds(&world.run(&["index"]).out, &["up to date"], "index again");
    assert_eq!(world.run(&["index", "--quiet", "--rebuild"]).err, "");
    assert_eq!(
        world.run(&["index", "--quiet", "--wait"]).err,
        "",
        "one model leaves nothing"
    );

    let status = world.found(&["status"]);
    let rows = [
        "root ",
        "index ",
        "freshness ",
        "files ",
        "units ",
        "languages ",
        "skipped ",
    ];
    assert_holds(&status, &rows, "status");
    assert_holds(&status, &["binary 1", "Rust 1", "generation "], "status");
    let skipped = world.found(&["status", "--skipped"]);
    let want = "logo.png: binary\nnode_modules/: folder of dependencies or caches\n";
    assert_eq!(skipped, want);
    let status: Value = serde_json::from_str(&world.found(&["status", "--json"])).unwrap();
    assert_eq!(
        (&status["files"], &status["health"]["ok"]),
        (&5.into(), &5.into())
    );
    assert_eq!(status["skipped"].as_array().unwrap().len(), 2);
    assert_eq!(status["languages"]["Rust"], 1);
    let set = &status["embeddings"][0];
    assert_eq!(
        (&set["model"], &set["waiting"]),
        (&"small-7".into(), &0.into())
    );
    assert_eq!(set["units"], status["units"]);
    let unhealthy = world.found(&["status", "--unhealthy"]);
    assert_eq!(unhealthy, "");

    assert_holds(&world.found(&["clear"]), &["index removed"], "clear");
    assert_eq!(world.run(&["clear"]).code, Some(1), "nothing to clear");
    world.found(&["retry"]);
    assert_eq!(world.found(&["clear", "--all"]), "removed 1 index\n");
    // Only the lock stays: whoever waits for it must find the same one.
    for folder in folders(&world.data) {
        let left = fs::read_dir(world.data.join(folder))
            .unwrap()
            .map(|e| e.unwrap().file_name());
        assert!(left.into_iter().all(|name| {
            name == "lock" || name == "holder" || name.to_string_lossy().starts_with("turn-")
        }));
    }
}

#[test]
fn status_tells_what_changed() {
    let world = World::sample();
    world.run(&["index"]);
    assert_holds(&world.found(&["status"]), &["up to date"], "just indexed");
    // Files that were just written may yet change unseen. Those of long ago
    // differ by their times alone.
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    for (path, _) in SAMPLE {
        let file = fs::File::options()
            .write(true)
            .open(world.root.join(path))
            .unwrap();
        file.set_modified(long_ago).unwrap();
    }
    world.run(&["index", "--rebuild"]);
    assert_holds(
        &world.found(&["status"]),
        &["up to date"],
        "indexed long after",
    );
    world.write("src/new.rs", "fn retry() {}\n");
    fs::remove_file(world.root.join("web/app.ts")).unwrap();
    assert_holds(
        &world.found(&["status"]),
        &["1 file changed, 1 removed"],
        "stale",
    );
    let status: Value = serde_json::from_str(&world.found(&["status", "--json"])).unwrap();
    assert_eq!(status["freshness"]["fresh"], false);
    let run = ended(
        world
            .command()
            .env("SCENT_INDEX_MAX_FILE_SIZE", "1KB")
            .arg("status"),
    );
    assert_holds(&run.out, &["other settings"], "outdated");
}

/// What an index holds is as private as the sources.
#[cfg(unix)]
#[test]
fn indexes_are_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::sample();
    world.found(&["retry", "-q"]);
    let mut folders = vec![world.data.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            let want = if entry.path().is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, want, "{}", entry.path().display());
            folders.extend(Some(entry.path()).filter(|path| path.is_dir()));
        }
    }
}

#[test]
fn an_index_can_be_verified() {
    let world = World::sample();
    assert_holds(
        &world.refused(&["index", "--verify"]),
        &["not indexed yet"],
        "nothing there",
    );
    world.found(&["retry", "-q"]);
    assert_holds(
        &world.found(&["index", "--verify"]),
        &["files verified"],
        "sound",
    );
    let index = fs::read_dir(&world.data)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let index = index
        .into_iter()
        .find(|path| path.join("files-1").exists())
        .unwrap();
    let mut bytes = fs::read(index.join("facts-1")).unwrap();
    bytes[3] ^= 1;
    fs::write(index.join("facts-1"), bytes).unwrap();
    assert_holds(
        &world.refused(&["index", "--verify"]),
        &["facts-1", "damaged"],
        "damaged",
    );
    assert_holds(
        &world.run(&["retry", "-l"]).err,
        &["damaged", "rebuilt"],
        "mended by a search",
    );
    world.found(&["index", "--verify"]);
}

#[test]
fn a_home_is_not_indexed_by_accident() {
    let world = World::sample();
    let run = |home: &Path, args: &[&str]| {
        ended(
            world
                .command()
                .env("HOME", home)
                .env("USERPROFILE", home)
                .args(args),
        )
    };
    let parent = world.root.parent().unwrap();
    for args in [&["retry"][..], &["index"]] {
        let refused = run(&world.root, args);
        assert_eq!(
            (refused.code, refused.out.as_str()),
            (Some(2), ""),
            "{args:?}"
        );
        assert_holds(&refused.err, &["home directory", "--yes"], "refused");
    }
    let above = run(&world.home, &["retry", parent.to_str().unwrap()]);
    assert_holds(&above.err, &["--yes"], "a folder that holds the home");
    assert!(folders(&world.data).is_empty());
    assert_eq!(run(&world.root, &["retry", "--yes"]).code, Some(0));
    assert_eq!(
        run(&world.root, &["retry"]).code,
        Some(0),
        "once indexed, it is no accident"
    );
    // A project below the home is what everyone has.
    assert_eq!(run(parent, &["retry", "src"]).code, Some(0));
}

#[test]
fn the_program_describes_itself() {
    let world = World::sample();
    assert_holds(
        &world.found(&["languages"]),
        &["Rust", ".rs", "python", "Dockerfile"],
        "text",
    );
    let list: Value = serde_json::from_str(&world.found(&["languages", "--json"])).unwrap();
    let ids: Vec<&Value> = list["languages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| &l["id"])
        .collect();
    assert!(ids.len() > 40 && ids.contains(&&"rust".into()), "{ids:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert_holds(
            &world.found(&["completions", shell]),
            &["scent", "max-tokens"],
            shell,
        );
    }
    assert_holds(
        &world.found(&["man"]),
        &[".TH scent", "EXIT STATUS", "max\\-tokens"],
        "man",
    );
    assert_holds(
        &world.found(&["--help"]),
        &["Exit status", "--max-tokens"],
        "help",
    );
    assert_holds(
        &world.found(&["--version"]),
        &[env!("CARGO_PKG_VERSION")],
        "version",
    );
    assert!(
        folders(&world.data).is_empty(),
        "none of these makes an index"
    );
}
