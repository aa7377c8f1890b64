//! How much room all indexes take: listing them, removing old ones, and a limit.

use crate::world::*;
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

const DAY: u64 = 24 * 3600;

/// A world with three indexed projects beside the first one.
fn world() -> World {
    let world = World::sample();
    for name in ["a", "b", "c"] {
        let folder = project(&world, name);
        fs::create_dir_all(folder.join(".git")).unwrap();
        fs::write(folder.join("a.rs"), format!("fn of_{name}() {{}}\n")).unwrap();
        search_in(&world, name);
    }
    world
}

fn project(world: &World, name: &str) -> PathBuf {
    world.root.parent().unwrap().join(name)
}

fn search_in(world: &World, name: &str) -> Run {
    let mut command = world.command();
    command.current_dir(project(world, name));
    ended(command.args(["of", "-l", "--keyword-only"]))
}

fn indexes(world: &World, args: &[&str]) -> Vec<Value> {
    let run = world.run(&[&["indexes", "--json"], args].concat());
    let listed: Value = serde_json::from_str(&run.out).unwrap();
    listed["indexes"].as_array().unwrap().clone()
}

/// The names of the projects that have an index, in the order of the list.
fn listed(world: &World, args: &[&str]) -> Vec<String> {
    let root = |index: &Value| index["root"].as_str().unwrap_or("?").to_owned();
    let name = |root: String| root.rsplit('/').next().unwrap_or("").to_owned();
    let found = indexes(world, args);
    found.iter().map(root).map(name).collect()
}

/// The file that notes the last use of a project's index.
fn used(world: &World, name: &str) -> PathBuf {
    let start = format!("{name}-");
    let folders = fs::read_dir(&world.data).unwrap().flatten();
    let mut folders =
        folders.filter(|entry| entry.file_name().to_string_lossy().starts_with(&start));
    folders.next().unwrap().path().join("used")
}

fn set_unused(world: &World, name: &str, days: u64) {
    let file = OpenOptions::new()
        .write(true)
        .open(used(world, name))
        .unwrap();
    let then = SystemTime::now() - Duration::from_secs(days * DAY);
    file.set_modified(then).unwrap();
}

#[test]
fn indexes_are_listed_with_size_last_use_and_project() {
    let world = world();
    fs::create_dir(world.data.join("precious")).unwrap();
    assert_eq!(sorted(listed(&world, &[])), ["a", "b", "c"]);
    set_unused(&world, "b", 3);
    set_unused(&world, "a", 40);
    assert_eq!(listed(&world, &["--sort", "used"]), ["c", "b", "a"]);
    fs::remove_dir_all(project(&world, "b")).unwrap();
    for index in indexes(&world, &[]) {
        let exists = !index["root"].as_str().unwrap().ends_with("/b");
        assert_eq!(index["project_exists"], exists, "{index}");
        assert!(index["bytes"].as_u64() > Some(1000), "{index}");
    }
    let text = world.found(&["indexes", "--sort", "used"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_holds(lines[0], &["kB", "/c"], "the last used");
    assert_holds(lines[1], &["3 days ago", "/b", "no longer there"], "gone");
    assert_holds(lines[2], &["40 days ago", "/a"], "the oldest");
    world.run(&["clear", "--all"]);
    assert_eq!(world.run(&["indexes"]).code, Some(1), "nothing is left");
}

#[test]
fn a_use_is_noted_and_an_index_from_before_is_listed() {
    let world = world();
    set_unused(&world, "a", 40);
    search_in(&world, "a");
    assert_eq!(world.run(&["clear", "--unused", "1d"]).code, Some(1));
    fs::remove_file(used(&world, "a")).unwrap();
    assert_eq!(
        sorted(listed(&world, &[])),
        ["a", "b", "c"],
        "as the table of files says"
    );
}

#[test]
fn what_was_not_used_for_a_while_is_removed() {
    let world = world();
    set_unused(&world, "a", 40);
    set_unused(&world, "b", 20);
    let said = world.found(&["clear", "--unused", "30d", "--dry-run"]);
    assert_holds(&said, &["/a", "would remove 1 index"], "a dry run");
    assert_eq!(listed(&world, &[]).len(), 3);
    // Somebody has it open.
    let open = File::open(used(&world, "a")).unwrap();
    open.lock_shared().unwrap();
    assert_eq!(world.run(&["clear", "--unused", "30d"]).code, Some(1));
    drop(open);
    let said = world.found(&["clear", "--unused", "30d"]);
    assert_holds(
        &said,
        &["40 days ago", "/a", "removed 1 index", "kB"],
        "what and how much",
    );
    assert_eq!(sorted(listed(&world, &[])), ["b", "c"]);
    assert_eq!(world.run(&["clear", "--unused", "3w"]).code, Some(1));
    world.found(&["clear", "--unused", "480h"]);
    assert_eq!(listed(&world, &[]), ["c"]);
    assert_eq!(search_in(&world, "a").code, Some(0), "it is made again");
    for age in ["30", "d", "-1d", "30y", "", "9999999999999999999w"] {
        let said = world.refused(&["clear", "--unused", age]);
        assert_holds(&said, &["30d"], age);
    }
}

#[test]
fn the_least_used_indexes_go_where_all_are_too_large() {
    let world = world();
    set_unused(&world, "a", 3);
    set_unused(&world, "b", 2);
    let bytes = |world: &World| -> u64 {
        let all = indexes(world, &[]);
        all.iter()
            .map(|index| index["bytes"].as_u64().unwrap())
            .sum()
    };
    // Room for all but one.
    world.write_user_settings(&format!("index.max_total_size = {}\n", bytes(&world) - 1));
    fs::write(project(&world, "c").join("b.rs"), "fn of_more() {}\n").unwrap();
    let run = search_in(&world, "c");
    assert_holds(&run.err, &["removed", "index.max_total_size"], "a note");
    assert!(
        !listed(&world, &[]).contains(&"a".to_owned()),
        "the least used"
    );
    assert!(listed(&world, &[]).contains(&"c".to_owned()));
    // The one that was written stays, however large it is, and so does one in
    // use.
    world.write_user_settings("index.max_total_size = \"1KB\"\n");
    let open = listed(&world, &[]).contains(&"b".to_owned()).then(|| {
        let open = File::open(used(&world, "b")).unwrap();
        open.lock_shared().unwrap();
        open
    });
    let before = listed(&world, &[]);
    fs::write(project(&world, "c").join("c.rs"), "fn of_most() {}\n").unwrap();
    assert_eq!(search_in(&world, "c").code, Some(0));
    assert_eq!(listed(&world, &[]).len(), before.len());
    drop(open);
    let quiet = search_in(&world, "c");
    assert_eq!(quiet.err, "", "nothing was written");
}

#[cfg(unix)]
#[test]
fn a_read_only_index_needs_no_note_of_its_use() {
    use std::os::unix::fs::PermissionsExt;
    let world = world();
    let note = used(&world, "a");
    let folder = note.parent().unwrap();
    fs::remove_file(&note).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o500)).unwrap();
    let run = search_in(&world, "a");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_note_is_not_followed() {
    let world = world();
    let (note, theirs) = (used(&world, "a"), world.home.join("theirs"));
    fs::write(&theirs, "theirs").unwrap();
    let then = SystemTime::now() - Duration::from_secs(DAY);
    let file = OpenOptions::new().write(true).open(&theirs).unwrap();
    file.set_modified(then).unwrap();
    fs::remove_file(&note).unwrap();
    std::os::unix::fs::symlink(&theirs, &note).unwrap();
    assert_eq!(search_in(&world, "a").code, Some(0));
    assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
    assert_eq!(fs::metadata(&theirs).unwrap().modified().unwrap(), then);
    world.run(&["clear", "--all"]);
    assert!(theirs.exists());
}
